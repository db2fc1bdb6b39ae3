// SPDX-License-Identifier: Apache-2.0
// Filters and painting as a person does it, and files that are none, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { beginCalm, context, deformed, mannequin, sinew, studio } from './desk.mjs';

before(beginCalm);

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
  const notNumbers = Buffer.from(mannequin);
  notNumbers.fill(0xff, 28 + notNumbers.readUInt32LE(12));
  const files = [
    { name: 'cut.glb', bytes: cut },
    { name: 'wrong.glb', bytes: wrong },
    { name: 'noise.obj', bytes: Buffer.from('v 1 2\nf 1 2 9\n') },
    { name: 'empty.ply', bytes: Buffer.alloc(0) },
    { name: 'no.gltf', bytes: Buffer.from('{"asset": {"version": "2.0"}, "buffers": [{"uri": "gone.bin", "byteLength": 3}]}') },
    { name: 'song.mp3', bytes: Buffer.from('ID3') },
    { name: 'fake.sinew', bytes: Buffer.from('PK not really') },
    { name: 'fake.png', bytes: Buffer.from('not a picture') },
    { name: 'nan.glb', bytes: notNumbers },
    { name: 'zip.sinew', bytes: Buffer.from('504b0506000000000000000000000000000000000000', 'hex') },
    { name: 'huge.off', bytes: Buffer.from('OFF\n4000000000 4000000000 0\n0 0 0\n') },
    { name: 'huge.png', bytes: Buffer.from('89504e470d0a1a0a0000000d494844527fffffff7fffffff0806000000', 'hex') },
    { name: 'noise.bvh', bytes: Buffer.from('HIERARCHY\nROOT a\n{\nOFFSET 0 0 nan\nCHANNELS 99 Xposition\n') },
    { name: 'nothing.gltf', bytes: Buffer.from('null'), says: /asset|object/ },
    { name: 'address.gltf', bytes: Buffer.from('{"asset": {"version": "2.0"}, "buffers": [null, {"uri": "%E0%A4%A"}]}'), says: /refers to %E0%A4%A: drop that file/ },
    { name: 'pose.json', bytes: Buffer.from('{"joints": {"nobody": {"twist": 3}}}') },
  ];
  for (const file of files) {
    await studio.look(() => (window.studio.message.value = undefined));
    await studio.drop([file]);
    await studio.page.waitForFunction(() => window.studio.message.value?.kind === 'bad', null, { timeout: 20000 });
    const { text } = await studio.message();
    assert.ok(text.length > 20, text);
    if (file.says) assert.match(text, file.says);
    await studio.settle();
    assert.deepEqual(await studio.document(), before, file.name);
  }
  const gone = await studio.message();
  assert.match(gone.text, /nobody/);
});
