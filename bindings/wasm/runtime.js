// SPDX-License-Identifier: Apache-2.0
// The runtime alone. See runtime.d.ts.
import { makeDeformer } from './lib/deformer.js';
import { makeGpuSkin } from './lib/gpu.js';
import { makeIk } from './lib/ik.js';
import { base, load } from './lib/load.js';
import { makePose } from './lib/pose.js';
import { makeRig } from './lib/rig.js';
import glue from './wasm/sinew_runtime.js';

export { SinewError } from './lib/errors.js';

export default async function createSinew(options = {}) {
  const core = await load(glue, new URL('./wasm/sinew_runtime.wasm', import.meta.url), options);
  const Pose = makePose(core);
  return {
    ...base(core),
    Rig: makeRig(core),
    Pose,
    Deformer: makeDeformer(core, Pose),
    GpuSkin: makeGpuSkin(core, Pose),
    Ik: makeIk(core),
  };
}
