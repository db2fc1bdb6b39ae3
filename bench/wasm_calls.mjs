// SPDX-License-Identifier: Apache-2.0
// node bench/wasm_calls.mjs PACKAGE REFERENCE FOLDER: what calls cost from JavaScript, and how the WebAssembly module
// compares with the native library (wasm_reference, kernels of SSE4, one thread): the least of many of the processor's
// time, in one run.
//
//   node bench/wasm_calls.mjs dist/sinew build/release/bindings/wasm/tests/wasm_reference /tmp
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, program, work] = process.argv.slice(2);
if (!work) {
  console.error('usage: node bench/wasm_calls.mjs PACKAGE REFERENCE FOLDER');
  process.exit(2);
}
const { default: createSinew } = await import(pathToFileURL(join(process.cwd(), folder, 'sinew.js')).href);
const sinew = await createSinew();

/** The processor's time of this process in seconds: what other programs take does not count. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Lets the engine compile what is called often once more: it does so on other threads, whose time counts as ours. */
async function warmUp(...bodies) {
  for (const body of bodies) for (let i = 0; i < 20; ++i) body();
  await new Promise((resolve) => setTimeout(resolve, 1000));
}

/** The least of many, in seconds. */
function least(times, body) {
  let best = Infinity;
  for (let i = 0; i < times; ++i) {
    const start = processorTime();
    body();
    best = Math.min(best, processorTime() - start);
  }
  return best;
}

const native = JSON.parse(execFileSync(program, ['bench', work], { encoding: 'utf8' }));
const read = (name) => sinew.read(readFileSync(join(work, name)), { format: 'glb' });
const rig = read('bench.glb');
const pose = new sinew.Pose(rig);
pose.play(2, 0.7);

const row = (name, here, there, unit) =>
  console.log(`${name.padEnd(24)} ${here.toFixed(2).padStart(9)} ${there.toFixed(2).padStart(9)} ${unit}  ${(here / there).toFixed(2)}`);

console.log(`${native.vertices} vertices            WebAssembly    native        ratio`);
for (const [method, expected] of Object.entries(native.methods)) {
  let deformer = null;
  const bind = least(3, () => {
    deformer?.free();
    deformer = new sinew.Deformer(rig, method);
  });
  const place = () => deformer.view(pose);
  const turn = () => deformer.view(pose, { normals: true });
  await warmUp(place, turn);
  const positions = least(20, place);
  const normals = least(20, turn);
  row(`${method}, binding`, bind * 1e3, expected.bind * 1e3, 'ms   ');
  row(`${method}, positions`, (positions / native.vertices) * 1e9, expected.positions, 'ns/v.');
  row(`${method}, and normals`, (normals / native.vertices) * 1e9, expected.normals, 'ns/v.');
  deformer.free();
}
const small = read('bench-weights.glb');
row('bbw, 5000 vertices', least(2, () => small.computeWeights('bbw')), native.bbw, 's    ');

// Calls that do next to nothing, as c_calls.c and python_calls.py have them.
const calls = 10000;
const each = (body) =>
  (least(20, () => {
    for (let i = 0; i < calls; ++i) body(i);
  }) /
    calls) *
  1e6;
const tiny = sinew.sample('cigar', { vertices: 20 });
const tinyPose = new sinew.Pose(tiny);
const tinyDeformer = new sinew.Deformer(tiny, 'lbs');
const out = new Float32Array(3 * tiny.vertexCount);
for (const [name, body] of Object.entries({
  'rig.vertexCount': () => tiny.vertexCount,
  'rig.positions': () => tiny.positions,
  'pose.play()': () => tinyPose.play(0, 0.5),
  'pose.joints': () => tinyPose.joints,
  'deform(), 20 vertices': () => tinyDeformer.deform(tinyPose, out),
})) {
  console.log(`${name.padEnd(24)} ${each(body).toFixed(3).padStart(9)} us`);
}
const large = sinew.sample('mannequin', { vertices: 100000 });
large.edit([{ prune: 4 }]);
const largePose = new sinew.Pose(large);
largePose.play(0, large.clip(0).duration / 2);
const posed = new Float32Array(3 * large.vertexCount);
for (const method of ['lbs', 'dqs', 'stbs-lbs', 'stbs-dqs']) {
  const deformer = new sinew.Deformer(large, method);
  const taken = (least(30, () => deformer.deform(largePose, posed)) / large.vertexCount) * 1e9;
  console.log(`${`${method}, 4 influences`.padEnd(24)} ${taken.toFixed(2).padStart(9)} ns/v.`);
  deformer.free();
}
