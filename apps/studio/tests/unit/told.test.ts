// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { aboutAxis, conjugate, intoFrame, multiply, rotate, rotationAt, unit } from '../../src/core/math';
import { boneAtRest } from '../../src/core/rest';
import { localOf, mirrorPose, twistAxis, worldsOf } from '../../src/core/mirror';
import { toldAfter } from '../../src/core/told';
import { mirroredName, type JointInfo, type Pose, type Quat, type RigInfo, type Vec3 } from '../../src/state/document';

const joint = (name: string, parent: number, translation: Vec3, rotation: Quat = [0, 0, 0, 1]): JointInfo => ({
  key: name,
  name,
  parent,
  driven: false,
      isNode: false,
  rest: { translation, rotation, scale: [1, 1, 1] },
});

// Arms to both sides; the right one has other axes than the left one's mirror image, as rigs do.
const turned = aboutAxis([0, 1, 0], Math.PI);
const info: RigInfo = {
  vertices: 0,
  triangles: 0,
  hasWeights: false,
  hasEndpoints: false,
  hasTwistEndpoints: false,
  joints: [
    joint('chest', -1, [0, 1, 0]),
    joint('arm.L', 0, [0.2, 0, 0]),
    joint('hand.L', 1, [0.5, 0, 0]),
    joint('arm.R', 0, [-0.2, 0, 0], turned),
    joint('hand.R', 3, [0.5, 0, 0]),
  ],
  bones: [
    { joint: 0, tailJoint: -1, head: [0, 1, 0], tail: [0, 1.3, 0], stretchFilter: [], twistFilter: [] },
    { joint: 1, tailJoint: 2, head: [0.2, 1, 0], tail: [0.7, 1, 0], stretchFilter: [], twistFilter: [] },
    { joint: 2, tailJoint: -1, head: [0.7, 1, 0], tail: [0.8, 1, 0], stretchFilter: [], twistFilter: [] },
    { joint: 3, tailJoint: 4, head: [-0.2, 1, 0], tail: [-0.7, 1, 0], stretchFilter: [], twistFilter: [] },
    { joint: 4, tailJoint: -1, head: [-0.7, 1, 0], tail: [-0.8, 1, 0], stretchFilter: [], twistFilter: [] },
  ],
  clips: [],
  shapes: [],
  correctives: [],
  layers: [],
  controls: [],
  notes: [],
};

const near = (a: readonly number[], b: readonly number[]): void => a.forEach((value, i) => expect(value).toBeCloseTo(b[i], 9));

describe('quaternions', () => {
  it('turn vectors as the axis says', () => {
    near(rotate(aboutAxis([0, 0, 1], Math.PI / 2), [1, 0, 0]), [0, 1, 0]);
    near(multiply(turned, conjugate(turned)), [0, 0, 0, 1]);
  });

  it('come back out of a scaled matrix', () => {
    for (const q of [turned, unit([0.3, -0.5, 0.2, 0.1]), unit([-0.7, 0.1, 0.6, 0.02]), unit([0.1, 0.2, 0.9, 0.1])]) {
      const matrix = new Array<number>(16).fill(0);
      [[2, 0, 0], [0, 3, 0], [0, 0, 0.5]].forEach((axis, c) => rotate(q, axis as unknown as Vec3).forEach((value, r) => (matrix[4 * c + r] = value)));
      const found = rotationAt(matrix, 0);
      const sign = Math.sign(found[3] * q[3] + found[0] * q[0] + found[1] * q[1] + found[2] * q[2]);
      near(found, q.map((value) => value * sign));
      near(intoFrame(matrix, 0, rotate(q, [2, 6, 1])), [1, 2, 2]);
    }
  });
});

describe('a drag on a told pose', () => {
  const transforms = (locals: readonly { rotation: Quat; translation: Vec3 }[]): number[] =>
    locals.flatMap(({ rotation, translation }) => [...translation, ...rotation, 1, 1, 1]);

  it('keeps twists of several turns, bends and stretches as they were told', () => {
    const pose: Pose = { joints: { 'arm.L': { twist: 500, stretch: 1.5, bend: [[20, 'z']] } } };
    const before = info.joints.map((one, j) => localOf(info, j, pose.joints[one.key]));
    // The core lets a stretch above add to the translation.
    before[2] = { ...before[2], translation: [0.75, 0, 0] };
    const by = aboutAxis([0, 0, 1], 0.4);
    const after = before.map((one, j) => (j === 1 ? { ...one, rotation: multiply(by, one.rotation) } : one));
    after[2] = { ...after[2], translation: [0.9, 0.1, 0] };
    const told = toldAfter(info, pose, transforms(before), transforms(after));
    expect(told.joints['arm.L']).toMatchObject({ twist: 500, stretch: 1.5, bend: [[20, 'z']] });
    near(localOf(info, 1, told.joints['arm.L']).rotation, after[1].rotation);
    near(told.joints['hand.L'].translation ?? [], [0.65, 0.1, 0]);
    expect(told.joints.chest).toBeUndefined();
  });

  it('says nothing of joints that did not move', () => {
    const same = transforms(info.joints.map((_, j) => localOf(info, j, undefined)));
    expect(toldAfter(info, { joints: {} }, same, same).joints).toEqual({});
  });
});

describe('mirroring', () => {
  it('knows the names of both sides', () => {
    const pairs = [
      ['hand.L', 'hand.R'],
      ['hand_l', 'hand_r'],
      ['L_hand', 'R_hand'],
      ['LeftHand', 'RightHand'],
      ['index_1.L', 'index_1.R'],
      ['mixamorig:leftArm', 'mixamorig:rightArm'],
    ];
    for (const [a, b] of pairs) {
      expect(mirroredName(a)).toBe(b);
      expect(mirroredName(b)).toBe(a);
    }
    expect(mirroredName('hips')).toBeUndefined();
    expect(mirroredName('collar')).toBeUndefined();
  });

  it('puts the other arm to the mirrored place, whatever its axes', () => {
    const pose: Pose = { joints: { 'arm.L': { bend: [[50, 'z'], [20, 'y']], twist: 90 }, 'hand.L': { translation: [0.8, 0.05, 0.1] } } };
    const mirrored = mirrorPose(info, pose, ['arm.L', 'hand.L']);
    const worlds = worldsOf(info, info.joints.map((one, j) => localOf(info, j, mirrored.joints[one.key])));
    near(worlds[4].position, [-worlds[2].position[0], worlds[2].position[1], worlds[2].position[2]]);
    expect(mirrored.joints['arm.R'].twist).toBe(-90);
    expect(mirrored.joints['arm.L']).toEqual(pose.joints['arm.L']);
    near(twistAxis(info, 3) ?? [], [1, 0, 0]);
  });

  it('of a swapped pose twice is the pose again', () => {
    const pose: Pose = { joints: { 'arm.L': { rotation: unit([0.1, 0.2, 0.3, 0.9]) }, chest: { rotation: unit([0, 0.3, 0.1, 0.9]) } } };
    const twice = mirrorPose(info, mirrorPose(info, pose, 'swap'), 'swap');
    const world = (p: Pose): readonly { position: Vec3 }[] => worldsOf(info, info.joints.map((one, j) => localOf(info, j, p.joints[one.key])));
    world(twice).forEach((one, j) => near(one.position, world(pose)[j].position));
  });
});

describe('a bone at rest', () => {
  it('goes along with the joints above it, and not with its own', () => {
    const frames = new Float64Array(16 * info.joints.length);
    // The chest is turned by a quarter about z, and elsewhere.
    const turn = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 3, 1, 0, 1];
    for (let j = 0; j < info.joints.length; ++j) frames.set(turn, 16 * j);
    const { head, tail } = boneAtRest(info, frames, 1);
    near(head, [3, 1.2, 0]);
    near(tail, [3, 1.7, 0]);
    expect(boneAtRest(info, frames, 0)).toEqual({ head: [0, 1, 0], tail: [0, 1.3, 0] });
  });
});
