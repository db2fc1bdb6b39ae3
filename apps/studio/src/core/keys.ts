// SPDX-License-Identifier: Apache-2.0
// Clips as the core's keys files have them: whole poses over time. Where channels go their own ways between two
// moments, there are poses in between.
import { closedChannels, easeName, keyTimes, nextKey, sameTime, sameValue } from '../state/channels';
import { leastKeyDistance, type Channel, type KeyClip, type Pose, type RigInfo, type Target } from '../state/document';
import { poseAt, valueAt } from './sampling';

interface WholeKey {
  readonly time: number;
  readonly pose: Pose & { readonly targets?: Readonly<Record<string, Target>> };
  readonly ease: 'linear' | 'smooth' | 'step';
}

const texts = new WeakMap<KeyClip, { info: RigInfo; text: string }>();

/** A clip as the text of a keys file. Clips never change, so it is made once. */
export function keysText(info: RigInfo, clip: KeyClip): string {
  const known = texts.get(clip);
  if (known?.info === info) return known.text;
  const text = JSON.stringify({ name: clip.name, loop: clip.loop, keys: wholeKeys(info, clip) });
  texts.set(clip, { info, text });
  return text;
}

/** The most and fewest parts between two moments, and how many a second in between. */
const pieces = { most: 32, fewest: 4, perSecond: 60 };

function wholeKeys(info: RigInfo, clip: KeyClip): WholeKey[] {
  const channels = closedChannels(clip);
  const times = keyTimes({ channels });
  const made: WholeKey[] = [];
  const add = (time: number, ease: WholeKey['ease']): void => {
    // Keys of different channels may be closer than the core takes them: the later one is pushed on.
    const earliest = made.length === 0 ? 0 : made[made.length - 1].time + leastKeyDistance * 1.000001;
    made.push({ time: Math.max(time, earliest), pose: wholePose(info, channels, time), ease });
  };
  times.forEach((time, k) => {
    const end = times[k + 1];
    const moves = end === undefined ? [] : channels.flatMap((channel) => moveIn(channel, time, end));
    const common = commonEase(moves);
    add(time, common ?? 'linear');
    const length = end - time;
    if (common || length < 4 * leastKeyDistance) return;
    const count = Math.min(pieces.most, Math.max(pieces.fewest, Math.ceil(length * pieces.perSecond)), Math.floor(length / (4 * leastKeyDistance)));
    for (let p = 1; p < count; ++p) add(time + (length * p) / count, 'linear');
    // What stays until the next key does so until just before it.
    if (moves.some(({ ease }) => ease === 'step')) add(end - 1.5 * leastKeyDistance, 'linear');
  });
  return made;
}

interface Move {
  readonly ease: ReturnType<typeof easeName>;
  /** Whether the two moments are those of two keys that follow each other. */
  readonly isWhole: boolean;
}

// How a channel goes on between two moments; nothing if it does not move.
function moveIn({ keys }: Channel, begin: number, end: number): Move[] {
  const next = nextKey(keys, begin);
  if (next === 0 || next === keys.length || sameValue(keys[next - 1].value, keys[next].value)) return [];
  const ease = easeName(keys[next - 1].ease);
  const ends = sameTime(keys[next].time, end);
  if (ease === 'step' && !ends) return [];
  return [{ ease, isWhole: ends && sameTime(keys[next - 1].time, begin) }];
}

// The ease of the core that says all of it.
function commonEase(moves: readonly Move[]): WholeKey['ease'] | undefined {
  const ease = moves[0]?.ease ?? 'linear';
  if (ease === 'curve' || moves.some((move) => move.ease !== ease)) return undefined;
  return ease === 'smooth' && !moves.every((move) => move.isWhole) ? undefined : ease;
}

function wholePose(info: RigInfo, channels: readonly Channel[], time: number): WholeKey['pose'] {
  const pose = poseAt(info, { channels }, time);
  const aimed = channels.filter((channel) => channel.kind === 'target');
  if (aimed.length === 0) return pose;
  // The core wants the same lengths in all keys.
  const target = (channel: Channel): Target => ({ ...(valueAt(info, channel, time) as Target), lengths: (channel.keys[0].value as Target).lengths });
  return { ...pose, targets: Object.fromEntries(aimed.map((channel) => [channel.name, target(channel)])) };
}
