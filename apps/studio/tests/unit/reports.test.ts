// SPDX-License-Identifier: Apache-2.0
// What the page is told of reports is what the core has in them: each value by its own name there.
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/core/engine';
import { JobRunner } from '../../src/core/jobs';
import { isMissing, sinew } from './core';

describe.skipIf(isMissing)('reports', () => {
  const engine = new Engine(sinew);
  const jobs = new JobRunner(sinew, () => undefined);
  const tube = isMissing ? 0 : engine.sample('tube', 300).id;
  const file = isMissing ? new Uint8Array() : engine.pack(tube);
  const core = () => sinew.read(file as Uint8Array<ArrayBuffer>, { format: 'glb' });

  it('of weights', () => {
    const { report } = jobs.weights(file, { method: 'rigid', endpoints: 'projection' });
    const rig = core();
    const wanted = rig.computeWeights('rigid', { endpoints: 'projection' });
    expect(report).toEqual({
      poor: wanted.poor,
      findings: wanted.findings,
      bleeding: wanted.bleeding.vertices,
      influences: { mean: wanted.influences.mean, max: 1 },
      uncovered: 0,
      hasEndpoints: true,
    });
    expect(engine.report(tube)).toEqual(expect.objectContaining({ hasEndpoints: true, uncovered: 0 }));
  });

  it('of baking', () => {
    const { report } = jobs.bake(file, {});
    const { report: wanted } = core().bake();
    expect(Object.values(report)).not.toContain(undefined);
    expect(report).toEqual(expect.objectContaining({ maxError: wanted.max_error, bound: 2, isWithinBound: true, maxErrorBox: wanted.max_error_box, plainErrorBox: wanted.plain_error_box }));
    expect([report.helpers, report.maxInfluences, report.clips, report.poses]).toEqual([wanted.helpers, wanted.max_influences, wanted.clips, wanted.poses]);
    expect([typeof report.clips, typeof report.poses, typeof report.remedy]).toEqual(['number', 'number', 'string']);
    expect(jobs.bake(file, { segments: 1 }).report.bound).toBe(null);
  });

  it('of measuring: nothing is told of a twist where there is none', () => {
    const twisted = { joints: { bone_2: { twist: 170 } } };
    const [linear] = jobs.measure(file, twisted, ['lbs']);
    const [wanted] = core().measure({ pose: twisted, methods: ['lbs'] }).methods;
    expect(linear).toEqual({
      method: 'lbs',
      distortedArea: wanted.strain.distorted_area,
      newCrossings: wanted.self_intersections.new,
      smallestRadius: wanted.radius.smallest,
      twistNearJoints: wanted.twist.near_joints,
      volumeChange: wanted.volume.change,
    });
    expect(linear.smallestRadius).toBeLessThan(0.6);
    expect(jobs.measure(file, { joints: {} }, ['lbs'])[0]).toEqual({ method: 'lbs', distortedArea: 0, newCrossings: 0, smallestRadius: null, twistNearJoints: null, volumeChange: expect.closeTo(0, 6) });
  });

  it('of operations: what was mapped, and what could not be kept', () => {
    const motion = sinew.sample('tube', { vertices: 300 });
    const bvh = motion.toBytes('bvh');
    const { report } = engine.derive(tube, { kind: 'motion', name: 'again', file: bvh });
    expect(report).toEqual(expect.objectContaining({ kind: 'motion', left: 0 }));
    expect(report?.kind === 'motion' && report.mapped).toBe(2);
    expect(engine.derive(tube, { kind: 'edit', steps: [{ smooth: 1 }] }).report).toBe(null);
  });
});
