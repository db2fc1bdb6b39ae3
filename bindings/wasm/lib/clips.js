// SPDX-License-Identifier: Apache-2.0
// Clips: curves over time, and what they move.
import * as abi from './abi.js';
import { choice } from './arguments.js';
import { numbers, optionalNumbers } from './numbers.js';

const TARGETS = {
  translation: abi.SINEW_TRANSLATION,
  rotation: abi.SINEW_ROTATION,
  scale: abi.SINEW_SCALE,
  shapes: abi.SINEW_SHAPE_WEIGHTS,
  control: abi.SINEW_CONTROL_VALUE,
  euler: abi.SINEW_EULER_ROTATION,
};
const INTERPOLATIONS = {
  step: abi.SINEW_STEP,
  linear: abi.SINEW_LINEAR,
  hermite: abi.SINEW_HERMITE,
  bezier: abi.SINEW_BEZIER,
};
const COLUMNS = { translation: 3, rotation: 4, scale: 3, control: 1 };
const { size, fields } = abi.STRUCTS.sinew_channel;

const nameIn = (table, number) => Object.keys(table).find((name) => table[name] === number);

/** A clip of a rig, its arrays copies. */
export function readClip(rig, index) {
  const { core } = rig;
  return core.within((memory) => {
    const channel = memory.space(size);
    core.check(core.c._sinew_rig_clip(rig.pointer, index, core.scratch, core.scratch + 8));
    const duration = core.f64(core.scratch);
    const count = core.u32(core.scratch + 8);
    const channels = [];
    for (let i = 0; i < count; ++i) {
      core.data.setUint32(channel + fields.struct_size[0], size, true);
      core.check(core.c._sinew_rig_channel(rig.pointer, index, i, channel));
      channels.push({
        target: nameIn(TARGETS, core.u32(channel + fields.target[0])),
        index: core.i32(channel + fields.index[0]),
        times: core.array(channel + fields.times[0]) ?? new Float64Array(0),
        values: core.array(channel + fields.values[0]) ?? new Float64Array(0),
        interpolation: nameIn(INTERPOLATIONS, core.u32(channel + fields.interpolation[0])),
        inSlopes: core.array(channel + fields.in_slopes[0]),
        outSlopes: core.array(channel + fields.out_slopes[0]),
      });
    }
    return { name: rig.names(abi.SINEW_CLIP)[index], duration, channels };
  });
}

/** A channel as C takes it. */
export function packedChannel(rig, channel) {
  const { target, interpolation = 'linear' } = channel;
  const number = choice(TARGETS, target, 'target');
  const [item, what] =
    target === 'shapes'
      ? [abi.SINEW_SHAPE, 'shape']
      : target === 'control'
        ? [abi.SINEW_CONTROL, 'control']
        : [abi.SINEW_JOINT, 'joint'];
  const times = numbers(channel.times, 'times');
  const values = numbers(channel.values, 'values', null);
  const columns = COLUMNS[target] ?? Math.max(1, values.data.length / times.data.length);
  const curve = (given, name) => optionalNumbers(given, name, [columns]);
  return {
    target: number,
    interpolation: choice(INTERPOLATIONS, interpolation, 'interpolation'),
    index: rig.index(item, channel.index, what),
    times,
    values: curve(channel.values, 'values'),
    in_slopes: curve(channel.inSlopes, 'inSlopes'),
    out_slopes: curve(channel.outSlopes, 'outSlopes'),
  };
}
