// SPDX-License-Identifier: Apache-2.0
import type { RigInfo, Vec3 } from '../state/document';
import { add, conjugate, multiply, rotate, rotationAt, sub } from './math';
import { worldsOf } from './mirror';

/** Where a bone would be if its own joint were at rest, and those above it as they are. */
export function boneAtRest(info: RigInfo, frames: ArrayLike<number>, bone: number): { readonly head: Vec3; readonly tail: Vec3 } {
  const { joint, head, tail } = info.bones[bone];
  const { parent, rest } = info.joints[joint];
  if (parent < 0) return { head, tail };
  const [x, y, z] = rest.translation;
  const at = (row: number): number => {
    const m = 16 * parent + row;
    return frames[m] * x + frames[m + 4] * y + frames[m + 8] * z + frames[m + 12];
  };
  const place: Vec3 = [at(0), at(1), at(2)];
  const { rotation } = worldsOf(info, info.joints.map((one) => one.rest))[joint];
  const along = rotate(conjugate(rotation), sub(tail, head));
  return { head: place, tail: add(place, rotate(multiply(rotationAt(frames, parent), rest.rotation), along)) };
}
