// SPDX-License-Identifier: Apache-2.0
import type { Method, RuntimeDeformer, RuntimePose } from './core.js';
import type { SinewSkin } from './skin.js';

/** Vertices from the core's fast path on the CPU, for picking and exact bounds; computed once for each pose. */
export class PosedVertices {
  readonly #skin: SinewSkin;
  #deformer: RuntimeDeformer | null = null;
  #positions: Float32Array | null = null;
  #key = '';

  constructor(skin: SinewSkin) {
    this.#skin = skin;
  }

  /** All vertices of the rig, 3 numbers each. `version` tells poses apart. */
  at(method: Method, pose: RuntimePose, version: string | number): Float32Array {
    const key = `${method} ${version}`;
    if (this.#positions && this.#key === key) return this.#positions;
    if (this.#deformer?.method !== method) {
      this.free();
      this.#deformer = new this.#skin.core.Deformer(this.#skin.rig as never, method, { roughNormals: true });
    }
    this.#positions ??= new Float32Array(3 * this.#skin.rig.vertexCount);
    this.#deformer.deform(pose, this.#positions);
    this.#key = key;
    return this.#positions;
  }

  free(): void {
    this.#deformer?.free();
    this.#deformer = null;
  }
}
