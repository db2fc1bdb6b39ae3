// SPDX-License-Identifier: Apache-2.0
// The other side of a pose: across the plane x = 0 of the world.
import { boneOfJoint, jointIndex, mirroredKey, type JointPose, type Pose, type Quat, type RigInfo, type Vec3 } from '../state/document';
import { aboutAxis, conjugate, mirroredQuat, mirroredVec, multiply, normalized, radians, rotate, sub, unit } from './math';

interface World {
  readonly rotation: Quat;
  readonly position: Vec3;
}

/** Rotations and positions of all joints from their transforms against their parents; scale is left out. */
export function worldsOf(info: RigInfo, locals: readonly { rotation: Quat; translation: Vec3 }[]): World[] {
  const worlds: World[] = [];
  const visit = (j: number): World => {
    if (worlds[j]) return worlds[j];
    const { parent } = info.joints[j];
    const { rotation, translation } = locals[j];
    if (parent < 0) return (worlds[j] = { rotation, position: translation });
    const up = visit(parent);
    const offset = rotate(up.rotation, translation);
    worlds[j] = {
      rotation: multiply(up.rotation, rotation),
      position: [up.position[0] + offset[0], up.position[1] + offset[1], up.position[2] + offset[2]],
    };
    return worlds[j];
  };
  info.joints.forEach((_, j) => visit(j));
  return worlds;
}

const twistAxes = new WeakMap<RigInfo, (Vec3 | undefined)[]>();

/** The axis of a joint's bone in the joint's own frame, or that of the bone that ends there; undefined without bones. */
export function twistAxis(info: RigInfo, joint: number): Vec3 | undefined {
  let known = twistAxes.get(info);
  if (!known) {
    const rests = worldsOf(info, info.joints.map(({ rest }) => rest));
    known = info.joints.map((_, j) => {
      const bone = info.bones[boneOfJoint(info, j)] ?? info.bones.find(({ tailJoint }) => tailJoint === j);
      return bone && rotate(conjugate(rests[j].rotation), normalized(sub(bone.tail, bone.head)));
    });
    twistAxes.set(info, known);
  }
  return known[joint];
}

const axes: Record<string, Vec3> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/** What a joint does: R = rotation * bends * twist. Stretch is left to the core. */
export function localOf(info: RigInfo, joint: number, said: JointPose | undefined): { rotation: Quat; translation: Vec3 } {
  const { rest } = info.joints[joint];
  let turn: Quat = [0, 0, 0, 1];
  const axis = said?.twist ? twistAxis(info, joint) : undefined;
  if (axis && said?.twist) turn = aboutAxis(axis, radians(said.twist));
  for (const [angle, about] of said?.bend ?? []) {
    const vector = typeof about === 'string' ? axes[about] : normalized(about);
    turn = multiply(aboutAxis(vector, radians(angle)), turn);
  }
  return {
    rotation: multiply(said?.rotation ?? rest.rotation, turn),
    translation: said?.translation ?? rest.translation,
  };
}

/**
 * A pose in which the joints `from` are what they are, and their partners are their mirror images. Joints without a
 * partner, in the middle, stay as they are, unless `swap`: then everything is exchanged with its mirror image.
 */
export function mirrorPose(info: RigInfo, pose: Pose, from: readonly string[] | 'swap'): Pose {
  const rests = worldsOf(info, info.joints.map(({ rest }) => rest));
  const now = worldsOf(info, info.joints.map((joint, j) => localOf(info, j, pose.joints[joint.key])));
  const joints: Record<string, JointPose> = { ...pose.joints };
  // How each joint has turned since rest, in the world's axes; that of joints that are set from their images.
  const turned = now.map((world, j) => multiply(world.rotation, conjugate(rests[j].rotation)));
  const result = [...turned];
  const set = new Map<number, number>();
  info.joints.forEach((joint, j) => {
    const partner = mirroredKey(info, joint.key);
    const other = partner === undefined ? -1 : jointIndex(info, partner);
    if (from === 'swap') set.set(j, other < 0 ? j : other);
    else if (other >= 0 && from.includes(partner as string)) set.set(j, other);
  });
  for (const [to, source] of set) result[to] = mirroredQuat(turned[source]);
  for (const [to, source] of set) {
    const joint = info.joints[to];
    if (joint.driven) continue;
    const up = joint.parent < 0 ? ([0, 0, 0, 1] as const) : multiply(result[joint.parent], rests[joint.parent].rotation);
    const world = multiply(result[to], rests[to].rotation);
    const said = pose.joints[info.joints[source].key] ?? {};
    const twist = said.twist ? -said.twist : undefined;
    const axis = twist === undefined ? undefined : twistAxis(info, to);
    let rotation = multiply(conjugate(up), world);
    if (twist !== undefined && axis) rotation = multiply(rotation, aboutAxis(axis, -radians(twist)));
    const sourceJoint = info.joints[source];
    const changed: { -readonly [K in keyof JointPose]: JointPose[K] } = { rotation: unit(rotation) };
    if (twist !== undefined && axis) changed.twist = twist;
    if (said.stretch !== undefined) changed.stretch = said.stretch;
    if (said.scale) changed.scale = said.scale;
    if (said.translation) {
      // The way from the parent, in the axes of the world at rest.
      const sourceUp = sourceJoint.parent < 0 ? ([0, 0, 0, 1] as const) : rests[sourceJoint.parent].rotation;
      const restUp = joint.parent < 0 ? ([0, 0, 0, 1] as const) : rests[joint.parent].rotation;
      changed.translation = rotate(conjugate(restUp), mirroredVec(rotate(sourceUp, said.translation)));
    }
    joints[joint.key] = changed;
  }
  return { ...pose, joints };
}
