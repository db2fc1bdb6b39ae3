// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/core/engine';
import { isMissing, sinew } from './core';

describe.skipIf(isMissing)('faults', () => {
  const engine = new Engine(sinew);
  const arm = isMissing ? 0 : engine.sample('mannequin', 2000).id;
  const count = (faults: Uint8Array): number => faults.filter((bits) => bits !== 0).length;

  it('are none where a bone is stretched as it was asked to be, and some where linear blending tears', () => {
    const moment = { rig: arm, pose: { joints: { 'forearm.L': { stretch: 1.8 } } } };
    const [stretchable, linear] = engine.faults(moment, ['stbs-dqs', 'lbs']);
    expect(count(stretchable)).toBe(0);
    expect(count(linear)).toBeGreaterThan(10);
  });

  it('are as the core measures them', () => {
    const pose = { joints: { bone_2: { twist: 170 } } };
    const [faults] = engine.faults({ rig: engine.sample('tube', 600).id, pose }, ['lbs']);
    expect(count(faults)).toBeGreaterThan(0);
    expect(faults).toEqual(sinew.sample('tube', { vertices: 600 }).measureVertices({ pose, method: 'lbs' }).faults);
  });
});

describe.skipIf(isMissing)('frames for the GPU', () => {
  const engine = new Engine(sinew);
  const rig = isMissing ? 0 : engine.sample('tube', 600).id;
  const pose = { joints: { bone_2: { twist: 90, stretch: 1.5 } } };

  it('have the texels of the pose, and vertices only where they are asked for', () => {
    const frame = engine.frame({ rig, pose, methods: ['stbs-dqs', 'lbs'], forGpu: true, noSurfaces: true });
    expect(frame.surfaces).toEqual([]);
    const core = sinew.sample('tube', { vertices: 600 });
    const skin = new sinew.GpuSkin(core, { gradients: true });
    expect(frame.poses.map(({ blend }) => blend)).toEqual([1, 0]);
    expect(frame.poses[0].texels).toEqual(skin.pose({ pose }, { method: 'stbs-dqs' }));
    expect(engine.gpu(rig).influences).toEqual(skin.influences);
    const both = engine.frame({ rig, pose, methods: ['stbs-dqs'], forGpu: true });
    expect([both.surfaces.length, both.poses.length]).toEqual([1, 1]);
    expect(engine.frame({ rig, pose, methods: ['stbs-dqs'] }).poses).toEqual([]);
  });

  it('are for methods that it knows', () => {
    const known = engine.catalogue().methods.filter((method) => method.isOnGpu).map((method) => method.name);
    expect(known).toEqual(expect.arrayContaining(['lbs', 'dqs', 'stbs-lbs', 'stbs-dqs']));
    expect(known).not.toContain('delta-mush');
  });
});
