// SPDX-License-Identifier: Apache-2.0
// The document: what is undone, saved and recovered. Plain immutable data; a change makes a new one
// that shares what stayed. The rig itself lies in the Worker, which keeps every revision as it was;
// here is its number and what the panels need to know of it.

export type Vec3 = readonly [number, number, number];
export type Quat = readonly [number, number, number, number];

/** A bend as pose files have it: degrees about an axis of the joint's own frame. */
export type Bend = readonly [number, 'x' | 'y' | 'z' | Vec3];

/** What a pose file says of a joint. What is missing is as at rest. */
export interface JointPose {
  readonly twist?: number;
  readonly stretch?: number;
  readonly bend?: readonly Bend[];
  readonly translation?: Vec3;
  readonly rotation?: Quat;
  readonly scale?: Vec3;
}

/** A pose file by joints. Keys are joint keys, see JointInfo. */
export interface Pose {
  readonly joints: Readonly<Record<string, JointPose>>;
  readonly shapes?: Readonly<Record<string, number>>;
  readonly controls?: Readonly<Record<string, number>>;
}

/** The two handles of a cubic curve from (0, 0) to (1, 1), x before y. */
export type EaseCurve = readonly [number, number, number, number];

/** How to go from a key to the next one of its channel. */
export type Ease = 'linear' | 'smooth' | 'step' | EaseCurve;

/** A joint's rotation in the parts that a pose file has for it. */
export type Turn = Pick<JointPose, 'rotation' | 'bend' | 'twist'>;

/** Where inverse kinematics brings a joint, in world space. */
export interface Target {
  readonly position: Vec3;
  readonly weight: number;
  /** As the first key of the channel has it. */
  readonly lengths: 'kept' | 'beyond-reach' | 'free';
}

export interface ChannelValues {
  readonly rotation: Turn;
  readonly translation: Vec3;
  readonly scale: Vec3;
  readonly stretch: number;
  readonly target: Target;
  readonly shape: number;
  readonly control: number;
}
export type ChannelKind = keyof ChannelValues;
export type KeyValue = ChannelValues[ChannelKind];

export interface Key {
  readonly time: number;
  readonly value: KeyValue;
  readonly ease: Ease;
}

/** One thing that moves: a part of a joint's transform, a target, a shape or a control. */
export interface Channel {
  readonly kind: ChannelKind;
  /** The joint's key, or the name of the shape or control. */
  readonly name: string;
  /** At least one, ascending. Before the first and after the last its value stays. */
  readonly keys: readonly Key[];
}

/** A clip made here. What has no channel is at rest. */
export interface KeyClip {
  readonly name: string;
  readonly loop: boolean;
  readonly channels: readonly Channel[];
}

export interface JointInfo {
  /** The name, or the number where the name is missing or not the only one: how files refer to it. */
  readonly key: string;
  readonly name: string;
  readonly parent: number;
  /** Computed from other joints or controls, so that it cannot be posed. */
  readonly driven: boolean;
  /** No bone starts or ends here, and it does not move: a node of a scene. */
  readonly isNode: boolean;
  readonly rest: { readonly translation: Vec3; readonly rotation: Quat; readonly scale: Vec3 };
}

/** A joint that tenses a muscle: nothing at the first angle (degrees from rest), `gain` at the second and beyond. */
export interface MuscleAngle {
  /** The joint's key. */
  readonly joint: string;
  readonly range: readonly [number, number];
  readonly gain: number;
  /** In the joint's own frame; missing: the angle in total. */
  readonly axis?: Vec3;
}

/** Lets the skin of a bone swell across it. */
export interface Muscle {
  /** How much where, from head to tail; no points: a bump in the middle. */
  readonly profile: readonly (readonly [number, number])[];
  /** How much the bone's change of length drives it: 1 keeps the volume. */
  readonly stretch: number;
  readonly angle?: MuscleAngle;
  /** The side that swells, in mesh space; missing: all around. */
  readonly side?: Vec3;
}

export interface BoneInfo {
  readonly joint: number;
  /** -1: the tail is not at a joint. */
  readonly tailJoint: number;
  /** In mesh space at bind time. */
  readonly head: Vec3;
  readonly tail: Vec3;
  readonly stretchFilter: readonly (readonly [number, number])[];
  readonly twistFilter: readonly (readonly [number, number])[];
  readonly muscle?: Muscle;
}

export interface ShapeInfo {
  readonly name: string;
  readonly rest: number;
  /** Computed from joints or controls, so that it cannot be set. */
  readonly driven: boolean;
}

/** A blend shape that is on in one pose and off at rest. */
export interface CorrectiveInfo {
  readonly name: string;
  /** Its number among the shapes. */
  readonly shape: number;
  /** The keys of the joints whose turns it follows. */
  readonly joints: readonly string[];
}

export interface ClipInfo {
  readonly name: string;
  readonly duration: number;
}

/** What is known of a revision of the rig. */
export interface RigInfo {
  readonly vertices: number;
  readonly triangles: number;
  readonly hasWeights: boolean;
  readonly hasEndpoints: boolean;
  readonly hasTwistEndpoints: boolean;
  readonly joints: readonly JointInfo[];
  readonly bones: readonly BoneInfo[];
  readonly clips: readonly ClipInfo[];
  readonly shapes: readonly ShapeInfo[];
  readonly correctives: readonly CorrectiveInfo[];
  /** Of a picture: bones in the order in which their skin is drawn, the farthest first; empty where there is depth. */
  readonly layers: readonly number[];
  readonly controls: readonly { readonly name: string; readonly rest: number }[];
  readonly notes: readonly string[];
}

/** A revision of the rig in the Worker; never changes. */
export interface RigRef {
  readonly id: number;
  readonly info: RigInfo;
}

export interface Document {
  readonly name: string;
  readonly rig: RigRef;
  readonly pose: Pose;
  /** Joint keys that inverse kinematics holds in place. */
  readonly pins: readonly string[];
  /** Joint keys of bones whose weights painting leaves alone. */
  readonly locks: readonly string[];
  readonly method: string;
  readonly clips: readonly KeyClip[];
}

export const restPose: Pose = { joints: {} };

export const emptyInfo: RigInfo = {
  vertices: 0,
  triangles: 0,
  hasWeights: false,
  hasEndpoints: false,
  hasTwistEndpoints: false,
  joints: [],
  bones: [],
  clips: [],
  shapes: [],
  correctives: [],
  layers: [],
  controls: [],
  notes: [],
};

export const defaultMethod = 'stbs-dqs';

export function newDocument(name: string, rig: RigRef): Document {
  return { name, rig, pose: restPose, pins: [], locks: [], method: defaultMethod, clips: [] };
}

/** The number of the joint with that key; -1 if there is none. */
export function jointIndex(info: RigInfo, key: string): number {
  return info.joints.findIndex((joint) => joint.key === key);
}

/** The first bone that starts at a joint; -1 if none does. */
export function boneOfJoint(info: RigInfo, joint: number): number {
  return info.bones.findIndex((bone) => bone.joint === joint);
}

/** Joint keys by their place in the list: names where they tell joints apart, numbers elsewhere. */
export function jointKeys(names: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  return names.map((name, j) => (name !== '' && count.get(name) === 1 && !/^\d+$/.test(name) ? name : String(j)));
}

/** The key of the joint on the other side; undefined if the name has no side or nobody is there. */
export function mirroredKey(info: RigInfo, key: string): string | undefined {
  const joint = info.joints[jointIndex(info, key)];
  if (!joint) return undefined;
  const swapped = mirroredName(joint.name);
  if (swapped === undefined) return undefined;
  return info.joints.find((other) => other.name === swapped)?.key;
}

const sides: readonly (readonly [RegExp, (match: string) => string])[] = [
  [/(?<=[._\- ])[lLrR](?=$|[._\- ])/, (s) => ({ l: 'r', r: 'l', L: 'R', R: 'L' })[s] ?? s],
  [/^[lLrR](?=[._\- ])/, (s) => ({ l: 'r', r: 'l', L: 'R', R: 'L' })[s] ?? s],
  [/left|right/i, swapWord],
];

function swapWord(word: string): string {
  const other = word.toLowerCase() === 'left' ? 'right' : 'left';
  if (word === word.toUpperCase()) return other.toUpperCase();
  return word[0] === word[0].toUpperCase() ? other[0].toUpperCase() + other.slice(1) : other;
}

/** The same name with left and right exchanged; undefined if it has no side. */
export function mirroredName(name: string): string | undefined {
  for (const [pattern, swap] of sides) {
    if (pattern.test(name)) return name.replace(pattern, swap);
  }
  return undefined;
}

/** What is wrong with a document; an empty list if nothing is. */
export function problems(document: Document): string[] {
  const found: string[] = [];
  const { info } = document.rig;
  const keys = new Set(info.joints.map((joint) => joint.key));
  if (keys.size !== info.joints.length) found.push('two joints have one key');
  const checkPose = (pose: Pose, where: string): void => {
    for (const [key, joint] of Object.entries(pose.joints)) {
      if (!keys.has(key)) found.push(`${where}: there is no joint ${key}`);
      for (const value of [joint.twist, joint.stretch, ...(joint.translation ?? []), ...(joint.rotation ?? [])]) {
        if (value !== undefined && !Number.isFinite(value)) found.push(`${where}: ${key} is not finite`);
      }
    }
    const shapes = new Set(info.shapes.filter((shape) => !shape.driven).map((shape) => shape.name));
    for (const name of Object.keys(pose.shapes ?? {})) if (!shapes.has(name)) found.push(`${where}: no shape ${name}`);
    const controls = new Set(info.controls.map((control) => control.name));
    for (const name of Object.keys(pose.controls ?? {})) {
      if (!controls.has(name)) found.push(`${where}: no control ${name}`);
    }
  };
  checkPose(document.pose, 'the pose');
  for (const list of ['pins', 'locks'] as const) {
    if (new Set(document[list]).size !== document[list].length) found.push(`${list}: one is there twice`);
    for (const key of document[list]) if (!keys.has(key)) found.push(`${list}: there is no joint ${key}`);
  }
  const names = new Set<string>();
  for (const clip of document.clips) {
    if (names.has(clip.name)) found.push(`two clips are called ${clip.name}`);
    names.add(clip.name);
    found.push(...clipProblems(clip, info));
  }
  return found;
}

function clipProblems(clip: KeyClip, info: RigInfo): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  for (const channel of clip.channels) {
    const where = `${clip.name}, ${channel.kind} of ${channel.name}`;
    if (ids.has(channelId(channel))) found.push(`${where}: it is there twice`);
    ids.add(channelId(channel));
    if (!hasChannel(info, channel)) found.push(`${where}: the rig does not have it`);
    if (channel.keys.length === 0) found.push(`${where}: it has no key`);
    channel.keys.forEach(({ time, value }, k) => {
      if (time < 0 || (k > 0 && time < channel.keys[k - 1].time + leastKeyDistance - 1e-9)) {
        found.push(`${where}: key ${k} is not after the one before`);
      }
      if (!isFiniteValue(value)) found.push(`${where}: key ${k} is not finite`);
    });
  }
  return found;
}

/** Keys of a channel are at least this many seconds apart, as the core asks for. */
export const leastKeyDistance = 0.001;

/** What tells the channels of a clip apart. */
export const channelId = ({ kind, name }: Pick<Channel, 'kind' | 'name'>): string => `${kind}:${name}`;

/** Whether all numbers in a value are. */
export function isFiniteValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFiniteValue);
}

/** What the core knows a blend shape by: its name, which shapes of several meshes may share, or its number. */
export function shapeName(info: RigInfo, shape: number): string {
  return info.shapes[shape].name || String(shape);
}

/** Whether a rig has a blend shape that can be set. */
export function hasShape(info: RigInfo, name: string): boolean {
  return info.shapes.some((shape) => shape.name === name && !shape.driven);
}

/** Whether a rig has what a channel moves. */
export function hasChannel(info: RigInfo, { kind, name }: Pick<Channel, 'kind' | 'name'>): boolean {
  if (kind === 'shape') return hasShape(info, name);
  if (kind === 'control') return info.controls.some((control) => control.name === name);
  return jointIndex(info, name) >= 0;
}
