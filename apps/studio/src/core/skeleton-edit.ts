// SPDX-License-Identifier: Apache-2.0
// Changes of a skeleton by hand, on plain data. Joints are told apart by their place in the list.
import type { RigInfo, Vec3 } from '../state/document';
import { mirroredName } from '../state/document';
import { add, length, mirroredVec, originAt, scaled, sub, vecAt } from './math';
import type { Frame, SkeletonEdit } from './protocol';

export type EditJoint = SkeletonEdit['joints'][number];

/** The skeleton of a rig in its rest pose, to be changed. */
export function editOf(info: RigInfo, rest: Pick<Frame, 'jointFrames' | 'boneTails'>): SkeletonEdit {
  return {
    joints: info.joints.map((joint, j) => {
      const bone = info.bones.findIndex((one) => one.joint === j && one.tailJoint < 0);
      return {
        name: joint.name,
        parent: joint.parent,
        position: originAt(rest.jointFrames, j),
        was: j,
        ...(bone >= 0 ? { tail: vecAt(rest.boneTails, bone) } : {}),
      };
    }),
  };
}

/** Moves a joint; those below stay where they are, unless `children`. The free end of its bone goes along. */
export function moveJoint(edit: SkeletonEdit, joint: number, to: Vec3, children: boolean): SkeletonEdit {
  const by = sub(to, edit.joints[joint].position);
  const goes = new Set([joint]);
  if (children) below(edit, joint).forEach((j) => goes.add(j));
  return {
    joints: edit.joints.map((one, j) => {
      if (!goes.has(j)) return one;
      return { ...one, position: add(one.position, by), ...(one.tail ? { tail: add(one.tail, by) } : {}) };
    }),
  };
}

/** Adds a joint at the end of the list. A parent that had a free end ends at its first child now. */
export function addJoint(edit: SkeletonEdit, parent: number, position: Vec3, name: string): SkeletonEdit {
  return {
    joints: [
      ...edit.joints.map((joint, j) => (j === parent ? withoutTail(joint) : joint)),
      { name: freeName(edit, name), parent, position, was: -1 },
    ],
  };
}

/** Puts a joint into the middle of a joint's bone: between it and its child, or its free end. */
export function splitBone(edit: SkeletonEdit, joint: number, child: number): SkeletonEdit {
  const one = edit.joints[joint];
  const end = child >= 0 ? edit.joints[child].position : one.tail;
  if (!end) return edit;
  const made = edit.joints.length;
  const middle = scaled(add(one.position, end), 0.5);
  return {
    joints: [
      ...edit.joints.map((other, j) => (j === child ? { ...other, parent: made } : j === joint ? withoutTail(other) : other)),
      { name: freeName(edit, `${baseName(one.name)}_2${sideOf(one.name)}`), parent: joint, position: middle, was: -1, ...(child < 0 ? { tail: end } : {}) },
    ],
  };
}

/** Hangs a joint below another; undefined if that would make a ring. */
export function connect(edit: SkeletonEdit, joint: number, parent: number): SkeletonEdit | undefined {
  if (joint === parent || below(edit, joint).includes(parent)) return undefined;
  return { joints: edit.joints.map((one, j) => (j === joint ? { ...one, parent } : j === parent ? withoutTail(one) : one)) };
}

/** Deletes joints; what hung from them hangs from the nearest joint above that is left. */
export function deleteJoints(edit: SkeletonEdit, joints: readonly number[]): SkeletonEdit {
  const gone = new Set(joints);
  const left = edit.joints.map((_, j) => j).filter((j) => !gone.has(j));
  const place = new Map(left.map((j, k) => [j, k]));
  const up = (j: number): number => {
    let parent = edit.joints[j].parent;
    while (parent >= 0 && gone.has(parent)) parent = edit.joints[parent].parent;
    return parent < 0 ? -1 : (place.get(parent) ?? -1);
  };
  return { joints: left.map((j) => ({ ...edit.joints[j], parent: up(j) })) };
}

export function renameJoint(edit: SkeletonEdit, joint: number, name: string): SkeletonEdit {
  return { joints: edit.joints.map((one, j) => (j === joint ? { ...one, name } : one)) };
}

/** The joint on the other side: by its name, or by its place where names have no side; -1 if there is none. */
export function partnerOf(edit: SkeletonEdit, joint: number, tolerance: number): number {
  const { name, position } = edit.joints[joint];
  const other = mirroredName(name);
  const byName = other === undefined ? -1 : edit.joints.findIndex((one) => one.name === other);
  if (byName >= 0) return byName;
  const image = mirroredVec(position);
  const byPlace = edit.joints.findIndex((one, j) => j !== joint && length(sub(one.position, image)) < tolerance);
  return byPlace;
}

/** All joints below a joint. */
export function below(edit: SkeletonEdit, joint: number): number[] {
  const found: number[] = [];
  const visit = (j: number): void => {
    edit.joints.forEach((one, k) => {
      if (one.parent !== j) return;
      found.push(k);
      visit(k);
    });
  };
  visit(joint);
  return found;
}

export function freeName(edit: SkeletonEdit, name: string): string {
  const taken = new Set(edit.joints.map((joint) => joint.name));
  if (!taken.has(name)) return name;
  const base = baseName(name).replace(/_\d+$/, '');
  for (let n = 2; ; ++n) {
    const next = `${base}_${n}${sideOf(name)}`;
    if (!taken.has(next)) return next;
  }
}

const sideOf = (name: string): string => /[._][LRlr]$/.exec(name)?.[0] ?? '';
const baseName = (name: string): string => name.slice(0, name.length - sideOf(name).length);

function withoutTail(joint: EditJoint): EditJoint {
  const { name, parent, position, was } = joint;
  return { name, parent, position, was };
}
