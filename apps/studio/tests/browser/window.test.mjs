// SPDX-License-Identifier: Apache-2.0
// The window itself: its size, its colours, its lists of keys, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { beginCalm, browser, giveFewVertices, server, studio } from './desk.mjs';
import { openStudio } from './harness.mjs';

before(beginCalm);

const boxOf = (selector) => studio.look((one) => document.querySelector(one).getBoundingClientRect().toJSON(), selector);
const resize = async (width, height) => {
  await studio.page.setViewportSize({ width, height });
  await studio.page.waitForFunction(([w, h]) => window.innerWidth === w && window.innerHeight === h && window.studio.viewport.canvas.getBoundingClientRect().right <= w, [width, height]);
  await studio.settle();
};

test('the view fills what panels leave, at any size, and what is grabbed stays under the pointer', async () => {
  for (const [width, height] of [[1440, 900], [700, 500], [1000, 640]]) {
    // Where it is narrow, the inspector is a sheet over it.
    await studio.look((inspector) => window.studio.store.set({ inspector }), width > 760);
    await resize(width, height);
    const [view, stage] = [await boxOf('.stage canvas'), await boxOf('.stage')];
    assert.deepEqual([view.width, view.height], [stage.width, stage.height]);
    assert.ok(view.width > 250 && view.height > 250, `${view.width} x ${view.height}`);
    const { aspect, inside } = await studio.look(() => {
      const { viewport, store } = window.studio;
      const f = viewport.lastFrame.jointFrames;
      const { width: w, height: h } = viewport.canvas.getBoundingClientRect();
      const places = store.document.rig.info.joints.map((_, j) => viewport.pick.project([f[16 * j + 12], f[16 * j + 13], f[16 * j + 14]], 0));
      return { aspect: viewport.orbit.camera.aspect * (h / w), inside: places.every(([x, y]) => x > 0 && y > 0 && x < w && y < h) };
    });
    assert.ok(Math.abs(aspect - 1) < 1e-3, 'a circle is one');
    assert.ok(inside, `all of the figure is seen in ${width} x ${height}`);
    const hand = await studio.joint('hand.L');
    await studio.drag(hand, [hand[0] + 20, hand[1] - 25]);
    const there = await studio.joint('hand.L');
    assert.ok(Math.hypot(there[0] - hand[0] - 20, there[1] - hand[1] + 25) < 1.5, `${there} from ${hand}`);
    await studio.press('Control+z');
    await studio.settle();
  }
});

test('on a narrow window nothing lies outside, and the inspector is a sheet', async () => {
  for (const workspace of ['pose', 'rig', 'paint', 'animate']) {
    await studio.look((value) => window.studio.store.set({ workspace: value, selection: ['forearm.L'], inspector: true }), workspace);
    await resize(390, 844);
    const outside = await studio.look(() =>
      [...document.querySelectorAll('button, select, input, summary')]
        .filter((one) => one.checkVisibility())
        .map((one) => ({ box: one.getBoundingClientRect(), name: one.getAttribute('aria-label') ?? one.textContent ?? '', hidden: one.closest('.top, .time-controls, .timeline') }))
        // What scrolls sideways, does.
        .filter(({ box, hidden }) => box.width > 0 && !hidden && (box.left < -1 || box.right > window.innerWidth + 1))
        .map(({ name }) => name));
    assert.deepEqual(outside, [], workspace);
    assert.equal(await studio.look(() => document.documentElement.scrollWidth <= window.innerWidth), true);
    const sheet = await boxOf('#inspector');
    assert.ok(sheet.bottom <= 845 && sheet.width > 380, JSON.stringify(sheet));
    await resize(1000, 640);
    const side = await boxOf('#inspector');
    assert.ok(side.left > 600 && side.height > 400, JSON.stringify(side));
  }
  await studio.look(() => window.studio.store.set({ workspace: 'pose', selection: [] }));
});

test('each workspace has its button, and a way to everything on a narrow window', async () => {
  await resize(390, 844);
  await studio.look(() => window.studio.store.set({ inspector: false }));
  for (const [value, keys] of [['rig', 'F2'], ['paint', 'F3'], ['animate', 'F4'], ['pose', 'F1']]) {
    await studio.page.click(`.spaces [data-value="${value}"]`);
    assert.equal(await studio.look(() => window.studio.store.session.workspace), value);
    await studio.press('F1');
    await studio.press(keys);
    assert.equal(await studio.look(() => window.studio.store.session.workspace), value);
  }
  for (const id of ['undo', 'redo', 'history', 'export', 'help', 'open']) {
    await studio.page.locator(`[data-id="${id}"]`).scrollIntoViewIfNeeded();
    const box = await boxOf(`[data-id="${id}"]`);
    assert.ok(box.left >= 0 && box.right <= 391 && box.width >= 24, `${id}: ${JSON.stringify(box)}`);
  }
  await resize(1000, 640);
  await studio.look(() => window.studio.store.set({ inspector: true }));
});

test('menus stay within a narrow window', async () => {
  await resize(390, 844);
  for (const id of ['open', 'history', 'export']) {
    await studio.click(id);
    const box = await boxOf('.popover');
    assert.ok(box.left >= 0 && box.right <= 390 && box.top >= 0 && box.bottom <= 844, `${id}: ${JSON.stringify(box)}`);
    await studio.press('Escape');
    assert.equal(await studio.page.locator('.popover').count(), 0);
    assert.equal(await studio.look(() => document.activeElement?.dataset.id), id, 'back to where one was');
  }
  await resize(1000, 640);
});

test('it is light or dark as the system is, until it is changed here', async () => {
  const colors = () =>
    studio.look(() => ({
      theme: document.documentElement.dataset.theme,
      panel: getComputedStyle(document.querySelector('.inspector')).backgroundColor,
      text: getComputedStyle(document.querySelector('.inspector')).color,
    }));
  const brightness = (color) => {
    const [r, g, b] = color.match(/[\d.]+/g).map(Number);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const scheme of ['light', 'dark', 'light']) {
    await studio.page.emulateMedia({ colorScheme: scheme });
    await studio.page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, scheme);
    const { panel, text } = await colors();
    const [one, two] = [brightness(panel), brightness(text)];
    assert.ok(scheme === 'light' ? one - two > 120 : two - one > 120, `${panel} and ${text}`);
  }
  await studio.page.click('[aria-label="Light or dark"]');
  assert.equal((await colors()).theme, 'dark');
  await studio.page.emulateMedia({ colorScheme: 'dark' });
  await studio.page.emulateMedia({ colorScheme: 'light' });
  assert.equal((await colors()).theme, 'dark', 'it was chosen');
  await studio.page.click('[aria-label="Light or dark"]');
  assert.equal((await colors()).theme, 'light');
});

test('nothing moves by itself where people want that', async () => {
  const calm = await browser.newContext({ viewport: { width: 800, height: 500 }, deviceScaleFactor: 0.25, serviceWorkers: 'block', reducedMotion: 'reduce' });
  await giveFewVertices(calm);
  const there = await openStudio(calm, server.url);
  const { playing, durations } = await there.look(() => ({
    playing: window.studio.store.session.playing,
    durations: [...document.querySelectorAll('.inspector, .button, .timeline, .popover')].map((one) => getComputedStyle(one).transitionDuration),
  }));
  assert.equal(playing, false);
  assert.ok(durations.every((text) => text.split(',').every((one) => Number.parseFloat(one) < 0.01)), `${durations}`);
  await calm.close();
});

test('? lists every key, and Escape leaves the list', async () => {
  await studio.page.locator('.stage canvas').focus();
  await studio.press('?');
  const listed = await studio.page.locator('.shortcuts dd').allInnerTexts();
  const keys = await studio.page.locator('.shortcuts kbd').allInnerTexts();
  for (const group of ['Everywhere', 'Pose', 'Rig', 'Paint', 'Animate']) assert.equal(await studio.page.locator(`.shortcuts h3:has-text("${group}")`).count(), 1);
  for (const key of ['Ctrl Z', 'Ctrl Shift Z', 'F1', 'F4', 'F', '1', '2', '3', 'M', 'P', 'R', 'X', '[', ']', 'S', 'Q', 'L', 'K', 'C', 'V', 'H', 'Space', '?', '←']) assert.ok(keys.includes(key), `${key} in ${keys}`);
  assert.ok(listed.every((text) => text.length > 2) && listed.length > 35, `${listed.length} lines`);
  const dialog = await boxOf('dialog.dialog');
  assert.ok(dialog.top >= 0 && dialog.bottom <= 640 && dialog.left >= 0 && dialog.right <= 1000, JSON.stringify(dialog));
  // Keys do nothing behind it.
  await studio.press('b');
  assert.equal(await studio.look(() => window.studio.store.session.showBones), true);
  await studio.press('Escape');
  await studio.page.waitForSelector('dialog.dialog', { state: 'detached' });
  await studio.click('help');
  assert.equal(await studio.page.locator('dialog.dialog').count(), 1);
  await studio.page.click('dialog.dialog [aria-label="Close"]');
  await studio.page.waitForSelector('dialog.dialog', { state: 'detached' });
});

test('keys of one stroke switch what is shown, and back', async () => {
  await studio.page.locator('.stage canvas').focus();
  for (const [key, name] of [['b', 'showBones'], ['w', 'showWire'], ['n', 'inspector'], ['m', 'mirror']]) {
    const before = await studio.look((one) => window.studio.store.session[one], name);
    await studio.press(key);
    assert.equal(await studio.look((one) => window.studio.store.session[one], name), !before, key);
    await studio.press(key);
    assert.equal(await studio.look((one) => window.studio.store.session[one], name), before, key);
  }
  await studio.look(() => window.studio.viewport.orbit.zoom(3));
  await studio.press('f');
  await studio.press('Control+a');
  const { selected, distance, size } = await studio.look(() => ({ selected: window.studio.store.session.selection.length, distance: window.studio.viewport.orbit.state[2], size: window.studio.viewport.modelSize }));
  assert.ok(selected > 10 && distance < 4 * size, `${selected} joints, from ${distance / size} sizes`);
  await studio.press('Escape');
  assert.equal(await studio.look(() => window.studio.store.session.selection.length), 0);
});

test('another workspace has other tools, and the same document, view and selection', async () => {
  await studio.look(() => window.studio.store.set({ selection: ['forearm.L', 'head'] }));
  await studio.type('twist', '40');
  const state = async () => ({ document: await studio.document(), more: await studio.look(() => [window.studio.viewport.orbit.state, window.studio.store.session.selection, window.studio.store.past.length]) });
  const before = await state();
  const tools = new Set();
  for (const key of ['F2', 'F3', 'F4', 'F1']) {
    await studio.press(key);
    await studio.settle();
    assert.deepEqual(await state(), before, key);
    tools.add((await studio.page.locator('.rail button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).join());
  }
  assert.equal(tools.size, 3, 'posing and animating have the same');
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Control+z');
  await studio.settle();
  await studio.look(() => window.studio.store.set({ selection: [] }));
});

test('the line at the bottom says what the pointer would do', async () => {
  const hint = async (at, pattern) => {
    await studio.page.mouse.move(...at);
    assert.match(await studio.page.locator('.status .hint').innerText(), pattern);
  };
  const hand = await studio.joint('hand.L');
  await hint(hand, /hand\.L.*Drag: stretch · Shift: keep lengths · Alt: both sides/);
  assert.equal(await studio.look(() => window.studio.store.session.hover), 'hand.L', 'it stands out');
  await studio.press('2');
  await hint([hand[0] + 1, hand[1]], /Drag: turn, lengths kept/);
  await studio.press('3');
  await hint(hand, /stretch out of reach/);
  await studio.press('1');
  const box = await boxOf('.stage canvas');
  await hint([box.left + 20, box.top + 20], /drag the background to turn/);
  await studio.press('F3');
  await hint(hand, /Click a bone to paint|Paint /);
  await studio.press('F2');
  await hint(await studio.joint('hand.L'), /move the joint · Ctrl: to the middle of the volume/);
  await studio.press('F1');
});

test('all that can be pressed has a name, and all of it can be reached by Tab', async () => {
  for (const workspace of ['pose', 'rig', 'paint', 'animate']) {
    await studio.look((value) => window.studio.store.set({ workspace: value, selection: ['forearm.L'] }), workspace);
    await studio.settle();
    const { nameless, skipped } = await studio.look(() => {
      const all = [...document.querySelectorAll('button, select, input, summary, [role=slider], [role=treeitem], [role=radio], canvas')].filter((one) => one.checkVisibility());
      const nameOf = (one) => one.getAttribute('aria-label') || one.textContent?.trim() || one.closest('label')?.textContent?.trim() || one.getAttribute('title') || '';
      return {
        nameless: all.filter((one) => nameOf(one) === '').map((one) => one.outerHTML.slice(0, 120)),
        skipped: all.filter((one) => !one.disabled && one.tabIndex < 0 && !one.closest('[role=tree]')).map((one) => one.outerHTML.slice(0, 120)),
      };
    });
    assert.deepEqual({ nameless, skipped }, { nameless: [], skipped: [] }, workspace);
  }
  await studio.look(() => window.studio.store.set({ workspace: 'pose', selection: [] }));
});

test('nothing went wrong meanwhile', () => assert.deepEqual(studio.errors, []));
