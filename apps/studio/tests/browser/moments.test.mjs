// SPDX-License-Identifier: Apache-2.0
// Pins, rings, times and places to go to, as a person uses them, in a browser without a window.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { apart, beginCalm, deformed, farthest, mannequin, past, place, sinew, studio } from './desk.mjs';

before(beginCalm);

const select = (...keys) => studio.look((selection) => window.studio.store.set({ selection }), keys);
const undo = async (count) => {
  await studio.page.locator('.stage canvas').focus();
  for (let k = 0; k < count; ++k) await studio.press('Control+z');
  await studio.settle();
};

test('pinned joints stay where they are while others are dragged', async () => {
  await select('foot.L', 'foot.R');
  await studio.page.locator('.stage canvas').focus();
  await studio.press('p');
  await studio.press('2');
  const [left, right, hips] = [await place('foot.L'), await place('foot.R'), await place('hips')];
  const at = await studio.joint('hips');
  await select('hips');
  await studio.drag(at, [at[0] + 14, at[1] + 22]);
  const { pose } = await studio.document();
  assert.ok(apart(await place('hips'), hips) > 0.04, `the hips went ${apart(await place('hips'), hips)}`);
  assert.ok(apart(await place('foot.L'), left) < 1e-3 && apart(await place('foot.R'), right) < 1e-3);
  assert.deepEqual(await studio.positions(), deformed(mannequin, pose).positions);
  // Without the pins, the feet go along.
  await undo(2);
  assert.deepEqual((await studio.document()).pins, []);
  await studio.drag(at, [at[0] + 14, at[1] + 22]);
  assert.ok(apart(await place('foot.L'), left) > 0.03);
  await undo(1);
  await studio.press('1');
});

test('the ring twists a bone by more than a turn, and back', async () => {
  await select('thigh.L');
  // The leg is looked at from below, along itself.
  const { mouse } = studio.page;
  await mouse.move(80, 500);
  await mouse.down();
  await mouse.move(80, 410, { steps: 4 });
  await mouse.up();
  await studio.settle();
  const ring = () => studio.look(() => {
    const { viewport } = window.studio;
    const { twist } = viewport.gizmo.parts;
    const box = viewport.canvas.getBoundingClientRect();
    return Array.from({ length: 24 }, (_, k) => {
      const angle = (k / 24) * 2 * Math.PI;
      const point = twist.position.clone().set(Math.cos(angle), Math.sin(angle), 0).multiplyScalar(twist.scale.x).applyQuaternion(twist.quaternion).add(twist.position);
      const [x, y] = viewport.pick.project(point, 0);
      return [x + box.left, y + box.top];
    });
  });
  const places = await ring();
  const start = await studio.look(([list, { left, top }]) => list.findIndex(([x, y]) => window.studio.viewport.pick.handle(x - left, y - top, 13) === 'twist'), [
    places, await studio.look(() => window.studio.viewport.canvas.getBoundingClientRect().toJSON())]);
  assert.ok(start >= 0, 'the ring can be taken hold of');
  const twist = async () => (await studio.document()).pose.joints['thigh.L']?.twist ?? 0;
  const to = async (step) => mouse.move(...places[(((start + step) % 24) + 24) % 24]);
  await to(0);
  await mouse.down();
  for (let k = 1; k <= 30; ++k) {
    await to(k);
    if (k % 6 === 0) await studio.waitForDrag();
  }
  const told = await studio.page.locator('.tag').innerText();
  const most = await twist();
  // A turn and a quarter, counted past 360 degrees.
  assert.ok(Math.abs(Math.abs(most) - 450) < 12, `${most} degrees`);
  assert.equal(told, `${most.toFixed(0)}°`);
  for (let k = 29; k >= 14; --k) await to(k);
  await studio.waitForDrag();
  assert.ok(Math.abs(Math.abs(await twist()) - 210) < 12, `${await twist()} degrees`);
  await mouse.up();
  await studio.settle();
  assert.equal(await past(), 1);
  const { pose } = await studio.document();
  assert.deepEqual(await studio.positions(), deformed(mannequin, pose).positions);
  assert.ok(Math.abs(Number(await studio.page.inputValue('[data-id="twist"]')) - pose.joints['thigh.L'].twist) < 0.06);
  await undo(1);
});

test('the knob stretches, a double-click resets, and Alt takes the other side along', async () => {
  await studio.look(() => window.studio.viewport.fit([0.45, 0.12]));
  await select('upper_arm.L');
  await studio.settle();
  const knobPlace = () => studio.look(() => {
    const { viewport } = window.studio;
    viewport.render();
    const box = viewport.canvas.getBoundingClientRect();
    const [x, y] = viewport.pick.project(viewport.gizmo.parts.stretch.position, 0);
    return [x + box.left, y + box.top];
  });
  const knob = await knobPlace();
  const [shoulder, elbow] = [await studio.joint('upper_arm.L'), await studio.joint('forearm.L')];
  const { mouse } = studio.page;
  await mouse.move(...knob);
  await mouse.down();
  for (let s = 1; s <= 4; ++s) await mouse.move(...knob.map((value, k) => value + (s / 4) * 0.6 * (elbow[k] - shoulder[k])));
  await studio.waitForDrag();
  assert.match(await studio.page.locator('.tag').innerText(), /^1\.\d\d×$/);
  // It stays under the pointer.
  const held = await knobPlace();
  const wanted = knob.map((value, k) => value + 0.6 * (elbow[k] - shoulder[k]));
  assert.ok(Math.hypot(held[0] - wanted[0], held[1] - wanted[1]) < 2, `the knob is at ${held}, the pointer at ${wanted}`);
  await mouse.up();
  await studio.settle();
  const stretch = (await studio.document()).pose.joints['upper_arm.L'].stretch;
  assert.ok(Math.abs(stretch - 1.6) < 0.03, `${stretch}`);
  await mouse.dblclick(...(await studio.joint('upper_arm.L')));
  await studio.settle();
  assert.equal((await studio.document()).pose.joints['upper_arm.L'], undefined);
  await undo(2);
  await select();
  const hand = await studio.joint('hand.L');
  await studio.page.keyboard.down('Alt');
  await studio.drag(hand, [hand[0] + 20, hand[1] - 40]);
  await studio.page.keyboard.up('Alt');
  const [one, [x, y, z]] = [await place('hand.L'), await place('hand.R')];
  assert.ok(apart(one, [-x, y, z]) < 1e-5, `${one} and ${[x, y, z]}`);
  await undo(1);
});

test('a filter is dragged by its points, and the character changes as it is', async () => {
  await select('forearm.L');
  await studio.type('stretch', '2');
  const { pose } = await studio.document();
  const plain = await studio.positions();
  await studio.press('F3');
  const box = await studio.page.locator('.curve').boundingBox();
  const at = (x, y) => [box.x + ((12 + x * 226) / 250) * box.width, box.y + ((188 - y * 176) / 200) * box.height];
  const count = await past();
  await studio.page.mouse.dblclick(...at(0.5, 0.5));
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 1, count);
  await studio.settle();
  assert.equal(await studio.page.locator('.curve [data-point]').count(), 3);
  const { mouse } = studio.page;
  await mouse.move(...at(0.5, 0.5));
  await mouse.down();
  for (let s = 1; s <= 4; ++s) await mouse.move(...at(0.5 - 0.05 * s, 0.5 + 0.08 * s));
  // While it is dragged, what is drawn is another figure, and the document is the same.
  const shown = await studio.page.waitForFunction((list) => {
    const picture = window.studio.viewport.lastFrame;
    return picture.rig !== window.studio.store.document.rig.id && picture.poses.concat(picture.surfaces).length > 0 && list;
  }, count);
  await shown.dispose();
  assert.equal(await past(), count + 1);
  await mouse.up();
  await studio.page.waitForFunction((n) => window.studio.store.past.length === n + 2, count);
  await studio.settle();
  const filter = await studio.look(() => {
    const { bones, joints } = window.studio.store.document.rig.info;
    return bones.find(({ joint }) => joints[joint].key === 'forearm.L').stretchFilter;
  });
  assert.ok(filter.length === 3 && Math.abs(filter[1][0] - 0.3) < 0.02 && Math.abs(filter[1][1] - 0.82) < 0.02, JSON.stringify(filter));
  const { rig, told } = deformed(mannequin, pose);
  rig.edit([{ filter: `forearm.L=${filter.map((point) => point.join(':')).join(',')}` }]);
  assert.ok(farthest(await studio.positions(), new sinew.Deformer(rig, 'stbs-dqs').deform(told)) < 1e-6);
  assert.ok(farthest(await studio.positions(), plain) > 0.02);
  await studio.press('F1');
  await undo(3);
});

test('a click goes to the worst places of a method, and to the vertices of the report', async () => {
  await select('hand.L');
  await studio.type('twist', '175');
  await studio.page.locator('.stage canvas').focus();
  await studio.press('c');
  await studio.page.waitForSelector('[data-id="measures-1"] dd', { timeout: 60000 });
  const camera = await studio.look(() => window.studio.viewport.orbit.state);
  await studio.page.click('.view-label:nth-child(2) .worst');
  await studio.page.waitForFunction(() => window.studio.store.session.marked.length > 0);
  const { marked, faults, target, there, dots } = await studio.look(async () => {
    const { studio: app } = window;
    const { store, viewport } = app;
    const [list] = await app.faults(['lbs']);
    const p = viewport.positions(1);
    const { marked: vertices } = store.session;
    const dotsAt = (view) => Array.from(viewport.signs.marks[view].geometry.getAttribute('position').array.slice(0, 3));
    return { marked: vertices, faults: vertices.map((v) => list[v]), target: viewport.orbit.target.toArray(), there: Array.from(p.slice(3 * vertices[0], 3 * vertices[0] + 3)), dots: dotsAt(1) };
  });
  assert.ok(marked.length > 0 && faults.every((bits) => bits !== 0), `${marked}: ${faults}`);
  assert.ok(apart(target, there) < 1e-6 && apart(dots, there) < 1e-6, 'the camera looks at the first one, which has a dot');
  const now = await studio.look(() => window.studio.viewport.orbit.state);
  assert.ok(now[2] < 0.6 * camera[2], 'from nearby');
  // Where nothing is wrong, that is said.
  await studio.look(() => (window.studio.message.value = undefined));
  await studio.page.click('.view-label:nth-child(1) .worst');
  await studio.page.waitForFunction(() => /nothing is wrong/.test(window.studio.message.value?.text));
  await studio.page.locator('.stage canvas').focus();
  await studio.press('Escape');
  assert.deepEqual(await studio.look(() => window.studio.store.session.marked), []);
  await studio.press('h');
  await studio.press('c');
  await studio.settle();

  // Some of the hand is tied to the other thigh.
  const rig = sinew.read(mannequin, { format: 'glb' });
  const { weightOffsets: offsets, weightBones: bones, weights, endpoints } = rig;
  const thigh = rig.boneNames.indexOf('thigh.R');
  const hand = rig.boneNames.indexOf('hand.L');
  const stray = [];
  for (let v = 0; v < rig.vertexCount && stray.length < 8; ++v) {
    const row = Array.from(bones.slice(offsets[v], offsets[v + 1]));
    if (!row.includes(hand) || row.includes(thigh)) continue;
    bones[offsets[v] + row.indexOf(hand)] = thigh;
    stray.push(v);
  }
  rig.setWeights(weights, { bones, offsets, endpoints });
  await studio.drop([{ name: 'stray.glb', bytes: rig.toBytes('glb') }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'stray');
  await studio.settle();
  await studio.press('F3');
  await studio.click('check-weights');
  await studio.page.click('button.finding:has-text("not theirs")');
  const found = await studio.look(() => {
    const { store, viewport } = window.studio;
    const [first] = store.session.marked;
    return { marked: store.session.marked, off: viewport.orbit.target.distanceTo(viewport.orbit.target.clone().fromArray(viewport.positions(), 3 * first)) };
  });
  assert.ok(found.marked.length > 0 && found.marked.every((v) => stray.includes(v)), `${found.marked} of ${stray}`);
  assert.ok(found.off < 1e-6);
  await studio.click('remove-marks');
  await studio.page.waitForFunction(() => window.studio.store.session.marked.length === 0 && !document.querySelector('[data-id="remove-marks"]'));
  await studio.press('F1');
  await studio.drop([{ name: 'mannequin.glb', bytes: mannequin }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'mannequin');
  await studio.settle();
});

test('a drag is recorded as a motion, which is shown as it will be and as it was', async () => {
  // A clip begins within half a turn: a hand that is twisted by more keeps what is left.
  await select('hand.L');
  await studio.type('twist', '540');
  await studio.press('F4');
  await studio.click('record');
  const rest = await place('hand.L');
  const at = await studio.joint('hand.L');
  const { mouse } = studio.page;
  await mouse.move(...at);
  await mouse.down();
  const begun = Date.now();
  for (let s = 1; s <= 12; ++s) {
    await mouse.move(at[0] + 4 * s, at[1] - 9 * s);
    await studio.waitForDrag();
  }
  const seconds = (Date.now() - begun) / 1000;
  await mouse.up();
  await studio.settle();
  const there = await place('hand.L');
  assert.ok(apart(there, rest) > 0.1);
  await studio.click('record');
  await studio.page.waitForFunction(() => window.studio.store.document.clips.length === 1 && window.studio.store.session.playing);
  await studio.press('Space');
  const [clip] = (await studio.document()).clips;
  assert.equal(clip.name, 'recorded');
  assert.deepEqual(clip.channels.find(({ kind, name }) => kind === 'rotation' && name === 'hand.L').keys.map(({ value }) => value.twist), [180]);
  const times = [...new Set(clip.channels.flatMap(({ keys }) => keys.map(({ time }) => time)))].sort((a, b) => a - b);
  assert.ok(times.length > 4 && times[0] === 0, `${times}`);
  assert.ok(times.at(-1) > 0.3 * seconds && times.at(-1) < seconds + 0.2, `${times.at(-1)} s of ${seconds}`);
  const look = async (time) => {
    await studio.look((t) => window.studio.store.set({ time: t, playing: false }), time);
    await studio.settle();
    return place('hand.L');
  };
  assert.ok(apart(await look(times.at(-1)), there) < 0.02, 'it ends where the hand was let go');
  assert.ok(apart(await look(0), rest) < 0.5 * apart(there, rest), 'it begins near where it was taken');
  const between = (await look(times[times.length >> 1])).map((value, k) => (value - rest[k]) / (there[k] - rest[k]))[1];
  assert.ok(between > 0.1 && between < 0.9, `${between} of the way`);

  // The keys before and after are shown faintly, as the core computes them.
  await studio.click('onion');
  const beside = [times[(times.length >> 1) - 2], times[(times.length >> 1) - 1], times[(times.length >> 1) + 1], times[(times.length >> 1) + 2]];
  await studio.page.waitForFunction(() => window.studio.viewport.signs.onions.length === 4);
  const onions = await studio.look(async (list) => {
    const { core, stage, viewport } = window.studio;
    const differences = [];
    for (const [k, time] of list.entries()) {
      const frame = await core.call('frame', { ...stage.moment('recorded', time), methods: ['stbs-dqs'] });
      const drawn = viewport.signs.onions[k].geometry.getAttribute('position').array;
      differences.push(frame.surfaces[0].positions.reduce((most, value, i) => Math.max(most, Math.abs(value - drawn[i])), 0));
    }
    return { differences, colors: viewport.signs.onions.map(({ material }) => material.color.getHex()) };
  }, beside);
  assert.deepEqual(onions.differences, [0, 0, 0, 0]);
  assert.equal(new Set(onions.colors).size, 2, 'what was has another colour than what will be');
  await look(0);
  await studio.page.waitForFunction(() => window.studio.viewport.signs.onions.length === 2);
  await studio.press('F1');
  await studio.page.waitForFunction(() => window.studio.viewport.signs.onions.length === 0);
  await studio.press('F4');
  await studio.page.waitForFunction(() => window.studio.viewport.signs.onions.length === 2);
  await studio.click('onion');
  await studio.page.waitForFunction(() => window.studio.viewport.signs.onions.length === 0);
  assert.equal(await studio.look(() => window.studio.store.session.autoKey), true);
  assert.notEqual((await studio.message())?.kind, 'bad');
});

/** How many pictures a GIF has: blocks are gone through. */
function gifPictures(bytes) {
  let at = 13 + (bytes[10] & 0x80 ? 3 << ((bytes[10] & 7) + 1) : 0);
  let count = 0;
  const skip = () => {
    while (bytes[at] !== 0) at += bytes[at] + 1;
    ++at;
  };
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) at += 2;
    else {
      assert.equal(bytes[at], 0x2c, `a block at ${at}`);
      ++count;
      at += 10 + (bytes[at + 9] & 0x80 ? 3 << ((bytes[at + 9] & 7) + 1) : 0) + 1;
    }
    skip();
  }
  return count;
}

test('the character is filmed once round, as GIF, APNG and WebM', async () => {
  await studio.press('F1');
  await studio.look(() => window.studio.store.set({ clip: undefined, selection: ['hand.L'] }));
  await studio.settle();
  const camera = await studio.look(() => window.studio.viewport.orbit.state);
  // What is drawn for the films, as numbers: of the character alone, from all around.
  await studio.look(() => {
    const { viewport } = window.studio;
    const pixels = viewport.pixels.bind(viewport);
    window.turns = [];
    viewport.pixels = (...to) => {
      window.turns.push([viewport.orbit.state[0], viewport.bones.group.visible || viewport.signs.group.visible]);
      pixels(...to);
    };
  });
  const save = async (id) => {
    await studio.look(() => (window.turns = []));
    await studio.click('export');
    const film = await studio.download(() => studio.click(id));
    await studio.page.waitForFunction(() => !window.studio.job.value);
    return { ...film, turns: await studio.look(() => window.turns) };
  };
  const isRound = (turns, count) => {
    assert.equal(turns.length, count);
    turns.forEach(([azimuth, hasExtras], f) => {
      assert.ok(Math.abs(azimuth - camera[0] - (2 * Math.PI * f) / count) < 1e-9 && !hasExtras, `picture ${f}`);
    });
  };
  const gif = await save('export-turn');
  assert.equal(gif.name, 'mannequin.gif');
  isRound(gif.turns, 40);
  assert.equal(gifPictures(gif.bytes), 40);
  const apng = await save('export-turn-apng');
  assert.equal(apng.name, 'mannequin.apng');
  isRound(apng.turns, 40);
  assert.equal(apng.bytes.readUInt32BE(apng.bytes.indexOf('acTL') + 4), 40);
  const webm = await save('export-turn-webm');
  isRound(webm.turns, 60);
  const film = await studio.look(async (base64) => {
    const video = document.createElement('video');
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'video/webm' }));
    const context = Object.assign(document.createElement('canvas'), { width: 120, height: 80 }).getContext('2d', { willReadFrequently: true });
    const pictures = [];
    for (const time of [0.01, 0.5]) {
      // Not `seeked`, which comes before there is a picture.
      const shown = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      video.currentTime = time;
      await shown;
      context.drawImage(video, 0, 0, 120, 80);
      pictures.push(context.getImageData(0, 0, 120, 80).data);
    }
    return { seconds: video.duration, difference: pictures[0].reduce((sum, value, i) => sum + Math.abs(value - pictures[1][i]), 0) / pictures[0].length };
  }, webm.bytes.toString('base64'));
  assert.ok(Math.abs(film.seconds - 2) < 1e-6, `${film.seconds} s`);
  assert.ok(film.difference > 1, `from the side it looks otherwise: ${film.difference}`);
  assert.deepEqual(await studio.look(() => window.studio.viewport.orbit.state), camera);
});

test('nothing went wrong meanwhile', () => assert.deepEqual(studio.errors, []));
