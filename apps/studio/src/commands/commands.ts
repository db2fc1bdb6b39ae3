// SPDX-License-Identifier: Apache-2.0
// All changes of a document. None of them touches the document that it is given.
import {
  jointIndex,
  leastKeyDistance,
  restPose,
  type Document,
  type Ease,
  type JointPose,
  type Key,
  type KeyClip,
  type Pose,
  type RigInfo,
  type RigRef,
} from '../state/document';
import type { Command } from './history';

const command = (label: string, apply: (document: Document) => Document, merge?: string): Command => ({
  label,
  apply,
  merge,
});

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
      const list = document.rig.info[kind];
      if (!list.some((item) => item.name === name) || !Number.isFinite(value)) return document;
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
  if (pose.shapes) fitted.shapes = only(pose.shapes, (name) => info.shapes.some((shape) => shape.name === name));
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
      clips: document.clips.map((clip) => ({
        ...clip,
        keys: clip.keys.map((key) => ({ ...key, pose: pose(key.pose) })),
      })),
    };
  });
}

function renamePose(pose: Pose, renamed: Readonly<Record<string, string>>): Pose {
  if (Object.keys(renamed).length === 0) return pose;
  const joints = Object.fromEntries(Object.entries(pose.joints).map(([key, joint]) => [renamed[key] ?? key, joint]));
  return { ...pose, joints };
}

// ---- Clips made of keys ----

export function addClip(name: string): Command {
  return command('Add clip', (document) => ({
    ...document,
    clips: [...document.clips, { name: freeName(name, document), loop: true, keys: [] }],
  }));
}

export function removeClip(name: string): Command {
  return command('Delete clip', (document) =>
    document.clips.some((clip) => clip.name === name)
      ? { ...document, clips: document.clips.filter((clip) => clip.name !== name) }
      : document,
  );
}

export function renameClip(name: string, to: string): Command {
  return changeClip('Rename clip', name, (clip, document) => {
    const taken = to.trim() === '' || document.clips.some((other) => other !== clip && other.name === to);
    return taken || to === name ? clip : { ...clip, name: to };
  });
}

export function setLoop(name: string, loop: boolean): Command {
  return changeClip('Loop', name, (clip) => (clip.loop === loop ? clip : { ...clip, loop }));
}

/** A key with this pose at this time; takes the place of one that is there. */
export function setKey(name: string, time: number, pose: Pose, merge?: string): Command {
  return changeClip(
    'Set key',
    name,
    (clip, document) => {
      if (!(time >= 0) || !Number.isFinite(time)) return clip;
      const at = clip.keys.find((key) => Math.abs(key.time - time) < leastKeyDistance);
      const key: Key = { time: at?.time ?? time, pose: fitPose(pose, document.rig.info), ease: at?.ease ?? 'smooth' };
      return { ...clip, keys: sorted([...clip.keys.filter((other) => other !== at), key]) };
    },
    merge,
  );
}

export function removeKeys(name: string, times: readonly number[]): Command {
  return changeClip(times.length === 1 ? 'Delete key' : 'Delete keys', name, (clip) => {
    const left = clip.keys.filter((key) => !times.includes(key.time));
    return left.length === clip.keys.length ? clip : { ...clip, keys: left };
  });
}

/** Moves keys by so many seconds. Keys that come to lie on one another are pushed on. */
export function moveKeys(name: string, times: readonly number[], by: number): Command {
  return changeClip('Move keys', name, (clip) => {
    if (!Number.isFinite(by) || by === 0) return clip;
    const first = Math.min(...clip.keys.filter((key) => times.includes(key.time)).map((key) => key.time));
    if (!Number.isFinite(first)) return clip;
    const shift = Math.max(by, -first);
    return {
      ...clip,
      keys: sorted(clip.keys.map((key) => (times.includes(key.time) ? { ...key, time: key.time + shift } : key))),
    };
  });
}

/** Copies of keys, so many seconds later. */
export function copyKeys(name: string, times: readonly number[], by: number): Command {
  return changeClip('Copy keys', name, (clip) => {
    const copies = clip.keys.filter((key) => times.includes(key.time)).map((key) => ({ ...key, time: key.time + by }));
    if (copies.length === 0 || !(by > 0)) return clip;
    return { ...clip, keys: sorted([...clip.keys, ...copies]) };
  });
}

export function setEase(name: string, times: readonly number[], ease: Ease): Command {
  return changeClip('Easing', name, (clip) => {
    if (!clip.keys.some((key) => times.includes(key.time) && key.ease !== ease)) return clip;
    return { ...clip, keys: clip.keys.map((key) => (times.includes(key.time) ? { ...key, ease } : key)) };
  });
}

/** Replaces all keys of a clip: a recorded motion. */
export function setKeys(name: string, keys: readonly Key[], label = 'Record motion'): Command {
  return changeClip(label, name, (clip, document) => ({
    ...clip,
    keys: sorted(keys.map((key) => ({ ...key, pose: fitPose(key.pose, document.rig.info) }))),
  }));
}

function changeClip(
  label: string,
  name: string,
  change: (clip: KeyClip, document: Document) => KeyClip,
  merge?: string,
): Command {
  return command(
    label,
    (document) => {
      const at = document.clips.findIndex((clip) => clip.name === name);
      if (at < 0) return document;
      const changed = change(document.clips[at], document);
      if (changed === document.clips[at]) return document;
      return { ...document, clips: document.clips.map((clip, c) => (c === at ? changed : clip)) };
    },
    merge,
  );
}

function sorted(keys: readonly Key[]): Key[] {
  const list = [...keys].sort((a, b) => a.time - b.time);
  for (let k = 1; k < list.length; ++k) {
    const least = list[k - 1].time + leastKeyDistance;
    if (list[k].time < least) list[k] = { ...list[k], time: least };
  }
  return list;
}

function freeName(name: string, document: Document): string {
  const taken = new Set([...document.clips, ...document.rig.info.clips].map((clip) => clip.name));
  if (!taken.has(name)) return name;
  for (let n = 2; ; ++n) if (!taken.has(`${name} ${n}`)) return `${name} ${n}`;
}
