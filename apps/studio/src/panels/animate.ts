// SPDX-License-Identifier: Apache-2.0
import type { App } from '../app';
import { removeClip, renameClip, setChannels } from '../commands/clips';
import { keyCount, keyTimes } from '../state/channels';
import { endsWithScope } from '../state/scope';
import { button, h, note, row, section } from '../ui/dom';
import { keySections } from './keys';
import { jointFields, valueSliders } from './pose';
import { recordRow } from './recording';
import { jointTree } from './tree';

export function animatePanel(app: App): HTMLElement {
  const { store } = app;
  const clipPart = h('div', {});
  const render = (): void => clipPart.replaceChildren(...clipSections(app));
  // A handle of the curve that is being dragged stays under the pointer.
  store.watch(({ document, session }) => [document.clips, document.rig.info.clips, session.clip, session.selectedKeys, session.selection, session.autoKey, session.recording, session.playing || session.time], () => {
    if (!clipPart.querySelector('.held')) render();
  });
  const showOnions = onionSkin(app);
  store.watch(({ session, document }) => [session.onion, session.time, session.clip, document.clips, document.method, document.rig, session.workspace, session.playing], () => void showOnions());
  endsWithScope(() => app.viewport.setOnions([]));
  return h('div', { class: 'panel' }, jointFields(app), clipPart, valueSliders(app), section('Joints', jointTree(app)));
}

function clipSections(app: App): HTMLElement[] {
  const { store } = app;
  const clip = app.posing.keyClip();
  const { session } = store;
  const index = store.document.rig.info.clips.findIndex((other) => other.name === session.clip);
  const own = store.document.rig.info.clips[index];
  if (session.recording) {
    return [section('Clip',
      h('div', { class: 'empty' },
        h('b', {}, 'Recording'),
        h('p', {}, 'Drag the character: what it does from the first drag to the last becomes a motion.')),
      recordRow(app),
    )];
  }
  const newClip = button({ label: 'New clip', icon: 'plus', primary: !clip, onClick: () => {
    app.posing.addClip();
    store.set({ time: 0 });
  } });
  if (!clip) {
    return [section('Clip',
      h('div', { class: 'empty' },
        h('b', {}, own ? own.name : 'No clip yet'),
        h('p', {}, own
          ? `A clip of the file, ${own.duration.toFixed(2)} s. It plays as it is; make keys of it to change it.`
          : 'Choose a time, drag the character: each drag makes keys for what it moves. Or start a clip here.')),
      row(newClip, own && button({ label: 'Make keys of it', icon: 'key', id: 'make-keys', onClick: () => void keysOfClip(app, own.name, index) })),
      recordRow(app),
    )];
  }
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
  const count = keyCount(clip);
  return [
    ...keySections(app, clip),
    section(
      'Clip',
      h('label', { class: 'field' }, h('span', { class: 'field-label' }, 'Name'), name),
      note(`${count} ${count === 1 ? 'key' : 'keys'} in ${clip.channels.length} ${clip.channels.length === 1 ? 'channel' : 'channels'}, ${app.player.duration().toFixed(2)} s${clip.loop ? ', loops' : ''}`),
      row(newClip, button({ label: 'Delete clip', icon: 'trash', danger: true, onClick: () => {
        store.set({ clip: undefined, playing: false });
        store.run(removeClip(clip.name));
      } })),
      recordRow(app),
    ),
  ];
}

async function keysOfClip(app: App, name: string, index: number): Promise<void> {
  await app.attempt('Making keys', async () => {
    const { store } = app;
    const channels = await app.core.call('channels', store.document.rig.id, index);
    const made = app.posing.addClip(`${name} keys`);
    store.run(setChannels(made, channels, 'Make keys'));
    store.set({ time: 0 });
  });
}

/** The character at the keys before and after. Scrubbing from one key to the next asks for nothing anew. */
function onionSkin(app: App): () => Promise<void> {
  const { store, viewport } = app;
  let shown: readonly unknown[] = [];
  return async () => {
    const { session, document } = store;
    const isSeen = session.onion && session.workspace === 'animate' && session.clip !== undefined && !session.playing;
    const clip = app.posing.keyClip();
    const times = clip ? keyTimes(clip) : [session.time - 0.15, session.time + 0.15];
    const before = times.filter((time) => time < session.time - 0.005).slice(-2);
    const after = times.filter((time) => time > session.time + 0.005).slice(0, 2);
    const wanted = isSeen ? [document.rig.id, document.method, clip ?? session.clip, before.length, ...before, ...after] : [];
    if (wanted.length === shown.length && wanted.every((one, k) => one === shown[k])) return;
    shown = wanted;
    const surfaces: Parameters<typeof viewport.setOnions>[0][number][] = [];
    for (const time of isSeen ? [...before, ...after] : []) {
      const frame = await app.core.call('frame', { ...app.stage.moment(session.clip, time), methods: [document.method] }).catch(() => undefined);
      // Meanwhile something else is wanted.
      if (shown !== wanted) return;
      if (frame?.surfaces[0]) surfaces.push({ ...frame.surfaces[0], color: before.includes(time) ? 0x2e7cf6 : 0xf08a24 });
    }
    viewport.setOnions(surfaces);
  };
}
