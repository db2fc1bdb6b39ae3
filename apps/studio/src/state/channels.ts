// SPDX-License-Identifier: Apache-2.0
// Channels of clips and poses: what of a pose a channel holds, and when its keys are.
import {
  channelId,
  hasChannel,
  jointIndex,
  leastKeyDistance,
  type Channel,
  type ChannelKind,
  type ChannelValues,
  type Ease,
  type EaseCurve,
  type JointPose,
  type Key,
  type KeyClip,
  type KeyValue,
  type Pose,
  type RigInfo,
  type Turn,
} from './document';

/** What a channel moves. */
export type ChannelRef = Pick<Channel, 'kind' | 'name'>;

/** A key of a channel, by its time. */
export interface KeyRef {
  readonly channel: string;
  readonly time: number;
}

/** The parts of a joint's transform, in the order of the timeline's rows. */
export const jointKinds = ['rotation', 'translation', 'scale', 'stretch'] as const satisfies readonly ChannelKind[];

export const sameTime = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6;

/** Whether a value is that of another, but for the last bits. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => sameValue((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]));
}

/** What a pose says of a channel; as at rest where it says nothing. Poses have no targets. */
export function partOf(info: RigInfo, pose: Pose, { kind, name }: ChannelRef): Exclude<KeyValue, ChannelValues['target']> {
  const rest = info.joints[jointIndex(info, name)]?.rest;
  const said: JointPose = pose.joints[name] ?? {};
  switch (kind) {
    case 'shape':
      return pose.shapes?.[name] ?? info.shapes.find((shape) => shape.name === name)?.rest ?? 0;
    case 'control':
      return pose.controls?.[name] ?? info.controls.find((control) => control.name === name)?.rest ?? 0;
    case 'rotation':
      return turnOf(said, rest?.rotation);
    case 'translation':
      return said.translation ?? rest?.translation ?? [0, 0, 0];
    case 'scale':
      return said.scale ?? rest?.scale ?? [1, 1, 1];
    case 'stretch':
      return said.stretch ?? 1;
    case 'target':
      throw new Error('a pose has no targets');
  }
}

const turnParts = ['rotation', 'bend', 'twist'] as const satisfies readonly (keyof Turn)[];

// Only what is not as at rest: two ways to say the same are the same value.
function turnOf({ rotation, bend, twist }: JointPose, rest: Turn['rotation']): Turn {
  const turn: { -readonly [K in keyof Turn]: Turn[K] } = {};
  if (rotation && !sameValue(rotation, rest)) turn.rotation = rotation;
  const bends = bend?.filter(([angle]) => angle !== 0);
  if (bends?.length) turn.bend = bends;
  if (twist) turn.twist = twist;
  return turn;
}

/**
 * Channels that begin within half a turn, as files need it: where one begins with more, its keys lose as many whole turns
 * as that takes, so that it moves as before.
 */
export function withinHalfTurn(channels: readonly Channel[]): readonly Channel[] {
  const changed = channels.map((channel): Channel => {
    if (channel.kind !== 'rotation') return channel;
    const { twist: first = 0 } = channel.keys[0].value as Turn;
    const turns = Math.sign(first) * Math.max(0, Math.ceil((Math.abs(first) - 180) / 360));
    if (turns === 0) return channel;
    const unwound = (value: Turn): Turn => turnOf({ ...value, twist: (value.twist ?? 0) - 360 * turns }, undefined);
    return { ...channel, keys: channel.keys.map((key) => ({ ...key, value: unwound(key.value as Turn) })) };
  });
  return changed.every((channel, c) => channel === channels[c]) ? channels : changed;
}

/** A pose in which a channel has another value. */
export function withPart(pose: Pose, { kind, name }: ChannelRef, value: KeyValue): Pose {
  if (kind === 'target') return pose;
  if (kind === 'shape' || kind === 'control') {
    const list = `${kind}s` as const;
    return { ...pose, [list]: { ...pose[list], [name]: value as number } };
  }
  const said = Object.entries(pose.joints[name] ?? {}).filter(([part]) => kind !== 'rotation' || !(turnParts as readonly string[]).includes(part));
  const joint: JointPose = { ...Object.fromEntries(said), ...(kind === 'rotation' ? (value as Turn) : { [kind]: value }) };
  return { ...pose, joints: { ...pose.joints, [name]: joint } };
}

/** Channels that two poses differ in. */
export function changedChannels(info: RigInfo, before: Pose, after: Pose): ChannelRef[] {
  const names = (part: 'joints' | 'shapes' | 'controls'): Set<string> => new Set([...Object.keys(before[part] ?? {}), ...Object.keys(after[part] ?? {})]);
  const candidates: ChannelRef[] = [
    ...[...names('joints')].flatMap((name) => jointKinds.map((kind) => ({ kind, name }))),
    ...[...names('shapes')].map((name) => ({ kind: 'shape' as const, name })),
    ...[...names('controls')].map((name) => ({ kind: 'control' as const, name })),
  ];
  return candidates.filter((ref) => !sameValue(partOf(info, before, ref), partOf(info, after, ref)));
}

/** A time at which a clip has keys, and which. */
export interface KeyMoment {
  readonly time: number;
  readonly refs: readonly KeyRef[];
}

const moments = new WeakMap<readonly Channel[], readonly KeyMoment[]>();

/** All times at which there are keys, ascending. Channels never change, so they are found once. */
export function keyMoments({ channels }: Pick<KeyClip, 'channels'>): readonly KeyMoment[] {
  const known = moments.get(channels);
  if (known) return known;
  const refs = channels.flatMap((channel) => channel.keys.map(({ time }): KeyRef => ({ channel: channelId(channel), time })));
  const made: { time: number; refs: KeyRef[] }[] = [];
  for (const ref of refs.sort((a, b) => a.time - b.time)) {
    const last = made[made.length - 1];
    if (last && sameTime(last.time, ref.time)) last.refs.push(ref);
    else made.push({ time: ref.time, refs: [ref] });
  }
  moments.set(channels, made);
  return made;
}

export const keyTimes = (clip: Pick<KeyClip, 'channels'>): number[] => keyMoments(clip).map(({ time }) => time);

/** The number of the first key after a time; that of the keys if there is none. */
export function nextKey(keys: readonly Key[], time: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle].time > time && !sameTime(keys[middle].time, time)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const keyCount = (clip: KeyClip): number => clip.channels.reduce((count, channel) => count + channel.keys.length, 0);

/** The keys that are meant, each with its channel. */
export function keysAt(clip: KeyClip, refs: readonly KeyRef[]): { channel: Channel; key: Key }[] {
  return clip.channels.flatMap((channel) =>
    channel.keys.filter((key) => isMeant(channel, key, refs)).map((key) => ({ channel, key })),
  );
}

export function isMeant(channel: ChannelRef, key: Key, refs: readonly KeyRef[]): boolean {
  return refs.some((ref) => ref.channel === channelId(channel) && sameTime(ref.time, key.time));
}

const durations = new WeakMap<KeyClip, number>();

/** How long a clip is: a loop goes back to its first values after its last key, in the mean time between two keys. */
export function clipDuration(clip: KeyClip): number {
  let duration = durations.get(clip);
  if (duration === undefined) durations.set(clip, (duration = durationOf(clip)));
  return duration;
}

function durationOf(clip: KeyClip): number {
  const times = keyTimes(clip);
  if (times.length === 0) return 0;
  const last = times[times.length - 1];
  if (!clip.loop) return last;
  if (times.length === 1) return last + 1;
  const isClosed = clip.channels.every(({ keys }) => sameValue(keys[0].value, keys[keys.length - 1].value));
  return isClosed ? last : last + (last - times[0]) / (times.length - 1);
}

/** The channels of a clip as they play: at the end of a loop, all go back from their last values to their first. */
export function closedChannels(clip: KeyClip): readonly Channel[] {
  const { channels } = clip;
  const last = keyTimes(clip).at(-1);
  const end = clipDuration(clip);
  if (last === undefined || sameTime(end, last)) return channels;
  return channels.map((channel) => {
    const final = channel.keys[channel.keys.length - 1];
    const stay = sameTime(final.time, last) ? [] : [{ ...final, time: last }];
    return { ...channel, keys: [...channel.keys, ...stay, { time: end, value: channel.keys[0].value, ease: final.ease }] };
  });
}

/** Whole poses over time, as project files had them before channels. What a pose does not say is at rest then. */
export interface PoseKey {
  readonly time: number;
  readonly pose: Pose;
  readonly ease: Ease;
}

/** Channels for all that the poses say, with a key in each for every pose. */
export function channelsOfPoses(info: RigInfo, poses: readonly PoseKey[]): Channel[] {
  const rest: Pose = { joints: {} };
  const refs = new Map<string, ChannelRef>();
  for (const { pose } of poses) for (const ref of changedChannels(info, rest, pose)) refs.set(channelId(ref), ref);
  return [...refs.values()].map((ref) => ({
    ...ref,
    keys: poses.map(({ time, pose, ease }) => ({ time, value: partOf(info, pose, ref), ease })),
  }));
}

/** A clip with joints that were renamed (old key to new key), without what the rig does not have. */
export function fitClip(clip: KeyClip, info: RigInfo, renamed: Readonly<Record<string, string>> = {}): KeyClip {
  const channels = new Map<string, Channel>();
  for (const channel of clip.channels) {
    const isJoint = channel.kind !== 'shape' && channel.kind !== 'control';
    const fitted = isJoint ? { ...channel, name: renamed[channel.name] ?? channel.name } : channel;
    if (hasChannel(info, fitted) && !channels.has(channelId(fitted))) channels.set(channelId(fitted), fitted);
  }
  return { ...clip, channels: [...channels.values()] };
}

/** Keys in their order with others put in, which take the place of those at the same time. */
export function withKeys(keys: readonly Key[], put: readonly Key[]): Key[] {
  const made: Key[] = [];
  const isFree = (key: Key): boolean => !put.some((other) => Math.abs(other.time - key.time) < leastKeyDistance);
  for (const key of [...keys.filter(isFree), ...put].sort((a, b) => a.time - b.time)) {
    const least = (made[made.length - 1]?.time ?? -Infinity) + leastKeyDistance;
    made.push(key.time < least ? { ...key, time: least } : key);
  }
  return made;
}

/** The name of an ease, for people and for styles. */
export function easeName(ease: Ease): 'linear' | 'smooth' | 'step' | 'curve' {
  return typeof ease === 'string' ? ease : 'curve';
}

/** How far along the way an ease is at a fraction of the time. */
export function eased(ease: Ease, t: number): number {
  if (t >= 1) return 1;
  if (t <= 0 || ease === 'step') return 0;
  if (ease === 'linear') return t;
  if (ease === 'smooth') return t * t * (3 - 2 * t);
  return onCurve(ease, t);
}

// Handles lie between the ends in time, so that there is one place on the curve for each moment.
function onCurve([x1, y1, x2, y2]: EaseCurve, t: number): number {
  const at = (a: number, b: number, u: number): number => 3 * u * (1 - u) * (1 - u) * a + 3 * u * u * (1 - u) * b + u * u * u;
  let low = 0;
  let high = 1;
  for (let n = 0; n < 48; ++n) {
    const middle = (low + high) / 2;
    if (at(x1, x2, middle) < t) low = middle;
    else high = middle;
  }
  return at(y1, y2, (low + high) / 2);
}
