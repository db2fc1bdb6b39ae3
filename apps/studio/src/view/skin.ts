// SPDX-License-Identifier: Apache-2.0
// The surface of the character in one view. The GPU deforms it where it knows the method; elsewhere it shows positions
// from the Worker. Those are also what is picked, so that a click meets what the core has computed.
import * as THREE from 'three';
import type { MeshData, Surface } from '../core/protocol';
import { GpuPose, type GpuRig } from './gpu-skin';
import { proxyOf, type Group } from './proxy';

/** Vertices as they are drawn: one of the rig's may be several, where normals or textures have seams. */
export interface DrawnMesh {
  /** The rig's vertex of each drawn one; null: the same. */
  readonly source: Uint32Array | null;
  readonly index: Uint32Array;
  readonly uvs: Float32Array | null;
  readonly count: number;
  /** Parts of the index, one for each material. */
  readonly groups: readonly Group[];
  /** The same in fewer triangles. */
  readonly proxy: readonly Group[] | null;
}

/** The same, with fewer triangles behind its own. */
export function withProxy(drawn: DrawnMesh, mesh: MeshData): DrawnMesh {
  const { index, groups } = proxyOf(drawn.index, gather(mesh.positions, drawn.source, 3), drawn.uvs, drawn.groups);
  const all = new Uint32Array(drawn.index.length + index.length);
  all.set(drawn.index);
  all.set(index, drawn.index.length);
  return { ...drawn, index: all, proxy: groups.map((group) => ({ ...group, start: group.start + drawn.index.length })) };
}

// A part of the triangles for each material.
function groupsOf(mesh: MeshData): Group[] {
  const groups: Group[] = [];
  for (let p = 0; p < mesh.parts.length / 2; ++p) groups.push({ start: 3 * mesh.parts[2 * p], count: 3 * mesh.parts[2 * p + 1], materialIndex: p });
  return groups.length > 0 ? groups : [{ start: 0, count: mesh.triangles.length, materialIndex: 0 }];
}

export function drawnMesh(mesh: MeshData): DrawnMesh {
  const flip = (uvs: Float32Array): Float32Array => uvs.map((value, i) => (i % 2 === 1 ? 1 - value : value));
  const count = mesh.positions.length / 3;
  const groups = groupsOf(mesh);
  if (!mesh.uvs || !mesh.uvCorners || mesh.uvCorners.length !== mesh.triangles.length) {
    const fits = mesh.uvs !== null && mesh.uvs.length === 2 * count;
    return { source: null, index: mesh.triangles, uvs: fits && mesh.uvs ? flip(mesh.uvs) : null, count, groups, proxy: null };
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
  return { source: Uint32Array.from(source), index, uvs: Float32Array.from(uvs), count: source.length, groups, proxy: null };
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

/** A mesh that is picked where its vertices were computed to be, wherever the GPU draws them. */
class PickedMesh extends THREE.Mesh<THREE.BufferGeometry, THREE.Material[]> {
  posed: Float32Array | undefined;
  source: Uint32Array | null = null;
  private readonly around = new THREE.Sphere();

  override getVertexPosition(index: number, target: THREE.Vector3): THREE.Vector3 {
    return this.posed ? target.fromArray(this.posed, 3 * (this.source?.[index] ?? index)) : target.set(0, 0, 0);
  }

  override raycast(raycaster: THREE.Raycaster, hits: THREE.Intersection[]): void {
    if (!this.posed || this.posed.length === 0) return;
    new THREE.Box3().setFromArray(this.posed).getBoundingSphere(this.around);
    if (!raycaster.ray.intersectsSphere(this.around)) return;
    type Tests = { _computeIntersections(caster: THREE.Raycaster, hits: THREE.Intersection[], ray: THREE.Ray): void };
    // What Mesh has, but does not declare: tests all triangles, by getVertexPosition().
    (this as unknown as Tests)._computeIntersections(raycaster, hits, raycaster.ray);
  }
}

/** The character in one view. */
export class Skin {
  readonly object: PickedMesh;
  private readonly overlay = new THREE.MeshStandardMaterial({
    vertexColors: true,
    roughness: 0.85,
    side: THREE.DoubleSide,
  });
  private readonly wire: THREE.LineSegments<THREE.BufferGeometry, THREE.Material>;
  private readonly wireMaterial = new THREE.LineBasicMaterial({ color: 0x20262e, transparent: true, opacity: 0.22 });
  private readonly computed: THREE.BufferGeometry;
  private bound: THREE.BufferGeometry | undefined;
  private gpu: GpuPose | undefined;
  private own: THREE.Material[];
  private isColored = false;
  private isOnGpu = false;

  constructor(
    private readonly drawn: DrawnMesh,
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
    this.computed = geometry;
    this.simplify(false);
    this.own = drawn.groups.map((_, g) => materials[g] ?? materials[0] ?? clay());
    this.object = new PickedMesh(geometry, this.own);
    this.object.source = drawn.source;
    this.object.castShadow = true;
    this.object.receiveShadow = true;
    this.object.frustumCulled = false;
    this.object.layers.set(layer);
    this.wire = new THREE.LineSegments(new THREE.BufferGeometry(), this.wireMaterial);
    this.wire.layers.set(layer);
    this.wire.frustumCulled = false;
    this.wire.visible = false;
    this.object.add(this.wire);
  }

  private unbind(): void {
    // Disposing would free the buffers that it shares with what the core computed.
    this.bound?.setIndex(null);
    for (const name of ['uv', 'color']) this.bound?.deleteAttribute(name);
    this.bound?.dispose();
    this.bound = undefined;
  }

  /** Draws fewer triangles, where there is a proxy of that. */
  simplify(on: boolean): void {
    const groups = (on ? this.drawn.proxy : null) ?? this.drawn.groups;
    for (const geometry of [this.computed, this.bound]) if (geometry) geometry.groups = groups.map((group) => ({ ...group }));
  }

  /** What the GPU needs to deform it; undefined: nothing, as long as a rig has no weights. */
  bind(rig: GpuRig | undefined): void {
    this.unbind();
    if (!rig || !this.gpu?.use(rig)) {
      this.gpu?.free();
      this.gpu = rig && new GpuPose(rig);
    }
    if (rig) {
      const { data } = rig;
      const { source } = this.drawn;
      const geometry = new THREE.BufferGeometry();
      const add = (name: string, values: Float32Array, width: number): void => {
        geometry.setAttribute(name, new THREE.BufferAttribute(gather(values, source, width), width));
      };
      add('position', data.positions, 3);
      add('normal', data.normals, 3);
      add('sinewVertex', data.vertices, 4);
      if (data.deltaRanges) add('sinewDeltas', data.deltaRanges, 2);
      geometry.setIndex(this.computed.index);
      geometry.groups = this.computed.groups;
      for (const name of ['uv', 'color']) {
        if (this.computed.hasAttribute(name)) geometry.setAttribute(name, this.computed.getAttribute(name));
      }
      this.bound = geometry;
    }
    this.isOnGpu = false;
    this.dressUp();
  }

  /** Shows positions from the core; without them only where the GPU has the pose, see pose(). */
  show(surface: Surface): void {
    const set = (name: string, values: Float32Array): void => {
      const attribute = this.computed.getAttribute(name) as THREE.BufferAttribute;
      attribute.array = gather(values, this.drawn.source, 3);
      attribute.needsUpdate = true;
    };
    set('position', surface.positions);
    set('normal', surface.normals);
    this.posed = surface.positions;
    if (!this.isOnGpu) return;
    this.isOnGpu = false;
    this.dressUp();
  }

  /** Shows a pose, deformed by the GPU; false: it cannot. */
  pose(texels: Float32Array, blend: number): boolean {
    if (!this.gpu) return false;
    this.gpu.set(texels, blend);
    if (!this.isOnGpu) {
      this.isOnGpu = true;
      this.dressUp();
    }
    return true;
  }

  /** Where vertices are for those who point at them: 3 numbers each of the rig's. */
  get posed(): Float32Array | undefined {
    return this.object.posed;
  }

  set posed(positions: Float32Array | undefined) {
    this.object.posed = positions;
  }

  /** Colours, 3 numbers per vertex of the rig, linear; null: its own materials. */
  color(colors: Float32Array | null): void {
    this.isColored = colors !== null;
    if (colors) {
      const values = gather(colors, this.drawn.source, 3);
      const there = this.computed.getAttribute('color') as THREE.BufferAttribute | undefined;
      if (there) {
        there.array = values;
        there.needsUpdate = true;
      } else {
        const attribute = new THREE.BufferAttribute(values, 3).setUsage(THREE.DynamicDrawUsage);
        for (const geometry of [this.computed, this.bound]) geometry?.setAttribute('color', attribute);
      }
    }
    this.dressUp();
  }

  dress(materials: readonly THREE.Material[]): void {
    this.own = this.own.map((old, g) => materials[g] ?? old);
    this.dressUp();
  }

  showWire(visible: boolean): void {
    if (visible && !this.wire.geometry.index) {
      const { index, groups } = this.drawn;
      const edges: number[] = [];
      for (let t = 0; t < Math.max(...groups.map(({ start, count }) => start + count)); t += 3) {
        for (let k = 0; k < 3; ++k) {
          const a = index[t + k];
          const b = index[t + ((k + 1) % 3)];
          if (a < b) edges.push(a, b);
        }
      }
      this.wire.geometry.setIndex(edges);
    }
    this.wire.visible = visible;
    this.dressUp();
  }

  free(): void {
    this.object.removeFromParent();
    this.gpu?.free();
    this.unbind();
    for (const geometry of [this.computed, this.wire.geometry]) geometry.dispose();
    this.overlay.dispose();
    this.wireMaterial.dispose();
  }

  // The geometry and the materials that fit what is shown.
  private dressUp(): void {
    const { object, wire, gpu, isOnGpu } = this;
    const materials = this.isColored ? this.own.map(() => this.overlay) : this.own;
    const geometry = isOnGpu && this.bound ? this.bound : this.computed;
    const fitting = <T extends THREE.Material>(material: T): T => (isOnGpu && gpu ? gpu.of(material) : material);
    object.geometry = geometry;
    object.material = materials.map(fitting);
    object.customDepthMaterial = isOnGpu ? gpu?.shadow : undefined;
    if (!wire.visible) return;
    wire.material = fitting(this.wireMaterial);
    for (const name of ['position', 'sinewVertex', 'sinewDeltas']) {
      if (geometry.hasAttribute(name)) wire.geometry.setAttribute(name, geometry.getAttribute(name));
    }
  }
}
