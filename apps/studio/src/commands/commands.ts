// SPDX-License-Identifier: Apache-2.0
// All changes of a document. None of them touches the document that it is given.
import { fitClip } from '../state/channels';
import {
  hasShape,
  jointIndex,
  restPose,
  type JointPose,
  type Pose,
  type RigInfo,
  type RigRef,
} from '../state/document';
import { command, type Command } from './history';

// ---- Pose ----

/** Replaces the whole pose. */
export function setPose(label: string, pose: Pose, merge?: string): Command {
  return command(label, (document) => ({ ...document, pose: fitPose(pose, document.rig.info) }), merge);
}

/** Changes what is said of one joint; undefined takes a member back to rest. */
export function changeJoint(label: string, key: string, change: Partial<JointPose>, merge?: string): Command {
  return command(
    label,
    (document) => {
      if (jointIndex(document.rig.info, key) < 0) return document;
      return { ...document, pose: withJoint(document.pose, key, { ...document.pose.joints[key], ...change }) };
    },
    merge,
  );
}

/** Joints back to rest; all of the pose if no joints are given. */
export function resetPose(keys?: readonly string[]): Command {
  return command(keys ? 'Reset joints' : 'Reset pose', (document) => {
    if (!keys) return isRest(document.pose) ? document : { ...document, pose: restPose };
    let pose = document.pose;
    for (const key of keys) pose = withJoint(pose, key, undefined);
    return pose === document.pose ? document : { ...document, pose };
  });
}

/** Sets a blend shape or control by name. */
export function setValue(kind: 'shapes' | 'controls', name: string, value: number): Command {
  return command(
    kind === 'shapes' ? `Shape ${name}` : `Control ${name}`,
    (document) => {
      const { info } = document.rig;
      const isThere = kind === 'shapes' ? hasShape(info, name) : info.controls.some((control) => control.name === name);
      if (!isThere || !Number.isFinite(value)) return document;
      return { ...document, pose: { ...document.pose, [kind]: { ...document.pose[kind], [name]: value } } };
    },
    `${kind}:${name}`,
  );
}

/** A pose with another word on one joint; what says nothing is left out. */
export function withJoint(pose: Pose, key: string, joint: JointPose | undefined): Pose {
  const said = joint && cleanJoint(joint);
  if (!said && !(key in pose.joints)) return pose;
  const others = Object.entries(pose.joints).filter(([other]) => other !== key);
  return { ...pose, joints: Object.fromEntries(said ? [...others, [key, said]] : others) };
}

function cleanJoint(joint: JointPose): JointPose | undefined {
  const said: Record<string, unknown> = {};
  if (joint.twist) said.twist = joint.twist;
  if (joint.stretch !== undefined && joint.stretch !== 1) said.stretch = joint.stretch;
  const bends = joint.bend?.filter(([angle]) => angle !== 0);
  if (bends?.length) said.bend = bends;
  for (const name of ['translation', 'rotation', 'scale'] as const) if (joint[name]) said[name] = joint[name];
  return Object.keys(said).length > 0 ? (said as JointPose) : undefined;
}

function isRest(pose: Pose): boolean {
  return [pose.joints, pose.shapes ?? {}, pose.controls ?? {}].every((part) => Object.keys(part).length === 0);
}

/** A pose without what the rig does not have. */
export function fitPose(pose: Pose, info: RigInfo): Pose {
  const keys = new Set(info.joints.map((joint) => joint.key));
  const only = <T>(part: Readonly<Record<string, T>>, has: (name: string) => boolean): Record<string, T> =>
    Object.fromEntries(Object.entries(part).filter(([name]) => has(name)));
  const fitted: { -readonly [K in keyof Pose]: Pose[K] } = { joints: {} };
  for (const [key, joint] of Object.entries(pose.joints)) {
    const said = keys.has(key) ? cleanJoint(joint) : undefined;
    if (said) (fitted.joints as Record<string, JointPose>)[key] = said;
  }
  if (pose.shapes) fitted.shapes = only(pose.shapes, (name) => hasShape(info, name));
  if (pose.controls) {
    fitted.controls = only(pose.controls, (name) => info.controls.some((control) => control.name === name));
  }
  return fitted;
}

// ---- Pins, locks, method, name ----

/** Pins joints, or takes the pins out if all of them are pinned. */
export function togglePins(keys: readonly string[]): Command {
  return toggle('pins', keys, 'Pin', 'Unpin');
}

/** Locks the weights of bones, or unlocks them if all of them are locked. */
export function toggleLocks(keys: readonly string[]): Command {
  return toggle('locks', keys, 'Lock weights', 'Unlock weights');
}

function toggle(list: 'pins' | 'locks', keys: readonly string[], on: string, off: string): Command {
  return {
    label: `${on} or ${off.toLowerCase()}`,
    apply(document) {
      const known = [...new Set(keys)].filter((key) => jointIndex(document.rig.info, key) >= 0);
      if (known.length === 0) return document;
      const before = document[list];
      const all = known.every((key) => before.includes(key));
      const others = before.filter((key) => !known.includes(key));
      return { ...document, [list]: all ? others : [...others, ...known] };
    },
  };
}

export function setMethod(method: string): Command {
  return command(`Method ${method}`, (document) => (document.method === method ? document : { ...document, method }));
}

export function renameDocument(name: string): Command {
  return command(
    'Rename',
    (document) => (name.trim() === '' || name === document.name ? document : { ...document, name }),
    'rename',
  );
}

// ---- The rig ----

/**
 * Goes on to another revision of the rig. Joints that were renamed (old key to new key) keep their pose, pins and
 * keys; those that are gone lose them.
 */
export function setRig(label: string, rig: RigRef, renamed: Readonly<Record<string, string>> = {}): Command {
  return command(label, (document) => {
    const known = new Set(rig.info.joints.map((joint) => joint.key));
    const keys = (list: readonly string[]): readonly string[] => [
      ...new Set(list.map((key) => renamed[key] ?? key).filter((key) => known.has(key))),
    ];
    const pose = (old: Pose): Pose => fitPose(renamePose(old, renamed), rig.info);
    return {
      ...document,
      rig,
      pose: pose(document.pose),
      pins: keys(document.pins),
      locks: keys(document.locks),
      clips: document.clips.map((clip) => fitClip(clip, rig.info, renamed)),
    };
  });
}

function renamePose(pose: Pose, renamed: Readonly<Record<string, string>>): Pose {
  if (Object.keys(renamed).length === 0) return pose;
  const joints = Object.fromEntries(Object.entries(pose.joints).map(([key, joint]) => [renamed[key] ?? key, joint]));
  return { ...pose, joints };
}
