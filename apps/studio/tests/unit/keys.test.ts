// SPDX-License-Identifier: Apache-2.0
// What plays is what the core makes of a keys file: channels that go their own ways have to come out as they would alone.
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/core/engine';
import { keysText } from '../../src/core/keys';
import { poseAt } from '../../src/core/sampling';
import { channelsOfPoses, clipDuration, closedChannels, eased, withinHalfTurn, type PoseKey } from '../../src/state/channels';
import { channelId, jointIndex, type Channel, type Key, type KeyClip, type RigRef, type Target } from '../../src/state/document';
import { isMissing, sinew } from './core';

const keys = (...list: readonly [number, Key['value'], Key['ease']][]): Key[] => list.map(([time, value, ease]) => ({ time, value, ease }));

describe('easing', () => {
  it('begins at 0, ends at 1, and follows the curve between', () => {
    for (const ease of ['linear', 'smooth', [0.42, 0, 0.58, 1], [0.34, 1.4, 0.64, 1]] as const) {
      expect(eased(ease, 0)).toBe(0);
      expect(eased(ease, 1)).toBe(1);
    }
    expect(eased('step', 0.99)).toBe(0);
    expect(eased([1 / 3, 1 / 3, 2 / 3, 2 / 3], 0.3)).toBeCloseTo(0.3, 9);
    expect(eased([0.42, 0, 0.58, 1], 0.5)).toBeCloseTo(0.5, 9);
    // As browsers have `ease-in`.
    expect(eased([0.42, 0, 1, 1], 0.5)).toBeCloseTo(0.3153568, 6);
    expect(Math.max(...[0.3, 0.5, 0.7].map((t) => eased([0.34, 1.4, 0.64, 1], t)))).toBeGreaterThan(1);
  });
});

describe.skipIf(isMissing)('clips of channels', () => {
  const engine = isMissing ? (undefined as never) : new Engine(sinew);
  const rig: RigRef = isMissing ? (undefined as never) : engine.sample('mannequin', 400);
  const info = rig?.info;
  const framesAt = (text: string, name: string, time: number): Float64Array => engine.frame({ rig: rig.id, keys: { name, text }, time, methods: [] }).jointFrames;
  const clipOf = (channels: readonly Channel[], loop = false): KeyClip => ({ name: 'test', loop, channels });
  const played = (clip: KeyClip, time: number): Float64Array => framesAt(keysText(info, clip), clip.name, time);
  const difference = (a: ArrayLike<number>, b: ArrayLike<number>): number => Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
  const moments = (end: number): number[] => Array.from({ length: 41 }, (_, k) => (end * k) / 40);

  const arm: Channel = { kind: 'rotation', name: 'upper_arm.L', keys: keys([0, {}, 'smooth'], [1, { bend: [[50, 'z']] }, 'smooth'], [2, { bend: [[-20, 'z'], [30, 'x']] }, 'linear']) };
  const hand: Channel = { kind: 'rotation', name: 'hand.L', keys: keys([0.3, {}, 'linear'], [1.7, { twist: 500 }, 'linear']) };
  const leg: Channel = { kind: 'stretch', name: 'shin.R', keys: keys([0.5, 1, [0.42, 0, 1, 1]], [1.5, 1.8, 'smooth']) };
  const foot: Channel = { kind: 'rotation', name: 'foot.R', keys: keys([0, {}, 'step'], [1.2, { bend: [[25, 'x']] }, 'step']) };
  const root: Channel = { kind: 'translation', name: info?.joints[0].key ?? '', keys: keys([0, [0, 0, 0], 'linear'], [2, [0.4, 0, 0], 'linear']) };

  it('play together as each does alone', () => {
    const all = clipOf([arm, hand, leg, foot]);
    // The part of the skeleton that a channel moves, and no other.
    for (const [channel, joint, bound] of [[arm, 'forearm.L', 2e-3], [leg, 'foot.R', 4e-3]] as const) {
      const alone = clipOf([channel]);
      const at = 16 * jointIndex(info, joint);
      let moved = 0;
      for (const time of moments(2)) {
        const part = played(all, time).subarray(at + 12, at + 15);
        moved = Math.max(moved, difference(part, played(alone, 0).subarray(at + 12, at + 15)));
        expect(difference(part, played(alone, time).subarray(at + 12, at + 15)), `${joint} at ${time}`).toBeLessThan(bound);
      }
      expect(moved).toBeGreaterThan(0.05);
    }
  });

  it('are sampled here as the core does', () => {
    for (const clip of [clipOf([arm]), clipOf([hand, root]), clipOf([arm, hand, leg, root]), clipOf([arm, leg], true)]) {
      const end = clipDuration(clip);
      for (const time of moments(end)) {
        const pose = poseAt(info, { channels: closedChannels(clip) }, time);
        const here = engine.frame({ rig: rig.id, pose, methods: [] }).jointFrames;
        // Smooth ways have 32 straight parts in the core.
        expect(difference(here, played(clip, time)), `${clip.channels.map(channelId).join()} at ${time}`).toBeLessThan(4e-3);
      }
    }
  });

  it('that go straight are exact, whatever the times of others', () => {
    const clip = clipOf([hand, root, { ...arm, keys: arm.keys.map((key) => ({ ...key, ease: 'linear' as const })) }]);
    for (const time of moments(2)) {
      const pose = poseAt(info, clip, time);
      expect(difference(engine.frame({ rig: rig.id, pose, methods: [] }).jointFrames, played(clip, time))).toBeLessThan(1e-9);
    }
  });

  it('hold until the next key, beside others that move', () => {
    const clip = clipOf([foot, arm]);
    const at = 16 * jointIndex(info, 'foot.R');
    const first = played(clip, 0).subarray(at, at + 12);
    expect(difference(played(clip, 1.19).subarray(at, at + 12), first)).toBeLessThan(1e-9);
    expect(difference(played(clip, 1.2).subarray(at, at + 12), first)).toBeGreaterThan(0.1);
  });

  it('that loop come back to their first values, once all are done', () => {
    const clip = clipOf([arm, hand], true);
    expect(clipDuration(clip)).toBeCloseTo(2 + 2 / 4, 9);
    expect(difference(played(clip, clipDuration(clip) - 1e-9), played(clip, 0))).toBeLessThan(1e-6);
    const text = JSON.parse(keysText(info, clip)) as { keys: { time: number }[] };
    expect(text.keys[text.keys.length - 1].time).toBeCloseTo(clipDuration(clip), 9);
  });

  it('made of whole poses play as the poses did', () => {
    const poses: PoseKey[] = [
      { time: 0, pose: { joints: { 'hand.L': { bend: [[20, 'x']] } } }, ease: 'smooth' },
      { time: 0.6, pose: { joints: { 'hand.L': { twist: 400 }, 'forearm.L': { stretch: 1.5 } } }, ease: 'linear' },
      { time: 1.3, pose: { joints: { 'upper_arm.L': { bend: [[40, 'z']] } } }, ease: 'step' },
      { time: 1.6, pose: { joints: {} }, ease: 'linear' },
    ];
    for (const loop of [false, true]) {
      const clip = clipOf(channelsOfPoses(info, poses), loop);
      const old = JSON.stringify({ name: 'test', loop, keys: poses });
      for (const time of moments(clipDuration(clip) - 1e-6)) expect(difference(played(clip, time), framesAt(old, 'test', time)), `${time}`).toBeLessThan(1e-9);
    }
  });

  it('that begin with more than half a turn lose whole turns in all keys', () => {
    const wound: Channel = { ...hand, keys: keys([0, { twist: 540 }, 'linear'], [1, { twist: 700 }, 'linear'], [2, { twist: 360 }, 'linear']) };
    const back: Channel = { ...hand, keys: keys([0, { twist: -541 }, 'linear'], [1, {}, 'linear']) };
    expect(withinHalfTurn([wound, back, arm]).map((channel) => channel.keys.map((key) => (key.value as { twist?: number }).twist ?? 0))).toEqual([[180, 340, 0], [179, 720], [0, 0, 0]]);
    const same = [arm, hand, leg];
    expect(withinHalfTurn(same)).toBe(same);
    expect(() => played(clipOf([wound]), 0.5)).toThrow(/begins within half a turn/);
    expect(played(clipOf(withinHalfTurn([wound])), 0.5).length).toBeGreaterThan(0);
  });

  it('of the file keep their motion', () => {
    info.clips.forEach((own, index) => {
      const clip = clipOf(engine.channels(rig.id, index));
      expect(clip.channels.length).toBeGreaterThan(0);
      for (const time of moments(own.duration)) {
        const file = engine.frame({ rig: rig.id, clip: index, time, methods: [] }).jointFrames;
        expect(difference(played(clip, time), file), `${own.name} at ${time}`).toBeLessThan(1e-6);
      }
    });
    expect(info.clips.length).toBeGreaterThan(0);
  });

  it('may have keys as close to each other as a file has them', () => {
    // A step in a file takes a millisecond, in floats.
    const before = Math.fround(0.999);
    const clip = clipOf([{ ...foot, keys: keys([0, {}, 'linear'], [before, {}, 'linear'], [1, { bend: [[25, 'x']] }, 'linear']) }, { ...leg, keys: keys([0, 1, 'smooth'], [0.9995, 1.5, 'step'], [1.0005, 1, 'linear']) }]);
    const at = 16 * jointIndex(info, 'foot.R');
    expect(difference(played(clip, 0.9985).subarray(at, at + 12), played(clip, 0).subarray(at, at + 12))).toBeLessThan(1e-6);
    expect(difference(played(clip, 1.01).subarray(at, at + 12), played(clip, 0).subarray(at, at + 12))).toBeGreaterThan(0.1);
  });

  it('bring joints to their targets, whatever the bones above do', () => {
    const at = 16 * jointIndex(info, 'hand.L') + 12;
    const rest = [...engine.frame({ rig: rig.id, pose: { joints: {} }, methods: [] }).jointFrames.subarray(at, at + 3)] as unknown as Target['position'];
    const goal: Target['position'] = [rest[0] - 0.1, rest[1] + 0.1, rest[2] + 0.1];
    const value = (position: Target['position']): Target => ({ position, weight: 1, lengths: 'beyond-reach' });
    const target: Channel = { kind: 'target', name: 'hand.L', keys: keys([0, value(rest), 'linear'], [1, value(goal), 'linear']) };
    const clip = clipOf([target, { kind: 'rotation', name: 'chest', keys: keys([0.2, {}, 'smooth'], [0.9, { bend: [[15, 'x']] }, 'smooth']) }]);
    for (const time of [0, 0.5, 1]) {
      const wanted = rest.map((from, k) => from + (goal[k] - from) * time);
      expect(difference(played(clip, time).subarray(at, at + 3), wanted), `${time}`).toBeLessThan(1e-3);
    }
  });
});
