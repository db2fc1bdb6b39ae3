// SPDX-License-Identifier: Apache-2.0
// Clips of the file as channels with keys. What goes on straight lines or in steps keeps its keys; other curves, and
// shapes, whose values come from poses alone, get as many as it takes to follow them.
import type { Pose as CorePose, Rig, Sinew } from 'sinew';
import type { Channel, Key, KeyValue, Quat, RigInfo, Turn, Vec3 } from '../state/document';
import { sameValue } from '../state/channels';
import { toldOf } from './info';

const keysPerSecond = 30;

export function channelsOfClip(sinew: Sinew, rig: Rig, info: RigInfo, clip: number): Channel[] {
  const pose = new sinew.Pose(rig);
  try {
    const made: Channel[] = [];
    for (const { target, index, interpolation, ...channel } of rig.clips[clip].channels) {
      // As they are when they are read.
      const item = index as number;
      const times = channel.times as Float64Array;
      const values = channel.values as Float64Array;
      const isExact = values.length > 0 && interpolation !== 'hermite' && interpolation !== 'bezier';
      const exact = (width: number): Key[] =>
        Array.from(times, (time, k) => key(time, plain(values, width * k, width), interpolation === 'step' ? 'step' : 'linear'));
      const followed = (value: () => KeyValue): Key[] =>
        momentsOf(times).map((time) => {
          pose.play(clip, time);
          return key(time, value(), 'linear');
        });
      if (target === 'shapes') {
        for (const { name, rest, driven } of info.shapes.slice(item)) {
          if (driven) continue;
          const keys = followed(() => toldOf(pose).shapes?.[name] ?? rest);
          if (!keys.every(({ value }) => sameValue(value, rest))) made.push({ kind: 'shape', name, keys });
        }
      } else if (target === 'control') {
        const { name } = info.controls[item];
        made.push({ kind: 'control', name, keys: isExact ? exact(1) : followed(() => toldOf(pose).controls?.[name] ?? 0) });
      } else if (!info.joints[item].driven) {
        const kind = target === 'euler' ? 'rotation' : target;
        const width = kind === 'rotation' ? 4 : 3;
        const from = { translation: 0, rotation: 3, scale: 7 }[kind];
        made.push({ kind, name: info.joints[item].key, keys: isExact ? exact(width) : followed(() => jointPart(pose, 10 * item + from, width)) });
      }
    }
    return made;
  } finally {
    pose.free();
  }
}

const key = (time: number, value: KeyValue, ease: 'linear' | 'step'): Key => ({ time, value, ease });

const jointPart = (pose: CorePose, from: number, width: number): KeyValue => plain(pose.joints, from, width);

function plain(numbers: Float64Array, from: number, width: number): KeyValue {
  const list = [...numbers.subarray(from, from + width)];
  if (width === 1) return list[0];
  return width === 4 ? ({ rotation: list as unknown as Quat } satisfies Turn) : (list as unknown as Vec3);
}

// The times of keys, and those in between.
function momentsOf(times: Float64Array): number[] {
  return [...times].flatMap((time, k) => {
    if (k + 1 === times.length) return [time];
    const count = Math.max(1, Math.round((times[k + 1] - time) * keysPerSecond));
    return Array.from({ length: count }, (_, p) => time + ((times[k + 1] - time) * p) / count);
  });
}
