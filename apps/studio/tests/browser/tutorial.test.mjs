// SPDX-License-Identifier: Apache-2.0
// docs/tutorials/studio.md from its first line to its last, by pointer and keys alone, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import validator from 'gltf-validator';
import { apart, begin, mannequin, past, place, sinew, studio } from './desk.mjs';

before(begin);

const steps = async (count) => {
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n && !window.studio.store.isDragging, count, { timeout: 180000 });
  await studio.settle();
};
const info = () => studio.look(() => window.studio.store.document.rig.info);
const opened = async (name) => {
  await studio.page.waitForFunction((one) => window.studio.store.document.name === one && !window.studio.job.value, name, { timeout: 120000 });
  await studio.settle();
};
const inspector = (text) => studio.page.locator(`.inspector button:has-text("${text}")`);

test('before anything else: the hand is pulled, and taken back', async () => {
  assert.equal(await studio.look(() => window.studio.store.session.playing), true);
  await studio.press('Space');
  await studio.settle();
  const hand = await studio.joint('hand.L');
  const { mouse } = studio.page;
  await mouse.move(...hand);
  await mouse.down();
  await mouse.move(hand[0] + 20, hand[1] - 20, { steps: 3 });
  await studio.page.waitForSelector('.welcome', { state: 'hidden' });
  await studio.page.waitForFunction(() => Object.keys(window.studio.store.document.pose.joints).length > 0);
  await studio.waitForDrag();
  // The card is gone, and what was grabbed is still under the pointer.
  const held = await studio.joint('hand.L');
  assert.ok(Math.hypot(held[0] - hand[0] - 20, held[1] - hand[1] + 20) < 1.5, `${held} from ${hand}`);
  await mouse.up();
  await studio.settle();
  assert.deepEqual(await studio.look(() => window.studio.viewport.orbit.shift), [0, 0, 1], 'and then it goes to the middle');
  assert.equal(await past(), 1);
  await studio.press('Control+z');
  assert.equal(await past(), 0);
  await studio.press('?');
  await studio.page.waitForSelector('.shortcuts');
  await studio.press('Escape');
});

test('1 and 2, a mesh and a skeleton: Rig opens, Person is chosen, Enter takes it', async () => {
  await studio.drop([{ name: 'figure.obj', bytes: sinew.sample('mannequin', { vertices: 700 }).toBytes('obj') }]);
  await opened('figure');
  assert.equal(await studio.look(() => window.studio.store.session.workspace), 'rig');
  await studio.page.click('.chip:has-text("Person")');
  await studio.settle();
  await studio.press('Enter');
  await steps(1);
  assert.equal((await info()).joints.length, 21);
  // A joint is moved, and its children stay.
  const [elbow, hand] = [await studio.joint('forearm.L'), await place('hand.L')];
  await studio.drag(elbow, [elbow[0] + 6, elbow[1] - 8]);
  await steps(2);
  assert.ok(apart(await place('hand.L'), hand) < 1e-6);
  // Both sides.
  await studio.press('m');
  const knee = await studio.joint('shin.L');
  await studio.drag(knee, [knee[0] + 4, knee[1] + 5]);
  await steps(3);
  const [left, right] = [await place('shin.L'), await place('shin.R')];
  assert.ok(apart(left, [-right[0], right[1], right[2]]) < 1e-5, `${left} and ${right}`);
  await studio.press('m');
  for (let k = 0; k < 2; ++k) await studio.press('Control+z');
  await steps(1);
});

test('3 and 4, binding and posing', async () => {
  await inspector('Bind').first().click();
  await studio.page.waitForFunction(() => /^\d+% — cancel$/.test(document.querySelector('[data-id="cancel-job"]')?.textContent));
  await steps(2);
  assert.equal((await info()).hasWeights, true);
  await studio.page.click('.spaces [data-value="pose"]');
  await studio.settle();
  // The way is changed in the middle of a drag.
  const lengths = () =>
    studio.look(() => {
      const { bones, joints } = window.studio.store.document.rig.info;
      const { boneHeads: h, boneTails: t } = window.studio.viewport.lastFrame;
      const b = bones.findIndex(({ joint }) => joints[joint].key === 'forearm.L');
      return Math.hypot(t[3 * b] - h[3 * b], t[3 * b + 1] - h[3 * b + 1], t[3 * b + 2] - h[3 * b + 2]);
    });
  const rest = await lengths();
  const hand = await studio.joint('hand.L');
  const { mouse } = studio.page;
  await mouse.move(...hand);
  await mouse.down();
  await mouse.move(hand[0] + 90, hand[1] - 70, { steps: 4 });
  const isLonger = (factor) => studio.page.waitForFunction(([length, by]) => {
    const { bones, joints } = window.studio.store.document.rig.info;
    const { boneHeads: h, boneTails: t } = window.studio.viewport.lastFrame;
    const b = bones.findIndex(({ joint }) => joints[joint].key === 'forearm.L');
    const now = Math.hypot(t[3 * b] - h[3 * b], t[3 * b + 1] - h[3 * b + 1], t[3 * b + 2] - h[3 * b + 2]) / length;
    return by > 1 ? now > by : Math.abs(now - 1) < 1e-4;
  }, [rest, factor]);
  await isLonger(1.2);
  await studio.press('2');
  await isLonger(1);
  await studio.press('1');
  await isLonger(1.2);
  await mouse.up();
  await steps(3);
  // Several joints; a pin; a double-click.
  await studio.page.keyboard.down('Control');
  await mouse.click(...(await studio.joint('forearm.R')));
  await studio.page.keyboard.up('Control');
  assert.deepEqual(await studio.look(() => window.studio.store.session.selection), ['hand.L', 'forearm.R']);
  await studio.press('p');
  assert.deepEqual((await studio.document()).pins, ['hand.L', 'forearm.R']);
  await studio.press('p');
  await mouse.dblclick(...(await studio.joint('hand.L')));
  await studio.settle();
  assert.equal((await studio.document()).pose.joints['hand.L'], undefined);
});

test('5 and 6, comparing and painting', async () => {
  await studio.page.locator('.stage canvas').focus();
  await studio.look(() => window.studio.store.set({ selection: ['hand.L'] }));
  await studio.type('twist', '170');
  await studio.press('c');
  await studio.page.waitForSelector('[data-id="measures-1"] dd', { timeout: 60000 });
  await studio.press('v');
  await studio.page.waitForSelector('[data-id="swipe"]:not([hidden])');
  await studio.press('v');
  await studio.press('h');
  await studio.press('h');
  await studio.page.click('.spaces [data-value="paint"]');
  await studio.settle();
  // Where the forearm alone moves what is seen.
  const at = await studio.look(async () => {
    const { viewport, store } = window.studio;
    const { bones, joints } = store.document.rig.info;
    const { offsets, bones: list, weights } = await window.studio.skin();
    const forearm = bones.findIndex(({ joint }) => joints[joint].key === 'forearm.L');
    const { triangles } = window.studio.mesh();
    const isOnly = (v) => [...list.slice(offsets[v], offsets[v + 1])].some((bone, i) => bone === forearm && weights[offsets[v] + i] > 0.9);
    const p = viewport.positions();
    const box = viewport.canvas.getBoundingClientRect();
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = [...triangles.slice(t, t + 3)];
      if (!corners.every(isOnly)) continue;
      const [x, y] = viewport.pick.project([0, 1, 2].map((k) => corners.reduce((sum, v) => sum + p[3 * v + k], 0) / 3), 0);
      if (viewport.pick.surface(x, y)[0]?.triangle === t / 3) return [x + box.left, y + box.top];
    }
    return undefined;
  });
  await studio.page.mouse.move(...at);
  await studio.press('q');
  await studio.page.waitForFunction(() => window.studio.store.session.selection.join() === 'forearm.L');
  await studio.press(']');
  await studio.press('x');
  assert.equal(await studio.look(() => window.studio.store.session.brush.mode), 'subtract');
  const count = await past();
  await studio.drag(at, [at[0] + 8, at[1]], 3);
  await steps(count + 1);
  await studio.press('Control+z');
  await steps(count);
  await studio.press('x');
});

test('8, animating: three drags at three times, played', async () => {
  await studio.page.click('.spaces [data-value="animate"]');
  await studio.settle();
  for (const [time, dx, dy] of [[0, 20, -20], [0.6, 30, -60], [1, -50, 30]]) {
    if (time > 0) {
      const track = await studio.page.locator('.track').boundingBox();
      const span = Number(await studio.page.getAttribute('.track', 'aria-valuemax'));
      await studio.page.mouse.click(track.x + 12 + (time / span) * (track.width - 24), track.y + track.height / 2);
      await studio.settle();
    }
    const hand = await studio.joint('hand.R');
    await studio.drag(hand, [hand[0] + dx, hand[1] + dy]);
    const there = await studio.joint('hand.R');
    assert.ok(Math.hypot(there[0] - hand[0] - dx, there[1] - hand[1] - dy) < 2, `at ${time}: ${there} from ${hand}`);
  }
  const [clip] = (await studio.document()).clips;
  const times = [...new Set(clip.channels.flatMap(({ keys }) => keys.map(({ time }) => time)))].sort((a, b) => a - b);
  assert.ok(times.length === 3 && Math.abs(times[1] - 0.6) < 0.02 && Math.abs(times[2] - 1) < 0.02, `${times}`);
  await studio.press('Space');
  await studio.page.waitForFunction(() => window.studio.store.session.playing);
  await studio.press('Space');
  await studio.page.waitForFunction(() => !window.studio.store.session.playing);
});

test('9, out: the error is shown, then a file that any engine plays; and a project', async () => {
  await studio.click('export');
  await studio.page.click('.menu-item:has-text("Baked .glb for engines")');
  await studio.page.waitForSelector('[data-id="bake-report"]', { timeout: 180000 });
  assert.match(await studio.page.locator('[data-id="bake-report"]').innerText(), /largest error, of a limb’s radius/);
  const baked = await studio.download(() => studio.click('save-baked'));
  const { issues } = await validator.validateBytes(new Uint8Array(baked.bytes));
  assert.equal(issues.numErrors, 0, JSON.stringify(issues.messages.slice(0, 3)));
  const rig = sinew.read(baked.bytes, { format: 'glb' });
  assert.ok(rig.clips.length === 1 && rig.clips[0].duration > 0.9 && rig.boneCount > 21, `${rig.boneCount} bones`);
  const project = await studio.download(() => studio.press('Control+s'));
  assert.equal(project.name, 'figure.sinew');
});

test('pictures, and motions of others', async () => {
  await studio.click('open');
  await studio.page.click('.popover .menu-item:has-text("Dancer")');
  await opened('dancer');
  await studio.press('F1');
  await studio.settle();
  assert.ok((await info()).layers.length > 2);
  assert.equal(await studio.page.locator('[data-id="layer-front"]').count(), 1);
  await studio.drop([{ name: 'figure.glb', bytes: mannequin }]);
  await opened('figure');
  await studio.drop([{ name: 'gait.bvh', bytes: sinew.sample('mannequin', { vertices: 300 }).toBytes('bvh') }]);
  await studio.page.waitForFunction(() => window.studio.store.session.clip === 'gait' && window.studio.store.session.playing);
  await studio.page.click('.message .link:has-text("Change what moves what")');
  await studio.page.waitForSelector('[data-id="motion-map"]');
  await studio.press('Escape');
  assert.deepEqual(studio.errors, []);
});
