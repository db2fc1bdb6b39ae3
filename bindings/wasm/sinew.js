// SPDX-License-Identifier: Apache-2.0
// All of Sinew. See sinew.d.ts.
import { makeDeformer } from './lib/deformer.js';
import { usageError } from './lib/errors.js';
import { makeGpuSkin } from './lib/gpu.js';
import { makeIk } from './lib/ik.js';
import { animation, makeImage } from './lib/image.js';
import { base, load } from './lib/load.js';
import { makePainter } from './lib/painter.js';
import { makePose } from './lib/pose.js';
import { makePuppet, samplePicture } from './lib/puppet.js';
import { makeRig } from './lib/rig.js';
import { makeWholePose, makeWholeRig } from './lib/whole_rig.js';

export { SinewError } from './lib/errors.js';

async function loadOneThread(options) {
  const { default: glue } = await import('./wasm/sinew.js');
  return load(glue, new URL('./wasm/sinew.wasm', import.meta.url), options);
}

async function loadThreads(options) {
  if (typeof SharedArrayBuffer === 'undefined' || !globalThis.crossOriginIsolated) {
    throw usageError('threads need a page that is isolated by the headers COOP and COEP');
  }
  const { default: glue } = await import('./wasm/sinew_threads.js');
  const url = new URL('./wasm/sinew_threads.wasm', import.meta.url);
  const count = options.threads === true ? navigator.hardwareConcurrency : options.threads;
  // The module starts its workers from the scripts beside it.
  return load(glue, url, options, {
    sinewThreads: Math.max(0, count - 1),
    mainScriptUrlOrBlob: new URL('./wasm/sinew_threads.js', import.meta.url).href,
    locateFile: (name) => new URL(`./wasm/${name}`, import.meta.url).href,
  });
}

/** Names by count and index. */
function named(core, count, name) {
  const total = core.count((out) => core.c[count](out));
  return Array.from({ length: total }, (_, i) => core.strings(1, (out) => core.c[name](i, out))[0]);
}

function described(core, count, info) {
  const total = core.count((out) => core.c[count](out));
  return Object.fromEntries(
    Array.from({ length: total }, (_, i) => core.strings(2, (a, b) => core.c[info](i, a, b))),
  );
}

function editSteps(core) {
  const total = core.count((out) => core.c._sinew_edit_step_count(out));
  return Object.fromEntries(
    Array.from({ length: total }, (_, i) => {
      const [name, argument, help] = core.strings(3, (...out) => core.c._sinew_edit_step_info(i, ...out));
      return [name, { name, argument, help }];
    }),
  );
}

export default async function createSinew(options = {}) {
  const decoders = { draco: await options.draco, meshopt: options.meshopt };
  await decoders.meshopt?.ready;
  const threaded = !!options.threads;
  const core = await (threaded ? loadThreads(options) : loadOneThread(options));
  const Pose = makeWholePose(core, makePose(core));
  const Image = makeImage(core);
  const Rig = makeWholeRig(core, makeRig(core), Pose, Image, decoders);
  return {
    ...base(core),
    threaded,
    Rig,
    Pose,
    Deformer: makeDeformer(core, Pose),
    GpuSkin: makeGpuSkin(core, Pose),
    Ik: makeIk(core),
    Image,
    Painter: makePainter(core),
    Puppet: makePuppet(core, Rig, Image),
    read: (bytes, readOptions) => Rig.read(bytes, readOptions),
    sample: (name, sampleOptions) => Rig.sample(name, sampleOptions),
    animation: (images, seconds, how) => animation(core, images, seconds, how),
    samplePicture: (name, size) => samplePicture(core, Image, name, size),
    weightMethods: () => named(core, '_sinew_weight_method_count', '_sinew_weight_method_name'),
    endpointMethods: () => named(core, '_sinew_endpoint_method_count', '_sinew_endpoint_method_name'),
    editSteps: () => editSteps(core),
    samples: () => described(core, '_sinew_sample_count', '_sinew_sample_info'),
    samplePictures: () => described(core, '_sinew_sample_picture_count', '_sinew_sample_picture_info'),
    puppetLoops: () => named(core, '_sinew_puppet_loop_count', '_sinew_puppet_loop_name'),
  };
}
