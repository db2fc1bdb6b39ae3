// SPDX-License-Identifier: Apache-2.0
// What a stroke of the brush may do besides painting what is under it, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { beginCalm, past, studio } from './desk.mjs';

before(async () => {
  await beginCalm();
  await studio.press('F3');
});

/** The brush, as it is told in the panel, for a bone. */
const take = async (bone, change) => {
  await studio.look(({ key, part }) => {
    const { brush } = window.studio.store.session;
    window.studio.store.set({ selection: key ? [key] : [], showBones: false, brush: { ...brush, target: 'bone-weights', mode: 'add', strength: 0.5, radius: 0.06, mirror: false, through: false, ...part } });
  }, { key: bone, part: change });
  await studio.settle();
};
/** The weights of each vertex by the names of bones, and its endpoint weights of both kinds. */
const rows = () =>
  studio.look(async () => {
    const { core, store } = window.studio;
    const { joints, bones } = store.document.rig.info;
    const { offsets, bones: of, weights, endpoints, twistEndpoints } = await core.call('skin', store.document.rig.id);
    return Array.from({ length: offsets.length - 1 }, (_, v) => {
      const row = {};
      for (let i = offsets[v]; i < offsets[v + 1]; ++i) row[joints[bones[of[i]].joint].key] = [weights[i], endpoints[i], twistEndpoints?.[i]];
      return row;
    });
  });
const differ = (a, b) => a.flatMap((row, v) => (JSON.stringify(row) === JSON.stringify(b[v]) ? [] : [v]));
/** Drags the brush, and waits for the step of the history that it makes. */
const stroke = async (from, to) => {
  const count = await past();
  await studio.drag(from, to, 4);
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 1, count);
  await studio.settle();
};
const undo = async () => {
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Control+z');
  await studio.settle();
};
/** A place between two joints on the screen. */
const between = async (one, other, share) => {
  const [a, b] = [await studio.joint(one), await studio.joint(other)];
  return a.map((value, k) => value + share * (b[k] - value));
};
const small = ([x, y]) => [x + 9, y + 5];

test('with both sides, the other arm is painted as much', async () => {
  const start = await rows();
  await take('forearm.L', { mode: 'subtract' });
  const at = await between('forearm.L', 'hand.L', 0.8);
  await stroke(at, small(at));
  const one = differ(await rows(), start);
  await undo();
  assert.deepEqual(await rows(), start);
  await studio.page.click('.inspector label:has-text("Both sides")');
  assert.equal(await studio.look(() => window.studio.store.session.brush.mirror), true);
  await stroke(at, small(at));
  const now = await rows();
  const both = differ(now, start);
  assert.ok(one.length > 2 && both.length >= 2 * one.length - 2, `${one.length} vertices on one side, ${both.length} on both`);
  const less = (key) => now.reduce((sum, row, v) => sum + (start[v][key]?.[0] ?? 0) - (row[key]?.[0] ?? 0), 0);
  assert.ok(less('forearm.L') > 0.1 && Math.abs(less('forearm.R') / less('forearm.L') - 1) < 0.02, `${less('forearm.L')} and ${less('forearm.R')}`);
  await undo();
});

test('what is seen is painted, or what lies behind it, too', async () => {
  const start = await rows();
  const sides = async () => {
    const changed = differ(await rows(), start);
    return studio.look((list) => {
      const { viewport } = window.studio;
      const p = viewport.positions();
      const [chest] = [viewport.orbit.target.clone()];
      const sight = viewport.orbit.camera.getWorldDirection(chest.clone());
      const middle = list.reduce((sum, v) => sum.add(chest.clone().fromArray(p, 3 * v)), chest.clone().set(0, 0, 0)).divideScalar(list.length);
      const depths = list.map((v) => chest.clone().fromArray(p, 3 * v).sub(middle).dot(sight));
      return { count: list.length, deep: Math.max(...depths) - Math.min(...depths) };
    }, changed);
  };
  await take('chest', { mode: 'replace', value: 0, strength: 1, radius: 0.04 });
  const at = await between('chest', 'neck', 0.3);
  await stroke(at, small(at));
  const seen = await sides();
  await undo();
  await studio.page.click('.inspector label:has-text("Through the mesh")');
  await stroke(at, small(at));
  const all = await sides();
  assert.ok(seen.count > 1 && all.count > 1.4 * seen.count, `${seen.count} vertices, ${all.count} through the mesh`);
  assert.ok(all.deep > 2 * seen.deep, `${seen.deep} deep, ${all.deep} through the mesh`);
  await undo();
  assert.deepEqual(await rows(), start);
});

test('locked weights stay as they are', async () => {
  const start = await rows();
  await take('hand.L');
  await studio.page.locator('.stage canvas').focus();
  await studio.press('l');
  assert.deepEqual((await studio.document()).locks, ['hand.L']);
  await take('forearm.L', { strength: 1 });
  const at = await between('forearm.L', 'hand.L', 0.95);
  await stroke(at, small(at));
  const now = await rows();
  const ofHand = (list) => list.map((row) => row['hand.L']?.[0] ?? 0);
  assert.deepEqual(ofHand(now), ofHand(start));
  const painted = differ(now, start);
  assert.ok(painted.length > 0, 'others gave way');
  // The same without the lock takes from the hand.
  await undo();
  await undo();
  assert.deepEqual((await studio.document()).locks, []);
  await stroke(at, small(at));
  assert.ok(ofHand(await rows()).some((weight, v) => weight < ofHand(start)[v] - 0.05));
  await undo();
  // The locked one itself cannot be painted, which is said.
  await take('hand.L');
  await studio.click('lock');
  const before = await rows();
  const hand = await between('forearm.L', 'hand.L', 0.95);
  await studio.drag(hand, small(hand), 2);
  assert.match((await studio.message()).text, /weights of hand\.L are locked/);
  assert.deepEqual(await rows(), before);
  await undo();
});

test('a stroke may start and end beside the mesh, and the skin goes along while it lasts', async () => {
  // The arm is bent, so that weights show.
  await studio.look(() => window.studio.posing.change('Bend', () => ({ joints: { 'forearm.L': { bend: [[60, 'y']] } } })));
  await take('upper_arm.L', { strength: 1 });
  const start = await rows();
  const shown = await studio.positions();
  const [middle, along] = [await between('forearm.L', 'hand.L', 0.4), await between('forearm.L', 'hand.L', 0.5)];
  const [dx, dy] = [along[0] - middle[0], along[1] - middle[1]];
  const across = (by) => [middle[0] - (dy * by) / Math.hypot(dx, dy), middle[1] + (dx * by) / Math.hypot(dx, dy)];
  const { mouse } = studio.page;
  const isBeside = (at) => studio.look(([x, y]) => {
    const box = window.studio.viewport.canvas.getBoundingClientRect();
    return window.studio.viewport.pick.surface(x - box.left, y - box.top).length === 0;
  }, at);
  const [from, to] = [across(70), across(-45)];
  assert.ok((await isBeside(from)) && !(await isBeside(middle)), 'it starts beside the arm');
  const count = await past();
  await mouse.move(...from);
  await mouse.down();
  for (let s = 1; s <= 6; ++s) await mouse.move(from[0] + ((middle[0] - from[0]) * s) / 6, from[1] + ((middle[1] - from[1]) * s) / 6);
  await studio.page.waitForFunction((list) => {
    const p = window.studio.viewport.positions();
    return p.some((value, i) => Math.abs(value - list[i]) > 0.002);
  }, Array.from(shown));
  assert.equal(await past(), count, 'the stroke is not over');
  await mouse.move(...to, { steps: 4 });
  await mouse.up();
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 1, count);
  await studio.settle();
  assert.ok(differ(await rows(), start).length > 2);
  // One that meets nothing changes nothing.
  await studio.drag([60, 560], [120, 590], 3);
  assert.equal(await past(), count + 1);
  await undo();
  assert.deepEqual(await rows(), start);
  await undo();
});

test('endpoint weights of the twist are made and painted on their own', async () => {
  await studio.look(() => window.studio.posing.change('Twist', () => ({ joints: { 'hand.L': { twist: 120 }, 'forearm.L': { stretch: 1.5 } } })));
  await take('forearm.L', {});
  const count = await past();
  await studio.page.click('[aria-label="What is painted"] [data-value="twist-endpoints"]');
  await studio.click('make-twist');
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 1, count, { timeout: 60000 });
  await studio.settle();
  const [start, shown] = [await rows(), await studio.positions()];
  assert.ok(Number.isFinite(start.find((row) => row['forearm.L'])['forearm.L'][2]));
  await take('forearm.L', { target: 'twist-endpoints', mode: 'replace', value: 0, strength: 1 });
  const at = await between('forearm.L', 'hand.L', 0.7);
  await stroke(at, small(at));
  const now = await rows();
  const painted = differ(now, start);
  assert.ok(painted.length > 2);
  for (const v of painted) {
    assert.deepEqual(now[v]['forearm.L'].slice(0, 2), start[v]['forearm.L'].slice(0, 2), 'weights and endpoint weights stay');
    assert.ok(now[v]['forearm.L'][2] < start[v]['forearm.L'][2]);
  }
  const p = await studio.positions();
  assert.ok(painted.some((v) => Math.hypot(p[3 * v] - shown[3 * v], p[3 * v + 1] - shown[3 * v + 1], p[3 * v + 2] - shown[3 * v + 2]) > 0.005), 'the skin twists otherwise');
  for (let k = 0; k < 3; ++k) await undo();
});

test('the brush is changed by keys, and the bone taken from under the pointer', async () => {
  const brush = () => studio.look(() => window.studio.store.session.brush);
  await take(undefined, {});
  // A whole pixel: pointers have places in single precision.
  const at = (await between('forearm.L', 'hand.L', 0.5)).map(Math.round);
  await studio.page.mouse.move(...at);
  await studio.page.locator('.stage canvas').focus();
  await studio.press('q');
  await studio.page.waitForFunction(() => window.studio.store.session.selection.at(-1) === 'forearm.L');
  const { radius, strength } = await brush();
  await studio.press(']');
  await studio.press(']');
  await studio.press('[');
  assert.ok(Math.abs((await brush()).radius - 1.2 * radius) < 1e-9);
  const circle = () => studio.look(() => window.studio.viewport.signs.brush.scale.x);
  await studio.page.mouse.move(at[0] + 1, at[1]);
  assert.ok(Math.abs((await circle()) / (await studio.look(() => window.studio.viewport.modelSize)) - 0.6 * radius) < 1e-6, 'the circle is as large');
  await studio.page.keyboard.down('Control');
  const count = await past();
  await studio.drag(at, [at[0] + 60, at[1]], 3);
  await studio.page.keyboard.up('Control');
  assert.ok(Math.abs((await brush()).strength - strength - 0.3) < 1e-9, `${(await brush()).strength}`);
  assert.equal(await past(), count, 'nothing is painted');
  for (const [key, mode] of [['x', 'subtract'], ['x', 'add'], ['s', 'smooth'], ['s', 'add']]) {
    await studio.press(key);
    assert.equal((await brush()).mode, mode);
  }
});

test('nothing went wrong meanwhile', () => assert.deepEqual(studio.errors, []));
