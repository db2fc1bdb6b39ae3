// SPDX-License-Identifier: Apache-2.0
// The studio as a person works with it, in a browser without a window.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import validator from 'gltf-validator';
import { launch, openStudio, serve } from './harness.mjs';

const sinewFolder = fileURLToPath(new URL('../../../../dist/sinew', import.meta.url));
const { default: createSinew } = await import(pathToFileURL(`${sinewFolder}/sinew.js`).href);
const sinew = await createSinew();
// A processor draws here: few vertices and few pixels.
const mannequin = sinew.sample('mannequin', { vertices: 1200 }).toBytes('glb');

let server;
let browser;
let context;
let studio;

before(async () => {
  server = await serve();
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1000, height: 640 }, deviceScaleFactor: 0.25, acceptDownloads: true, serviceWorkers: 'block' });
  await giveFewVertices(context);
});

const giveFewVertices = (to) =>
  to.route('**/mannequin.glb', (route) => route.fulfill({ body: Buffer.from(mannequin), contentType: 'model/gltf-binary' }));

after(async () => {
  await browser?.close();
  server?.end();
});

// The same pose by the core, without a page.
function deformed(file, pose, method = 'stbs-dqs') {
  const rig = sinew.read(file, { format: 'glb' });
  const told = new sinew.Pose(rig);
  told.set(pose);
  return { rig, told, positions: new sinew.Deformer(rig, method).deform(told) };
}

test('the first screen has a character that moves and three big actions', async () => {
  studio = await openStudio(context, server.url);
  assert.equal(await studio.page.locator('.welcome .big').count(), 3);
  const time = await studio.look(() => window.studio.store.session.time);
  await studio.page.waitForFunction((t) => window.studio.store.session.time !== t, time);
  const isolated = await studio.look(() => window.crossOriginIsolated);
  assert.equal(isolated, true);
  await studio.page.keyboard.press('Space');
  await studio.look(() => window.studio.store.set({ welcome: false, clip: undefined, time: 0 }));
  await studio.settle();
});

let first;
let firstPositions;

test('a wrist is dragged to twice the length of the arm: what is drawn is what the core computes', async () => {
  first = await studio.document();
  firstPositions = await studio.positions();
  const hand = await studio.joint('hand.L');
  const shoulder = await studio.joint('upper_arm.L');
  const to = [shoulder[0] + 2 * (hand[0] - shoulder[0]), shoulder[1] + 2 * (hand[1] - shoulder[1])];
  await studio.drag(hand, to);
  const there = await studio.joint('hand.L');
  assert.ok(Math.hypot(there[0] - to[0], there[1] - to[1]) < 1.5, `the hand is at ${there}, the pointer at ${to}`);
  const { pose } = await studio.document();
  assert.ok(pose.joints['hand.L'].translation, 'the forearm got longer');
  const { positions } = deformed(mannequin, pose);
  assert.deepEqual(await studio.positions(), positions);
});

test('the three ways to drag differ: lengths are kept, or give way beyond reach', async () => {
  const arm = () =>
    studio.look(() => {
      const { info } = window.studio.store.document.rig;
      const { boneHeads: h, boneTails: t } = window.studio.viewport.lastFrame;
      const long = (name) => {
        const b = info.bones.findIndex((bone) => info.joints[bone.joint].name === name);
        return Math.hypot(t[3 * b] - h[3 * b], t[3 * b + 1] - h[3 * b + 1], t[3 * b + 2] - h[3 * b + 2]);
      };
      return [long('upper_arm.L'), long('forearm.L')];
    });
  await studio.click('reset-pose');
  await studio.settle();
  const rest = await arm();
  const hand = await studio.joint('hand.L');
  const near = (a, b) => Math.abs(a - b) < 1e-6;
  await studio.press('2');
  await studio.drag(hand, [hand[0] + 260, hand[1] - 120]);
  const kept = await arm();
  assert.ok(near(kept[0], rest[0]) && near(kept[1], rest[1]), `${kept} against ${rest}`);
  await studio.press('Control+z');
  await studio.settle();
  await studio.press('3');
  await studio.drag(hand, [hand[0] + 260, hand[1] - 120]);
  const beyond = await arm();
  assert.ok(beyond[0] > rest[0] * 1.05 && beyond[1] > rest[1] * 1.05, `${beyond} against ${rest}`);
  await studio.press('Control+z');
  await studio.press('1');
  await studio.settle();
});

test('a hand twisted by 180 degrees: by number, and by the ring', async () => {
  await studio.look(() => window.studio.store.set({ selection: ['hand.L'] }));
  await studio.type('twist', '180');
  const { pose } = await studio.document();
  assert.equal(pose.joints['hand.L'].twist, 180);
  assert.deepEqual(await studio.positions(), deformed(mannequin, pose).positions);
  await studio.type('twist', '720');
  assert.equal((await studio.document()).pose.joints['hand.L'].twist, 720);
  await studio.click('reset-joint');
  await studio.settle();
  // A quarter turn round the ring of the thigh, which is seen from the side.
  await studio.look(() => window.studio.store.set({ selection: ['thigh.L'] }));
  await studio.settle();
  const ring = await studio.look(() => {
    const { viewport } = window.studio;
    const { position, quaternion, scale } = viewport.gizmo.group.children[0];
    const box = viewport.canvas.getBoundingClientRect();
    return [0, 0.5].map((angle) => {
      const point = position.clone().set(Math.cos(angle * Math.PI), Math.sin(angle * Math.PI), 0);
      const [x, y] = viewport.pick.project(point.multiplyScalar(scale.x).applyQuaternion(quaternion).add(position), 0);
      return [x + box.left, y + box.top];
    });
  });
  await studio.drag(ring[0], [ring[0][0] + 50, ring[0][1]]);
  const twisted = (await studio.document()).pose.joints['thigh.L']?.twist ?? 0;
  assert.ok(Math.abs(twisted) > 15, `${twisted} degrees`);
  await studio.press('Control+z');
});

test('both sides, pins, several joints and mirroring', async () => {
  const hand = await studio.joint('hand.L');
  await studio.press('m');
  await studio.drag(hand, [hand[0] + 40, hand[1] - 160]);
  await studio.press('m');
  const places = await studio.look(() => {
    const { store, viewport } = window.studio;
    const f = viewport.lastFrame.jointFrames;
    return ['hand.L', 'hand.R'].map((key) => {
      const j = store.document.rig.info.joints.findIndex((joint) => joint.key === key);
      return [f[16 * j + 12], f[16 * j + 13], f[16 * j + 14]];
    });
  });
  assert.ok(Math.abs(places[0][0] + places[1][0]) < 1e-6 && Math.abs(places[0][1] - places[1][1]) < 1e-6, JSON.stringify(places));
  await studio.look(() => window.studio.store.set({ selection: ['foot.L', 'foot.R'] }));
  await studio.press('p');
  assert.deepEqual((await studio.document()).pins, ['foot.L', 'foot.R']);
  await studio.press('Control+z');
  await studio.press('Control+z');
  await studio.settle();
});

test('methods side by side have their numbers and show the same pose', async () => {
  await studio.look(() => window.studio.store.set({ selection: ['hand.L'] }));
  await studio.type('twist', '170');
  await studio.page.locator('.stage canvas').focus();
  await studio.press('c');
  await studio.page.waitForSelector('[data-id="measures-1"] dd', { timeout: 60000 });
  const { pose } = await studio.document();
  assert.deepEqual(await studio.positions(0), deformed(mannequin, pose).positions);
  assert.deepEqual(await studio.positions(1), deformed(mannequin, pose, 'lbs').positions);
  const measured = deformed(mannequin, pose).rig.measure({ pose, methods: ['lbs'] }).methods[0];
  const shown = await studio.page.locator('[data-id="measures-1"]').innerText();
  assert.match(shown, new RegExp(`${measured.self_intersections.new}\\s+thinnest\\s+${(measured.radius.smallest * 100).toFixed(1)}%`));
  // What is wrong is marked: something where linear blending is, nothing where bones twist along their length.
  await studio.press('h');
  await studio.page.waitForFunction(() => window.studio.stage.faults.size === 2);
  const faults = await studio.look(() => [...window.studio.stage.faults.values()].map((bits) => bits.filter((one) => one !== 0).length));
  assert.ok(faults[0] === 0 && faults[1] > 0, `${faults}`);
  await studio.press('h');
  await studio.press('c');
  await studio.settle();
});

test('a line between two methods is dragged across one view', async () => {
  await studio.press('v');
  await studio.settle();
  const line = await studio.page.locator('[data-id="swipe"]').boundingBox();
  const at = [line.x + line.width / 2, line.y + line.height / 3];
  await studio.drag(at, [at[0] - 100, at[1]]);
  const { places, x } = await studio.look(() => {
    const { viewport } = window.studio;
    return { places: viewport.places, x: viewport.canvas.getBoundingClientRect().left };
  });
  assert.deepEqual(places[0].rect, places[1].rect, 'one camera for both');
  assert.ok(Math.abs(places[1].seen.x + x - (at[0] - 100)) < 2, `${places[1].seen.x}`);
  await studio.press('ArrowRight');
  await studio.press('v');
  await studio.settle();
  assert.equal(await studio.page.locator('[data-id="swipe"]').isHidden(), true);
});

test('the GPU draws what the core computes', async () => {
  const difference = await studio.look(async () => {
    const { core, stage, viewport } = window.studio;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [160, 120];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const drawn = (frame) => {
      viewport.setFrame(frame);
      viewport.pixels(context, '#808080');
      return context.getImageData(0, 0, 160, 120).data;
    };
    const moment = { rig: window.studio.store.document.rig.id, pose: { joints: { 'forearm.L': { stretch: 1.6 }, 'hand.L': { twist: 150 } } } };
    const [frame, computed, rest] = await Promise.all([
      core.call('frame', { ...moment, methods: ['stbs-dqs'], forGpu: true, noSurfaces: true }),
      core.call('frame', { ...moment, methods: ['stbs-dqs'] }),
      core.call('frame', { rig: moment.rig, pose: { joints: {} }, methods: ['stbs-dqs'] }),
    ]);
    if (viewport.gpuRig !== moment.rig || frame.surfaces.length > 0) return 'it is not on the GPU';
    const pictures = await viewport.plain(async () => [drawn(frame), drawn(computed), drawn(rest)]);
    const sum = (a, b) => a.reduce((total, value, i) => total + Math.abs(value - b[i]), 0) / a.length;
    await stage.refresh();
    return [sum(pictures[0], pictures[1]), sum(pictures[0], pictures[2])];
  });
  assert.ok(difference[0] < 0.1 && difference[1] > 5 * difference[0], `${difference}`);
});

test('everything is undone to the very first state', async () => {
  for (let k = 0; k < 200; ++k) {
    const isDone = await studio.look(() => window.studio.store.past.length === 0);
    if (isDone) break;
    await studio.press('Control+z');
  }
  await studio.settle();
  assert.deepEqual(await studio.document(), first);
  assert.deepEqual(await studio.positions(), firstPositions);
});

test('a filter is dragged, and the character follows', async () => {
  await studio.look(() => window.studio.store.set({ selection: ['forearm.L'] }));
  await studio.type('stretch', '2');
  const before = await studio.positions();
  await studio.press('F3');
  await studio.page.click('.chip:has-text("At the head")');
  await studio.page.waitForFunction(() => window.studio.store.past.length === 2);
  await studio.settle();
  const after = await studio.positions();
  assert.notDeepEqual(after, before);
  const { pose } = await studio.document();
  const { rig, told } = deformed(mannequin, pose);
  rig.edit([{ filter: 'forearm.L=0:0,0.3:0.75,1:1' }]);
  assert.deepEqual(after, new sinew.Deformer(rig, 'stbs-dqs').deform(told));
  await studio.press('Control+z');
  await studio.settle();
  assert.deepEqual(await studio.positions(), before);
  await studio.press('F1');
});

test('an endpoint weight is painted, and the skin moves; what was painted can be replayed', async () => {
  await studio.look(() => window.studio.store.set({ selection: ['forearm.L'], workspace: 'paint' }));
  await studio.look(() => {
    const { brush } = window.studio.store.session;
    window.studio.store.set({ brush: { ...brush, target: 'endpoints', mode: 'replace', value: 0, strength: 1, radius: 0.1 }, showBones: false });
  });
  await studio.settle();
  const before = await studio.positions();
  // A vertex near the wrist that is seen: its endpoint weight is high, and goes down.
  const hand = await studio.joint('hand.L');
  const elbow = await studio.joint('forearm.L');
  const at = [hand[0] * 0.8 + elbow[0] * 0.2, hand[1] * 0.8 + elbow[1] * 0.2];
  const rigBefore = await studio.look(() => window.studio.store.document.rig.id);
  await studio.drag(at, [at[0] + 12, at[1] + 10], 3);
  await studio.page.waitForFunction((id) => window.studio.store.document.rig.id !== id, rigBefore);
  await studio.settle();
  const after = await studio.positions();
  let moved = 0;
  for (let i = 0; i < after.length; ++i) moved = Math.max(moved, Math.abs(after[i] - before[i]));
  assert.ok(moved > 0.02, `moved by ${moved}`);
  const label = await studio.look(() => window.studio.store.past.at(-1).label);
  assert.equal(label, 'Paint endpoint weights of forearm.L');
  await studio.press('Control+z');
  await studio.settle();
  assert.deepEqual(await studio.positions(), before);
  await studio.press('Control+Shift+z');
  await studio.settle();
  assert.deepEqual(await studio.positions(), after);
  await studio.press('Control+z');
  await studio.look(() => window.studio.store.set({ showBones: true, workspace: 'pose' }));
  await studio.settle();
});

// The sum of the forearm's weights, and of the largest of each vertex.
const weights = () =>
  studio.look(async () => {
    const skin = await window.studio.core.call('skin', window.studio.store.document.rig.id);
    let [first, largest] = [0, 0];
    for (let v = 0; v + 1 < skin.offsets.length; ++v) {
      const row = skin.weights.slice(skin.offsets[v], skin.offsets[v + 1]);
      skin.bones.slice(skin.offsets[v], skin.offsets[v + 1]).forEach((bone, i) => {
        const { joints, bones } = window.studio.store.document.rig.info;
        if (joints[bones[bone].joint].key === 'forearm.L') first += row[i];
      });
      largest += Math.max(...row);
    }
    return { first, largest };
  });

test('a pen paints as much as it is pressed', async () => {
  await studio.look(() => {
    const { brush } = window.studio.store.session;
    window.studio.store.set({ selection: ['forearm.L'], workspace: 'paint', showBones: false, brush: { ...brush, target: 'bone-weights', mode: 'subtract', strength: 0.4, radius: 0.1 } });
  });
  await studio.settle();
  const hand = await studio.joint('hand.L');
  const elbow = await studio.joint('forearm.L');
  const [x, y] = [(hand[0] + elbow[0]) / 2, (hand[1] + elbow[1]) / 2];
  const client = await context.newCDPSession(studio.page);
  const pen = (type, force, dx = 0) =>
    client.send('Input.dispatchMouseEvent', { type, x: x + dx, y, button: 'left', buttons: type === 'mouseReleased' ? 0 : 1, clickCount: 1, pointerType: 'pen', force });
  const stroke = async (force) => {
    const before = await studio.look(() => window.studio.store.document.rig.id);
    await pen('mousePressed', force);
    await pen('mouseMoved', force, 2);
    await pen('mouseReleased', 0, 2);
    await studio.page.waitForFunction((id) => window.studio.store.document.rig.id !== id, before);
    await studio.settle();
  };
  const start = await weights();
  const painted = [];
  for (const force of [0.25, 1]) {
    await stroke(force);
    painted.push(start.first - (await weights()).first);
    await studio.press('Control+z');
    await studio.settle();
  }
  assert.ok(painted[0] > 0 && Math.abs(painted[1] / painted[0] - 4) < 0.5, `${painted}`);
});

test('weights are sharpened: what has more gets more', async () => {
  const start = await weights();
  await studio.press('Shift+S');
  assert.equal(await studio.look(() => window.studio.store.session.brush.mode), 'sharpen');
  const hand = await studio.joint('hand.L');
  const elbow = await studio.joint('forearm.L');
  const along = (share) => [elbow[0] + share * (hand[0] - elbow[0]), elbow[1] + share * (hand[1] - elbow[1])];
  const before = await studio.look(() => window.studio.store.document.rig.id);
  await studio.drag(along(0.9), along(1.05), 3);
  await studio.page.waitForFunction((id) => window.studio.store.document.rig.id !== id, before);
  assert.ok((await weights()).largest > start.largest + 1e-3);
  assert.equal(await studio.look(() => window.studio.store.past.at(-1).label), 'Paint weights');
  await studio.press('Control+z');
  await studio.look(() => window.studio.store.set({ showBones: true, workspace: 'pose' }));
  await studio.settle();
});

test('hostile files change nothing and say what to do', async () => {
  const before = await studio.document();
  const cut = mannequin.subarray(0, 5000);
  const wrong = Buffer.from(mannequin);
  wrong.fill(0xff, 20, 400);
  const files = [
    { name: 'cut.glb', bytes: cut },
    { name: 'wrong.glb', bytes: wrong },
    { name: 'noise.obj', bytes: Buffer.from('v 1 2\nf 1 2 9\n') },
    { name: 'empty.ply', bytes: Buffer.alloc(0) },
    { name: 'no.gltf', bytes: Buffer.from('{"asset": {"version": "2.0"}, "buffers": [{"uri": "gone.bin", "byteLength": 3}]}') },
    { name: 'song.mp3', bytes: Buffer.from('ID3') },
    { name: 'fake.sinew', bytes: Buffer.from('PK not really') },
    { name: 'fake.png', bytes: Buffer.from('not a picture') },
    { name: 'pose.json', bytes: Buffer.from('{"joints": {"nobody": {"twist": 3}}}') },
  ];
  for (const file of files) {
    await studio.look(() => (window.studio.message.value = undefined));
    await studio.drop([file]);
    await studio.page.waitForFunction(() => window.studio.message.value?.kind === 'bad', null, { timeout: 20000 });
    const { text } = await studio.message();
    assert.ok(text.length > 20, text);
    await studio.settle();
    assert.deepEqual(await studio.document(), before, file.name);
  }
  const gone = await studio.message();
  assert.match(gone.text, /nobody/);
});

test('a mesh without a skeleton gets a template, is bound, and the binding can be cancelled', async () => {
  const arm = sinew.sample('tube', { vertices: 300 });
  await studio.drop([{ name: 'plain.obj', bytes: arm.toBytes('obj') }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'plain');
  await studio.settle();
  assert.equal(await studio.look(() => window.studio.store.session.workspace), 'rig');
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
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.hasWeights, null, { timeout: 90000 });
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
  studio = await openStudio(context, server.url);
  await studio.page.click('.message .link:has-text("Go on with it")', { timeout: 20000 });
  await studio.page.waitForFunction((name) => window.studio.store.document.name === name, before.name);
  await studio.settle();
  const { rig: oldRig, ...old } = before;
  const { rig, ...now } = await studio.document();
  assert.ok(oldRig > 0 && rig > 0);
  assert.deepEqual(now, old);
});

test('it opens without a network, once it was there', async () => {
  const offline = await browser.newContext({ viewport: { width: 400, height: 300 }, deviceScaleFactor: 0.25, reducedMotion: 'reduce' });
  await giveFewVertices(offline);
  const there = await openStudio(offline, server.url);
  await there.page.waitForFunction(
    async () => {
      const kept = new Set((await (await caches.open('sinew-studio')).keys()).map((request) => request.url));
      const loaded = [...performance.getEntriesByType('resource').map((entry) => entry.name), ...(await window.studio.core.call('loaded'))];
      return loaded.every((url) => kept.has(url) || new URL(url).origin !== location.origin);
    },
    null,
    { timeout: 20000 },
  );
  await offline.setOffline(true);
  const alone = await openStudio(offline, server.url);
  assert.equal(await alone.page.locator('.welcome .big').count(), 3);
  await offline.close();
});

test('a narrow screen has sheets, and fingers pose', async () => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 0.5, serviceWorkers: 'block', reducedMotion: 'reduce' });
  await giveFewVertices(phone);
  const small = await openStudio(phone, server.url);
  await small.look(() => window.studio.store.set({ welcome: false, playing: false, clip: undefined, inspector: false }));
  await small.settle();
  await small.page.waitForFunction(() => document.getElementById('inspector').getBoundingClientRect().height < 40);
  await small.page.tap('.sheet-grip');
  await small.page.waitForFunction(() => document.getElementById('inspector').getBoundingClientRect().height > 200);
  await small.page.tap('.sheet-grip');
  await small.page.waitForFunction(() => document.getElementById('inspector').getBoundingClientRect().height < 40);
  await small.settle();
  const hand = await small.joint('hand.L');
  const client = await phone.newCDPSession(small.page);
  const touch = (type, points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch('touchStart', [hand]);
  for (let k = 1; k <= 5; ++k) await touch('touchMove', [[hand[0] + 6 * k, hand[1] - 16 * k]]);
  await small.waitForDrag();
  await touch('touchEnd', []);
  await small.settle();
  const moved = Object.keys((await small.document()).pose.joints);
  assert.ok(moved.includes('hand.L'), `moved: ${moved}`);
  assert.deepEqual(small.errors, []);
  await phone.close();
});
