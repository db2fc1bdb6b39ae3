// SPDX-License-Identifier: Apache-2.0
import type { Pose as CorePose } from 'sinew';
import type { Pose, RigInfo } from '../state/document';
import { between, conjugate, length, multiply, rotationAt, sub, unit, vecAt } from './math';
import { mirrorPose } from './mirror';
import type { TailDrag } from './protocol';

/** A bone whose tail is at no joint turns towards the goal, and gets as long as it takes where its length is free. */
export function dragTail(info: RigInfo, pose: CorePose, told: Pose, drag: TailDrag): Pose {
  const bone = info.bones[drag.bone];
  const joint = info.joints[bone.joint];
  const head = vecAt(pose.boneHeads, drag.bone);
  const tail = vecAt(pose.boneTails, drag.bone);
  const frames = pose.jointFrames;
  const turn = between(sub(tail, head), sub(drag.position, head));
  const parent = joint.parent < 0 ? ([0, 0, 0, 1] as const) : rotationAt(frames, joint.parent);
  const local = multiply(multiply(conjugate(parent), turn), parent);
  const said = told.joints[joint.key] ?? {};
  const rotation = unit(multiply(local, said.rotation ?? joint.rest.rotation));
  const rest = length(sub(bone.tail, bone.head));
  const wanted = length(sub(drag.position, head)) / (rest || 1);
  const stretch = drag.lengths === 'kept' ? said.stretch : Math.max(drag.lengths === 'free' ? 0.05 : 1, wanted);
  const made = { ...told, joints: { ...told.joints, [joint.key]: { ...said, rotation, stretch: stretch ?? 1 } } };
  return drag.both ? mirrorPose(info, made, [joint.key]) : made;
}
