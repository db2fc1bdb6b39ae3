// SPDX-License-Identifier: Apache-2.0
// From what joints do to what a pose file says. A joint's rotation is rotation * bends * twist, and a stretch above
// it adds to its translation: a drag changes `rotation` and `translation`, and leaves twist, bends and stretch as
// they were told, so that a twist of two turns is still two turns after the hand was dragged.
import type { JointPose, Pose, Quat, RigInfo, Vec3 } from '../state/document';
import { add, conjugate, multiply, sub, unit } from './math';

/** What joints do: 10 numbers each, translation, rotation, scale. */
export type Transforms = ArrayLike<number>;

const translationOf = (t: Transforms, j: number): Vec3 => [t[10 * j], t[10 * j + 1], t[10 * j + 2]];
const rotationOf = (t: Transforms, j: number): Quat => [
  t[10 * j + 3],
  t[10 * j + 4],
  t[10 * j + 5],
  t[10 * j + 6],
];

/** The pose that `pose` becomes when its joints go from what they do now, `before`, to `after`. */
export function toldAfter(info: RigInfo, pose: Pose, before: Transforms, after: Transforms): Pose {
  const joints: Record<string, JointPose> = { ...pose.joints };
  info.joints.forEach((joint, j) => {
    let same = true;
    for (let k = 10 * j; k < 10 * j + 10 && same; ++k) same = before[k] === after[k];
    if (same || joint.driven) return;
    const said: JointPose = joints[joint.key] ?? {};
    const changed: { -readonly [K in keyof JointPose]: JointPose[K] } = { ...said };
    if ([3, 4, 5, 6].some((k) => before[10 * j + k] !== after[10 * j + k])) {
      const turn = multiply(rotationOf(after, j), conjugate(rotationOf(before, j)));
      changed.rotation = unit(multiply(turn, said.rotation ?? joint.rest.rotation));
    }
    if ([0, 1, 2].some((k) => before[10 * j + k] !== after[10 * j + k])) {
      const by = sub(translationOf(after, j), translationOf(before, j));
      changed.translation = add(said.translation ?? joint.rest.translation, by);
    }
    joints[joint.key] = changed;
  });
  return { ...pose, joints };
}
