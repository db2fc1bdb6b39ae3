// SPDX-License-Identifier: Apache-2.0
// Changes of clips made here: channels and their keys.
import { isMeant, keyTimes, keysAt, sameValue, withinHalfTurn, withKeys, type ChannelRef, type KeyRef } from '../state/channels';
import { channelId, hasChannel, isFiniteValue, type Channel, type Document, type Ease, type Key, type KeyClip, type KeyValue } from '../state/document';
import { command, type Command } from './history';

export function addClip(name: string): Command {
  return command('Add clip', (document) => ({
    ...document,
    clips: [...document.clips, { name: freeName(name, document), loop: true, channels: [] }],
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

/** What a channel is to be at a time. */
export interface KeyedValue extends ChannelRef {
  readonly value: KeyValue;
  /** What it was. A channel that is new gets a key with it at the last key before, to move from there. */
  readonly before?: KeyValue;
}

/** Keys at one time; they take the place of those that are there. */
export function setKeys(name: string, time: number, values: readonly KeyedValue[], merge?: string): Command {
  return changeClip(
    values.length === 1 ? 'Set key' : 'Set keys',
    name,
    (clip, { rig: { info } }) => {
      const fit = values.filter((one) => hasChannel(info, one) && isFiniteValue(one.value));
      if (!(time >= 0) || !Number.isFinite(time) || fit.length === 0) return clip;
      const start = Math.max(0, ...keyTimes(clip).filter((other) => other < time));
      const channels = new Map(clip.channels.map((channel) => [channelId(channel), channel]));
      for (const one of fit) {
        const id = channelId(one);
        const keys = channels.get(id)?.keys ?? (one.before === undefined || start >= time ? [] : [{ time: start, value: one.before, ease: 'smooth' as const }]);
        // In the rhythm of the keys around it.
        const ease = keys.filter((key) => key.time < time + 1e-6).at(-1)?.ease ?? 'smooth';
        channels.set(id, { kind: one.kind, name: one.name, keys: withKeys(keys, [{ time, value: one.value, ease }]) });
      }
      return { ...clip, channels: [...channels.values()] };
    },
    merge,
  );
}

export function removeKeys(name: string, keys: readonly KeyRef[]): Command {
  return changeClip(keys.length === 1 ? 'Delete key' : 'Delete keys', name, (clip) => {
    if (keysAt(clip, keys).length === 0) return clip;
    const left = clip.channels.map((channel) => ({ ...channel, keys: channel.keys.filter((key) => !isMeant(channel, key, keys)) }));
    return { ...clip, channels: left.filter((channel) => channel.keys.length > 0) };
  });
}

export function removeChannels(name: string, ids: readonly string[]): Command {
  return changeClip('Delete channel', name, (clip) => {
    const left = clip.channels.filter((channel) => !ids.includes(channelId(channel)));
    return left.length === clip.channels.length ? clip : { ...clip, channels: left };
  });
}

/** Moves keys by so many seconds; not before 0. They take the place of keys that they come to lie on. */
export function moveKeys(name: string, keys: readonly KeyRef[], by: number): Command {
  return shiftKeys('Move keys', name, keys, by, false);
}

/** Copies of keys, so many seconds later or earlier. */
export function copyKeys(name: string, keys: readonly KeyRef[], by: number): Command {
  return shiftKeys('Copy keys', name, keys, by, true);
}

/** By how much keys move when they are to move by so many seconds. */
export function shiftOf(keys: readonly KeyRef[], by: number): number {
  return Math.max(by, -Math.min(...keys.map((key) => key.time)));
}

function shiftKeys(label: string, name: string, keys: readonly KeyRef[], by: number, stay: boolean): Command {
  return changeClip(label, name, (clip) => {
    const moving = keysAt(clip, keys);
    if (!Number.isFinite(by) || moving.length === 0) return clip;
    const shift = shiftOf(moving.map(({ channel, key }) => ({ channel: channelId(channel), time: key.time })), by);
    if (shift === 0) return clip;
    return changeChannels(clip, (channel) => {
      const moved = channel.keys.filter((key) => isMeant(channel, key, keys));
      if (moved.length === 0) return channel.keys;
      const others = stay ? channel.keys : channel.keys.filter((key) => !moved.includes(key));
      return withKeys(others, moved.map((key) => ({ ...key, time: key.time + shift })));
    });
  });
}

export function setEase(name: string, keys: readonly KeyRef[], ease: Ease, merge?: string): Command {
  return changeClip(
    'Easing',
    name,
    (clip) => {
      const wanted: Ease = typeof ease === 'string' ? ease : [share(ease[0]), ease[1], share(ease[2]), ease[3]];
      if (!isFiniteValue(wanted) || keysAt(clip, keys).every(({ key }) => sameValue(key.ease, wanted))) return clip;
      return changeChannels(clip, (channel) => channel.keys.map((key) => (isMeant(channel, key, keys) ? { ...key, ease: wanted } : key)));
    },
    merge,
  );
}

/** Replaces all channels of a clip: a recorded motion, a clip of the file. */
export function setChannels(name: string, channels: readonly Channel[], label = 'Record motion'): Command {
  return changeClip(label, name, (clip, { rig: { info } }) => ({
    ...clip,
    channels: channels
      .filter((channel) => channel.keys.length > 0 && hasChannel(info, channel))
      .map((channel) => ({ ...channel, keys: withKeys(channel.keys, []) })),
  }));
}

const share = (x: number): number => Math.min(1, Math.max(0, x));

function changeChannels(clip: KeyClip, change: (channel: Channel) => readonly Key[]): KeyClip {
  return { ...clip, channels: clip.channels.map((channel) => ({ ...channel, keys: change(channel) })) };
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
      const made = { ...changed, channels: withinHalfTurn(changed.channels) };
      return { ...document, clips: document.clips.map((clip, c) => (c === at ? made : clip)) };
    },
    merge,
  );
}

function freeName(name: string, document: Document): string {
  const taken = new Set([...document.clips, ...document.rig.info.clips].map((clip) => clip.name));
  if (!taken.has(name)) return name;
  for (let n = 2; ; ++n) if (!taken.has(`${name} ${n}`)) return `${name} ${n}`;
}
