// SPDX-License-Identifier: Apache-2.0
import type { Rig } from 'sinew';

/** The weights of a rig: those of vertex v are offsets[v] to offsets[v + 1] - 1. */
export interface Rows {
  readonly offsets: Uint32Array;
  readonly bones: Int32Array;
  readonly weights: Float64Array;
  readonly endpoints: Float64Array | null;
  readonly twistEndpoints: Float64Array | null;
}

export function rowsOf(rig: Rig): Rows {
  const { weightOffsets: offsets, weightBones: bones, weights, endpoints, twistEndpoints } = rig;
  return { offsets, bones, weights, endpoints, twistEndpoints };
}
