// SPDX-License-Identifier: Apache-2.0
import { BufferAttribute, BufferGeometry, type DataTexture } from 'three';
import type { Core, Method, RuntimeGpuSkin, RuntimePose, RuntimeRig } from './core.js';
import { boneTexels, texelSize, texelTexture } from './inputs.js';
import { splitVertices } from './split.js';

/** How a skin is made. */
export interface SkinOptions {
  /**
   * Exact normals, also where bones twist: missing true. They take more memory, and about twice the time in the
   * vertex shader.
   */
  exactNormals?: boolean;
  /** dispose() also frees the rig. */
  ownsRig?: boolean;
}

/** What part of a rig a geometry shows: all vertices from `first` on, or those listed. */
export type Source = { readonly first: number; readonly count: number } | { readonly vertices: Uint32Array };

const sources = new WeakMap<BufferGeometry, Source>();

/** Says which of the rig's vertices is behind a vertex of a geometry that belongs to a skin. */
export function rigVertices(geometry: BufferGeometry): (index: number) => number {
  const source = sourceOf(geometry);
  if ('vertices' in source) return (index) => source.vertices[index] as number;
  return (index) => source.first + index;
}

/** Throws for a geometry that SinewSkin has not prepared. */
export function sourceOf(geometry: BufferGeometry): Source {
  const source = sources.get(geometry);
  if (!source) throw new Error('the geometry was not made by SinewSkin.geometry() or prepared by SinewSkin.prepare()');
  return source;
}

/** Rows of `width` numbers, those of a source. */
function rows(array: Float32Array, width: number, source: Source): Float32Array<ArrayBuffer> {
  if (!('vertices' in source)) return array.slice(width * source.first, width * (source.first + source.count));
  const picked = new Float32Array(width * source.vertices.length);
  source.vertices.forEach((v, i) => {
    picked.set(array.subarray(width * v, width * (v + 1)), width * i);
  });
  return picked;
}

/** A rig as GPUs read it. Any number of characters share one. */
export class SinewSkin {
  readonly core: Core;
  /** Kept, for poses and picking; free it after this and all that was made of it. */
  readonly rig: RuntimeRig;
  readonly influences: DataTexture;
  /** Of weights along the surface; without exact normals a single texel. */
  readonly gradients: DataTexture;
  /** Of blend shapes and muscles; without any a single texel. */
  readonly deltas: DataTexture;
  readonly exactNormals: boolean;
  readonly ownsRig: boolean;
  readonly boneCount: number;
  /** Texels of a pose. */
  readonly poseTexels: number;
  readonly #gpu: RuntimeGpuSkin;
  readonly #positions: Float32Array;
  readonly #normals: Float32Array;
  readonly #tangents: Float32Array | null;
  readonly #vertices: Float32Array;
  readonly #deltaRanges: Float32Array | null;
  readonly #deltas: Float32Array | null;
  readonly #influences: Float32Array;

  constructor(core: Core, rig: RuntimeRig, options: SkinOptions = {}) {
    this.core = core;
    this.rig = rig;
    this.exactNormals = options.exactNormals ?? true;
    this.ownsRig = options.ownsRig ?? false;
    const made = new core.GpuSkin(rig as never, { gradients: this.exactNormals });
    const nothing = () => new Float32Array(4);
    this.#gpu = made;
    this.#positions = made.positions;
    this.#normals = made.normals;
    this.#tangents = made.tangents;
    this.#vertices = made.vertices;
    this.#deltaRanges = made.deltaRanges;
    this.#deltas = made.deltas;
    this.#influences = made.influences;
    this.influences = texelTexture(made.influences as Float32Array<ArrayBuffer>);
    this.gradients = texelTexture((made.gradients ?? nothing()) as Float32Array<ArrayBuffer>);
    this.deltas = texelTexture((this.#deltas ?? nothing()) as Float32Array<ArrayBuffer>);
    this.boneCount = rig.boneCount;
    this.poseTexels = made.pose().length / texelSize;
  }

  get hasShapes(): boolean {
    return this.#deltaRanges !== null;
  }

  /**
   * A geometry of the whole rig, with a group for each of its parts. Vertices with several normals or texture
   * coordinates are split.
   */
  geometry(): BufferGeometry {
    const split = splitVertices(this.rig);
    const geometry = new BufferGeometry();
    const source: Source = { vertices: split.vertices };
    geometry.setIndex(new BufferAttribute(split.index, 1));
    geometry.setAttribute('position', new BufferAttribute(rows(this.#positions, 3, source), 3));
    geometry.setAttribute('normal', new BufferAttribute(split.normals ?? rows(this.#normals, 3, source), 3));
    if (this.#tangents) geometry.setAttribute('tangent', new BufferAttribute(rows(this.#tangents, 4, source), 4));
    if (split.uvs) geometry.setAttribute('uv', new BufferAttribute(split.uvs, 2));
    const colors = this.rig.colors;
    if (colors) geometry.setAttribute('color', new BufferAttribute(rows(new Float32Array(colors), 4, source), 4));
    const parts = this.rig.partTriangles;
    for (let part = 0; 2 * part < parts.length; ++part) {
      geometry.addGroup(3 * (parts[2 * part] as number), 3 * (parts[2 * part + 1] as number), part);
    }
    return this.prepare(geometry, source);
  }

  /**
   * Gives a geometry, which shows vertices of the rig, what the shaders read. Its morph targets are removed: the
   * shapes are in the skin.
   */
  prepare(geometry: BufferGeometry, source: Source): BufferGeometry {
    const count = 'vertices' in source ? source.vertices.length : source.count;
    const has = geometry.getAttribute('position').count;
    if (has !== count) throw new Error(`the geometry has ${has} vertices, its part of the rig ${count}`);
    geometry.setAttribute('sinewVertex', new BufferAttribute(rows(this.#vertices, 4, source), 4));
    if (this.#deltaRanges) {
      geometry.setAttribute('sinewDeltas', new BufferAttribute(rows(this.#deltaRanges, 2, source), 2));
    }
    geometry.morphAttributes = {};
    sources.set(geometry, source);
    return geometry;
  }

  /** The texels of a pose, into `out`. */
  fill(pose: RuntimePose, method: Method, out: Float32Array): void {
    this.#gpu.pose(pose, { method, out });
  }

  /** How far from each bone's head the geometry's skin of that bone reaches at bind; -1 where a bone moves none of it. */
  reach(geometry: BufferGeometry): Float64Array {
    const radii = new Float64Array(this.boneCount).fill(-1);
    const count = geometry.getAttribute('position').count;
    const heads = this.rig.boneHeads;
    const vertexOf = rigVertices(geometry);
    for (let i = 0; i < count; ++i) {
      const v = vertexOf(i);
      const first = this.#vertices[4 * v] as number;
      const end = first + (this.#vertices[4 * v + 1] as number);
      for (let k = first; k < end; ++k) {
        const bone = this.#influences[4 * k] as number;
        let square = 0;
        for (let c = 0; c < 3; ++c) {
          square += ((this.#positions[3 * v + c] as number) - (heads[3 * bone + c] as number)) ** 2;
        }
        radii[bone] = Math.max(radii[bone] as number, Math.sqrt(square));
      }
    }
    return radii;
  }

  /** The farthest that each weight of a pose moves a vertex: blend shapes, then muscles of bones. */
  shapeReach(): Float64Array {
    const first = texelSize * boneTexels * this.boneCount;
    const reach = new Float64Array(texelSize * this.poseTexels - first);
    const deltas = this.#deltas ?? new Float32Array(0);
    for (let i = 0; i < deltas.length; i += 3 * texelSize) {
      const [x, y, z, at] = deltas.subarray(i, i + texelSize) as unknown as [number, number, number, number];
      reach[at - first] = Math.max(reach[at - first] ?? 0, Math.hypot(x, y, z));
    }
    return reach;
  }

  /** Frees the textures, what the module keeps for poses, and the rig if it is the skin's own. After all characters of it. */
  dispose(): void {
    for (const texture of [this.influences, this.gradients, this.deltas]) texture.dispose();
    this.#gpu.free();
    if (this.ownsRig) this.rig.free();
  }
}
