// SPDX-License-Identifier: Apache-2.0
// Layers of a picture: its triangles are drawn in the order in which they are listed, so what comes later covers what
// came before. The skin of a bone is where that bone has most of the weight.
import type { Rig } from 'sinew';
import { rowsOf } from './rows';

/** The bone that moves most of each triangle, as the core finds it when it makes a puppet. */
export function moversOf(rig: Rig): Int32Array {
  const { offsets, bones, weights } = rowsOf(rig);
  const { triangles, boneCount } = rig;
  const sums = new Float64Array(boneCount);
  return Int32Array.from({ length: triangles.length / 3 }, (_, t) => {
    sums.fill(0);
    for (let k = 0; k < 3; ++k) {
      const v = triangles[3 * t + k];
      for (let i = offsets[v]; i < offsets[v + 1]; ++i) sums[bones[i]] += weights[i];
    }
    return sums.indexOf(Math.max(...sums));
  });
}

/** Whether a rig is a picture: it has weights and no depth. */
export function isPicture(rig: Rig): boolean {
  if (rig.influenceCount === 0) return false;
  const { positions } = rig;
  for (let i = 2; i < positions.length; i += 3) if (positions[i] !== positions[2]) return false;
  return true;
}

/** The bones of a picture, those whose skin is drawn first at the front of the list; empty where there is depth. */
export function layersOf(rig: Rig): number[] {
  if (!isPicture(rig)) return [];
  const last = new Map<number, number>();
  moversOf(rig).forEach((bone, t) => last.set(bone, t));
  return [...last.keys()].sort((a, b) => (last.get(a) ?? 0) - (last.get(b) ?? 0));
}

/** The file of a rig with its triangles in another order: those of the first bone first. */
export function layeredFile(rig: Rig, order: readonly number[]): Uint8Array<ArrayBuffer> {
  const place = new Map(order.map((bone, i) => [bone, i]));
  const movers = moversOf(rig);
  const placeOf = (t: number): number => place.get(movers[t]) ?? -1;
  const triangles = Array.from(movers.keys()).sort((a, b) => placeOf(a) - placeOf(b) || a - b);
  return withTriangles(rig.toBytes('glb'), triangles);
}

interface Gltf {
  readonly meshes: readonly { readonly primitives: readonly { readonly indices?: number }[] }[];
  readonly accessors: readonly { readonly bufferView?: number; readonly byteOffset?: number; readonly componentType: number; readonly count: number }[];
  readonly bufferViews: readonly { readonly byteOffset?: number }[];
}

const sizes: Readonly<Record<number, number>> = { 5121: 1, 5123: 2, 5125: 4 };

// All else in the file, textures among it, stays as it is.
function withTriangles(file: Uint8Array<ArrayBuffer>, order: readonly number[]): Uint8Array<ArrayBuffer> {
  const made = file.slice();
  const view = new DataView(made.buffer);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(made.subarray(20, 20 + length))) as Gltf;
  const binary = 20 + length + 8;
  const primitives = json.meshes.flatMap((mesh) => mesh.primitives);
  const accessor = json.accessors[primitives[0].indices ?? -1];
  if (primitives.length !== 1 || accessor?.bufferView === undefined || accessor.count !== 3 * order.length) {
    throw new Error('only a picture of one piece has layers');
  }
  const start = binary + (json.bufferViews[accessor.bufferView].byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const size = 3 * sizes[accessor.componentType];
  order.forEach((from, to) => made.set(file.subarray(start + from * size, start + (from + 1) * size), start + to * size));
  return made;
}
