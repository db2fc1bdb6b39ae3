// SPDX-License-Identifier: Apache-2.0
// Ways in and out: every kind of file, dropped and chosen, and every way to save, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { beginCalm, deformed, mannequin, sinew, studio } from './desk.mjs';

before(beginCalm);

const small = sinew.sample('mannequin', { vertices: 500 });
const named = async (name) => {
  await studio.page.waitForFunction((one) => window.studio.store.document.name === one && !window.studio.busy.value && !window.studio.job.value, name, { timeout: 90000 });
  await studio.settle();
};
/** Chooses files in the dialog of the browser that a click opens. */
const choose = async (click, files) => {
  const [chooser] = await Promise.all([studio.page.waitForEvent('filechooser'), click()]);
  await chooser.setFiles(files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })));
};
const byMenu = (files) =>
  choose(async () => {
    await studio.click('open');
    await studio.click('open-file');
  }, files);
const openFigure = async () => {
  await studio.drop([{ name: 'figure.glb', bytes: mannequin }]);
  await named('figure');
  await studio.press('F1');
  await studio.settle();
};
const facts = () =>
  studio.look(() => {
    const { vertices, joints, bones, clips, hasWeights } = window.studio.store.document.rig.info;
    return { vertices, joints: joints.map(({ name }) => name), bones: bones.length, clips: clips.map(({ name }) => name), hasWeights };
  });
const factsOf = (rig) => ({ vertices: rig.vertexCount, joints: rig.jointNames, bones: rig.boneCount, clips: rig.clips.map(({ name }) => name), hasWeights: rig.influenceCount > 0 });

for (const ending of ['glb', 'gltf', 'obj', 'ply', 'off', 'bvh', 'tgf']) {
  test(`a .${ending} is opened as it is, dropped or chosen`, async () => {
    const bytes = small.toBytes(ending);
    const wanted = factsOf(sinew.read(bytes, { format: ending }));
    for (const [way, open] of [['dropped', (files) => studio.drop(files)], ['chosen', byMenu]]) {
      // A motion is opened on its own where nothing has bones.
      await studio.drop([{ name: 'bare.off', bytes: small.toBytes('off') }]);
      await named('bare');
      await open([{ name: `${way}.${ending}`, bytes }]);
      await named(way);
      assert.deepEqual(await facts(), wanted);
      assert.equal(await studio.look(() => window.studio.store.past.length), 0);
    }
  });
}

test('a .gltf is opened with the files that it refers to, chosen together', async () => {
  const json = JSON.parse(new TextDecoder().decode(small.toBytes('gltf')));
  const [buffer] = json.buffers;
  const bytes = Buffer.from(buffer.uri.replace(/^data:[^,]*,/, ''), 'base64');
  assert.equal(bytes.length, buffer.byteLength);
  buffer.uri = 'parts/of%20it.bin';
  await byMenu([{ name: 'of it.bin', bytes }, { name: 'apart.gltf', bytes: Buffer.from(JSON.stringify(json)) }]);
  await named('apart');
  assert.deepEqual(await facts(), factsOf(sinew.read(small.toBytes('gltf'), { format: 'gltf' })));
});

test('pictures of each kind become puppets, dropped or chosen on the first screen', async () => {
  const { image } = sinew.samplePicture('dancer', { size: 128 });
  const pictures = await studio.look(async ({ base64, width, height }) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'image/png' }));
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0);
    const made = {};
    for (const kind of ['png', 'jpeg', 'webp']) {
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, `image/${kind}`, 0.95));
      made[kind] = [blob.type, Array.from(new Uint8Array(await blob.arrayBuffer()))];
    }
    return made;
  }, { base64: Buffer.from(image.toPng()).toString('base64'), width: image.width, height: image.height });
  for (const [kind, ending] of [['png', 'png'], ['jpeg', 'jpg'], ['webp', 'webp']]) {
    const [type, list] = pictures[kind];
    assert.equal(type, `image/${kind}`);
    const bytes = Uint8Array.from(list);
    const ways = [(files) => studio.drop(files), (files) => choose(async () => {
      await studio.page.click('.logo');
      await studio.click('welcome-picture');
    }, files)];
    for (const [w, open] of ways.entries()) {
      await open([{ name: `${kind}${w}.${ending}`, bytes }]);
      await named(`${kind}${w}`);
      const { bones, clips, hasWeights } = await facts();
      assert.ok(bones >= 8 && hasWeights, `${bones} bones`);
      assert.deepEqual(clips, ['wave', 'breathe']);
      await studio.page.waitForFunction(() => window.studio.viewport.hasTexture);
    }
  }
});

test('the three big actions of the first screen lead somewhere', async () => {
  await studio.page.click('.logo');
  await choose(() => studio.click('welcome-open'), [{ name: 'first.glb', bytes: mannequin }]);
  await named('first');
  assert.equal(await studio.page.isHidden('.welcome'), true);
  await studio.page.click('.logo');
  await studio.click('welcome-samples');
  await studio.page.click('.welcome [data-sample="tube"]');
  await named('tube');
  assert.equal(await studio.page.isHidden('.welcome'), true);
});

test('every sample of the menu is opened', async () => {
  await studio.click('open');
  const names = await studio.page.locator('.popover [data-sample]').evaluateAll((all) => all.map((one) => one.dataset.sample));
  assert.deepEqual([...names].sort(), [...Object.keys(sinew.samples()), ...Object.keys(sinew.samplePictures())].sort());
  await studio.press('Escape');
  for (const name of names) {
    await studio.click('open');
    await studio.page.click(`.popover [data-sample="${name}"]`);
    await named(name);
    assert.ok((await facts()).bones > 0, name);
  }
});

test('a pose file is laid onto the character, dropped or chosen, and saved as it was told', async () => {
  await openFigure();
  const pose = { joints: { 'hand.L': { twist: 400 }, 'forearm.L': { stretch: 1.5 } } };
  const bytes = Buffer.from(JSON.stringify(pose));
  const ways = [(files) => studio.drop(files), byMenu, (files) => choose(() => studio.page.click('.inspector button:has-text("Load pose")'), files)];
  for (const open of ways) {
    await open([{ name: 'twisted.json', bytes }]);
    await studio.page.waitForFunction(() => window.studio.store.past.length === 1);
    await studio.settle();
    assert.deepEqual((await studio.document()).pose, pose);
    assert.deepEqual(await studio.positions(), deformed(mannequin, pose).positions);
    const saves = [() => studio.click('save-pose'), async () => {
      await studio.click('export');
      await studio.click('export-pose');
    }];
    for (const save of saves) {
      const saved = await studio.download(save);
      assert.equal(saved.name, 'figure pose.json');
      assert.deepEqual(JSON.parse(saved.bytes), pose);
    }
    await studio.press('Control+z');
    await studio.settle();
    assert.deepEqual((await studio.document()).pose, { joints: {} });
  }
});

test('the character is saved with what was made here, as the core writes it', async () => {
  await openFigure();
  await studio.press('F4');
  await studio.click('new-clip');
  await studio.look(() => {
    const { posing, store } = window.studio;
    for (const [time, twist] of [[0, 0], [1, 120]]) {
      store.set({ time });
      posing.change('Twist', () => ({ joints: { 'hand.L': { twist } } }));
    }
  });
  await studio.settle();
  const save = (id) =>
    studio.download(async () => {
      await studio.click('export');
      await studio.click(id);
    });
  const keys = await save('export-keys');
  assert.match(keys.name, /\.json$/);
  const wanted = sinew.read(mannequin, { format: 'glb' });
  wanted.addKeys(keys.bytes.toString());
  const glb = await save('export-glb');
  assert.equal(glb.name, 'figure.glb');
  assert.ok(glb.bytes.equals(Buffer.from(wanted.toBytes('glb'))), 'the same bytes');
  // It opens again with the clip among those of the file.
  await studio.drop([{ name: 'again.glb', bytes: glb.bytes }]);
  await named('again');
  assert.deepEqual(await facts(), factsOf(wanted));
  assert.deepEqual((await facts()).clips.slice(0, -1), factsOf(sinew.read(mannequin, { format: 'glb' })).clips);
});

test('a picture is saved twice as large as the view, without background', async () => {
  await openFigure();
  const picture = await studio.download(async () => {
    await studio.click('export');
    await studio.click('export-png');
  });
  assert.equal(picture.name, 'figure.png');
  const seen = await studio.look(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'image/png' }));
    const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height });
    const context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const solid = data.filter((value, i) => i % 4 === 3 && value > 250).length;
    const { clientWidth, clientHeight } = window.studio.viewport.canvas;
    return { size: [bitmap.width, bitmap.height], view: [clientWidth, clientHeight], corner: data[3], solid: solid / (bitmap.width * bitmap.height) };
  }, picture.bytes.toString('base64'));
  assert.deepEqual(seen.size, seen.view.map((pixels) => 2 * pixels));
  assert.equal(seen.corner, 0);
  assert.ok(seen.solid > 0.02 && seen.solid < 0.5, `${seen.solid} of it is covered`);
});

test('a project is saved from the menu, and opened by choosing it, with all that belongs to the document', async () => {
  await openFigure();
  await studio.look(() => window.studio.store.set({ selection: ['foot.L'] }));
  await studio.page.locator('.stage canvas').focus();
  await studio.press('p');
  await studio.type('twist', '33');
  await studio.page.selectOption('[data-id="method"]', 'lbs');
  await studio.settle();
  const camera = await studio.look(() => {
    window.studio.viewport.orbit.orbit(40, 10);
    return window.studio.viewport.orbit.state;
  });
  const { rig, ...saved } = await studio.document();
  assert.ok(rig > 0);
  const file = await studio.download(async () => {
    await studio.click('export');
    await studio.click('export-project');
  });
  await studio.look(() => window.studio.openSample('cigar', 300));
  await named('cigar');
  await byMenu([file]);
  await named('figure');
  const { rig: now, ...opened } = await studio.document();
  assert.ok(now !== rig);
  assert.deepEqual(opened, saved);
  const there = await studio.look(() => window.studio.viewport.orbit.state);
  assert.ok(there.every((value, k) => Math.abs(value - camera[k]) < 1e-9), `${there} for ${camera}`);
});

test('nothing went wrong meanwhile', () => assert.deepEqual(studio.errors, []));
