// SPDX-License-Identifier: Apache-2.0
import type { App } from '../app';
import { addClip, removeClip, removeKeys, renameClip, setEase, setKeys } from '../commands/commands';
import type { Ease, Key } from '../state/document';
import { endsWithScope } from '../state/scope';
import { button, h, note, numberField, row, section, segmented } from '../ui/dom';
import { jointFields, valueSliders } from './pose';
import { jointTree } from './tree';

export function animatePanel(app: App): HTMLElement {
  const { store } = app;
  const clipPart = h('div', {});
  store.watch(({ document, session }) => [document.clips, document.rig.info.clips, session.clip, session.selectedKeys, session.autoKey, session.recording], () => {
    clipPart.replaceChildren(...clipSections(app));
  });
  store.watch(({ session, document }) => [session.onion, session.time, session.clip, document.clips, document.pose, document.rig, session.workspace, session.playing], () => void showOnions(app));
  endsWithScope(() => app.viewport.setOnions([]));
  return h('div', { class: 'panel' }, jointFields(app), clipPart, valueSliders(app), section('Joints', jointTree(app)));
}

function clipSections(app: App): HTMLElement[] {
  const { store } = app;
  const clip = app.keyClip();
  const { session } = store;
  const own = store.document.rig.info.clips.find((other) => other.name === session.clip);
  const newClip = button({ label: 'New clip', icon: 'plus', primary: !clip, onClick: () => {
    const before = store.document.clips.length;
    store.run(addClip('motion'));
    store.set({ clip: store.document.clips[before]?.name, time: 0 });
  } });
  if (!clip) {
    return [section('Clip',
      h('div', { class: 'empty' },
        h('b', {}, own ? own.name : 'No clip yet'),
        h('p', {}, own
          ? `A clip of the file, ${own.duration.toFixed(2)} s. It plays as it is; make keys of it to change it.`
          : 'Choose a time, drag the character: each drag makes a key. Or start a clip here.')),
      row(newClip, own && button({ label: 'Make keys of it', icon: 'key', id: 'make-keys', onClick: () => void keysOfClip(app, own.name, own.duration) })),
      recordRow(app),
    )];
  }
  const chosen = clip.keys.filter((key) => session.selectedKeys.includes(key.time));
  const name = h('input', { class: 'text', value: clip.name, 'aria-label': 'Name of the clip', maxlength: 60 });
  name.addEventListener('change', () => {
    store.run(renameClip(clip.name, name.value));
    const renamed = store.document.clips.find((other) => other.name === name.value);
    if (renamed) store.set({ clip: renamed.name });
  });
  name.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Enter') name.blur();
  });
  return [
    section(
      'Clip',
      h('label', { class: 'field' }, h('span', { class: 'field-label' }, 'Name'), name),
      note(`${clip.keys.length} ${clip.keys.length === 1 ? 'key' : 'keys'}, ${app.duration().toFixed(2)} s${clip.loop ? ', loops' : ''}`),
      row(newClip, button({ label: 'Delete clip', icon: 'trash', danger: true, onClick: () => {
        store.set({ clip: undefined, playing: false });
        store.run(removeClip(clip.name));
      } })),
      recordRow(app),
    ),
    section(
      chosen.length === 1 ? 'Key' : 'Keys',
      chosen.length === 0
        ? note('Click a key on the timeline. Drag it to move, Alt-drag to copy, Delete to remove.')
        : h(
            'div',
            {},
            segmented<Ease>(
              'Easing',
              [
                { value: 'smooth', label: 'Smooth', hint: 'Slowly at both ends' },
                { value: 'linear', label: 'Linear', hint: 'At the same pace' },
                { value: 'step', label: 'Step', hint: 'Not before the next key' },
              ],
              chosen[0].ease,
              (ease) => store.run(setEase(clip.name, session.selectedKeys, ease)),
            ),
            chosen.length === 1 &&
              numberField({ label: 'Time', value: chosen[0].time, unit: 's', step: 0.05, digits: 3, min: 0, id: 'key-time', onChange: (time) => {
                store.run(setKeys(clip.name, clip.keys.map((key) => (key === chosen[0] ? { ...key, time } : key)), 'Move key'));
                store.set({ selectedKeys: [time], time });
              } }),
            row(button({ label: 'Delete', icon: 'trash', keys: 'Del', danger: true, onClick: () => {
              store.run(removeKeys(clip.name, session.selectedKeys));
              store.set({ selectedKeys: [] });
            } })),
          ),
    ),
  ];
}

function recordRow(app: App): HTMLElement {
  const { store } = app;
  const { recording } = store.session;
  return row(
    button({
      label: recording ? 'Stop recording' : 'Record a drag',
      icon: 'record',
      danger: recording,
      pressed: recording,
      id: 'record',
      hint: 'What is dragged becomes a motion, in real time',
      onClick: () => (recording ? stopRecording(app) : startRecording(app)),
    }),
  );
}

interface Recording {
  readonly start: number;
  readonly keys: Key[];
  stop(): void;
}
let current: Recording | undefined;

function startRecording(app: App): void {
  const { store } = app;
  store.set({ recording: true, clip: undefined, autoKey: false, playing: false });
  app.say('Recording: drag the character; stop when it is done.');
  const keys: Key[] = [];
  let start = -1;
  let last = -1;
  const off = app.frame.watch((frame) => {
    if (!frame?.pose || !store.isDragging) return;
    const now = performance.now() / 1000;
    if (start < 0) start = now;
    if (now - last < 1 / 30) return;
    last = now;
    keys.push({ time: now - start, pose: frame.pose, ease: 'linear' });
  });
  current = { start, keys, stop: off };
}

function stopRecording(app: App): void {
  const { store } = app;
  const made = current;
  current = undefined;
  made?.stop();
  store.set({ recording: false, autoKey: true });
  if (!made || made.keys.length < 2) {
    app.say('Nothing was dragged, so nothing was recorded.');
    return;
  }
  const before = store.document.clips.length;
  store.run(addClip('recorded'));
  const name = store.document.clips[before].name;
  store.run(setKeys(name, made.keys));
  store.set({ clip: name, time: 0, playing: true });
}

// Poses of a clip at its own pace, ten a second and at its end: what the file has, approximately.
async function keysOfClip(app: App, name: string, duration: number): Promise<void> {
  await app.attempt('Making keys', async () => {
    const { store } = app;
    const count = Math.max(2, Math.round(duration * 10) + 1);
    const keys: Key[] = [];
    for (let k = 0; k < count; ++k) {
      const time = (duration * k) / (count - 1);
      const frame = await app.core.call('frame', { ...app.moment(name, time), methods: [], told: true });
      if (frame.pose) keys.push({ time, pose: frame.pose, ease: 'linear' });
    }
    const before = store.document.clips.length;
    store.run(addClip(`${name} keys`));
    const made = store.document.clips[before].name;
    store.run(setKeys(made, keys, 'Make keys'));
    store.set({ clip: made, time: 0 });
  });
}

async function showOnions(app: App): Promise<void> {
  const { store } = app;
  const { session, document } = store;
  if (!session.onion || session.workspace !== 'animate' || session.clip === undefined || session.playing) {
    app.viewport.setOnions([]);
    return;
  }
  const clip = app.keyClip();
  const times = clip ? clip.keys.map((key) => key.time) : [session.time - 0.15, session.time + 0.15];
  const before = times.filter((time) => time < session.time - 0.005).slice(-2);
  const after = times.filter((time) => time > session.time + 0.005).slice(0, 2);
  const surfaces = [];
  for (const time of [...before, ...after]) {
    const frame = await app.core.call('frame', { ...app.moment(session.clip, time), methods: [document.method] });
    if (frame.surfaces[0]) surfaces.push({ ...frame.surfaces[0], color: time < session.time ? 0x2e7cf6 : 0xf08a24 });
  }
  if (store.session.time === session.time) app.viewport.setOnions(surfaces);
}
