// SPDX-License-Identifier: Apache-2.0
// What is easily forgotten: very large models, the keyboard, other tabs, full storage, browsers that cannot draw.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { openStudio, serve } from './harness.mjs';
import { beginCalm, browser, context, giveFewVertices, mannequin, server, sinew, studio } from './desk.mjs';

before(beginCalm);

const focused = () => studio.look(() => [document.activeElement?.dataset.value, document.activeElement?.dataset.id]);

test('the keyboard stays where it is when a panel is made anew', async () => {
  await studio.page.focus('.spaces [data-value="rig"]');
  await studio.press('Enter');
  await studio.page.waitForFunction(() => window.studio.store.session.workspace === 'rig');
  assert.deepEqual(await focused(), ['rig', undefined]);
  // Arrow keys go from one of a few to the next.
  await studio.press('ArrowRight');
  await studio.page.waitForFunction(() => window.studio.store.session.workspace === 'paint');
  assert.deepEqual(await focused(), ['paint', undefined]);
  await studio.page.focus('[data-id="brush-smooth"]');
  await studio.press('Space');
  await studio.page.waitForFunction(() => window.studio.store.session.brush.mode === 'smooth');
  assert.deepEqual(await focused(), [undefined, 'brush-smooth']);
  // A click into the view is meant.
  await studio.page.locator('.stage canvas').focus();
  await studio.press('F1');
  assert.equal(await studio.look(() => document.activeElement?.tagName), 'CANVAS');
  await studio.settle();
});

test('a .gltf has its textures, too', async () => {
  const head = sinew.sample('head', { vertices: 600 }).toBytes('gltf');
  await studio.drop([{ name: 'face.gltf', bytes: head }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'face', null, { timeout: 60000 });
  await studio.page.waitForFunction(() => window.studio.viewport.hasTexture, null, { timeout: 60000 });
  await studio.settle();
});

test('a joint is put onto a picture, which has no volume', async () => {
  const { image, bones } = sinew.samplePicture('dancer', { size: 128 });
  await studio.drop([{ name: 'flat.glb', bytes: new sinew.Puppet(image, { bones }).rig().toBytes('glb') }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'flat', null, { timeout: 60000 });
  await studio.press('F2');
  await studio.settle();
  const count = await studio.look(() => window.studio.store.document.rig.info.joints.length);
  await studio.click('rig-add');
  // A vertex far from every joint.
  const at = await studio.look(() => {
    const { viewport } = window.studio;
    const p = viewport.positions();
    const box = viewport.canvas.getBoundingClientRect();
    for (let v = 0; v < p.length / 3; ++v) {
      const [x, y] = viewport.pick.project([p[3 * v], p[3 * v + 1], p[3 * v + 2]], 0);
      if (viewport.pick.joint(x, y, 20) < 0 && viewport.pick.surface(x, y).length > 0) return [x + box.left, y + box.top];
    }
    return undefined;
  });
  await studio.page.mouse.click(...at);
  await studio.page.waitForFunction((n) => window.studio.store.document.rig.info.joints.length === n + 1, count);
  await studio.settle();
  await studio.click('rig-add');
  await studio.look(() => window.studio.store.set({ rigTool: 'select' }));
  await studio.press('F1');
});

test('the keys of a clip are saved as the program reads them', async () => {
  await studio.drop([{ name: 'again.glb', bytes: mannequin }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'again');
  await studio.press('F4');
  await studio.settle();
  const hand = await studio.joint('hand.L');
  await studio.drag(hand, [hand[0] + 20, hand[1] - 40]);
  await studio.click('export');
  const saved = await studio.download(() => studio.click('export-keys'));
  assert.match(saved.name, /\.json$/);
  const rig = sinew.read(mannequin, { format: 'glb' });
  const before = rig.clipNames.length;
  rig.addKeys(saved.bytes.toString());
  assert.equal(rig.clipNames.length, before + 1);
  // One long thing at a time.
  await studio.look(() => (window.studio.job.value = { label: 'Something', stage: '', fraction: 0, cancel: () => (window.studio.job.value = undefined) }));
  await studio.click('export');
  await studio.click('export-turn');
  assert.match((await studio.message()).text, /Something is still under way/);
  // It is cancelled in the status line, however often its numbers change between the press and the release of the button.
  const cancel = await studio.page.locator('[data-id="status-cancel"]').boundingBox();
  await studio.page.mouse.move(cancel.x + cancel.width / 2, cancel.y + cancel.height / 2);
  await studio.page.mouse.down();
  await studio.look(() => (window.studio.job.value = { ...window.studio.job.value, fraction: 0.5 }));
  await studio.page.mouse.up();
  await studio.page.waitForFunction(() => window.studio.job.value === undefined);
  await studio.press('F1');
});

function largeTube() {
  const [sides, rings] = [400, 380];
  const positions = new Float64Array(3 * sides * rings);
  const triangles = new Uint32Array(6 * sides * (rings - 1));
  for (let r = 0, t = 0; r < rings; ++r) {
    for (let s = 0; s < sides; ++s) {
      const a = (2 * Math.PI * s) / sides;
      positions.set([0.2 * Math.cos(a), r / rings, 0.2 * Math.sin(a)], 3 * (r * sides + s));
      const [b, c, d] = [r * sides + ((s + 1) % sides), (r + 1) * sides + s, (r + 1) * sides + ((s + 1) % sides)];
      if (r + 1 < rings) triangles.set([r * sides + s, c, b, b, c, d], 6 * t++);
    }
  }
  const rig = new sinew.Rig();
  rig.setMesh(positions, triangles);
  rig.setSkeleton({ parents: Int32Array.from([-1, 0, 1]), rests: [0, 0.5, 0.5].map((y) => [0, y, 0, 0, 0, 0, 1, 1, 1, 1]), names: ['low', 'middle', 'high'] });
  const count = sides * rings;
  const bones = Int32Array.from({ length: count }, (_, v) => (positions[3 * v + 1] < 0.5 ? 0 : 1));
  rig.setWeights(new Float64Array(count).fill(1), { bones, offsets: Uint32Array.from({ length: count + 1 }, (_, v) => v), endpoints: Float64Array.from(bones, (b, v) => 2 * positions[3 * v + 1] - b) });
  return rig.toBytes('glb');
}

test('a very large model is shown in fewer triangles while it moves, and in all of them when it is let go', async () => {
  await studio.drop([{ name: 'large.glb', bytes: largeTube() }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'large', null, { timeout: 120000 });
  await studio.settle();
  const drawn = () => studio.look(() => window.studio.viewport.skinAt(0).object.geometry.groups.reduce((sum, { count }) => sum + count / 3, 0));
  const { text, action } = await studio.look(() => ({ ...window.studio.message.value, action: window.studio.message.value.action.label }));
  assert.match(text, /303,200 triangles/);
  assert.equal(action, 'Show fewer while it moves');
  assert.equal(await drawn(), 303200);
  const middle = await studio.joint('high');
  const during = async (to) => {
    await studio.page.mouse.move(...middle);
    await studio.page.mouse.down();
    await studio.page.mouse.move(middle[0] + to / 2, middle[1]);
    await studio.page.mouse.move(middle[0] + to, middle[1]);
    await studio.waitForDrag();
    const count = await drawn();
    await studio.page.mouse.up();
    await studio.settle();
    return count;
  };
  await studio.page.click(`button:has-text("${action}")`);
  await studio.settle();
  assert.equal(await drawn(), 303200);
  const fewer = await during(20);
  assert.ok(fewer > 20000 && fewer < 100000, `${fewer}`);
  assert.equal(await drawn(), 303200);
  // What is pointed at is the whole.
  const [x, y] = await studio.look(() => {
    const { width, height } = window.studio.viewport.canvas.getBoundingClientRect();
    return [width / 2, height / 2];
  });
  assert.ok((await studio.look(([px, py]) => window.studio.viewport.pick.surface(px, py)[0]?.triangle ?? -1, [x, y])) < 303200);
  await studio.click('proxy');
  assert.equal(await during(20), 303200);
  await studio.drop([{ name: 'small.glb', bytes: mannequin }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'small');
  await studio.settle();
  assert.equal(await studio.page.locator('[data-id="proxy"]').count(), 0);
});

test('a second tab is told that the first one saves', async () => {
  const second = await openStudio(context, server.url);
  const said = await second.page.waitForFunction(() => window.studio.message.value?.text);
  assert.match(await said.jsonValue(), /open in another tab/);
  await second.page.close();
});

test('a tab saves once the other one is closed, and what a file takes the place of is kept', async () => {
  const own = await browser.newContext({ viewport: { width: 800, height: 500 }, deviceScaleFactor: 0.25, serviceWorkers: 'block', reducedMotion: 'reduce' });
  await giveFewVertices(own);
  const first = await openStudio(own, server.url);
  const second = await openStudio(own, server.url);
  await second.page.waitForFunction(() => /open in another tab/.test(window.studio.message.value?.text));
  await second.look(() => window.studio.store.set({ welcome: false, clip: undefined, selection: ['hand.L'] }));
  await second.type('twist', '50');
  await first.page.close();
  await second.page.waitForFunction(() => document.documentElement.dataset.saved === '1', null, { timeout: 30000 });
  // Another file by mistake, and one more.
  for (const name of ['box', 'tube']) {
    await second.drop([{ name: `${name}.obj`, bytes: sinew.sample(name, { vertices: 60 }).toBytes('obj') }]);
    await second.page.waitForFunction((one) => window.studio.store.document.name === one && document.documentElement.dataset.saved === '0', name, { timeout: 30000 });
    await second.page.waitForTimeout(1200);
  }
  await second.click('open');
  assert.deepEqual(await second.page.$$eval('[data-id="kept"] b', (list) => list.map((one) => one.textContent)), ['mannequin']);
  await second.press('Escape');
  await second.page.close();
  // It is there the next time, too.
  const third = await openStudio(own, server.url);
  await third.page.waitForSelector('[data-id="welcome-kept"]');
  await third.page.click('[data-id="welcome-kept"]:has-text("Go on with mannequin")');
  await third.page.waitForFunction(() => window.studio.store.document.pose.joints['hand.L']?.twist === 50, null, { timeout: 30000 });
  await own.close();
});

test('a .gltf that the server is started with has its files, and nothing else of their folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinew-studio-'));
  const json = JSON.parse(Buffer.from(sinew.sample('tube', { vertices: 100 }).toBytes('gltf')).toString());
  mkdirSync(join(folder, 'data'));
  json.buffers.forEach((buffer, b) => {
    writeFileSync(join(folder, 'data', `part ${b}.bin`), Buffer.from(buffer.uri.split(',')[1], 'base64'));
    buffer.uri = `data/part%20${b}.bin`;
  });
  writeFileSync(join(folder, 'tube.gltf'), JSON.stringify(json));
  writeFileSync(join(folder, 'data', 'secret.bin'), 'secret');
  const other = await serve([join(folder, 'tube.gltf')]);
  try {
    const there = await openStudio(context, other.url);
    assert.equal((await there.document()).name, 'tube');
    const from = (path) => fetch(new URL(path, other.url)).then(({ status }) => status);
    assert.deepEqual(await Promise.all(['opened/data/part%200.bin', 'opened/data/secret.bin', 'opened/..%2Findex.html'].map(from)), [200, 400, 400]);
    await there.page.close();
  } finally {
    other.end();
    rmSync(folder, { recursive: true });
  }
});

test('a motion on its own is shown as it moves, and what was said of the mesh before it is gone', async () => {
  const file = (name, ending) => ({ name: `${name}.${ending}`, bytes: sinew.sample('mannequin', { vertices: 300 }).toBytes(ending) });
  await studio.drop([file('bare', 'obj')]);
  await studio.page.waitForFunction(() => /without a skeleton/.test(window.studio.message.value?.text));
  await studio.drop([file('steps', 'bvh')]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'steps' && window.studio.store.session.clip !== undefined);
  assert.equal(await studio.message(), undefined);
  assert.deepEqual(await studio.look(() => [window.studio.store.session.workspace, window.studio.player.duration() > 0.5]), ['animate', true]);
  await studio.look(() => window.studio.store.set({ playing: false, workspace: 'pose', clip: undefined }));
  await studio.settle();
});

test('where storage is full, that is said', async () => {
  const full = await browser.newContext({ viewport: { width: 800, height: 500 }, deviceScaleFactor: 0.25, serviceWorkers: 'block' });
  await giveFewVertices(full);
  await full.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('no room', 'QuotaExceededError');
    };
  });
  const there = await openStudio(full, server.url);
  await there.look(() => window.studio.store.set({ welcome: false, playing: false, clip: undefined, selection: ['hand.L'] }));
  await there.type('twist', '30');
  await there.page.waitForFunction(() => window.studio.message.value?.kind === 'bad', null, { timeout: 30000 });
  assert.match((await there.message()).text, /storage is full.*Save a project/);
  await full.close();
});

test('a browser that cannot draw says so, and what to do', async () => {
  const blind = await browser.newContext({ viewport: { width: 800, height: 500 }, serviceWorkers: 'block' });
  await blind.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === 'webgl2' ? null : real.call(this, kind, ...rest);
    };
  });
  const page = await blind.newPage();
  await page.goto(server.url);
  await page.waitForSelector('.stop');
  assert.match(await page.locator('.stop').innerText(), /cannot draw in 3D[\s\S]*WebGL 2[\s\S]*command line/);
  await blind.close();
});

test('nothing went wrong meanwhile', () => assert.deepEqual(studio.errors, []));
