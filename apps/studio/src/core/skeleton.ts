// SPDX-License-Identifier: Apache-2.0
// Another skeleton for a rig. The core keeps what belongs to joints and bones of the same names. Here is what it cannot
// know: which joint was renamed, that the weights of a deleted bone go to the one above, and that keys of a joint's place
// go along when it is moved at rest.
import type { Channel, Rig, Sinew } from 'sinew';
import type { Quat, Vec3 } from '../state/document';
import { conjugate, length, multiply, rotate, rotationAt, sub, unit, vecAt } from './math';
import type { SkeletonEdit } from './protocol';
import { setSettings, settingsOf } from './renamed';
import { rowsOf, type Rows } from './rows';

/** Replaces the skeleton of `rig`; says what could not be kept. */
export function setSkeleton(sinew: Sinew, rig: Rig, edit: SkeletonEdit): string[] {
  const dropped: string[] = [];
  const oldParents = rig.jointParents;
  const oldRests = rig.jointRests;
  const oldBoneJoints = rig.boneJoints;
  const oldTails = rig.boneTails;
  const oldHeads = rig.boneHeads;
  const oldTailJoints = rig.boneTailJoints;
  const clips = rig.clips;
  const skin = rig.influenceCount > 0 ? rowsOf(rig) : undefined;
  const oldNames = rig.jointNames;
  const oldDrivers = driversOf(rig);
  const settings = settingsOf(rig);

  const worlds: Quat[] = edit.joints.map(() => [0, 0, 0, 1]);
  if (rig.jointCount > 0) {
    const pose = new sinew.Pose(rig);
    const frames = pose.jointFrames;
    pose.free();
    edit.joints.forEach((joint, j) => {
      if (joint.was >= 0) worlds[j] = rotationAt(frames, joint.was);
    });
  }
  const rests = edit.joints.map((joint, j) => {
    const up = joint.parent < 0 ? undefined : edit.joints[joint.parent];
    const world = up ? worlds[joint.parent] : ([0, 0, 0, 1] as const);
    const offset = up ? rotate(conjugate(world), sub(joint.position, up.position)) : joint.position;
    const local = unit(multiply(conjugate(world), worlds[j]));
    return [...offset, ...local, 1, 1, 1];
  });
  const parents = Int32Array.from(edit.joints, (joint) => joint.parent);
  const names = edit.joints.map((joint) => joint.name);
  rig.setSkeleton({ parents, rests, names });

  // Joints without a bone, as nodes of a scene are, stay so. Bones end where the core lets them, but where a joint's
  // bone ended at no joint before, it still does so.
  const all = rig.boneJoints;
  const allTails = rig.boneTails;
  const tailJoints = rig.boneTailJoints;
  const kept = Array.from(all.keys()).filter((b) => {
    const { was } = edit.joints[all[b]];
    return was < 0 || oldBoneJoints.includes(was);
  });
  const boneJoints = Int32Array.from(kept, (b) => all[b]);
  const tails: Vec3[] = kept.map((b) => {
    const joint = all[b];
    const inferred = vecAt(allTails, b);
    if (tailJoints[b] >= 0) return inferred;
    const { tail, was, position } = edit.joints[joint];
    if (tail) return tail;
    const old = oldBoneJoints.indexOf(was);
    if (was < 0 || old < 0 || oldTailJoints[old] >= 0) return inferred;
    const arm = sub(vecAt(oldTails, old), vecAt(oldHeads, old));
    return length(arm) > 0 ? [position[0] + arm[0], position[1] + arm[1], position[2] + arm[2]] : inferred;
  });
  rig.setSkeleton({ parents, rests, names, boneJoints, boneTails: tails.map((tail) => [...tail]) });

  if (skin) {
    const moved = movedSkin(skin, bonesOf(edit, oldParents, oldBoneJoints, boneJoints));
    if (moved) rig.setWeights(moved.weights, moved);
    else dropped.push('weights: no bone is left of those that had some');
  }
  const newIndex = new Map(edit.joints.map((joint, j) => [joint.was, j]));
  if (edit.joints.some(({ was, name }) => was >= 0 && name !== oldNames[was])) {
    setSettings(rig, settings, (joint) => newIndex.get(joint) ?? -1);
  }
  const lost = oldDrivers - driversOf(rig);
  if (lost > 0) dropped.push(`${lost} ${lost === 1 ? 'driver or corrective' : 'drivers or correctives'}`);

  const isMoved = (channel: Channel): boolean => {
    const was = Number(channel.index);
    const index = newIndex.get(was);
    if (index === undefined || !ofJoint(channel)) return false;
    const isElsewhere = [0, 1, 2].some((k) => Math.abs(rests[index][k] - oldRests[10 * was + k]) > 1e-12);
    return edit.joints[index].name !== oldNames[was] || (channel.target === 'translation' && isElsewhere);
  };
  for (const clip of clips) {
    if (clip.channels.some(isMoved)) {
      const channels = clip.channels.flatMap((channel) => movedChannel(channel, newIndex, oldRests, rests) ?? []);
      const there = rig.findClip(clip.name);
      if (there >= 0) rig.removeClip(there);
      if (channels.length > 0) rig.addClip(clip.name, channels);
    }
    const now = rig.findClip(clip.name);
    const left = clip.channels.length - (now < 0 ? 0 : rig.clip(now).channels.length);
    if (left > 0) dropped.push(`${left} ${left === 1 ? 'channel' : 'channels'} of ${clip.name || 'a clip'}`);
  }
  return dropped;
}

const driversOf = (rig: Rig): number => rig.driverCount + rig.shapeDriverCount + rig.correctiveCount;

// For each old bone the new one that takes its weights: its own joint's, or that of the nearest joint above that is
// still there; -1 if there is none.
function bonesOf(
  edit: SkeletonEdit,
  oldParents: Int32Array,
  oldBoneJoints: Int32Array,
  boneJoints: Int32Array,
): { bone: number; isSame: boolean }[] {
  const bone = new Map<number, number>();
  boneJoints.forEach((joint, b) => {
    const { was } = edit.joints[joint];
    if (was >= 0 && !bone.has(was)) bone.set(was, b);
  });
  return Array.from(oldBoneJoints, (joint) => {
    for (let j = joint; j >= 0; j = oldParents[j]) {
      const found = bone.get(j);
      if (found !== undefined) return { bone: found, isSame: j === joint };
    }
    return { bone: -1, isSame: false };
  });
}

function movedSkin(skin: Rows, map: readonly { bone: number; isSame: boolean }[]): Rows | undefined {
  const offsets = [0];
  const bones: number[] = [];
  const weights: number[] = [];
  const endpoints: number[] = [];
  const twists: number[] = [];
  for (let v = 0; v + 1 < skin.offsets.length; ++v) {
    const row = new Map<number, { weight: number; endpoint: number; twist: number; isSame: boolean }>();
    for (let i = skin.offsets[v]; i < skin.offsets[v + 1]; ++i) {
      const { bone, isSame } = map[skin.bones[i]];
      if (bone < 0) continue;
      // What comes from a bone further down hangs at the tail.
      const endpoint = isSame ? (skin.endpoints?.[i] ?? 0) : 1;
      const twist = isSame ? (skin.twistEndpoints?.[i] ?? 0) : 1;
      const there = row.get(bone);
      if (!there) row.set(bone, { weight: skin.weights[i], endpoint, twist, isSame });
      else row.set(bone, { ...(isSame ? { endpoint, twist, isSame } : there), weight: there.weight + skin.weights[i] });
    }
    for (const [bone, { weight, endpoint, twist }] of [...row].sort(([a], [b]) => a - b)) {
      bones.push(bone);
      weights.push(weight);
      endpoints.push(endpoint);
      twists.push(twist);
    }
    offsets.push(bones.length);
  }
  if (bones.length === 0) return undefined;
  return {
    offsets: Uint32Array.from(offsets),
    bones: Int32Array.from(bones),
    weights: Float64Array.from(weights),
    endpoints: skin.endpoints && Float64Array.from(endpoints),
    twistEndpoints: skin.twistEndpoints && Float64Array.from(twists),
  };
}

const ofJoint = (channel: Channel): boolean =>
  channel.target === 'translation' || channel.target === 'rotation' || channel.target === 'scale';

function movedChannel(
  channel: Channel,
  newIndex: ReadonlyMap<number, number>,
  oldRests: Float64Array,
  rests: readonly (readonly number[])[],
): Channel | undefined {
  if (!ofJoint(channel)) return undefined;
  const was = Number(channel.index);
  const index = newIndex.get(was);
  if (index === undefined || channel.interpolation === 'bezier') return undefined;
  if (channel.target !== 'translation') return { ...channel, index };
  const values = Float64Array.from(channel.values as Float64Array, (value, i) => {
    return value + rests[index][i % 3] - oldRests[10 * was + (i % 3)];
  });
  return { ...channel, index, values };
}

