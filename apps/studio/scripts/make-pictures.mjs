// SPDX-License-Identifier: Apache-2.0
// Draws the pictures of docs/tutorials/studio.md and of the README, by doing what the tutorial says:
//   node scripts/make-pictures.mjs [FOLDER]      after npm run build; FOLDER: docs/pictures
// With --panels FOLDER: every panel, wide and narrow, light and dark, to be looked at; with --film FOLDER: the film alone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch, openStudio, serve } from '../tests/browser/harness.mjs';

const args = process.argv.slice(2);
const panels = args[0] === '--panels';
const filmOnly = args[0] === '--film';
const folder = (panels || filmOnly ? args[1] : args[0]) ?? fileURLToPath(new URL('../../../docs/pictures', import.meta.url));
mkdirSync(folder, { recursive: true });
const sinewFolder = fileURLToPath(new URL('../../../dist/sinew', import.meta.url));
const { default: createSinew } = await import(pathToFileURL(`${sinewFolder}/sinew.js`).href);
const sinew = await createSinew();

const server = await serve();
const browser = await launch();
const set = (studio, change) => studio.look((part) => window.studio.store.set(part), change);
async function shoot(studio, name) {
  // How fast the processor draws here says nothing about what people see.
  await studio.look(() => {
    const facts = document.querySelector('.status .facts');
    facts.textContent = facts.textContent.replace(/ · \d+ fps$/, '');
  });
  if (panels) await studio.page.screenshot({ path: `${folder}/studio-${name}.png` });
  else await studio.page.screenshot({ path: `${folder}/studio-${name}.jpg`, type: 'jpeg', quality: 82 });
}
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function calm(studio) {
  await studio.look(() => window.studio.store.set({ welcome: false, playing: false, clip: undefined, time: 0 }));
  await studio.settle();
}

const stretched = {
  joints: { 'upper_arm.L': { bend: [[38, 'z']] }, 'forearm.L': { stretch: 1.7, bend: [[25, 'y']] }, 'hand.L': { twist: 150 }, 'upper_arm.R': { bend: [[20, 'z']] }, chest: { bend: [[-6, 'z']] } },
};

async function pose(studio, told) {
  await studio.look((value) => window.studio.posing.change('Pose', () => value), told);
  await studio.settle();
}

async function tutorial() {
  const context = await browser.newContext({ viewport: { width: 1120, height: 700 } });
  const studio = await openStudio(context, server.url);
  await rest(1200);
  await shoot(studio, 'first');

  // A mesh without a skeleton.
  const mesh = sinew.sample('mannequin', { vertices: 4000 }).toBytes('obj');
  await studio.drop([{ name: 'figure.obj', bytes: mesh }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'figure');
  await studio.settle();
  await studio.page.click('[data-template="Person"]');
  await studio.look(() => (window.studio.message.value = undefined));
  await rest(400);
  await shoot(studio, 'template');
  await studio.click('take-template');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.joints.length > 5);
  await studio.settle();
  await studio.click('bind');
  await studio.page.waitForFunction(() => window.studio.job.value?.fraction > 0.05, null, { timeout: 60000 }).catch(() => undefined);
  await shoot(studio, 'binding');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.hasWeights, null, { timeout: 300000 });
  await studio.settle();

  await studio.press('F1');
  await studio.settle();
  const hand = await studio.joint('hand.L');
  await studio.drag(hand, [hand[0] + 150, hand[1] - 120]);
  await set(studio, { selection: ['hand.L'] });
  await studio.look(() => (window.studio.message.value = undefined));
  await rest(300);
  await shoot(studio, 'drag');
  const { pose: pulled } = await studio.document();

  await studio.press('F3');
  await set(studio, { selection: ['forearm.L'] });
  await studio.look(() => window.studio.store.set({ brush: { ...window.studio.store.session.brush, target: 'endpoints' } }));
  await studio.settle();
  await rest(500);
  await shoot(studio, 'paint');

  await biceps(studio);
  await studio.click('muscle-by-angle');
  await studio.page.waitForSelector('[data-id="no-muscle"]');
  const gain = studio.page.locator('[data-id="muscle-gain"]');
  await gain.fill('1');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.bones.some(({ muscle }) => muscle?.angle?.gain === 1));
  await set(studio, { workspace: 'pose' });
  await studio.settle();
  await set(studio, { workspace: 'paint', overlay: 'none' });
  await studio.page.click('[aria-label="Curve"] [data-value="bulge"]');
  await studio.settle();
  await studio.page.locator('.curve-box').scrollIntoViewIfNeeded();
  await studio.page.evaluate(() => document.querySelector('.curve-box').scrollIntoView({ block: 'start' }));
  await rest(600);
  await shoot(studio, 'muscle');
  await pose(studio, pulled);

  await studio.press('F1');
  await set(studio, { selection: ['hand.L'] });
  await studio.type('twist', '170');
  await studio.page.locator('.stage canvas').focus();
  await studio.press('c');
  await studio.page.waitForSelector('[data-id="measures-1"] dd', { timeout: 60000 });
  await shoot(studio, 'compare');
  await studio.press('c');

  await studio.press('F4');
  await studio.click('new-clip');
  for (const [time, twist, bend] of [[0, 0, 0], [0.6, 120, 40], [1.2, -60, -10]]) {
    await set(studio, { time });
    await pose(studio, { joints: { 'hand.L': { twist }, 'upper_arm.L': { bend: [[bend, 'z']] }, 'forearm.L': { stretch: 1 + Math.abs(bend) / 60 } } });
  }
  await set(studio, { onion: true, selection: ['forearm.L', 'hand.L'] });
  await studio.page.click('[data-channel="all"] [data-time="0.6"]');
  await studio.settle();
  await rest(1500);
  await shoot(studio, 'animate');
  await set(studio, { onion: false });

  await studio.click('export');
  await studio.click('export-baked');
  await studio.page.waitForSelector('[data-id="bake-report"]', { timeout: 120000 });
  await rest(300);
  await shoot(studio, 'bake');
  await studio.press('Escape');

  await openDancer(studio);
  await shoot(studio, 'layers');
  await context.close();
}

// A hand turned by 170 degrees, by two methods, from nearby.
async function sideBySide() {
  const context = await browser.newContext({ viewport: { width: 1120, height: 560 }, reducedMotion: 'reduce' });
  const studio = await openStudio(context, server.url);
  await calm(studio);
  await set(studio, { inspector: false, showBones: false, compared: ['lbs'] });
  await pose(studio, { joints: { 'upper_arm.L': { bend: [[30, 'z']] }, 'forearm.L': { stretch: 1.35 }, 'hand.L': { twist: 170 } } });
  await studio.page.waitForSelector('[data-id="measures-1"] dd', { timeout: 60000 });
  await studio.look(() => {
    const { frame, store, viewport } = window.studio;
    const { joints } = store.document.rig.info;
    const at = (name) => viewport.orbit.target.clone().fromArray(frame.value.jointFrames, 16 * joints.findIndex((joint) => joint.key === name) + 12);
    const [elbow, hand] = [at('forearm.L'), at('hand.L')];
    viewport.orbit.look(0.25, 0.15);
    viewport.orbit.focus(elbow.clone().lerp(hand, 0.75), elbow.distanceTo(hand) * 0.7);
    viewport.draw();
  });
  await studio.look(() => (window.studio.message.value = undefined));
  await rest(800);
  const stage = studio.page.locator('.stage');
  if (panels) await stage.screenshot({ path: `${folder}/studio-side-by-side.png` });
  else await stage.screenshot({ path: `${folder}/studio-side-by-side.jpg`, type: 'jpeg', quality: 84 });
  await context.close();
}

// What is seen while something is under way, and when it is over.
async function otherStates(studio, size) {
  await studio.drop([{ name: 'figure.obj', bytes: sinew.sample('mannequin', { vertices: 4000 }).toBytes('obj') }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'figure');
  await set(studio, { workspace: 'rig', inspector: true });
  await studio.settle();
  await rest(300);
  await shoot(studio, `${size}-no-skeleton`);
  await studio.page.click('[data-template="Person"]');
  await rest(400);
  await shoot(studio, `${size}-template`);
  await studio.click('take-template');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.joints.length > 5);
  await studio.settle();
  await studio.click('bind');
  await studio.page.waitForFunction(() => window.studio.job.value?.fraction > 0.05, null, { timeout: 60000 });
  await shoot(studio, `${size}-binding`);
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.hasWeights, null, { timeout: 300000 });
  await studio.settle();
  await set(studio, { workspace: 'paint' });
  await studio.page.locator('.inspector .facts-list').scrollIntoViewIfNeeded();
  await rest(300);
  await shoot(studio, `${size}-report`);
  await set(studio, { workspace: 'animate' });
  await studio.click('new-clip');
  for (const [time, twist] of [[0, 0], [0.6, 120], [1.2, -60]]) {
    await set(studio, { time });
    await pose(studio, { joints: { 'hand.L': { twist }, 'upper_arm.L': { bend: [[twist / 4, 'z']] } } });
  }
  await set(studio, { selection: ['hand.L', 'upper_arm.L'] });
  await studio.page.click('[data-channel="all"] [data-time="0.6"]');
  await studio.page.click('[aria-label="Easing"] [data-value="curve"]');
  await studio.page.locator('.ease-editor').scrollIntoViewIfNeeded();
  await rest(500);
  await shoot(studio, `${size}-keys`);
  await studio.click('record');
  await rest(300);
  await shoot(studio, `${size}-recording`);
  await studio.click('record');
  await studio.click('export');
  await studio.click('export-baked');
  await studio.page.waitForSelector('[data-id="bake-report"]', { timeout: 120000 });
  await rest(300);
  await shoot(studio, `${size}-bake`);
  await studio.press('Escape');
  await studio.drop([{ name: 'broken.glb', bytes: Buffer.from('glTF') }]);
  await studio.page.waitForFunction(() => window.studio.message.value?.kind === 'bad');
  await rest(200);
  await shoot(studio, `${size}-failed`);
}

// A drag, filmed: the upper half of the figure, so that one sees the skin go along.
async function film() {
  const context = await browser.newContext({ viewport: { width: 720, height: 540 }, reducedMotion: 'reduce' });
  const studio = await openStudio(context, server.url);
  await calm(studio);
  await set(studio, { inspector: false });
  await rest(400);
  const file = await studio.look(async () => {
    const { viewport, core, store } = window.studio;
    const id = store.document.rig.id;
    const { joints } = store.document.rig.info;
    const j = joints.findIndex((joint) => joint.name === 'hand.L');
    const first = await core.call('frame', { rig: id, pose: { joints: {} }, methods: ['stbs-dqs'] });
    const at = [12, 13, 14].map((k) => first.jointFrames[16 * j + k]);
    store.set({ selection: ['hand.L'] });
    await new Promise((resolve) => requestAnimationFrame(() => resolve()));
    viewport.fit([0.18, 0.06]);
    viewport.orbit.target.x += 0.22;
    viewport.orbit.target.y += 0.42;
    viewport.orbit.zoom(0.6);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [480, Math.round((480 * viewport.canvas.clientHeight) / viewport.canvas.clientWidth)];
    const context2d = canvas.getContext('2d', { willReadFrequently: true });
    const frames = [];
    const count = 32;
    for (let f = 0; f < count; ++f) {
      const t = (1 - Math.cos((2 * Math.PI * f) / count)) / 2;
      const turn = Math.sin((2 * Math.PI * f) / count);
      const position = [at[0] + 0.4 * t, at[1] + 0.55 * t + 0.12 * turn, at[2] + 0.1 * turn];
      const frame = await core.call('frame', { rig: id, pose: { joints: { 'hand.L': { twist: 140 * t } } }, methods: ['stbs-dqs'], drag: { goals: [{ joint: 'hand.L', position }], lengths: 'free', pins: [] } });
      viewport.setFrame(frame);
      viewport.setGizmo(undefined);
      viewport.pixels(context2d, '#e4e7eb');
      frames.push(context2d.getImageData(0, 0, canvas.width, canvas.height).data);
    }
    const { width, height } = canvas;
    const bytes = await core.start('film', [{ width, height, frames, secondsPerFrame: 0.06, format: 'gif' }]).done;
    return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
  });
  writeFileSync(`${folder}/studio.gif`, Buffer.from(file, 'base64'));
  await context.close();
}

// A bent arm with a biceps, the curve of which is shown.
async function biceps(studio) {
  await pose(studio, { joints: { 'upper_arm.L': { bend: [[30, 'z']] }, 'forearm.L': { bend: [[110, 'y']] } } });
  await set(studio, { workspace: 'paint', selection: ['upper_arm.L'], inspector: true });
  await studio.settle();
  await studio.page.click('[aria-label="Curve"] [data-value="bulge"]');
}

// What a sculptor might do to the elbow: a corrective is made of it.
async function corrective(studio) {
  await studio.look(async () => {
    const { core, stage, store } = window.studio;
    const { clip, time } = store.session;
    const text = new TextDecoder().decode(await core.call('posed', stage.moment(clip, time), 'dqs'));
    const input = new DataTransfer();
    input.items.add(new File([text], 'elbow.obj'));
    HTMLInputElement.prototype.click = function choose() {
      this.files = input.files;
      this.dispatchEvent(new Event('change'));
    };
  });
  await studio.click('take-sculpt');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.correctives.length > 0, null, { timeout: 60000 });
  await studio.settle();
}

// A drawing with its hand before its chest.
async function openDancer(studio) {
  await studio.click('open');
  await studio.page.click('.popover [data-sample="dancer"]');
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'dancer' && window.studio.viewport.hasTexture, null, { timeout: 90000 });
  await set(studio, { workspace: 'pose', inspector: true });
  await studio.settle();
  const [part, tip, chest] = await studio.look(() => {
    const { joints, bones, layers } = window.studio.store.document.rig.info;
    const front = bones[layers.at(-1)];
    return [front.joint, front.tailJoint, bones[0].tailJoint].map((joint) => joints[joint].key);
  });
  const to = await studio.joint(chest);
  await studio.drag(await studio.joint(tip), [to[0], to[1] + 40]);
  await set(studio, { selection: [part] });
  await studio.page.evaluate(() => document.querySelector('[data-id="layer-front"]').closest('details').scrollIntoView({ block: 'start' }));
  await rest(800);
}

async function everyPanel() {
  for (const [size, viewport] of [['wide', { width: 1440, height: 900 }], ['narrow', { width: 390, height: 844 }]]) {
    const context = await browser.newContext({ viewport, hasTouch: size === 'narrow' });
    const studio = await openStudio(context, server.url);
    await rest(800);
    await shoot(studio, `${size}-first`);
    await calm(studio);
    await pose(studio, stretched);
    for (const theme of ['light', 'dark']) {
      await set(studio, { theme, selection: ['forearm.L'] });
      for (const workspace of ['pose', 'rig', 'paint', 'animate']) {
        await set(studio, { workspace, inspector: true });
        await studio.settle();
        await rest(500);
        await shoot(studio, `${size}-${theme}-${workspace}`);
      }
    }
    await set(studio, { theme: 'light', workspace: 'pose', inspector: size === 'wide' });
    for (const menu of ['open', 'history', 'export', 'help']) {
      await studio.click(menu);
      await rest(300);
      await shoot(studio, `${size}-menu-${menu}`);
      await studio.press('Escape');
    }
    await studio.look(() => window.studio.store.set({ compared: ['lbs'] }));
    await studio.page.waitForSelector('[data-id="measures-1"] dd', { timeout: 60000 });
    await shoot(studio, `${size}-compare`);
    await set(studio, { compared: ['lbs', 'dqs', 'delta-mush'] });
    await studio.settle();
    await rest(1500);
    await shoot(studio, `${size}-four`);
    await set(studio, { compared: ['lbs'], swipe: 0.5 });
    await studio.settle();
    await rest(800);
    await shoot(studio, `${size}-swipe`);
    await set(studio, { compared: [], swipe: undefined });
    await biceps(studio);
    for (const theme of ['light', 'dark']) {
      await set(studio, { theme });
      await rest(300);
      if (theme === 'light') {
        await shoot(studio, `${size}-muscle-none`);
        await studio.click('muscle-by-angle');
        await studio.page.waitForSelector('[data-id="no-muscle"]');
        await studio.settle();
      }
      await studio.page.locator('[data-id="no-muscle"]').scrollIntoViewIfNeeded();
      await rest(500);
      await shoot(studio, `${size}-${theme}-muscle`);
    }
    await set(studio, { workspace: 'pose', theme: 'light' });
    await studio.look(() => window.studio.store.run({ label: 'lbs', apply: (document) => ({ ...document, method: 'lbs' }) }));
    await studio.settle();
    const summary = studio.page.locator('summary:has-text("Correctives")');
    await summary.click();
    await rest(300);
    await studio.page.locator('[data-id="corrective-radius"]').scrollIntoViewIfNeeded();
    await shoot(studio, `${size}-corrective-none`);
    await corrective(studio);
    await studio.page.locator('[data-id="corrective-radius"]').scrollIntoViewIfNeeded();
    await rest(300);
    for (const theme of ['light', 'dark']) {
      await set(studio, { theme });
      await rest(300);
      await shoot(studio, `${size}-${theme}-corrective`);
    }
    await set(studio, { theme: 'light' });
    await openDancer(studio);
    await shoot(studio, `${size}-layers`);
    await otherStates(studio, size);
    await context.close();
  }
}

try {
  if (panels) {
    await everyPanel();
    await sideBySide();
  } else {
    if (!filmOnly) {
      await tutorial();
      await sideBySide();
    }
    await film();
  }
} finally {
  await browser.close();
  server.end();
}
