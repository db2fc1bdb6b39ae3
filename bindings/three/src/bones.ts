// SPDX-License-Identifier: Apache-2.0
import { Bone } from 'three';
import type { RuntimeRig } from './core.js';

/** Bones of three.js for the joints of a rig, at rest and in its order: `joints` for a character. Add the roots to the scene. */
export function createBones(rig: RuntimeRig): { joints: Bone[]; roots: Bone[] } {
  const { jointNames, jointParents, jointRests } = rig;
  const joints = jointNames.map((name, j) => {
    const bone = new Bone();
    bone.name = name;
    bone.position.fromArray(jointRests, 10 * j);
    bone.quaternion.fromArray(jointRests, 10 * j + 3);
    bone.scale.fromArray(jointRests, 10 * j + 7);
    return bone;
  });
  const roots: Bone[] = [];
  joints.forEach((bone, j) => {
    const parent = joints[jointParents[j] as number];
    if (parent) parent.add(bone);
    else roots.push(bone);
  });
  return { joints, roots };
}
