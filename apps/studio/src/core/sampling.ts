// SPDX-License-Identifier: Apache-2.0
// Channels at a moment, as the core goes from key to key: joints turn the shorter way and through the full turns that
// twists tell, all else goes straight.
import { eased, nextKey, sameTime, withPart } from '../state/channels';
import { jointIndex, type Channel, type ChannelKind, type KeyClip, type KeyValue, type Pose, type Quat, type RigInfo, type Target, type Turn, type Vec3 } from '../state/document';
import { aboutAxis, conjugate, degrees, dot, multiply, radians, slerp, unit } from './math';
import { localOf, twistAxis } from './mirror';

/** The pose that the channels of a clip say at a time; targets are left to the core. */
export function poseAt(info: RigInfo, clip: Pick<KeyClip, 'channels'>, time: number): Pose {
  let pose: Pose = { joints: {} };
  for (const channel of clip.channels) pose = withPart(pose, channel, valueAt(info, channel, time));
  return pose;
}

export function valueAt(info: RigInfo, { kind, name, keys }: Channel, time: number): KeyValue {
  const next = nextKey(keys, time);
  if (next === 0) return keys[0].value;
  const from = keys[next - 1];
  if (next === keys.length || sameTime(from.time, time)) return from.value;
  const to = keys[next];
  return between(info, kind, name, from.value, to.value, eased(from.ease, (time - from.time) / (to.time - from.time)));
}

function between(info: RigInfo, kind: ChannelKind, name: string, a: KeyValue, b: KeyValue, s: number): KeyValue {
  if (s === 0) return a;
  if (s === 1) return b;
  switch (kind) {
    case 'rotation':
      return turnBetween(info, jointIndex(info, name), a as Turn, b as Turn, s);
    case 'translation':
    case 'scale':
      return mixed(a as Vec3, b as Vec3, s);
    case 'target':
      return { ...(a as Target), position: mixed((a as Target).position, (b as Target).position, s), weight: share(mix((a as Target).weight, (b as Target).weight, s)) };
    case 'stretch':
      return Math.max(leastStretch, mix(a as number, b as number, s));
    case 'shape':
    case 'control':
      return mix(a as number, b as number, s);
  }
}

// A curve may go past its ends, but a bone has a length and a weight is a share.
const leastStretch = 0.01;
const share = (weight: number): number => Math.min(1, Math.max(0, weight));
const mix = (a: number, b: number, s: number): number => a + (b - a) * s;
const mixed = (a: Vec3, b: Vec3, s: number): Vec3 => [mix(a[0], b[0], s), mix(a[1], b[1], s), mix(a[2], b[2], s)];

// A rotation and the twist that is part of it. The core knows full turns by what the twist is told to be.
function turnBetween(info: RigInfo, joint: number, a: Turn, b: Turn, s: number): Turn {
  const from = localOf(info, joint, a).rotation;
  const to = localOf(info, joint, b).rotation;
  const axis = twistAxis(info, joint);
  if (!axis || (!a.twist && !b.twist)) return { rotation: unit(slerp(from, to, s)) };
  const rest = conjugate(info.joints[joint].rest.rotation);
  const twistOf = (q: Quat): number => twistAngle(multiply(rest, q), axis);
  const start = twistOf(from);
  let now = start;
  for (let k = 1; k <= 16; ++k) now = nearestTurn(twistOf(slerp(from, to, k / 16)), now);
  const first = a.twist === undefined ? start : radians(a.twist);
  const last = b.twist === undefined ? twistOf(to) : radians(b.twist);
  const turns = Math.round((last - first - (now - start)) / (2 * Math.PI));
  const rotation = multiply(slerp(from, to, s), aboutAxis(axis, 2 * Math.PI * turns * s));
  const twist = mix(first, last, s);
  return { rotation: unit(multiply(rotation, aboutAxis(axis, -twist))), twist: degrees(twist) };
}

/** The angle about an axis that is part of a rotation, in (-pi, pi]. */
function twistAngle(q: Quat, axis: Vec3): number {
  const along = dot([q[0], q[1], q[2]], axis);
  if (along * along + q[3] * q[3] < 1e-24) return 0;
  const angle = 2 * Math.atan2(along, q[3]);
  return angle > Math.PI ? angle - 2 * Math.PI : angle <= -Math.PI ? angle + 2 * Math.PI : angle;
}

const nearestTurn = (angle: number, to: number): number => angle + 2 * Math.PI * Math.round((to - angle) / (2 * Math.PI));
