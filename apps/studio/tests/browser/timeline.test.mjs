// SPDX-License-Identifier: Apache-2.0
// Time as a person works with it: keys of every kind, easing, loops, scrubbing, playing, motions by names, in a browser
// without a window.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { apart, beginCalm, farthest, mannequin, past, place, sinew, studio } from './desk.mjs';

before(beginCalm);

const open = async (name, ending, bytes) => {
  await studio.drop([{ name: `${name}.${ending}`, bytes }]);
  await studio.page.waitForFunction((one) => window.studio.store.document.name === one, name);
  await studio.settle();
};
const set = (change) => studio.look((part) => window.studio.store.set(part), change);
const at = async (time) => {
  await set({ time, playing: false });
  await studio.settle();
};
const canvas = () => studio.page.locator('.stage canvas').focus();
const undoTo = async (count) => {
  await canvas();
  for (let k = await past(); k > count; --k) await studio.press('Control+z');
  await studio.settle();
};
const clip = async () => (await studio.document()).clips[0];
const channel = async (kind, name) => (await clip())?.channels.find((one) => one.kind === kind && one.name === name);
const keysOf = async (kind, name) => (await channel(kind, name))?.keys.map(({ time, value }) => [time, value]);
beforeEach(async () => {
  await undoTo(0);
  await set({ clip: undefined, time: 0, playing: false, selection: [], selectedKeys: [], workspace: 'pose' });
  await studio.settle();
});

/** The clip on the timeline at a time, as the core plays what is saved. */
const played = async (bytes, time) => {
  const { name, text } = await studio.look((t) => window.studio.stage.moment(window.studio.store.session.clip, t).keys, time);
  const rig = sinew.read(bytes, { format: 'glb' });
  rig.addKeys(text);
  const pose = new sinew.Pose(rig);
  pose.play(name, time);
  return { rig, pose, positions: new sinew.Deformer(rig, 'stbs-dqs').deform(pose) };
};
const keyAt = (id, time) => studio.page.locator(`[data-channel="${id}"] .key[data-time="${time}"]`);

test('a figure that is grabbed while it moves stops as it is, and goes on from there', async () => {
  for (const workspace of ['pose', 'animate']) {
    const count = await past();
    await set({ workspace, clip: 'walk', time: 0.1, playing: true, selection: [] });
    await studio.page.waitForFunction(() => window.studio.frame.value?.time > 0.25);
    // The press comes in the middle of the motion, whatever the machine takes for its frames.
    const seen = await studio.look(() => {
      const { viewport, store, frame } = window.studio;
      const { joints } = store.document.rig.info;
      const f = frame.value.jointFrames;
      const j = joints.findIndex(({ key }) => key === 'hand.L');
      const [x, y] = viewport.pick.project([12, 13, 14].map((k) => f[16 * j + k]), 0);
      const box = viewport.canvas.getBoundingClientRect();
      const event = (type, dx, dy) => viewport.canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, isPrimary: true, pointerType: 'mouse', button: type === 'pointermove' ? -1 : 0, buttons: 1, clientX: x + box.left + dx, clientY: y + box.top + dy }));
      viewport.canvas.setPointerCapture = () => undefined;
      event('pointerdown', 0, 0);
      window.pointer = event;
      return { time: frame.value.time, places: joints.map((_, k) => [12, 13, 14].map((n) => f[16 * k + n])), to: [x + 30, y - 40] };
    });
    assert.deepEqual(await studio.look(() => [window.studio.store.session.playing, window.studio.store.session.time]), [false, seen.time]);
    await studio.settle();
    const still = await studio.look(() => window.studio.store.document.rig.info.joints.map((_, j) => [12, 13, 14].map((k) => window.studio.viewport.lastFrame.jointFrames[16 * j + k])));
    still.forEach((one, j) => assert.ok(apart(one, seen.places[j]) < 1e-6, `joint ${j} jumped when it was grabbed`));
    await studio.look(() => window.pointer('pointermove', 30, -40));
    await studio.waitForDrag();
    await studio.look(() => window.pointer('pointerup', 30, -40));
    await studio.settle();
    const { names, now, there } = await studio.look(() => {
      const { viewport, store } = window.studio;
      const { joints } = store.document.rig.info;
      const places = joints.map((_, j) => [12, 13, 14].map((k) => viewport.lastFrame.jointFrames[16 * j + k]));
      const isBelow = (j) => j >= 0 && (joints[j].key === 'upper_arm.L' || isBelow(joints[j].parent));
      return { names: joints.map(({ key }, j) => (isBelow(j) ? undefined : key)), now: places, there: viewport.pick.project(places[joints.findIndex(({ key }) => key === 'hand.L')], 0) };
    });
    assert.ok(Math.hypot(there[0] - seen.to[0], there[1] - seen.to[1]) < 1.5, `the hand is at ${there}, the pointer at ${seen.to}`);
    // Nothing but the arm has gone elsewhere.
    for (const [j, name] of names.entries()) {
      if (name !== undefined) assert.ok(apart(now[j], seen.places[j]) < 1e-5, `${name} went ${apart(now[j], seen.places[j])}`);
    }
    assert.equal(await past() > count, true);
    await undoTo(count);
    await studio.look(() => {
      delete window.studio.viewport.canvas.setPointerCapture;
    });
    await set({ clip: undefined, time: 0, selection: [], workspace: 'pose' });
    await studio.settle();
  }
});

test('what is typed while it moves is added to what is seen, too', async () => {
  await set({ clip: 'walk', time: 0.2, playing: true, selection: ['hand.L'] });
  await studio.page.waitForFunction(() => window.studio.frame.value?.time > 0.3);
  const [seen, told] = await studio.look(() => {
    const { frame, posing } = window.studio;
    const pose = frame.value.pose;
    posing.change('Twist', (base) => ({ ...base, joints: { ...base.joints, 'hand.L': { ...base.joints['hand.L'], twist: 35 } } }));
    return [pose, window.studio.store.document.pose];
  });
  assert.equal(told.joints['hand.L'].twist, 35);
  assert.ok(apart(told.joints['thigh.R'].rotation, seen.joints['thigh.R'].rotation) < 1e-9 && Math.abs(seen.joints['thigh.R'].rotation[0]) > 0.01, JSON.stringify(seen.joints['thigh.R']));
});

test('arrow keys in a field of numbers change the number, again and again, and nothing else', async () => {
  await set({ selection: ['forearm.L'] });
  await studio.settle();
  const camera = await studio.look(() => window.studio.viewport.orbit.state);
  const value = (id) => studio.page.inputValue(`[data-id="${id}"]`).then(Number);
  await studio.page.focus('[data-id="twist"]');
  for (let k = 0; k < 3; ++k) await studio.press('ArrowUp');
  assert.equal(await value('twist'), 3);
  await studio.press('Shift+ArrowUp');
  await studio.press('ArrowDown');
  await studio.settle();
  assert.equal(await value('twist'), 12);
  assert.equal((await studio.document()).pose.joints['forearm.L'].twist, 12);
  // To the sides it goes through the digits.
  await studio.press('ArrowLeft');
  await studio.press('ArrowRight');
  assert.equal(await studio.look(() => document.activeElement?.dataset.id), 'twist');
  // On to the next one.
  await studio.press('Tab');
  assert.equal(await studio.look(() => document.activeElement?.dataset.id), 'stretch');
  await studio.press('ArrowUp');
  await studio.press('ArrowUp');
  await studio.settle();
  assert.equal((await studio.document()).pose.joints['forearm.L'].stretch, 1.02);
  // What is typed is taken by Tab, and one types on in the next.
  await studio.press('Control+a');
  await studio.page.keyboard.type('1.5');
  await studio.press('Tab');
  await studio.page.keyboard.type('20');
  await studio.press('Tab');
  await studio.settle();
  assert.deepEqual((await studio.document()).pose.joints['forearm.L'], { twist: 12, stretch: 1.5, bend: [[20, 'x']] });
  assert.equal(await studio.look(() => document.activeElement?.dataset.id), 'bend-y');
  // With Enter it is left: keys mean what they mean elsewhere.
  await studio.page.keyboard.type('5');
  await studio.press('Enter');
  await studio.settle();
  assert.notEqual(await studio.look(() => document.activeElement?.tagName), 'INPUT');
  // A function key leads elsewhere from within a field, and no letter does.
  await studio.page.focus('[data-id="twist"]');
  await studio.press('b');
  assert.equal(await studio.look(() => window.studio.store.session.showBones), true);
  await studio.press('F4');
  assert.equal(await studio.look(() => window.studio.store.session.workspace), 'animate');
  await studio.press('F1');
  assert.deepEqual(await studio.look(() => window.studio.viewport.orbit.state), camera);
});

test('arrow keys in the time of a key move it, and not the time line', async () => {
  await studio.press('F4');
  await studio.click('new-clip');
  await set({ selection: ['hand.L'] });
  await studio.type('twist', '10');
  await at(1);
  await studio.type('twist', '50');
  await keyAt('rotation:hand.L', 1).click();
  await studio.page.focus('[data-id="key-time"]');
  await studio.press('ArrowUp');
  await studio.press('ArrowUp');
  await studio.settle();
  assert.deepEqual((await keysOf('rotation', 'hand.L')).map(([time]) => Math.round(time * 1000) / 1000), [0, 1.1]);
  assert.equal(Math.round((await studio.look(() => window.studio.store.session.time)) * 1000) / 1000, 1.1, 'the time goes along with the key');
  await studio.press('ArrowLeft');
  assert.equal(await studio.look(() => document.activeElement?.dataset.id), 'key-time');
});

test('the time is scrubbed by the pointer and by keys, from one end to the other', async () => {
  await set({ clip: 'walk', time: 0, workspace: 'animate' });
  await studio.settle();
  const box = await studio.page.locator('.track').boundingBox();
  const { duration, span } = await studio.look(() => ({ duration: window.studio.player.duration(), span: Number(document.querySelector('.track').getAttribute('aria-valuemax')) }));
  assert.ok(span >= duration);
  const x = (time) => box.x + 12 + (time / span) * (box.width - 24);
  const y = box.y + box.height / 2;
  const { mouse } = studio.page;
  await mouse.move(x(0.2), y);
  await mouse.down();
  for (const time of [0.2, 0.5, 0.8]) {
    await mouse.move(x(time), y);
    assert.ok(Math.abs((await studio.look(() => window.studio.store.session.time)) - time) < 0.02);
  }
  await studio.settle();
  const rig = sinew.read(mannequin, { format: 'glb' });
  const pose = new sinew.Pose(rig);
  pose.play('walk', await studio.look(() => window.studio.store.session.time));
  assert.deepEqual(await studio.positions(), new sinew.Deformer(rig, 'stbs-dqs').deform(pose), 'what is seen is that time');
  await mouse.move(box.x - 200, y);
  assert.equal(await studio.look(() => window.studio.store.session.time), 0);
  await mouse.move(box.x + box.width + 200, y);
  assert.equal(await studio.look(() => window.studio.store.session.time), span);
  await mouse.up();
  await mouse.move(x(0.1), y);
  assert.equal(await studio.look(() => window.studio.store.session.time), span, 'it is let go');
  await at(0.5);
  const camera = await studio.look(() => window.studio.viewport.orbit.state);
  await studio.page.focus('.track');
  await studio.press('ArrowRight');
  await studio.press('Shift+ArrowRight');
  await studio.press('ArrowLeft');
  assert.ok(Math.abs((await studio.look(() => window.studio.store.session.time)) - 0.5 - 10 / 30) < 1e-9);
  assert.deepEqual(await studio.look(() => window.studio.viewport.orbit.state), camera);
  assert.match(await studio.page.getAttribute('.track', 'aria-valuetext'), /^0\.83 seconds$/);
  await set({ clip: undefined, time: 0 });
});

test('a clip that loops goes on, one that does not stops at its end', async () => {
  await set({ workspace: 'animate', selection: ['hand.L'] });
  await studio.click('new-clip');
  await studio.type('twist', '1');
  await at(0.2);
  await studio.type('twist', '60');
  assert.equal((await clip()).loop, true);
  const loop = studio.page.locator('.time-controls [aria-label="Loop"]');
  const looped = await studio.look(() => window.studio.player.duration());
  assert.ok(looped > 0.2, 'it takes time to come back');
  await at(0);
  // It comes by its beginning again.
  await studio.look(() => {
    window.turns = 0;
    let last = 0;
    window.off = window.studio.store.watch(({ session }) => session.time, (time) => {
      if (time < last) ++window.turns;
      last = time;
    });
  });
  await studio.click('play');
  await studio.page.waitForFunction(() => window.turns >= 2, null, { timeout: 60000 });
  await studio.click('play');
  assert.equal(await studio.look(() => window.studio.store.session.playing), false);
  await loop.click();
  assert.equal((await clip()).loop, false);
  assert.equal(await studio.look(() => window.studio.player.duration()), 0.2);
  await at(0);
  await studio.look(() => (window.turns = 0));
  await studio.press('Space');
  await studio.page.waitForFunction(() => !window.studio.store.session.playing, null, { timeout: 60000 });
  assert.deepEqual(await studio.look(() => [window.studio.store.session.time, window.turns]), [0.2, 0]);
  // From its end it starts again.
  await studio.look(() => window.studio.store.set({ playing: true }));
  await studio.page.waitForFunction(() => window.turns === 1, null, { timeout: 60000 });
  await studio.page.waitForFunction(() => !window.studio.store.session.playing, null, { timeout: 60000 });
  await studio.look(() => window.off());
});

test('each way to ease goes its way, as the core plays it', async () => {
  await set({ workspace: 'animate', selection: ['forearm.L'] });
  await studio.click('new-clip');
  await canvas();
  await studio.press('k');
  await at(1);
  await studio.type('twist', '80');
  const count = await past();
  const found = new Map();
  const look = async (name) => {
    await at(0.3);
    const wanted = await played(mannequin, 0.3);
    assert.ok(farthest(await studio.positions(), wanted.positions) < 1e-5, name);
    found.set(name, ((await studio.look(() => window.studio.posing.shown().joints['forearm.L'].twist ?? 0)) / 80));
  };
  await keyAt('rotation:forearm.L', 0).click();
  for (const name of ['linear', 'smooth', 'step', 'curve']) {
    await keyAt('rotation:forearm.L', 0).click();
    await studio.page.click(`[aria-label="Easing"] [data-value="${name}"]`);
    await look(name);
    await keyAt('rotation:forearm.L', 0).click();
    assert.equal(await studio.page.getAttribute(`[aria-label="Easing"] [data-value="${name}"]`, 'aria-checked'), 'true');
  }
  const presets = await studio.page.locator('.inspector .chips .chip').allInnerTexts();
  assert.ok(presets.length >= 4);
  for (const name of presets) {
    await studio.page.click(`.inspector .chips .chip:has-text("${name}")`);
    await look(name);
    await keyAt('rotation:forearm.L', 0).click();
  }
  const near = (name, value) => assert.ok(Math.abs(found.get(name) - value) < 0.01, `${name}: ${found.get(name)}`);
  near('linear', 0.3);
  near('smooth', 0.216);
  near('step', 0);
  assert.ok(found.get('Ease in') < 0.2 && found.get('Ease out') > 0.4 && found.get('Overshoot') > 0.5, JSON.stringify([...found]));
  // A handle of the curve by the keyboard.
  await studio.page.focus('.ease-editor [data-handle="0"]');
  const before = (await channel('rotation', 'forearm.L')).keys[0].ease;
  await studio.press('ArrowUp');
  const after = (await channel('rotation', 'forearm.L')).keys[0].ease;
  assert.ok(Math.abs(after[1] - before[1] - 0.05) < 1e-9, `${after} after ${before}`);
  await undoTo(count);
  assert.equal((await channel('rotation', 'forearm.L')).keys[0].ease, 'smooth');
});

test('a joint that is held stays where it is while the body moves, until it is dragged elsewhere', async () => {
  await set({ workspace: 'animate', selection: ['hand.L'], time: 0 });
  await studio.click('new-clip');
  await studio.settle();
  const held = await place('hand.L');
  await studio.click('set-target');
  await studio.page.waitForFunction(() => window.studio.store.document.clips[0].channels.some(({ kind }) => kind === 'target'));
  await at(1);
  // The chest turns, and the hand does not go along.
  await set({ selection: ['chest'] });
  await studio.settle();
  await studio.type('bend-y', '15');
  await studio.settle();
  assert.ok(apart(await place('hand.L'), held) < 2e-3, `the hand went ${apart(await place('hand.L'), held)}`);
  const shoulder = await place('upper_arm.L');
  await at(0);
  assert.ok(apart(await place('upper_arm.L'), shoulder) > 0.01, 'the body has moved');
  // Its row is there whatever is selected; a drag sets a key of it.
  await at(1);
  await set({ selection: [] });
  assert.equal(await studio.page.locator('[data-channel="target:hand.L"]').count(), 1);
  const from = await studio.joint('hand.L');
  await studio.drag(from, [from[0] - 20, from[1] - 60]);
  const there = await studio.joint('hand.L');
  assert.ok(Math.hypot(there[0] - from[0] + 20, there[1] - from[1] + 60) < 2, `${there} from ${from}`);
  assert.deepEqual((await keysOf('target', 'hand.L')).map(([time]) => time), [0, 1]);
  const { positions } = await played(mannequin, 1);
  assert.ok(farthest(await studio.positions(), positions) < 1e-4, 'as the core plays the file');
  await at(0);
  assert.ok(apart(await place('hand.L'), held) < 2e-3);
  await set({ selection: ['hand.L'] });
  await studio.click('remove-target');
  assert.equal(await channel('target', 'hand.L'), undefined);
});

/** Drags a slider of the inspector to a share of its way. */
const slide = async (label, share) => {
  const { box, value } = await studio.look((name) => {
    const input = document.querySelector(`.inspector input[type=range][aria-label="${name}"]`);
    input.scrollIntoView({ block: 'center' });
    return { box: input.getBoundingClientRect().toJSON(), value: Number(input.value) };
  }, label);
  const x = (part) => box.x + 8 + part * (box.width - 16);
  const { mouse } = studio.page;
  await mouse.move(x(value), box.y + box.height / 2);
  await mouse.down();
  for (const part of [0.3, 0.7, 1]) await mouse.move(x(value + part * (share - value)), box.y + box.height / 2);
  await mouse.up();
  await studio.settle();
};

test('a control moves what hangs on it, gets keys, and goes back', async () => {
  await set({ workspace: 'pose', clip: undefined, selection: [] });
  await studio.settle();
  const rest = await studio.positions();
  await slide('breathing', 1);
  const { pose } = await studio.document();
  assert.ok(pose.controls.breathing > 0.9, JSON.stringify(pose));
  assert.equal(await past(), 1, 'a drag is one step');
  const rig = sinew.read(mannequin, { format: 'glb' });
  const told = new sinew.Pose(rig);
  told.set(pose);
  assert.ok(farthest(await studio.positions(), new sinew.Deformer(rig, 'stbs-dqs').deform(told)) < 1e-6);
  assert.ok(farthest(await studio.positions(), rest) > 5e-3);
  await undoTo(0);
  assert.deepEqual(await studio.positions(), rest);

  await studio.press('F4');
  await studio.click('new-clip');
  await slide('breathing', 0.2);
  await at(1);
  await slide('breathing', 0.8);
  const keys = await keysOf('control', 'breathing');
  assert.deepEqual(keys.map(([time]) => time), [0, 1]);
  assert.ok(Math.abs(keys[0][1] - 0.2) < 0.06 && Math.abs(keys[1][1] - 0.8) < 0.06, JSON.stringify(keys));
  assert.equal(await studio.page.locator('[data-channel="control:breathing"] .key').count(), 2);
  await at(0.5);
  assert.ok(farthest(await studio.positions(), (await played(mannequin, 0.5)).positions) < 1e-5);
  const shown = Number(await studio.page.inputValue('.inspector input[type=range][aria-label="breathing"]'));
  assert.ok(Math.abs(shown - 0.5) < 0.08, `the slider is at ${shown}`);
});

test('shapes have sliders and keys, and go with the file', async () => {
  const bytes = sinew.sample('head', { vertices: 800 }).toBytes('glb');
  await open('face', 'glb', bytes);
  const rest = await studio.positions();
  const names = await studio.look(() => window.studio.store.document.rig.info.shapes.filter(({ driven }) => !driven).map(({ name }) => name));
  assert.ok(names.length > 1, `${names}`);
  const [name, other] = names;
  await slide(name, 1);
  assert.ok((await studio.document()).pose.shapes[name] > 0.9);
  assert.ok(farthest(await studio.positions(), rest) > 1e-3);
  await undoTo(0);
  assert.deepEqual(await studio.positions(), rest);
  await studio.press('F4');
  await studio.click('new-clip');
  await slide(name, 0.1);
  await at(0.5);
  await slide(name, 0.9);
  await slide(other, 0.5);
  assert.deepEqual((await keysOf('shape', name)).map(([time]) => time), [0, 0.5]);
  // The second one moves from what it was at the key before.
  assert.deepEqual((await keysOf('shape', other)).map(([time, value]) => [time, value > 0.3]), [[0, false], [0.5, true]]);
  await at(0.25);
  const { positions } = await played(bytes, 0.25);
  assert.ok(farthest(await studio.positions(), positions) < 1e-5);
  const saved = await studio.download(async () => {
    await studio.click('export');
    await studio.click('export-glb');
  });
  const again = sinew.read(saved.bytes, { format: 'glb' });
  const pose = new sinew.Pose(again);
  pose.play(again.clips.length - 1, 0.25);
  assert.ok(farthest(new sinew.Deformer(again, 'stbs-dqs').deform(pose), positions) < 1e-5);
  await undoTo(0);
  await open('figure', 'glb', mannequin);
  await set({ workspace: 'pose' });
});

test('keys are set for what is selected, or for all that moves; several are moved and deleted as one', async () => {
  await studio.press('F4');
  await studio.click('new-clip');
  await set({ selection: ['head'] });
  await canvas();
  await studio.press('k');
  assert.deepEqual((await clip()).channels.map(({ kind, name }) => `${kind} ${name}`), ['rotation head']);
  await studio.look(() => window.studio.posing.change('Two', () => ({ joints: { 'hand.L': { twist: 20 }, 'foot.R': { bend: [[10, 'x']] } } })));
  await at(0.5);
  await set({ selection: [] });
  await canvas();
  await studio.press('k');
  const times = Object.fromEntries((await clip()).channels.map(({ kind, name, keys }) => [`${kind} ${name}`, keys.map(({ time }) => time)]));
  assert.deepEqual(times, { 'rotation head': [0, 0.5], 'rotation hand.L': [0, 0.5], 'rotation foot.R': [0, 0.5] });
  // All keys of a time, by the upper row.
  const box = await keyAt('all', 0.5).boundingBox();
  const first = await keyAt('all', 0).boundingBox();
  const from = [box.x + box.width / 2, box.y + box.height / 2];
  const count = await past();
  await studio.drag(from, [from[0] + (box.x - first.x), from[1]]);
  assert.ok((await clip()).channels.every(({ keys }) => Math.abs(keys[1].time - 1) < 0.02));
  assert.equal(await past(), count + 1);
  await studio.press('Delete');
  assert.ok((await clip()).channels.every(({ keys }) => keys.length === 1));
  assert.equal(await past(), count + 2);
  await undoTo(count);
  // A key by the keyboard.
  await keyAt('all', 0).focus();
  await studio.press('Enter');
  assert.equal(await studio.look(() => window.studio.store.session.selectedKeys.length), 3);
});

test('a clip of the file becomes channels, which play as it did; clips are named and deleted', async () => {
  await set({ clip: 'walk', time: 0.4, workspace: 'animate' });
  await studio.settle();
  const walked = await studio.positions();
  await studio.click('make-keys');
  await studio.page.waitForFunction(() => window.studio.store.session.clip === 'walk keys');
  await at(0.4);
  assert.ok(farthest(await studio.positions(), walked) < 1e-4, `${farthest(await studio.positions(), walked)}`);
  assert.ok((await clip()).channels.length > 10);
  await studio.page.fill('.inspector [aria-label="Name of the clip"]', 'stroll');
  await studio.press('Enter');
  await studio.page.waitForFunction(() => window.studio.store.session.clip === 'stroll');
  assert.ok((await studio.page.locator('[data-id="clip"] option').allInnerTexts()).includes('stroll'));
  await studio.page.click('.inspector button:has-text("Delete clip")');
  assert.deepEqual((await studio.document()).clips, []);
});

test('a motion of a body with other names is laid on by what the names mean, or as people say', async () => {
  // The same body under the names of another program.
  const other = { hips: 'Hips', spine: 'Spine', chest: 'Chest', neck: 'Neck', head: 'Head' };
  for (const [side, word] of [['L', 'Left'], ['R', 'Right']]) {
    Object.assign(other, { [`upper_arm.${side}`]: `${word}Arm`, [`forearm.${side}`]: `${word}ForeArm`, [`hand.${side}`]: `${word}Hand`, [`thigh.${side}`]: `${word}UpLeg`, [`shin.${side}`]: `${word}Leg`, [`foot.${side}`]: `${word}Foot` });
  }
  const text = new TextDecoder().decode(sinew.sample('mannequin', { vertices: 300 }).toBytes('bvh'));
  const renamed = text.replace(/^(\s*(?:ROOT|JOINT) )(\S+)/gm, (_, start, name) => start + (other[name] ?? name));
  assert.match(renamed, /JOINT LeftForeArm/);
  await studio.press('F1');
  await studio.drop([{ name: 'recorded.bvh', bytes: Buffer.from(renamed) }]);
  await studio.page.waitForFunction(() => window.studio.store.document.rig.info.clips.some(({ name }) => name === 'recorded'));
  await at(0.3);
  const motion = sinew.read(Buffer.from(renamed), { format: 'bvh' });
  const alone = sinew.read(mannequin, { format: 'glb' });
  const report = alone.retarget(motion, 0, { name: 'recorded' });
  assert.ok(report.map['LeftForeArm'] !== null, JSON.stringify(report.map));
  const pose = new sinew.Pose(alone);
  pose.play('recorded', 0.3);
  assert.deepEqual(await studio.positions(), new sinew.Deformer(alone, 'stbs-dqs').deform(pose));
  assert.match((await studio.message()).text, new RegExp(`^recorded: ${report.mapped.length} joints of the motion move the character, ${report.unmapped_source.length} do not`));

  // Left and right by hand, exchanged.
  await studio.page.click('.message .link:has-text("Change what moves what")');
  const list = '[data-id="motion-map"] select';
  await studio.page.waitForSelector(list);
  assert.equal(await studio.page.locator(list).count(), motion.jointNames.filter((name) => name !== '').length);
  assert.equal(await studio.page.inputValue(`${list}[aria-label="LeftForeArm"]`), 'forearm.L');
  await studio.page.selectOption(`${list}[aria-label="LeftForeArm"]`, 'forearm.R');
  await studio.page.selectOption(`${list}[aria-label="RightForeArm"]`, 'forearm.L');
  const count = await past();
  await studio.click('apply-map');
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 1, count);
  await at(0.3);
  const exchanged = sinew.read(mannequin, { format: 'glb' });
  exchanged.retarget(motion, 0, { name: 'recorded', map: { ...report.map, LeftForeArm: 'forearm.R', RightForeArm: 'forearm.L' } });
  const now = new sinew.Pose(exchanged);
  now.play('recorded', 0.3);
  assert.deepEqual(await studio.positions(), new sinew.Deformer(exchanged, 'stbs-dqs').deform(now));
  await undoTo(0);
  assert.equal(await studio.look(() => window.studio.store.document.rig.info.clips.some(({ name }) => name === 'recorded')), false);
});

test('nothing went wrong meanwhile', () => assert.deepEqual(studio.errors, []));
