// SPDX-License-Identifier: Apache-2.0
// Files have the bytes that the native library writes, without fused multiply-add, from the same input.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { createSinew, reference, work } from './common.mjs';

const sinew = await createSinew();
const model = () => sinew.read(reference('model.glb'), { format: 'glb' });
const text = (name) => reference(name).toString('utf8');

function assertSameFile(got, name) {
  const expected = reference(name);
  assert.equal(got.byteLength, expected.byteLength, `${name}: another size`);
  const place = expected.findIndex((byte, i) => byte !== got[i]);
  assert.equal(place, -1, `${name}: another byte at ${place} of ${got.byteLength}`);
}

/** The files of a kind that the reference wrote: their names without what they begin with. */
const kinds = (prefix) =>
  readdirSync(work)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length, -'.glb'.length));

for (const name of kinds('sample-')) {
  test(`the sample ${name}`, () => assertSameFile(sinew.sample(name, { vertices: 300 }).toBytes(), `sample-${name}.glb`));
}

test('no method and no sample was forgotten', () => {
  assert.deepEqual(kinds('sample-').sort(), Object.keys(sinew.samples()).sort());
  assert.deepEqual(kinds('weights-').sort(), [...sinew.weightMethods()].sort());
  assert.deepEqual(kinds('endpoints-').sort(), [...sinew.endpointMethods()].sort());
});

for (const method of kinds('weights-')) {
  test(`weights by ${method}`, () => {
    const rig = model();
    rig.computeWeights(method, { endpoints: 'projection' });
    assertSameFile(rig.toBytes(), `weights-${method}.glb`);
  });
}

for (const endpoints of kinds('endpoints-')) {
  test(`endpoint weights by ${endpoints}`, () => {
    const rig = model();
    rig.computeWeights('rigid', { endpoints });
    assertSameFile(rig.toBytes(), `endpoints-${endpoints}.glb`);
  });
}

const edited = model();
edited.edit(text('steps.json'));
const animated = model();
animated.addKeys(text('keys.json'));
animated.retarget(edited, 0);

test('an edited rig', () => assertSameFile(edited.toBytes(), 'edited.glb'));

test('clips of keys, and of another skeleton', () => assertSameFile(animated.toBytes(), 'animated.glb'));

test('helper joints and point caches', () => {
  const { rig, report } = animated.bake();
  assertSameFile(rig.toBytes(), 'baked.glb');
  assert.deepEqual(report, JSON.parse(text('baked.json')));
  assertSameFile(animated.bakeCache(2), 'cache.pc2');
});

test('clips as blend shapes', () => {
  const { rig, report } = animated.bakeShapes(2);
  assertSameFile(rig.toBytes(), 'shapes.glb');
  assert.deepEqual(report, JSON.parse(text('shapes.json')));
});

test('measures of every method', () => {
  assert.deepEqual(animated.measure({ clip: 2, time: 0.7 }), JSON.parse(text('measures.json')));
});

test('pixels', () => {
  const pose = new sinew.Pose(animated);
  pose.play(2, 0.7);
  const { pixels } = animated.compare({ pose, size: 120, stripes: true });
  assertSameFile(new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength), 'comparison.rgba');
});
