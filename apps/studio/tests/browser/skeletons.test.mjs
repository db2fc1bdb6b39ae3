// SPDX-License-Identifier: Apache-2.0
// Skeletons as a person makes and changes them, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { beginCalm, mannequin, sinew, studio } from './desk.mjs';

before(beginCalm);

const open = async (name, ending, bytes) => {
  await studio.drop([{ name: `${name}.${ending}`, bytes }]);
  await studio.page.waitForFunction((one) => window.studio.store.document.name === one, name);
  await studio.settle();
};
/** The skeleton at rest: where each joint is, and what it hangs from. */
const skeleton = () =>
  studio.look(() => {
    const { joints, bones } = window.studio.store.document.rig.info;
    const { jointFrames: f, boneTails: t } = window.studio.frame.value;
    return {
      joints: Object.fromEntries(joints.map(({ name, parent }, j) => [name, { at: [12, 13, 14].map((k) => f[16 * j + k]), parent: joints[parent]?.name }])),
      tails: bones.map((_, b) => [0, 1, 2].map((k) => t[3 * b + k])),
    };
  });
const onScreen = (point) =>
  studio.look((p) => {
    const { viewport } = window.studio;
    const box = viewport.canvas.getBoundingClientRect();
    const [x, y] = viewport.pick.project(p, 0);
    return [x + box.left, y + box.top];
  }, point);
const steps = () => studio.look(() => window.studio.store.past.length);
/** Until the history is so long, and what it has led to is shown. */
const after = async (count) => {
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n && !window.studio.store.isDragging, count);
  await studio.settle();
};
const undo = async (count) => {
  await studio.page.locator('.stage canvas').focus();
  for (let k = 0; k < count; ++k) await studio.press('Control+z');
  await studio.settle();
};
const isNear = (a, b, within) => a.every((value, k) => Math.abs(value - b[k]) <= within);
const mirrored = ([x, y, z]) => [-x, y, z];

const templates = [
  { template: 'Four legs', on: 'beast', joints: 19, ends: ['head', 'tail_2', 'fore_foot.L', 'hind_foot.R'] },
  { template: 'Bird', on: 'mannequin', joints: 17, ends: ['wing_3.L', 'wing_3.R', 'head'] },
  { template: 'Hand', on: 'arm', joints: 15, ends: ['index_3', 'thumb_2'] },
  { template: 'Person', on: 'mannequin', joints: 21, ends: ['hand.L', 'hand.R', 'toes.L', 'head'] },
];

test('each template is scaled to the mesh that it is taken for', async () => {
  await studio.press('F2');
  for (const { template, on, joints: count, ends } of templates) {
    const mesh = sinew.sample(on, { vertices: 600 });
    await open(template, 'obj', mesh.toBytes('obj'));
    await studio.page.click(`[data-template="${template}"]`);
    await studio.click('take-template');
    await after(1);
    const { joints, tails } = await skeleton();
    assert.equal(Object.keys(joints).length, count, template);
    const box = [0, 1, 2].map((k) => mesh.positions.filter((_, i) => i % 3 === k)).map((list) => [Math.min(...list), Math.max(...list)]);
    const size = Math.hypot(...box.map(([low, high]) => high - low));
    for (const point of [...Object.values(joints).map(({ at }) => at), ...tails]) {
      point.forEach((value, k) => assert.ok(value > box[k][0] - 0.01 * size && value < box[k][1] + 0.01 * size, `${template}: ${point} outside of ${JSON.stringify(box)}`));
    }
    for (const end of ends) assert.ok(joints[end], `${template} has ${end}`);
    // It reaches from one end of the mesh to the other along the longest side.
    const longest = box.map(([low, high]) => high - low).reduce((best, length, k, all) => (length > all[best] ? k : best), 0);
    const along = [...Object.values(joints).map(({ at }) => at), ...tails].map((point) => point[longest]);
    const reach = (Math.max(...along) - Math.min(...along)) / (box[longest][1] - box[longest][0]);
    assert.ok(reach > 0.7 && reach < 1.01, `${template} reaches over ${reach} of the mesh`);
    for (const [name, { at }] of Object.entries(joints)) {
      if (name.endsWith('.L')) assert.ok(isNear(joints[name.replace('.L', '.R')].at, mirrored(at), 0.02 * size), `${template}: ${name}`);
    }
  }
});

test('joints are put into the middle of the volume under the pointer', async () => {
  // A tube round the y axis, seen from above its middle.
  const tube = sinew.sample('tube', { vertices: 800 });
  await open('pipe', 'obj', tube.toBytes('obj'));
  const axis = [0, 1, 2].map((k) => tube.positions.filter((_, i) => i % 3 === k)).map((list) => [Math.min(...list), Math.max(...list)]);
  const long = axis.map(([low, high]) => high - low).reduce((best, length, k, all) => (length > all[best] ? k : best), 0);
  const inside = (share) => axis.map(([low, high], k) => (k === long ? low + share * (high - low) : (low + high) / 2));
  const width = Math.min(...axis.map(([low, high]) => high - low));
  await studio.click('rig-add');
  await studio.page.mouse.click(...(await onScreen(inside(0.2))));
  await after(1);
  await studio.page.mouse.click(...(await onScreen(inside(0.5))));
  await after(2);
  // Pulled out of the last one, to a place beside the axis: as deep as half the way through.
  await studio.drag(await onScreen(inside(0.5)), await onScreen(inside(0.8)));
  await after(3);
  let { joints } = await skeleton();
  assert.deepEqual(Object.values(joints).map(({ parent }) => parent), [undefined, 'root', 'root_1']);
  Object.values(joints).forEach(({ at }, j) => assert.ok(isNear(at, inside([0.2, 0.5, 0.8][j]), 0.02 * width), `joint ${j}: ${at}`));
  // One that is beside it comes back with Ctrl held, and stays in the plane of the view without.
  const name = Object.keys(joints)[1];
  await studio.click('panel-add');
  const [x, y] = await studio.joint(name);
  await studio.drag([x, y], [x + 90, y]);
  await after(4);
  ({ joints } = await skeleton());
  assert.ok(!isNear(joints[name].at, inside(0.5), 0.5 * width), 'it is outside');
  const to = await onScreen(inside(0.4));
  await studio.page.keyboard.down('Control');
  await studio.drag(await studio.joint(name), to);
  await studio.page.keyboard.up('Control');
  await after(5);
  ({ joints } = await skeleton());
  assert.ok(isNear(joints[name].at, inside(0.4), 0.02 * width), `${joints[name].at}`);
  await undo(5);
  assert.equal(await studio.look(() => window.studio.store.document.rig.info.joints.length), 0);
});

test('joints are hung from another, which comes last', async () => {
  await open('person', 'glb', mannequin);
  const first = await skeleton();
  const tree = (name, modifiers = []) => studio.page.click(`[data-joint="${name}"]`, { modifiers });
  await tree('hand.L');
  await tree('foot.L', ['Control']);
  await tree('chest', ['Control']);
  await studio.click('connect');
  await after(1);
  const { joints } = await skeleton();
  assert.equal(joints['hand.L'].parent, 'chest');
  assert.equal(joints['foot.L'].parent, 'chest');
  for (const name of Object.keys(joints)) assert.ok(isNear(joints[name].at, first.joints[name].at, 1e-6), `${name} stays`);
  assert.equal(await studio.look(() => window.studio.store.document.rig.info.hasWeights), true);
  // Not from what hangs from it.
  await tree('chest');
  await tree('head', ['Control']);
  await studio.click('connect');
  await studio.page.waitForFunction(() => /own children/.test(window.studio.message.value?.text));
  assert.equal(await steps(), 1);
  await undo(1);
  assert.deepEqual(await skeleton(), first);
});

test('in mirror mode, both sides are split, moved, renamed, hung elsewhere and deleted', async () => {
  const first = await skeleton();
  const start = await studio.document();
  await studio.page.locator('.stage canvas').focus();
  await studio.press('m');
  const select = (...keys) => studio.look((selection) => window.studio.store.set({ selection }), keys);
  const pairs = async () => {
    const { joints } = await skeleton();
    for (const [name, { at, parent }] of Object.entries(joints)) {
      if (!name.endsWith('.L')) continue;
      const other = joints[name.replace('.L', '.R')];
      assert.ok(other, `${name} has another side`);
      assert.ok(isNear(other.at, mirrored(at), 1e-4), `${name} at ${at}, the other at ${other.at}`);
      assert.equal(other.parent, parent.replace('.L', '.R'));
    }
    return joints;
  };
  await select('forearm.L');
  await studio.click('split');
  await after(1);
  let joints = await pairs();
  assert.deepEqual([joints['forearm_2.L'].parent, joints['hand.L'].parent], ['forearm.L', 'forearm_2.L']);
  await studio.drag(await studio.joint('forearm_2.L'), (await studio.joint('forearm_2.L')).map((value, k) => value + [0, 12][k]));
  await after(2);
  const moved = (await pairs())['forearm_2.L'].at;
  assert.ok(!isNear(moved, joints['forearm_2.L'].at, 0.005), 'it was moved');
  await select('forearm_2.L');
  await studio.type('joint-name', 'wrist.L');
  await after(3);
  joints = await pairs();
  assert.ok(joints['wrist.L'] && !joints['forearm_2.R'], `${Object.keys(joints)}`);
  await select('hand.L', 'upper_arm.L');
  await studio.click('connect');
  await after(4);
  assert.equal((await pairs())['hand.R'].parent, 'upper_arm.R');
  await select('wrist.L');
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Delete');
  await after(5);
  joints = await pairs();
  assert.ok(!joints['wrist.L'] && !joints['wrist.R'] && joints['hand.L']);
  await studio.page.locator('.stage canvas').focus();
  await studio.press('m');
  // One side alone.
  await select('hand.L');
  await studio.press('Delete');
  await after(6);
  ({ joints } = await skeleton());
  assert.ok(!joints['hand.L'] && joints['hand.R']);
  await undo(6);
  assert.deepEqual(await skeleton(), first);
  assert.deepEqual(await studio.document(), start);
});

/** The weights of a vertex by the names of bones, and its endpoint weights. */
const rows = () =>
  studio.look(async () => {
    const { core, store } = window.studio;
    const { joints, bones } = store.document.rig.info;
    const skin = await core.call('skin', store.document.rig.id);
    return Array.from({ length: skin.offsets.length - 1 }, (_, v) => {
      const row = {};
      for (let i = skin.offsets[v]; i < skin.offsets[v + 1]; ++i) if (skin.weights[i] !== 0) row[joints[bones[skin.bones[i]].joint].key] = [skin.weights[i], skin.endpoints[i]];
      return row;
    });
  });

test('one bone is bound anew, and what was painted elsewhere stays', async () => {
  await open('painted', 'glb', sinew.sample('tube3', { vertices: 300 }).toBytes('glb'));
  const keys = await studio.look(() => window.studio.store.document.rig.info.bones.map(({ joint }) => window.studio.store.document.rig.info.joints[joint].key));
  const [bone] = keys;
  await studio.look((key) => {
    const { brush } = window.studio.store.session;
    window.studio.store.set({ workspace: 'paint', showBones: false, selection: [key], brush: { ...brush, target: 'bone-weights', mode: 'add', strength: 0.6, radius: 0.1 } });
  }, keys[1]);
  await studio.settle();
  const before = await rows();
  // At the outer end of the last bone, far from the first, and where the first one is.
  const ends = await studio.look((b) => {
    const { boneHeads: h, boneTails: t } = window.studio.frame.value;
    return [0.8, 0.5].map((share, k) => [0, 1, 2].map((i) => h[3 * b[k] + i] + share * (t[3 * b[k] + i] - h[3 * b[k] + i])));
  }, [keys.length - 1, 0]);
  await studio.drag(await onScreen(ends[0]), (await onScreen(ends[0])).map((value) => value + 6));
  await after(1);
  await studio.drag(await onScreen(ends[1]), (await onScreen(ends[1])).map((value) => value + 6));
  await after(2);
  const painted = await rows();
  const differ = (a, b) => a.flatMap((row, v) => (JSON.stringify(row) === JSON.stringify(b[v]) ? [] : [v]));
  const far = differ(painted, before).filter((v) => !(bone in painted[v]) && !(bone in before[v]));
  const near = differ(painted, before).filter((v) => bone in before[v]);
  assert.ok(far.length > 3 && near.length > 3, `${far.length} and ${near.length} were painted`);
  await studio.press('F2');
  await studio.look((key) => window.studio.store.set({ selection: [key], showBones: true }), bone);
  await studio.click('bind-selected');
  await studio.page.waitForFunction(() => window.studio.store.past.length === 3 && !window.studio.job.value, null, { timeout: 60000 });
  await studio.settle();
  const bound = await rows();
  for (const v of far) assert.deepEqual(bound[v], painted[v], `vertex ${v}`);
  const changed = differ(bound, painted);
  assert.ok(changed.length > 0, 'something is bound anew');
  for (const v of changed) assert.ok(bone in bound[v] || bone in painted[v], `vertex ${v} is not of ${bone}`);
  assert.ok(near.some((v) => changed.includes(v)), 'what was painted on the bone itself is gone');
  await undo(1);
  assert.deepEqual(await rows(), painted);
});

test('a skeleton without a mesh is shown, saved and opened again', async () => {
  await open('bare', 'tgf', Buffer.from('1 0 0 0\n2 0 1 0\n3 0 2 0\n#\n1 2 1 0 0\n2 3 1 0 0\n'));
  const first = await skeleton();
  assert.equal(first.tails.length, 2);
  const project = await studio.download(() => studio.press('Control+s'));
  await open('person', 'glb', mannequin);
  await open('bare', 'sinew', project.bytes);
  assert.deepEqual(await skeleton(), first);
  assert.notEqual((await studio.message())?.kind, 'bad');
});

test('nothing went wrong meanwhile', () => assert.deepEqual(studio.errors, []));
