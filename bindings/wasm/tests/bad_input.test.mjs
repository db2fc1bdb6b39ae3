// SPDX-License-Identifier: Apache-2.0
// What makes no sense is refused with a message, and nothing changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRuntime, createSinew, makeStrip, reference, throwsCode } from './common.mjs';

const sinew = await createSinew();

test('names and numbers that are not there', () => {
  const rig = makeStrip(sinew);
  throwsCode(() => sinew.sample('manequin'), 'SINEW_ERROR_USAGE', /mannequin/);
  throwsCode(() => new sinew.Deformer(rig, 'stbs'), 'SINEW_ERROR_USAGE', /stbs-dqs/);
  throwsCode(() => new sinew.Pose(rig).setJoint('hand', {}), 'SINEW_ERROR_USAGE', /'hand'.*'lower'/);
  throwsCode(() => new sinew.Pose(rig).play(0, 0), 'SINEW_ERROR_USAGE', /clip 0/);
  throwsCode(() => new sinew.Ik(rig, [9]), 'SINEW_ERROR_USAGE', /joint 9/);
  throwsCode(() => rig.computeWeights('best'), 'SINEW_ERROR_USAGE', /best/);
  throwsCode(() => rig.computeWeights('rigid', { influences: 1.5 }), 'SINEW_ERROR_USAGE', /influences/);
  throwsCode(() => rig.edit([{ polish: 3 }]), 'SINEW_ERROR_USAGE', /polish/);
  throwsCode(() => rig.toBytes('fbx'), 'SINEW_ERROR_USAGE', /fbx/);
});

test('arrays of the wrong size', () => {
  const rig = makeStrip(sinew);
  throwsCode(() => rig.setMesh([0, 1], []), 'SINEW_ERROR_USAGE', /positions/);
  throwsCode(() => rig.setMesh([[0, 0, 0], [1, 0]], []), 'SINEW_ERROR_USAGE', /row 1/);
  throwsCode(() => rig.setMesh([[0, 0, 0]], [[0, 1, 2]]), 'SINEW_ERROR_INPUT', /./);
  throwsCode(() => rig.setMesh([[0, 0, NaN]], []), 'SINEW_ERROR_INPUT', /./);
  throwsCode(() => rig.setWeights([1, 2, 3]), 'SINEW_ERROR_USAGE', /18 vertices/);
  throwsCode(() => new sinew.Deformer(rig).deform(new sinew.Pose(rig), new Float32Array(3)), 'SINEW_ERROR_USAGE', /54/);
  throwsCode(() => { new sinew.Pose(rig).joints = [1, 2, 3]; }, 'SINEW_ERROR_USAGE', /joints/);
  assert.throws(() => rig.setMesh('positions'), TypeError);
  assert.throws(() => new sinew.Deformer({}), TypeError);
  assert.equal(rig.vertexCount, 18);
});

test('objects that were freed, or are of another module', async () => {
  const rig = makeStrip(sinew);
  const pose = new sinew.Pose(rig);
  rig.free();
  rig.free();
  assert.equal(rig.isFree, true);
  throwsCode(() => rig.positions, 'SINEW_ERROR_HANDLE', /freed/);
  throwsCode(() => rig.name, 'SINEW_ERROR_HANDLE', /freed/);
  assert.equal(pose.joints.length, 30); // keeps what it needs
  const runtime = await createRuntime();
  throwsCode(() => new runtime.Pose(makeStrip(sinew)), 'SINEW_ERROR_USAGE', /another module/);
});

test('damaged files', () => {
  const bytes = reference('model.glb');
  for (let size = 0; size < bytes.length; size += Math.ceil(bytes.length / 40)) {
    assert.throws(() => sinew.read(bytes.subarray(0, size), { format: 'glb' }), { name: 'SinewError' });
  }
  // Seeded: the same every time.
  let seed = 1;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed % below;
  };
  for (let round = 0; round < 100; ++round) {
    const copy = Uint8Array.from(bytes);
    for (let i = 0; i < 20; ++i) copy[random(Math.min(copy.length, 6000))] = random(256);
    try {
      sinew.read(copy, { format: 'glb' }).free();
    } catch (error) {
      assert.equal(error.name, 'SinewError', error.stack);
    }
  }
  throwsCode(() => sinew.Image.read(Uint8Array.of(1, 2, 3)), 'SINEW_ERROR_INPUT', /picture/);
  throwsCode(() => sinew.read(bytes, { format: 'fbx' }), 'SINEW_ERROR_USAGE', /fbx/);
});
