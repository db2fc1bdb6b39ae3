// SPDX-License-Identifier: Apache-2.0
// From a mesh to a baked, animated file as a person makes it, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import validator from 'gltf-validator';
import { begin, beginCalm, mannequin, sinew, studio } from './desk.mjs';

before(beginCalm);

test('a mesh without a skeleton gets a template, is bound, and the binding can be cancelled', async () => {
  const arm = sinew.sample('tube', { vertices: 300 });
  await studio.drop([{ name: 'plain.obj', bytes: arm.toBytes('obj') }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'plain');
  await studio.settle();
  assert.equal(await studio.look(() => window.studio.store.session.workspace), 'rig');
  // The template is a ghost first: another one, none, and then one that is scaled, moved and measured.
  await studio.page.click('[data-template="Bird"]');
  await studio.page.click('[data-template="Tail, chain"]');
  assert.equal(await studio.page.locator('[data-template][aria-pressed="true"]').count(), 1);
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Escape');
  assert.equal(await studio.look(() => window.studio.viewport.ghost.segments.length), 0);
  await studio.page.click('[data-template="Tail, chain"]');
  const ghost = () => studio.look(() => {
    const { viewport, store } = window.studio;
    const box = viewport.canvas.getBoundingClientRect();
    const at = (point) => {
      const [x, y] = viewport.pick.project(point, 0);
      return [x + box.left, y + box.top];
    };
    const { segments, knob } = viewport.ghost;
    return { ...store.session.ghost, count: segments.length, foot: at(segments[0][0]), middle: at(segments[2][1]), knob: at(knob) };
  });
  const fitted = await ghost();
  assert.deepEqual([fitted.count, fitted.size, fitted.offset], [6, 1, [0, 0, 0]]);
  await studio.drag(fitted.knob, [fitted.foot[0] + (fitted.knob[0] - fitted.foot[0]) / 2, fitted.foot[1] + (fitted.knob[1] - fitted.foot[1]) / 2]);
  const smaller = await ghost();
  assert.ok(Math.abs(smaller.size - 0.5) < 0.03, `${smaller.size}`);
  assert.ok(Math.hypot(smaller.foot[0] - fitted.foot[0], smaller.foot[1] - fitted.foot[1]) < 2, 'its foot stays');
  await studio.drag(smaller.middle, [smaller.middle[0] + 40, smaller.middle[1] - 30]);
  const moved = await ghost();
  assert.ok(Math.hypot(moved.middle[0] - smaller.middle[0] - 40, moved.middle[1] - smaller.middle[1] + 30) < 2, 'it goes with the pointer');
  assert.equal((await studio.document()).rig, await studio.look(() => window.studio.store.document.rig.id), 'the document waits');
  assert.equal(await studio.look(() => window.studio.store.past.length), 0);
  await studio.type('ghost-size', '50');
  await studio.type('ghost-x', '0.5');
  const wanted = await studio.look(() => window.studio.viewport.ghost.segments[0][0]);
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Enter');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.joints.length === 6);
  await studio.settle();
  const root = await studio.look(() => Array.from(window.studio.frame.value.jointFrames.slice(12, 15)));
  root.forEach((value, k) => assert.ok(Math.abs(value - wanted[k]) < 1e-5, `${root} at ${wanted}`));
  assert.equal(await studio.look(() => window.studio.viewport.ghost.segments.length), 0);
  // As it fits the mesh, it is taken right away.
  await studio.press('Control+z');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.joints.length === 0);
  await studio.settle();
  await studio.page.click('[data-template="Tail, chain"]');
  await studio.click('take-template');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.joints.length === 6);
  await studio.settle();
  // A project of a skeleton without weights comes back as that.
  const unbound = await studio.download(() => studio.press('Control+s'));
  await studio.drop([{ name: unbound.name, bytes: unbound.bytes }]);
  await studio.page.waitForFunction(() => window.studio.store.past.length === 0);
  await studio.settle();
  assert.deepEqual(
    await studio.look(() => [window.studio.store.document.rig.info.bones.length, window.studio.store.document.rig.info.hasWeights]),
    [6, false],
  );
  await studio.press('F2');
  await studio.click('bind');
  await studio.page.waitForFunction(() => window.studio.job.value);
  await studio.press('Escape');
  await studio.page.waitForFunction(() => !window.studio.job.value);
  assert.equal(await studio.look(() => window.studio.store.document.rig.info.hasWeights), false);
  await studio.click('bind');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.hasWeights, null, { timeout: 300000 });
  await studio.settle();
  const report = await studio.look(() => window.studio.weightReport.value.report);
  assert.equal(report.poor, false);
  const file = Buffer.from(await studio.look(async () => Array.from(await window.studio.pack())));
  const again = sinew.read(file, { format: 'glb' });
  assert.deepEqual(again.boneNames, ['chain_1', 'chain_2', 'chain_3', 'chain_4', 'chain_5', 'chain_6']);
});

test('a joint is renamed, moved, split and deleted, and all of it undone', async () => {
  const start = await studio.document();
  const names = () => studio.look(() => window.studio.store.document.rig.info.joints.map((joint) => joint.name));
  await studio.look(() => window.studio.store.set({ selection: ['chain_3'] }));
  await studio.type('joint-name', 'middle');
  assert.ok((await names()).includes('middle'));
  const at = await studio.joint('middle');
  await studio.drag(at, [at[0] + 30, at[1]]);
  const moved = await studio.joint('middle');
  assert.ok(Math.abs(moved[0] - at[0] - 30) < 1.5, `${moved} after ${at}`);
  await studio.look(() => window.studio.store.set({ selection: ['middle'] }));
  const height = Number(await studio.page.inputValue('[data-id="place-y"]'));
  await studio.type('place-y', String(height + 0.05));
  assert.ok(Math.abs(Number(await studio.page.inputValue('[data-id="place-y"]')) - height - 0.05) < 1e-3);
  await studio.click('split');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.bones.length === 7);
  await studio.settle();
  assert.equal(await studio.look(() => window.studio.store.document.rig.info.hasWeights), true, 'weights stay');
  await studio.look(() => window.studio.store.set({ selection: ['middle'] }));
  await studio.click('delete-joint');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.bones.length === 6);
  for (let k = 0; k < 5; ++k) await studio.press('Control+z');
  await studio.settle();
  assert.deepEqual(await studio.document(), start);
});

test('a picture becomes a puppet with a texture, which is posed like any other', async () => {
  const png = sinew.samplePicture('dancer', { size: 128 }).image.toPng();
  const before = await studio.look(() => window.studio.pack().then((bytes) => Array.from(bytes)));
  const beforeName = (await studio.document()).name;
  await studio.drop([{ name: 'drawing.png', bytes: png }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'drawing', null, { timeout: 90000 });
  await studio.press('F1');
  await studio.settle();
  const info = await studio.look(() => window.studio.store.document.rig.info);
  assert.ok(info.hasWeights && info.bones.length >= 10 && info.clips.length === 2);
  await studio.page.waitForFunction(() => window.studio.viewport.hasTexture);
  const key = info.joints.find((joint) => joint.key.endsWith('_end')).key;
  const tip = await studio.joint(key);
  await studio.drag(tip, [tip[0] + 50, tip[1] - 60]);
  assert.ok(Object.keys((await studio.document()).pose.joints).length > 0);
  await studio.drop([{ name: `${beforeName}.glb`, bytes: Buffer.from(before) }]);
  await studio.page.waitForFunction((name) => window.studio.store.document.name === name, beforeName);
  await studio.settle();
});

test('a recorded motion is laid onto the character by the names of joints', async () => {
  const motion = sinew.sample('mannequin', { vertices: 500 }).toBytes('bvh');
  await studio.drop([{ name: 'gait.bvh', bytes: motion }]);
  await studio.page.waitForFunction(() => window.studio.message.value?.kind === 'bad');
  assert.match((await studio.message()).text, /could not be laid onto/, 'a chain has no hips');
  const before = await studio.look(() => window.studio.pack().then((bytes) => Array.from(bytes)));
  const beforeName = (await studio.document()).name;
  await studio.drop([{ name: 'mannequin.glb', bytes: mannequin }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'mannequin');
  await studio.settle();
  await studio.drop([{ name: 'gait.bvh', bytes: motion }]);
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.clips.some((clip) => clip.name === 'gait'));
  await studio.press('Space');
  await studio.look(() => window.studio.store.set({ playing: false, time: 0.3 }));
  await studio.settle();
  const alone = sinew.read(mannequin, { format: 'glb' });
  alone.retarget(sinew.read(motion, { format: 'bvh' }), 0, { name: 'gait' });
  const pose = new sinew.Pose(alone);
  pose.play('gait', 0.3);
  assert.deepEqual(await studio.positions(), new sinew.Deformer(alone, 'stbs-dqs').deform(pose));
  await studio.press('Control+z');
  await studio.drop([{ name: `${beforeName}.glb`, bytes: Buffer.from(before) }]);
  await studio.page.waitForFunction((name) => window.studio.store.document.name === name, beforeName);
  await studio.settle();
});

const timesOf = (clip) => [...new Set(clip.channels.flatMap(({ keys }) => keys.map(({ time }) => time)))].sort((a, b) => a - b);
const channelOf = (clip, kind, name) => clip.channels.find((channel) => channel.kind === kind && channel.name === name);

test('keys are set by dragging, for what was dragged, and played', async () => {
  await studio.press('F4');
  await studio.settle();
  const tip = await studio.joint('chain_5');
  await studio.drag(tip, [tip[0] + 80, tip[1] + 20]);
  assert.deepEqual(timesOf((await studio.document()).clips[0]), [0]);
  await studio.look(() => window.studio.store.set({ time: 1 }));
  await studio.settle();
  const next = await studio.joint('chain_5');
  await studio.drag(next, [next[0] - 160, next[1]]);
  const { clips, rig } = await studio.document();
  assert.deepEqual(timesOf(clips[0]), [0, 1]);
  assert.equal(channelOf(clips[0], 'rotation', 'chain_1'), undefined);
  assert.ok(rig > 0);
  // In between, what is drawn is what the clip says in the core.
  await studio.look(() => window.studio.store.set({ time: 0.5 }));
  await studio.settle();
  const file = Buffer.from(await studio.look(async () => Array.from(await window.studio.pack())));
  const alone = sinew.read(file, { format: 'glb' });
  const { name, text } = await studio.look((clip) => window.studio.stage.moment(clip, 0.5).keys, clips[0].name);
  alone.addKeys(text);
  const pose = new sinew.Pose(alone);
  pose.play(name, 0.5);
  const expected = new sinew.Deformer(alone, 'stbs-dqs').deform(pose);
  const shown = await studio.positions();
  let largest = 0;
  for (let i = 0; i < shown.length; ++i) largest = Math.max(largest, Math.abs(shown[i] - expected[i]));
  // The file has weights as floats.
  assert.ok(largest < 1e-5, `${largest}`);
  await studio.click('play');
  await studio.page.waitForFunction(() => window.studio.store.session.playing && window.studio.store.session.time !== 0.5);
  await studio.click('play');
});

test('keys of one channel are set, moved, copied, eased and deleted, and the others stay', async () => {
  const before = await studio.document();
  const past = await studio.look(() => window.studio.store.past.length);
  const clipNow = async () => (await studio.document()).clips[0];
  const twists = async () => channelOf(await clipNow(), 'rotation', 'chain_2')?.keys.map(({ time, value }) => [time, value.twist ?? 0]);
  const others = (clip) => clip.channels.filter(({ kind, name }) => kind !== 'rotation' || name !== 'chain_2');
  const key = (time) => studio.page.locator(`[data-channel="rotation:chain_2"] .key[data-time="${time}"]`);
  await studio.look(() => window.studio.store.set({ time: 1, playing: false, selection: ['chain_2'], selectedKeys: [] }));
  await studio.settle();
  await studio.type('twist', '40');
  // It moves from what it was at the key before.
  assert.deepEqual(await twists(), [[0, 0], [1, 40]]);
  const box = await key(1).boundingBox();
  const start = await key(0).boundingBox();
  const at = [box.x + box.width / 2, box.y + box.height / 2];
  await studio.drag(at, [at[0] - (box.x - start.x) / 2, at[1]]);
  assert.deepEqual(await twists(), [[0, 0], [0.5, 40]]);
  await studio.look(() => window.studio.store.set({ time: 0.8 }));
  await studio.settle();
  await studio.click('copy-keys');
  assert.deepEqual(await twists(), [[0, 0], [0.5, 40], [0.8, 40]]);
  await studio.page.click('[aria-label="Easing"] [data-value="step"]');
  await key(0).click();
  await studio.page.click('[aria-label="Easing"] [data-value="curve"]');
  const handle = await studio.page.locator('.ease-editor [data-handle="0"]').boundingBox();
  await studio.drag([handle.x + 5, handle.y + 5], [handle.x + 5, handle.y - 25]);
  const eases = channelOf(await clipNow(), 'rotation', 'chain_2').keys.map(({ ease }) => ease);
  assert.equal(eases[2], 'step');
  assert.ok(eases[0][1] > 0.1, JSON.stringify(eases[0]));
  await key(0.5).click();
  await studio.press('Delete');
  assert.deepEqual(await twists(), [[0, 0], [0.8, 40]]);
  assert.deepEqual(others(await clipNow()), before.clips[0].channels);
  await studio.look((count) => window.studio.store.goTo(count), past);
  await studio.settle();
  assert.deepEqual(await studio.document(), before);
  await studio.look(() => window.studio.store.set({ selectedKeys: [], selection: [] }));
});

let baked;

test('baked for engines: the error is shown, the file is valid and loads in three.js', async () => {
  await studio.click('export');
  await studio.click('export-baked');
  await studio.page.waitForSelector('[data-id="bake-report"]', { timeout: 90000 });
  const shown = await studio.page.locator('[data-id="bake-report"]').innerText();
  assert.match(shown, /error/);
  baked = await studio.download(() => studio.click('save-baked'));
  assert.match(baked.name, /baked\.glb$/);
  const report = await validator.validateBytes(new Uint8Array(baked.bytes));
  assert.equal(report.issues.numErrors, 0, JSON.stringify(report.issues.messages.slice(0, 3)));
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { bytes } = baked;
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  let skinned = 0;
  gltf.scene.traverse((node) => (skinned += node.isSkinnedMesh ? 1 : 0));
  assert.ok(skinned >= 1 && gltf.animations.length >= 1);
});

test('a project is saved and opens where one left off', async () => {
  const project = await studio.download(() => studio.press('Control+s'));
  assert.match(project.name, /\.sinew$/);
  const before = await studio.document();
  await studio.look(() => window.studio.openSample('cigar', 400));
  await studio.settle();
  await studio.drop([{ name: project.name, bytes: project.bytes }]);
  await studio.page.waitForFunction((name) => window.studio.store.document.name === name, before.name);
  await studio.settle();
  const { rig: oldRig, ...old } = before;
  const { rig, ...now } = await studio.document();
  assert.ok(rig !== oldRig);
  assert.deepEqual(now, old);
});

test('a tab that dies loses nothing', async () => {
  await studio.look(() => {
    window.studio.store.set({ clip: undefined, selection: ['chain_2'], workspace: 'pose' });
  });
  await studio.settle();
  await studio.type('twist', '77');
  const before = await studio.document();
  const past = await studio.look(() => window.studio.store.past.length);
  await studio.page.waitForFunction((count) => document.documentElement.dataset.saved === String(count), past, { timeout: 20000 });
  assert.deepEqual(studio.errors, []);
  // No farewell: the process of the page ends.
  await studio.page.goto('chrome://crash').catch(() => undefined);
  await studio.page.close().catch(() => undefined);
  await begin();
  await studio.page.click(`[data-id="welcome-kept"]:has-text("Go on with ${before.name}")`, { timeout: 20000 });
  await studio.page.waitForFunction((name) => window.studio.store.document.name === name, before.name);
  await studio.settle();
  const { rig: oldRig, ...old } = before;
  const { rig, ...now } = await studio.document();
  assert.ok(oldRig > 0 && rig > 0);
  assert.deepEqual(now, old);
});

test('a clip is filmed, at its own pace', async () => {
  await studio.drop([{ name: 'filmed.glb', bytes: sinew.sample('tube3', { vertices: 200 }).toBytes('glb') }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'filmed');
  await studio.look(() => window.studio.store.set({ workspace: 'animate', selection: [] }));
  await studio.settle();
  await studio.look(() => {
    const { posing, store } = window.studio;
    const [key] = store.document.rig.info.joints.map((joint) => joint.key);
    posing.addClip('short');
    for (const [time, twist] of [[0, 0], [0.4, 90]]) {
      store.set({ time });
      posing.change('Twist', () => ({ joints: { [key]: { twist } } }));
    }
  });
  await studio.settle();
  // A loop takes as long to come back as from its last key but one: 0.8 seconds in all.
  const save = async (id) => {
    await studio.click('export');
    return studio.download(() => studio.click(id));
  };
  // However long a processor draws.
  await studio.look(() => {
    const { viewport } = window.studio;
    const pixels = viewport.pixels.bind(viewport);
    viewport.pixels = (...to) => {
      const end = performance.now() + 100;
      pixels(...to);
      while (performance.now() < end);
    };
  });
  for (const [id, name, start] of [['export-gif', 'filmed.gif', 'GIF8'], ['export-apng', 'filmed.apng', '\x89PNG'], ['export-webm', 'filmed.webm', '\x1aE\xdf\xa3']]) {
    const film = await save(id);
    assert.equal(film.name, name);
    assert.equal(film.bytes.subarray(0, 4).toString('latin1'), start);
    await studio.page.waitForFunction(() => !window.studio.job.value);
    if (id !== 'export-webm') continue;
    const [seconds, width] = await studio.look(async (base64) => {
      const video = document.createElement('video');
      video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'video/webm' }));
      await new Promise((resolve) => video.addEventListener('loadedmetadata', resolve, { once: true }));
      const { duration } = video;
      video.currentTime = 0.3;
      await new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
      return [duration, video.videoWidth];
    }, film.bytes.toString('base64'));
    assert.ok(Math.abs(seconds - 0.8) < 1e-6 && width > 100, `${seconds} s, ${width} wide`);
  }
  await studio.click('export');
  assert.ok(await studio.page.isEnabled('[data-id="export-turn-webm"]'));
  await studio.press('Escape');
});
