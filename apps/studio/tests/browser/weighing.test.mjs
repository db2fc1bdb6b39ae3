// SPDX-License-Identifier: Apache-2.0
// Weights by every method, computed, watched and cancelled as a person does, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { beginCalm, mannequin, past, sinew, studio } from './desk.mjs';

const arm = sinew.sample('tube3', { vertices: 500 }).toBytes('glb');

before(async () => {
  await beginCalm();
  await open('arm', arm);
  await studio.press('F3');
  await studio.settle();
});

async function open(name, bytes) {
  await studio.drop([{ name: `${name}.glb`, bytes }]);
  await studio.page.waitForFunction((one) => window.studio.store.document.name === one, name);
  await studio.settle();
}
const idle = () => studio.page.waitForFunction(() => !window.studio.job.value);
const skin = () =>
  studio.look(async () => {
    const { offsets, bones, weights, endpoints } = await window.studio.core.call('skin', window.studio.store.document.rig.id);
    return [offsets, bones, weights, endpoints ?? []].map((list) => Array.from(list));
  });
const skinOf = ({ weightOffsets, weightBones, weights, endpoints }) => [weightOffsets, weightBones, new Float32Array(weights), new Float32Array(endpoints ?? [])].map((list) => Array.from(list));
const choose = async (label, value) => {
  await studio.page.selectOption(`.inspector select[aria-label="${label}"]`, value);
};
/** What is said of the job, from here on. */
const watch = () =>
  studio.look(() => {
    window.seen = [];
    window.unwatch?.();
    window.unwatch = window.studio.job.watch((job) => {
      const button = document.querySelector('[data-id="cancel-job"]')?.textContent;
      if (job) window.seen.push({ fraction: job.fraction, stage: job.stage, button });
    });
  });
const seen = () => studio.look(() => window.seen);

for (const method of sinew.weightMethods()) {
  test(`bone weights by ${method} are those of the core, and are undone`, async () => {
    const before = await skin();
    const count = await past();
    await choose('Bone weights', method);
    await choose('Endpoint weights', 'projection');
    await watch();
    await studio.click('compute-weights');
    await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 1, count, { timeout: 120000 });
    await idle();
    await studio.settle();
    const alone = sinew.read(arm, { format: 'glb' });
    const report = alone.computeWeights(method, { endpoints: 'projection' });
    assert.deepEqual(await skin(), skinOf(alone));
    assert.notDeepEqual(await skin(), before);
    const steps = await seen();
    assert.ok(steps.length > 0 && steps.every(({ fraction }) => fraction >= 0 && fraction <= 1), JSON.stringify(steps));
    const shown = await studio.page.locator('.inspector .facts-list').innerText();
    assert.match(shown, new RegExp(`${report.influences.mean.toFixed(2)} on average, ${report.influences.max} at most`));
    assert.match(shown, new RegExp(`${report.uncovered} vertices`));
    assert.equal(await studio.page.locator('.inspector .finding').count(), report.findings.length);
    await studio.page.locator('.stage canvas').focus();
    await studio.press('Control+z');
    await studio.settle();
    assert.deepEqual(await skin(), before);
  });

  test(`bone weights by ${method} are cancelled, and nothing has changed`, async () => {
    const before = await studio.document();
    await choose('Bone weights', method);
    // At once when it has begun: no method is so fast that its answer is on its way by then.
    await studio.look(() => {
      const off = window.studio.job.watch((job) => {
        if (!job) return;
        queueMicrotask(() => off());
        job.cancel();
      });
      document.querySelector('[data-id="compute-weights"]').click();
    });
    await studio.page.waitForFunction(() => /cancelled. Nothing has changed/.test(window.studio.message.value?.text));
    await idle();
    assert.deepEqual(await studio.document(), before);
    assert.equal(await studio.page.isEnabled('[data-id="compute-weights"]'), true, 'it can be tried again');
  });
}

for (const endpoints of [...sinew.endpointMethods(), 'none']) {
  test(`endpoint weights by ${endpoints} are those of the core, and bone weights stay`, async () => {
    const count = await past();
    const [offsets, bones, weights] = await skin();
    await choose('Bone weights', 'keep');
    await choose('Endpoint weights', endpoints);
    await studio.click('compute-weights');
    await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 1, count, { timeout: 120000 });
    await idle();
    await studio.settle();
    const alone = sinew.read(arm, { format: 'glb' });
    alone.computeWeights(null, { endpoints });
    const now = await skin();
    assert.deepEqual(now.slice(0, 3), [offsets, bones, weights]);
    assert.deepEqual(now[3], skinOf(alone)[3]);
    await studio.page.locator('.stage canvas').focus();
    await studio.press('Control+z');
    await studio.settle();
  });
}

test('what takes long says how far it is, lets one go on, and ends with Escape or its own button', async () => {
  await open('figure', mannequin);
  await choose('Bone weights', 'bbw');
  await choose('Endpoint weights', 'bbw');
  const before = await studio.document();
  for (const cancel of [() => studio.press('Escape'), () => studio.click('cancel-job'), () => studio.click('status-cancel')]) {
    await watch();
    await studio.click('compute-weights');
    await studio.page.waitForFunction(() => window.seen.some(({ fraction, button }) => fraction > 0.02 && /^\d+% — cancel$/.test(button)), null, { timeout: 60000 });
    const steps = await seen();
    assert.ok(steps.every(({ fraction }, k) => k === 0 || steps[k - 1].stage !== steps[k].stage || fraction >= steps[k - 1].fraction), 'it only goes on');
    // The view turns meanwhile, and a second one is not begun.
    await studio.page.locator('.stage canvas').focus();
    const [azimuth] = await studio.look(() => window.studio.viewport.orbit.state);
    await studio.press('ArrowLeft');
    assert.notEqual((await studio.look(() => window.studio.viewport.orbit.state))[0], azimuth);
    assert.equal(await studio.page.locator('[data-id="compute-weights"]').count(), 0);
    await cancel();
    await idle();
    assert.match((await studio.message()).text, /cancelled/);
    assert.deepEqual(await studio.document(), before);
  }
});

test('posing goes on while weights are computed, and both are kept', async () => {
  const count = await past();
  await studio.click('compute-weights');
  await studio.page.waitForFunction(() => window.studio.job.value?.fraction > 0);
  await studio.press('F1');
  await studio.look(() => window.studio.posing.change('Twist', () => ({ joints: { 'hand.L': { twist: 40 } } })));
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 2, count, { timeout: 120000 });
  await idle();
  await studio.settle();
  assert.equal((await studio.document()).pose.joints['hand.L'].twist, 40);
  assert.deepEqual(await studio.look(() => window.studio.store.past.slice(-2).map(({ label }) => label)), ['Twist', 'Compute weights']);
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Control+z');
  await studio.press('Control+z');
  await studio.settle();
});

test('what was computed for a skeleton that has changed meanwhile is not taken', async () => {
  await studio.press('F3');
  await studio.click('compute-weights');
  await studio.page.waitForFunction(() => window.studio.job.value?.fraction > 0);
  await studio.look(() => window.studio.edit('Smooth weights', { kind: 'edit', steps: [{ smooth: 1 }] }));
  const changed = await studio.document();
  await studio.page.waitForFunction(() => /the rig has changed meanwhile/.test(window.studio.message.value?.text), null, { timeout: 120000 });
  assert.deepEqual(await studio.document(), changed);
});

test('a limit on bones a vertex is kept', async () => {
  await open('limited', arm);
  const count = await past();
  await choose('Bone weights', 'shepard');
  await choose('Endpoint weights', 'projection');
  await studio.page.fill('.inspector input[aria-label^="At most"]', '2');
  await studio.press('Enter');
  await studio.click('compute-weights');
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 1, count, { timeout: 60000 });
  const [offsets] = await skin();
  assert.equal(Math.max(...offsets.slice(1).map((end, v) => end - offsets[v])), 2);
});

test('nothing went wrong meanwhile', () => assert.deepEqual(studio.errors, []));
