// SPDX-License-Identifier: Apache-2.0
// Posing and comparing as a person does, in a browser without a window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, deformed, mannequin, studio } from './desk.mjs';

test('the first screen has a character that moves and three big actions', async () => {
  await begin();
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

test('however quick a drag is, it ends where the pointer was let go, and Ctrl Z in the middle of one takes it back', async () => {
  const start = await studio.document();
  const hand = await studio.joint('hand.L');
  const { mouse } = studio.page;
  const to = [hand[0] + 35, hand[1] - 70];
  const past = await studio.look(() => window.studio.store.past.length);
  await mouse.move(...hand);
  await mouse.down();
  await mouse.move(...to);
  await mouse.up();
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 1, past);
  await studio.settle();
  const there = await studio.joint('hand.L');
  assert.ok(Math.hypot(there[0] - to[0], there[1] - to[1]) < 1.5, `the hand is at ${there}, the pointer at ${to}`);
  await studio.press('Control+z');
  await studio.settle();
  // It is taken anywhere within reach, and does not jump to the pointer.
  await studio.look(() => window.studio.store.set({ selection: [] }));
  await studio.drag([hand[0] - 3, hand[1] - 3], [hand[0] + 17, hand[1] - 43]);
  const moved = await studio.joint('hand.L');
  assert.ok(Math.hypot(moved[0] - hand[0] - 20, moved[1] - hand[1] + 40) < 1.5, `${moved} from ${hand}`);
  await studio.press('Control+z');
  await studio.settle();
  await mouse.move(...hand);
  await mouse.down();
  await mouse.move(...to);
  await studio.page.waitForFunction(() => window.studio.store.isDragging && Object.keys(window.studio.store.document.pose.joints).length > 0);
  await studio.press('Control+z');
  await mouse.move(to[0] + 30, to[1]);
  await studio.waitForDrag();
  await mouse.up();
  await studio.settle();
  assert.deepEqual(await studio.document(), start);
  assert.deepEqual(studio.errors, []);
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
  // The other side goes along with the ring that turns and with free tails, too.
  const isMirrored = () => studio.look(() => {
    const { store, viewport } = window.studio;
    const { bones, joints } = store.document.rig.info;
    const [left, right] = ['hand.L', 'hand.R'].map((key) => {
      const b = bones.findIndex(({ joint }) => joints[joint].key === key);
      return viewport.lastFrame.boneTails.slice(3 * b, 3 * b + 3);
    });
    return Math.hypot(left[0] + right[0], left[1] - right[1], left[2] - right[2]);
  });
  const tail = () => studio.look(() => {
    const { store, viewport } = window.studio;
    const { bones, joints } = store.document.rig.info;
    const b = bones.findIndex(({ joint }) => joints[joint].key === 'hand.L');
    const [x, y] = viewport.pick.project(viewport.lastFrame.boneTails.slice(3 * b, 3 * b + 3), 0);
    const box = viewport.canvas.getBoundingClientRect();
    return [x + box.left, y + box.top];
  });
  assert.ok((await isMirrored()) < 1e-5);
  await studio.press('m');
  const from = await tail();
  await studio.drag(from, [from[0] + 30, from[1] - 40]);
  const to = await tail();
  assert.ok(Math.hypot(to[0] - from[0] - 30, to[1] - from[1] + 40) < 3, `${to} from ${from}`);
  assert.ok((await isMirrored()) < 1e-5, `${await isMirrored()}`);
  await studio.look(() => window.studio.store.set({ selection: ['hand.L'] }));
  await studio.settle();
  const ring = await studio.look(() => {
    const { viewport } = window.studio;
    const { turn } = viewport.gizmo.parts;
    const box = viewport.canvas.getBoundingClientRect();
    const at = (angle) => viewport.pick.project(turn.position.clone().add(turn.position.clone().set(Math.cos(angle), Math.sin(angle), 0).multiplyScalar(turn.scale.x).applyQuaternion(turn.quaternion)), 0);
    const angle = Array.from({ length: 60 }, (_, k) => k / 10).find((one) => viewport.pick.handle(...at(one), 13) === 'turn' && viewport.pick.joint(...at(one), 7) < 0);
    return [at(angle), at(angle + 0.5)].map(([x, y]) => [x + box.left, y + box.top]);
  });
  await studio.drag(...ring);
  assert.match((await studio.look(() => window.studio.store.past.at(-1).label)), /^Turn hand\.L/);
  assert.ok((await isMirrored()) < 1e-5, `${await isMirrored()}`);
  await studio.press('m');
  await studio.press('Control+z');
  await studio.press('Control+z');
  await studio.look(() => window.studio.store.set({ selection: ['foot.L', 'foot.R'] }));
  await studio.press('p');
  assert.deepEqual((await studio.document()).pins, ['foot.L', 'foot.R']);
  await studio.press('Control+z');
  await studio.press('Control+z');
  await studio.settle();
});

test('numbers and rings are for all joints that are selected, and the keyboard turns the view', async () => {
  const twists = async () => {
    const { joints } = (await studio.document()).pose;
    return ['thigh.L', 'forearm.R', 'forearm.L'].map((key) => joints[key]?.twist ?? 0);
  };
  await studio.look(() => window.studio.store.set({ selection: ['forearm.R', 'forearm.L', 'thigh.L'] }));
  await studio.settle();
  await studio.type('twist', '20');
  assert.deepEqual(await twists(), [20, 20, 20]);
  assert.equal(await studio.look(() => window.studio.store.past.at(-1).label), 'Twist 3 joints');
  const ring = await studio.look(() => {
    const { viewport } = window.studio;
    const { twist } = viewport.gizmo.parts;
    const box = viewport.canvas.getBoundingClientRect();
    const at = (angle) => viewport.pick.project(twist.position.clone().set(Math.cos(angle), Math.sin(angle), 0).multiplyScalar(twist.scale.x).applyQuaternion(twist.quaternion).add(twist.position), 0);
    const [x, y] = at(0);
    return [x + box.left, y + box.top];
  });
  await studio.drag(ring, [ring[0] + 40, ring[1]]);
  const [one, ...others] = await twists();
  assert.ok(Math.abs(one - 20) > 10, `${one}`);
  assert.deepEqual(others, [one, one]);
  // One step back each.
  await studio.press('Control+z');
  assert.deepEqual(await twists(), [20, 20, 20]);
  await studio.press('Control+z');
  await studio.settle();
  assert.deepEqual(await twists(), [0, 0, 0]);

  const camera = () => studio.look(() => window.studio.viewport.orbit.state.slice(0, 3));
  const [azimuth, elevation, distance] = await camera();
  await studio.page.locator('.stage canvas').focus();
  for (const key of ['ArrowLeft', 'ArrowUp', '+']) await studio.press(key);
  const turned = await camera();
  assert.ok(turned[0] < azimuth && turned[1] > elevation && turned[2] < distance, `${turned} from ${[azimuth, elevation, distance]}`);
  for (const key of ['ArrowRight', 'ArrowDown', '-']) await studio.press(key);
  const back = await camera();
  assert.ok(back.every((value, k) => Math.abs(value - [azimuth, elevation, distance][k]) < 1e-9));
  // In a list they go from one to the next.
  await studio.page.focus('[data-joint="hips"]');
  await studio.press('ArrowDown');
  assert.deepEqual(await camera(), back);
});

test('methods side by side have their numbers and show the same pose', async () => {
  await studio.look(() => window.studio.store.set({ selection: ['hand.L'] }));
  await studio.type('twist', '170');
  await studio.page.locator('.stage canvas').focus();
  const camera = await studio.look(() => {
    window.studio.viewport.orbit.zoom(0.5);
    return window.studio.viewport.orbit.state;
  });
  await studio.press('c');
  await studio.page.waitForSelector('[data-id="measures-1"] dd', { timeout: 60000 });
  await studio.settle();
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
  const back = await studio.look(() => window.studio.viewport.orbit.state);
  assert.ok(back.every((value, k) => Math.abs(value - camera[k]) < 1e-9), `one looks from where one did: ${back} for ${camera}`);
  await studio.look(() => window.studio.viewport.orbit.zoom(2));
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
