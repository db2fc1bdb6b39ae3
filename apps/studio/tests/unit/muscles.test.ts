// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { setRig } from '../../src/commands/commands';
import { History } from '../../src/commands/history';
import { Engine } from '../../src/core/engine';
import { JobRunner } from '../../src/core/jobs';
import { bump, bumpPoints, firstMuscle, mirroredMuscle, profileAt, sideName } from '../../src/core/muscles';
import { editOf, renameJoint } from '../../src/core/skeleton-edit';
import { boneOfJoint, jointIndex, newDocument, restPose, shapeName, type Muscle, type RigInfo, type RigRef } from '../../src/state/document';
import { readProject, writeProject } from '../../src/state/project';
import { isMissing, sinew } from './core';

const boneNamed = (info: RigInfo, name: string): number => boneOfJoint(info, jointIndex(info, name));
const biceps: Muscle = { profile: [[0, 0], [0.4, 1], [1, 0]], stretch: 0.5, angle: { joint: 'forearm.L', range: [10, 110], gain: 0.4 }, side: [0, 0, 1] };
const bent = { joints: { 'forearm.L': { bend: [[110, 'y']] } } } as const;

describe('profiles', () => {
  it('are the bump of the core without points, and near it with those to begin with', () => {
    expect([bump(0), bump(0.5), bump(1)]).toEqual([0, 1, 0]);
    for (let e = 0; e <= 1; e += 0.05) {
      expect(profileAt([], e)).toBe(bump(e));
      expect(Math.abs(profileAt(bumpPoints, e) - bump(e))).toBeLessThan(0.11);
    }
  });

  it('are on sides that have names', () => {
    expect([sideName(undefined), sideName([0, 0, 1]), sideName([0, 0.6, 0.8])]).toEqual(['all around', 'front', '0, 0.6, 0.8']);
  });
});

describe.skipIf(isMissing)('muscles', () => {
  const engine = new Engine(sinew);
  const first = isMissing ? ({} as RigRef) : engine.sample('mannequin', 1200);
  const upper = isMissing ? 0 : boneNamed(first.info, 'upper_arm.L');
  const withMuscle = (): RigRef => engine.derive(first.id, { kind: 'muscle', bones: [upper], muscle: biceps }).rig;

  it('are kept by bone, and taken away again', () => {
    const { info, id } = withMuscle();
    expect(info.bones[upper].muscle).toEqual(biceps);
    expect(info.bones.filter(({ muscle }) => muscle)).toHaveLength(1);
    const without = engine.derive(id, { kind: 'muscle', bones: [upper], muscle: null }).rig;
    expect(without.info.bones.some(({ muscle }) => muscle)).toBe(false);
    const idle = engine.derive(id, { kind: 'muscle', bones: [upper], muscle: { profile: [], stretch: 0 } }).rig;
    expect(idle.info.bones.some(({ muscle }) => muscle)).toBe(false);
  });

  it('swell as the core has it, and the frame says how much', () => {
    const { id } = withMuscle();
    const frame = engine.frame({ rig: id, pose: bent, methods: ['stbs-dqs'], forGpu: true });
    expect(frame.bulges[upper]).toBeCloseTo(0.4, 9);
    const alone = sinew.sample('mannequin', { vertices: 1200 });
    alone.edit([{ muscle: 'upper_arm.L', 'by-stretch': 0.5, 'by-angle': 'forearm.L:10:110:0.4', profile: '0:0,0.4:1,1:0', side: 'front' }]);
    const pose = new sinew.Pose(alone);
    pose.set(bent as never);
    expect(frame.surfaces[0].positions).toEqual(new sinew.Deformer(alone, 'stbs-dqs').deform(pose));
    const plain = engine.frame({ rig: first.id, pose: bent, methods: ['stbs-dqs'] });
    expect(frame.surfaces[0].positions).not.toEqual(plain.surfaces[0].positions);
  });

  it('are undone and done again', () => {
    const history = new History(newDocument('hero', first));
    const made = withMuscle();
    history.run(setRig('Muscle of upper_arm.L', made));
    expect(history.current.rig.info.bones[upper].muscle).toEqual(biceps);
    history.undo();
    expect(history.current.rig).toBe(first);
    expect(history.current.rig.info.bones[upper].muscle).toBeUndefined();
    history.redo();
    expect(history.current.rig).toBe(made);
  });

  it('are in projects', () => {
    const made = withMuscle();
    const project = readProject(writeProject(engine.pack(made.id), newDocument('hero', made)));
    const again = engine.open(project.rig, 'glb');
    expect(again.info.bones[upper].muscle).toEqual(biceps);
  });

  it('stay with a bone whose joint gets another name, and follow joints that do', () => {
    const made = withMuscle();
    const filtered = engine.derive(made.id, { kind: 'edit', steps: [{ filter: 'upper_arm.L=0:0,0.3:0.75,1:1' }] }).rig;
    const rest = engine.frame({ rig: filtered.id, pose: restPose, methods: [] });
    let edit = renameJoint(editOf(filtered.info, rest), jointIndex(filtered.info, 'upper_arm.L'), 'biceps');
    edit = renameJoint(edit, jointIndex(filtered.info, 'forearm.L'), 'elbow');
    const { rig } = engine.derive(filtered.id, { kind: 'skeleton', skeleton: edit });
    const bone = rig.info.bones[boneNamed(rig.info, 'biceps')];
    expect(bone.muscle).toEqual({ ...biceps, angle: { ...biceps.angle, joint: 'elbow' } });
    expect(bone.stretchFilter).toEqual([[0, 0], [0.3, 0.75], [1, 1]]);
  });

  it('begin with the joint at the bone’s tail, and go to the other side', () => {
    expect(firstMuscle(first.info, upper).angle?.joint).toBe('forearm.L');
    const mirrored = mirroredMuscle(first.info, upper, { ...biceps, side: [0.6, 0, 0.8] });
    expect(mirrored?.bone).toBe(boneNamed(first.info, 'upper_arm.R'));
    expect(mirrored?.muscle).toMatchObject({ angle: { joint: 'forearm.R' }, side: [-0.6, 0, 0.8] });
    expect(mirroredMuscle(first.info, upper, { ...biceps, angle: { joint: 'forearm.L', range: [0, 90], gain: 1, axis: [1, 0, 0] } })).toBeUndefined();
  });
});

describe.skipIf(isMissing)('correctives', () => {
  const engine = new Engine(sinew);
  const jobs = new JobRunner(sinew, () => undefined);
  const first = isMissing ? ({} as RigRef) : engine.sample('arm', 800);
  const pose = { joints: { forearm: { bend: [[90, 'y']] } } } as const;
  const file = isMissing ? new Uint8Array() : engine.pack(first.id);
  // In place of a sculptor: another method's result.
  const sculpted = isMissing ? new Uint8Array() : engine.posed({ rig: first.id, pose }, 'dqs');
  const made = isMissing ? undefined : jobs.correct(file, { name: 'elbow', pose, sculpted, format: 'obj', method: 'lbs' });
  const corrected = (): RigRef => engine.open(made?.file ?? file, 'glb');
  const surface = (rig: number, method: string, at: object = pose): Float32Array => engine.frame({ rig, pose: at as typeof pose, methods: [method] }).surfaces[0].positions;
  const farthest = (a: Float32Array, b: Float32Array): number => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);

  it('show the sculpted mesh in their pose, and nothing at rest', () => {
    expect(made?.report.off).toEqual([]);
    const { id, info } = corrected();
    expect(info.correctives).toEqual([{ name: 'elbow', shape: 0, joints: ['forearm'] }]);
    const wanted = surface(first.id, 'dqs');
    expect(farthest(surface(first.id, 'lbs'), wanted)).toBeGreaterThan(1e-2);
    expect(farthest(surface(id, 'lbs'), wanted)).toBeLessThan(1e-4);
    expect(farthest(surface(id, 'lbs', restPose), surface(first.id, 'lbs', restPose))).toBeLessThan(1e-6);
  });

  it('are on in their pose, as the frame says, and cannot be set by hand', () => {
    const { id, info } = corrected();
    const weights = (at: object): number => engine.frame({ rig: id, pose: at as typeof pose, methods: [] }).shapes[0];
    expect(weights(pose)).toBeCloseTo(1, 6);
    expect(weights(restPose)).toBeCloseTo(0, 6);
    expect(info.shapes).toEqual([{ name: 'elbow', rest: 0, driven: true }]);
  });

  it('are let go, and their shape is set by hand then', () => {
    const { id } = corrected();
    const { info, id: released } = engine.derive(id, { kind: 'release', shape: 0 }).rig;
    expect(info.correctives).toEqual([]);
    expect(info.shapes).toEqual([{ name: 'elbow', rest: 0, driven: false }]);
    expect(engine.frame({ rig: released, pose, methods: [] }).shapes[0]).toBe(0);
  });

  it('are deleted with their shape, from files and projects, too', () => {
    const { id, info } = corrected();
    const deleted = engine.derive(id, { kind: 'edit', steps: [{ 'remove-shape': shapeName(info, 0) }] }).rig;
    expect([deleted.info.correctives, deleted.info.shapes]).toEqual([[], []]);
    const plain = surface(engine.open(file, 'glb').id, 'lbs');
    expect(surface(deleted.id, 'lbs')).toEqual(plain);
    const again = engine.open(engine.pack(deleted.id), 'glb');
    expect([again.info.correctives, again.info.shapes]).toEqual([[], []]);
    expect(surface(again.id, 'lbs')).toEqual(plain);
    expect(engine.pack(deleted.id).length).toBeLessThan(engine.pack(id).length);
    // The one before is as it was.
    expect(engine.frame({ rig: id, pose, methods: [] }).shapes).toHaveLength(1);
  });

  it('follow joints that get other names, and are in projects', () => {
    const before = corrected();
    const rest = engine.frame({ rig: before.id, pose: restPose, methods: [] });
    const skeleton = renameJoint(editOf(before.info, rest), jointIndex(before.info, 'forearm'), 'lower');
    const { rig } = engine.derive(before.id, { kind: 'skeleton', skeleton });
    expect(rig.info.correctives).toEqual([{ name: 'elbow', shape: 0, joints: ['lower'] }]);
    const project = readProject(writeProject(engine.pack(rig.id), newDocument('hero', rig)));
    expect(engine.open(project.rig, 'glb').info.correctives).toEqual(rig.info.correctives);
  });

  it('of other meshes and of poses that turn nothing are refused with a reason', () => {
    const other = sinew.sample('tube', { vertices: 100 }).toBytes('obj');
    const request = { name: 'x', pose, sculpted: other, format: 'obj', method: 'lbs' };
    expect(() => jobs.correct(file, request)).toThrow(/the character has/);
    expect(() => jobs.correct(file, { ...request, sculpted, pose: restPose })).toThrow(/turns no joint/);
  });
});
