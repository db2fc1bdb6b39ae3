// SPDX-License-Identifier: Apache-2.0
// Nothing leaks, and what is downloaded stays small.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createRuntime, createSinew, folder, makeStrip } from './common.mjs';

test('ten thousand cycles of each object take no more memory', async () => {
  const sinew = await createRuntime();
  const rig = makeStrip(sinew);
  const cycle = () => {
    const copy = rig.copy();
    const pose = new sinew.Pose(copy);
    const deformer = new sinew.Deformer(copy, 'stbs-lbs');
    const ik = new sinew.Ik(copy, ['tip']);
    deformer.view(pose);
    try {
      pose.play(7, 0);
    } catch {
      // refused, as it has no clips
    }
    for (const one of [ik, deformer, pose, copy]) one.free();
  };
  for (let i = 0; i < 1000; ++i) cycle();
  const before = sinew.memorySize();
  for (let i = 0; i < 10000; ++i) cycle();
  assert.equal(sinew.memorySize(), before);
  assert.equal(sinew.handleCount(), 1);
});

test('ten thousand pictures, reports and files', async () => {
  const sinew = await createSinew();
  const rig = makeStrip(sinew);
  const cycle = () => {
    new sinew.Image({ width: 8, height: 8, data: new Uint8Array(256) }).free();
    rig.weightReport();
    sinew.read(rig.toBytes('off'), { format: 'off' }).free();
  };
  for (let i = 0; i < 1000; ++i) cycle();
  const before = sinew.memorySize();
  for (let i = 0; i < 10000; ++i) cycle();
  assert.equal(sinew.memorySize(), before);
  assert.equal(sinew.handleCount(), 1);
});

test('what is forgotten is freed with the garbage, and `using` frees at once', async () => {
  const sinew = await createRuntime();
  const rig = makeStrip(sinew);
  for (let i = 0; i < 200; ++i) new sinew.Pose(rig);
  for (let i = 0; i < 50 && sinew.handleCount() > 1; ++i) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(sinew.handleCount(), 1);
  rig[Symbol.dispose]();
  assert.equal(sinew.handleCount(), 0);
});

test('sizes with gzip', () => {
  const size = (name) => gzipSync(readFileSync(join(folder, 'wasm', name)), { level: 9 }).length;
  const all = size('sinew.wasm') + size('sinew.js');
  const runtime = size('sinew_runtime.wasm') + size('sinew_runtime.js');
  console.log(`gzip: all ${all}, runtime ${runtime} bytes`);
  // They shall not grow by accident; 900 KB and 190 KB are wanted.
  assert.ok(all < 1_250_000, `all: ${all}`);
  assert.ok(runtime < 340_000, `runtime: ${runtime}`);
});
