// SPDX-License-Identifier: Apache-2.0
// Weights, endpoints, positions and normals have the bits of the native library without fused multiply-add.
import { test } from 'node:test';
import { assertSameBits, createRuntime, createSinew, makeStrip, reference } from './common.mjs';

const sinew = await createSinew();
const rig = sinew.read(reference('model.glb'), { format: 'glb' });
rig.computeWeights('bbw');

test('bounded biharmonic weights and endpoint weights', () => {
  assertSameBits(rig.weightOffsets, reference('offsets.u32'), 'offsets');
  assertSameBits(rig.weightBones, reference('bones.u32'), 'bones');
  assertSameBits(rig.weights, reference('weights.f64'), 'weights');
  assertSameBits(rig.endpoints, reference('endpoints.f64'), 'endpoints');
});

for (const method of Object.keys(sinew.methods())) {
  test(`positions and normals by ${method}`, () => {
    const deformer = new sinew.Deformer(rig, method);
    const moment = { clip: 2, time: 0.7 };
    const { positions, normals } = deformer.at(moment, { normals: true });
    assertSameBits(positions, reference(`${method}.positions.f32`), 'positions');
    assertSameBits(normals, reference(`${method}.normals.f32`), 'normals');
    assertSameBits(deformer.at(moment).positions, reference(`${method}.alone.f32`), 'positions alone');
  });
}

test('the runtime alone, from arrays', async () => {
  const runtime = await createRuntime();
  const deformed = (module, method) => {
    const strip = makeStrip(module);
    const endpoints = Array.from(strip.weightOffsets.slice(0, -1), (_, v) => [v / 18, 1 - v / 18]);
    const { weights, weightBones: bones, weightOffsets: offsets } = strip;
    strip.setWeights(weights, { bones, offsets, endpoints: endpoints.flat().slice(0, weights.length) });
    const pose = new module.Pose(strip);
    pose.setJoint('upper', { rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] });
    pose.setJoint('tip', { translation: [0.2, 1.5, 0] });
    return new module.Deformer(strip, method).deform(pose);
  };
  for (const method of Object.keys(runtime.methods())) {
    assertSameBits(deformed(runtime, method), deformed(sinew, method), method);
  }
});
