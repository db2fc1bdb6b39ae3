// SPDX-License-Identifier: Apache-2.0
// Weights, endpoints and positions have the bits of the native library without fused multiply-add.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSameBits, createRuntime, createSinew, farthest, reference } from './common.mjs';

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
    const { positions, normals } = deformer.at({ clip: 2, time: 0.7 }, { normals: true });
    assertSameBits(positions, reference(`${method}.positions.f32`), 'positions');
    assert.ok(farthest(normals, reference(`${method}.normals.f32`)) < 1e-6);
  });
}

test('the runtime alone, from arrays', async () => {
  const runtime = await createRuntime();
  const other = new runtime.Rig('copy');
  other.setMesh(rig.positions, rig.triangles, { normals: rig.normals });
  other.setSkeleton({
    parents: rig.jointParents,
    rests: rig.jointRests,
    names: rig.jointNames,
    boneJoints: rig.boneJoints,
    boneTails: rig.boneTails,
    boneInverseBinds: rig.boneInverseBinds,
  });
  other.setWeights(rig.weights, {
    bones: rig.weightBones,
    offsets: rig.weightOffsets,
    endpoints: rig.endpoints,
  });
  const moment = new sinew.Pose(rig);
  moment.play(2, 0.7);
  const pose = new runtime.Pose(other);
  pose.joints = moment.joints;
  const expected = new sinew.Pose(rig);
  expected.joints = moment.joints;
  for (const method of ['lbs', 'stbs-dqs']) {
    const got = new runtime.Deformer(other, method).deform(pose);
    const wanted = new sinew.Deformer(rig, method).deform(expected);
    assert.ok(farthest(got, wanted) < 1e-6, method);
  }
});
