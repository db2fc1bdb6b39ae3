// SPDX-License-Identifier: Apache-2.0
// The surface of the character. Whoever deforms it, the Worker or the GPU, gives it positions through show().
import * as THREE from 'three';
import type { MeshData, Surface } from '../core/protocol';

/** Vertices as they are drawn: one of the rig's may be several, where normals or textures have seams. */
export interface DrawnMesh {
  /** The rig's vertex of each drawn one; null: the same. */
  readonly source: Uint32Array | null;
  readonly index: Uint32Array;
  readonly uvs: Float32Array | null;
  readonly count: number;
}

export function drawnMesh(mesh: MeshData): DrawnMesh {
  const flip = (uvs: Float32Array): Float32Array => uvs.map((value, i) => (i % 2 === 1 ? 1 - value : value));
  const count = mesh.positions.length / 3;
  if (!mesh.uvs || !mesh.uvCorners || mesh.uvCorners.length !== mesh.triangles.length) {
    const fits = mesh.uvs !== null && mesh.uvs.length === 2 * count;
    return { source: null, index: mesh.triangles, uvs: fits && mesh.uvs ? flip(mesh.uvs) : null, count };
  }
  const index = new Uint32Array(mesh.triangles.length);
  const source: number[] = [];
  const uvs: number[] = [];
  const made = new Map<number, number>();
  const width = mesh.uvs.length / 2 + 1;
  for (let corner = 0; corner < index.length; ++corner) {
    const vertex = mesh.triangles[corner];
    const uv = mesh.uvCorners[corner];
    const key = vertex * width + uv;
    let drawn = made.get(key);
    if (drawn === undefined) {
      drawn = source.length;
      made.set(key, drawn);
      source.push(vertex);
      uvs.push(mesh.uvs[2 * uv], 1 - mesh.uvs[2 * uv + 1]);
    }
    index[corner] = drawn;
  }
  return { source: Uint32Array.from(source), index, uvs: Float32Array.from(uvs), count: source.length };
}

function gather(values: Float32Array, source: Uint32Array | null, width: number): Float32Array {
  if (!source) return values;
  const result = new Float32Array(source.length * width);
  for (let i = 0; i < source.length; ++i) {
    for (let k = 0; k < width; ++k) result[width * i + k] = values[width * source[i] + k];
  }
  return result;
}

export const clay = (): THREE.MeshStandardMaterial =>
  new THREE.MeshStandardMaterial({ color: 0xd6c4b3, roughness: 0.7, metalness: 0, side: THREE.DoubleSide });

/** The character in one view. */
export class Skin {
  readonly object: THREE.Mesh<THREE.BufferGeometry, THREE.Material[]>;
  private readonly overlay = new THREE.MeshStandardMaterial({
    vertexColors: true,
    roughness: 0.85,
    side: THREE.DoubleSide,
  });
  private readonly wire: THREE.LineSegments;
  private own: THREE.Material[];

  constructor(
    private readonly drawn: DrawnMesh,
    mesh: MeshData,
    materials: readonly THREE.Material[],
    layer: number,
  ) {
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(drawn.index, 1));
    const floats = (): THREE.BufferAttribute =>
      new THREE.BufferAttribute(new Float32Array(3 * drawn.count), 3).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute('position', floats());
    geometry.setAttribute('normal', floats());
    if (drawn.uvs) geometry.setAttribute('uv', new THREE.BufferAttribute(drawn.uvs, 2));
    for (let p = 0; p < mesh.parts.length / 2; ++p) {
      geometry.addGroup(3 * mesh.parts[2 * p], 3 * mesh.parts[2 * p + 1], p);
    }
    if (geometry.groups.length === 0) geometry.addGroup(0, drawn.index.length, 0);
    this.own = geometry.groups.map((_, g) => materials[g] ?? materials[0] ?? clay());
    this.object = new THREE.Mesh(geometry, this.own);
    this.object.castShadow = true;
    this.object.receiveShadow = true;
    this.object.frustumCulled = false;
    this.object.layers.set(layer);
    this.wire = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: 0x20262e, transparent: true, opacity: 0.22 }),
    );
    this.wire.layers.set(layer);
    this.wire.frustumCulled = false;
    this.wire.visible = false;
    this.object.add(this.wire);
  }

  show(surface: Surface): void {
    const { geometry } = this.object;
    const set = (name: string, values: Float32Array): void => {
      const attribute = geometry.getAttribute(name) as THREE.BufferAttribute;
      attribute.array = gather(values, this.drawn.source, 3);
      attribute.needsUpdate = true;
    };
    set('position', surface.positions);
    set('normal', surface.normals);
    geometry.boundingSphere = null;
    geometry.boundingBox = null;
  }

  /** Colours, 3 numbers per vertex of the rig, linear; null: its own materials. */
  color(colors: Float32Array | null): void {
    const { geometry } = this.object;
    if (!colors) {
      this.object.material = this.own;
      return;
    }
    const values = gather(colors, this.drawn.source, 3);
    const there = geometry.getAttribute('color') as THREE.BufferAttribute | undefined;
    if (there) {
      there.array = values;
      there.needsUpdate = true;
    } else {
      geometry.setAttribute('color', new THREE.BufferAttribute(values, 3).setUsage(THREE.DynamicDrawUsage));
    }
    this.object.material = this.own.map(() => this.overlay);
  }

  dress(materials: readonly THREE.Material[]): void {
    const wasOwn = this.object.material === this.own;
    this.own = this.own.map((old, g) => materials[g] ?? old);
    if (wasOwn) this.object.material = this.own;
  }

  showWire(visible: boolean): void {
    if (visible && !this.wire.geometry.index) {
      const { index } = this.drawn;
      const edges: number[] = [];
      for (let t = 0; t < index.length; t += 3) {
        for (let k = 0; k < 3; ++k) {
          const a = index[t + k];
          const b = index[t + ((k + 1) % 3)];
          if (a < b) edges.push(a, b);
        }
      }
      this.wire.geometry.setIndex(edges);
      this.wire.geometry.setAttribute('position', this.object.geometry.getAttribute('position'));
    }
    this.wire.visible = visible;
  }

  free(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.wire.geometry.dispose();
    this.overlay.dispose();
  }
}
