// SPDX-License-Identifier: Apache-2.0
// Nothing leaks, and what is downloaded stays small.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createRuntime, createSinew, folder, makeStrip } from './common.mjs';

/** Ten thousand times, for which no more memory is taken and of which no handle is left. */
function assertNoLeak(sinew, cycle) {
  const handles = sinew.handleCount();
  for (let i = 0; i < 1000; ++i) cycle();
  const before = sinew.memorySize();
  for (let i = 0; i < 10000; ++i) cycle();
  assert.equal(sinew.memorySize(), before);
  assert.equal(sinew.handleCount(), handles);
}

test('ten thousand cycles of each object take no more memory', async () => {
  const sinew = await createRuntime();
  const rig = makeStrip(sinew);
  assertNoLeak(sinew, () => {
    const copy = rig.copy();
    const pose = new sinew.Pose(copy);
    const deformer = new sinew.Deformer(copy, 'stbs-lbs');
    const ik = new sinew.Ik(copy, ['tip']);
    const skin = new sinew.GpuSkin(copy, { gradients: true });
    deformer.view(pose);
    skin.pose(pose);
    try {
      pose.play(7, 0);
    } catch {
      // refused, as it has no clips
    }
    for (const one of [skin, ik, deformer, pose, copy]) one.free();
  });
});

test('ten thousand painters, pictures, reports and files', async () => {
  const sinew = await createSinew();
  const rig = makeStrip(sinew);
  assertNoLeak(sinew, () => {
    const painter = new sinew.Painter(rig);
    painter.begin({ bone: 0, radius: 0.5 });
    painter.dab(0, [1, 0, 0]);
    painter.end();
    painter.strokes();
    painter.free();
    new sinew.Image({ width: 8, height: 8, data: new Uint8Array(256) }).free();
    rig.weightReport();
    sinew.read(rig.toBytes('off'), { format: 'off' }).free();
  });
});

test('ten thousand puppets', async () => {
  const sinew = await createSinew();
  // A square of four by four pixels on one bone, with a rim that is cut away.
  const data = new Uint8Array(4 * 36);
  for (let y = 1; y < 5; ++y) data.fill(255, 4 * (6 * y + 1), 4 * (6 * y + 5));
  const image = new sinew.Image({ width: 6, height: 6, data });
  const bones = {
    joints: [
      { name: 'a', position: [3, 5] },
      { name: 'b', position: [3, 1] },
    ],
    bones: [{ name: 'bone', from: 'a', to: 'b' }],
  };
  const options = { bones, cut: 'alpha', weights: 'rigid', endpoints: 'none', longestEdge: 100 };
  assertNoLeak(sinew, () => new sinew.Puppet(image, options).free());
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
  assert.ok(all < 942_000, `all: ${all}`);
  assert.ok(runtime < 188_000, `runtime: ${runtime}`);
});
