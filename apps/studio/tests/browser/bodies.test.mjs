// SPDX-License-Identifier: Apache-2.0
// Muscles, correctives and layers as a person makes them, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { beginCalm, farthest, mannequin, sinew, studio } from './desk.mjs';

before(beginCalm);

const select = (...keys) => studio.look((selection) => window.studio.store.set({ selection }), keys);
const bone = (name) => studio.look((key) => {
  const { info } = window.studio.store.document.rig;
  return info.bones.find(({ joint }) => info.joints[joint].key === key);
}, name);

test('a biceps is given to an arm, its curve dragged, and all of it undone', async () => {
  await select('forearm.L');
  await studio.type('bend-y', '110');
  const before = await studio.positions();
  const { pose } = await studio.document();
  await studio.press('F3');
  await select('upper_arm.L');
  await studio.page.click('[aria-label="Curve"] [data-value="bulge"]');
  await studio.click('muscle-by-angle');
  await studio.page.waitForFunction(() => window.studio.store.past.length === 2);
  await studio.settle();
  assert.deepEqual((await bone('upper_arm.L')).muscle, { profile: [], stretch: 0, angle: { joint: 'forearm.L', range: [0, 120], gain: 0.4 } });
  assert.match(await studio.page.locator('[data-id="muscle-now"]').innerText(), /swells by 37%/);
  const swollen = await studio.positions();
  assert.ok(farthest(swollen, before) > 0.01);
  // What is drawn is what the core computes.
  const rig = sinew.read(mannequin, { format: 'glb' });
  rig.edit([{ muscle: 'upper_arm.L', 'by-angle': 'forearm.L:0:120:0.4' }]);
  const told = new sinew.Pose(rig);
  told.set(pose);
  assert.equal(farthest(swollen, new sinew.Deformer(rig, 'stbs-dqs').deform(told)), 0);

  const point = await studio.page.locator('.curve [data-point="2"]').boundingBox();
  const at = [point.x + point.width / 2, point.y + point.height / 2];
  await studio.drag(at, [at[0], at[1] + 60]);
  await studio.page.waitForFunction(() => window.studio.store.past.length === 3);
  await studio.settle();
  const { profile } = (await bone('upper_arm.L')).muscle;
  assert.ok(profile.length === 5 && profile[2][1] < 0.8, JSON.stringify(profile));
  assert.ok(farthest(await studio.positions(), swollen) > 0.002);

  await studio.page.selectOption('[data-id="muscle-side"]', 'front');
  await studio.page.waitForFunction(() => window.studio.store.past.length === 4);
  await studio.click('muscle-mirror');
  await studio.page.waitForFunction(() => window.studio.store.past.length === 5);
  const other = (await bone('upper_arm.R')).muscle;
  assert.equal(other.angle.joint, 'forearm.R');
  assert.deepEqual(other.side, [0, 0, 1]);

  await studio.page.locator('.stage canvas').focus();
  for (let k = 0; k < 4; ++k) await studio.press('Control+z');
  await studio.settle();
  assert.equal(farthest(await studio.positions(), before), 0);
  for (let k = 0; k < 4; ++k) await studio.press('Control+Shift+z');
  await studio.settle();
  assert.deepEqual((await bone('upper_arm.R')).muscle, other);
});

test('what was swollen is in the project that is saved', async () => {
  const project = await studio.download(() => studio.press('Control+s'));
  const muscles = [(await bone('upper_arm.L')).muscle, (await bone('upper_arm.R')).muscle];
  const shown = await studio.positions();
  await studio.look(() => window.studio.openSample('cigar', 400));
  await studio.settle();
  await studio.drop([{ name: project.name, bytes: project.bytes }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'mannequin');
  await studio.settle();
  assert.deepEqual([(await bone('upper_arm.L')).muscle, (await bone('upper_arm.R')).muscle], muscles);
  assert.ok(farthest(await studio.positions(), shown) < 1e-5);
});

test('the mesh of a pose is sculpted, and comes back as a corrective of that pose', async () => {
  await studio.press('F1');
  await studio.page.selectOption('[data-id="method"]', 'lbs');
  await studio.page.click('summary:has-text("Correctives")');
  await studio.settle();
  const before = await studio.document();
  const plain = await studio.positions();
  const saved = await studio.download(() => studio.click('save-sculpt'));
  const mesh = sinew.read(saved.bytes, { format: 'obj' });
  assert.ok(farthest(Float32Array.from(mesh.positions), plain) < 1e-6);
  // A sculptor pulls the elbow out.
  const elbow = await studio.look(() => {
    const { joints } = window.studio.store.document.rig.info;
    const j = joints.findIndex(({ key }) => key === 'forearm.L');
    return [12, 13, 14].map((k) => window.studio.viewport.lastFrame.jointFrames[16 * j + k]);
  });
  const lines = saved.bytes.toString().split('\n').map((line) => {
    if (!line.startsWith('v ')) return line;
    const [, x, y, z, ...rest] = line.split(' ');
    const near = Math.hypot(x - elbow[0], y - elbow[1], z - elbow[2]) < 0.15;
    return ['v', x, y, Number(z) - (near ? 0.04 : 0), ...rest].join(' ');
  });
  const take = async (name, text) => {
    const [chooser] = await Promise.all([studio.page.waitForEvent('filechooser'), studio.click('take-sculpt')]);
    await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  };
  await take('other.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  await studio.page.waitForFunction(() => window.studio.message.value?.kind === 'bad', null, { timeout: 30000 });
  assert.match((await studio.message()).text, new RegExp(`it has 3 vertices, the character has ${mesh.vertexCount}`));
  assert.deepEqual(await studio.document(), before);

  await take('elbow.obj', lines.join('\n'));
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.correctives.length === 1, null, { timeout: 60000 });
  await studio.settle();
  assert.match((await studio.message()).text, /elbow follows forearm\.L/);
  const wanted = Float32Array.from(sinew.read(Buffer.from(lines.join('\n')), { format: 'obj' }).positions);
  assert.ok(farthest(wanted, plain) > 0.03);
  assert.ok(farthest(await studio.positions(), wanted) < 2e-4, `${farthest(await studio.positions(), wanted)}`);
  assert.equal(await studio.page.locator('[data-corrective="elbow"]').innerText(), '100%');
  // It goes off with the pose.
  await select('forearm.L');
  await studio.type('bend-y', '0');
  assert.equal(await studio.page.locator('[data-corrective="elbow"]').innerText(), '0%');
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Control+z');
  await studio.settle();
  const corrected = await studio.positions();
  // Deleted, it is gone with its shape; undone, it is there again.
  await studio.page.click('[aria-label="Delete elbow"]');
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.shapes.length === 0);
  await studio.settle();
  assert.equal(farthest(await studio.positions(), plain), 0);
  assert.equal(await studio.page.locator('[data-corrective="elbow"]').count(), 0);
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Control+z');
  await studio.settle();
  assert.equal(farthest(await studio.positions(), corrected), 0);
  await studio.press('Control+z');
  await studio.settle();
  assert.equal(farthest(await studio.positions(), plain), 0);
});

test('a drawing has layers: an arm goes behind the body and comes back', async () => {
  await studio.look(() => window.studio.store.set({ workspace: 'pose' }));
  const { image, bones } = sinew.samplePicture('dancer', { size: 128 });
  await studio.drop([{ name: 'dancer.glb', bytes: new sinew.Puppet(image, { bones }).rig().toBytes('glb') }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'dancer' && window.studio.viewport.hasTexture, null, { timeout: 60000 });
  await studio.settle();
  const layers = () => studio.look(() => window.studio.store.document.rig.info.layers);
  const start = await layers();
  const front = start.at(-1);
  const [key, tip, middle] = await studio.look((b) => {
    const { joints, bones: list } = window.studio.store.document.rig.info;
    return [list[b].joint, list[b].tailJoint, list[0].tailJoint].map((joint) => joints[joint].key);
  }, front);
  // The hand goes before the chest, so that it covers something.
  await studio.drag(await studio.joint(tip), await studio.joint(middle));
  await select(key);
  const picture = () => studio.look(() => window.studio.viewport.plain(() => window.studio.viewport.picture(0.5, '#ffffff')).then(async (blob) => Array.from(new Uint8Array(await blob.arrayBuffer()))));
  const camera = await studio.look(() => window.studio.viewport.orbit.state);
  const above = await picture();
  await studio.click('layer-back');
  await studio.page.waitForFunction((b) => window.studio.store.document.rig.info.layers[0] === b, front);
  await studio.settle();
  assert.deepEqual(await layers(), [front, ...start.slice(0, -1)]);
  assert.equal(await studio.look(() => window.studio.viewport.hasTexture), true);
  assert.deepEqual(await studio.look(() => window.studio.viewport.orbit.state), camera);
  assert.ok((await picture()).join() !== above.join(), 'the chest covers the hand');
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Control+z');
  await studio.settle();
  assert.deepEqual(await layers(), start);
  assert.equal((await picture()).join(), above.join());
  assert.deepEqual(studio.errors, []);
});

test('a joint is moved along an axis, and a motion is laid on as people say', async () => {
  await studio.drop([{ name: 'mannequin.glb', bytes: mannequin }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'mannequin');
  await studio.settle();
  await studio.press('F2');
  await select('forearm.L');
  await studio.settle();
  const place = async () => Promise.all(['x', 'y', 'z'].map((axis) => studio.page.inputValue(`[data-id="place-${axis}"]`).then(Number)));
  const from = await place();
  const at = await studio.joint('forearm.L');
  const { mouse } = studio.page;
  await mouse.move(...at);
  await mouse.down();
  await mouse.move(at[0] + 10, at[1] + 10);
  await studio.press('y');
  await mouse.move(at[0] + 40, at[1] + 30);
  await mouse.up();
  await studio.page.waitForFunction(() => window.studio.store.past.length === 1);
  await studio.settle();
  const to = await place();
  assert.deepEqual([to[0], to[2]], [from[0], from[2]]);
  assert.ok(to[1] < from[1] - 0.01, `${to} after ${from}`);
  await studio.press('Control+z');
  await studio.press('F1');
  await studio.settle();

  const motion = sinew.sample('mannequin', { vertices: 300 }).toBytes('bvh');
  await studio.drop([{ name: 'gait.bvh', bytes: motion }]);
  await studio.page.click('.message .link:has-text("Change what moves what")', { timeout: 30000 });
  await studio.page.selectOption('[data-id="motion-map"] select[aria-label="upper_arm.L"]', '');
  await studio.click('apply-map');
  await studio.page.waitForFunction(() => window.studio.store.past.length === 2);
  await studio.look(() => window.studio.store.set({ playing: false }));
  const mapped = await studio.look(async () => {
    const channels = await window.studio.core.call('channels', window.studio.store.document.rig.id, window.studio.store.document.rig.info.clips.findIndex(({ name }) => name === 'gait'));
    return channels.filter(({ kind }) => kind === 'rotation').map(({ name }) => name);
  });
  assert.ok(mapped.includes('upper_arm.R') && !mapped.includes('upper_arm.L'), `${mapped}`);
});

test('two changes at once are made one after the other', async () => {
  const past = await studio.look(() => window.studio.store.past.length);
  await studio.look(() => {
    const muscle = { profile: [], stretch: 1 };
    return Promise.all([0, 1, 2].map((bone) => window.studio.edit(`Muscle ${bone}`, { kind: 'muscle', bones: [bone], muscle })));
  });
  await studio.settle();
  const { count, made } = await studio.look(() => ({
    count: window.studio.store.past.length,
    made: window.studio.store.document.rig.info.bones.slice(0, 3).map(({ muscle }) => muscle?.stretch),
  }));
  assert.equal(count, past + 3);
  assert.deepEqual(made, [1, 1, 1]);
});
