// SPDX-License-Identifier: Apache-2.0
// The selected keys: when, and how to go on from them. And whether inverse kinematics moves a joint.
import type { App } from '../app';
import { copyKeys, moveKeys, removeChannels, removeKeys, setEase } from '../commands/clips';
import { easeName, keysAt, type KeyRef } from '../state/channels';
import { channelId, type Ease, type EaseCurve, type KeyClip } from '../state/document';
import { button, h, note, numberField, row, section, segmented } from '../ui/dom';
import { easeCurve } from './ease-curve';

const firstCurve: EaseCurve = [0.42, 0, 0.58, 1];

const presets: readonly { readonly name: string; readonly curve: EaseCurve }[] = [
  { name: 'Ease in', curve: [0.42, 0, 1, 1] },
  { name: 'Ease out', curve: [0, 0, 0.58, 1] },
  { name: 'In and out', curve: [0.65, 0, 0.35, 1] },
  { name: 'Overshoot', curve: [0.34, 1.4, 0.64, 1] },
];

export function keySections(app: App, clip: KeyClip): HTMLElement[] {
  const { store } = app;
  const { selectedKeys: refs, time: now } = store.session;
  const chosen = keysAt(clip, refs);
  if (chosen.length === 0) {
    return [section('Keys', note('Click a key on the timeline. Drag it to move, Alt-drag to copy, Delete to remove.'), targetRow(app, clip))];
  }
  const { ease } = chosen[0].key;
  const first = Math.min(...chosen.map(({ key }) => key.time));
  const choose = (next: Ease): void => void store.run(setEase(clip.name, refs, next));
  const shift = (by: number): KeyRef[] => refs.map((ref) => ({ ...ref, time: ref.time + by }));
  return [
    section(
      chosen.length === 1 ? 'Key' : `${chosen.length} keys`,
      segmented<ReturnType<typeof easeName>>(
        'Easing',
        [
          { value: 'linear', label: 'Linear', hint: 'At the same pace' },
          { value: 'smooth', label: 'Smooth', hint: 'Slowly at both ends' },
          { value: 'step', label: 'Hold', hint: 'Not before the next key' },
          { value: 'curve', label: 'Curve', hint: 'As the curve says' },
        ],
        easeName(ease),
        (name) => choose(name === 'curve' ? firstCurve : name),
      ),
      typeof ease !== 'string' && easeCurve(ease, choose),
      typeof ease !== 'string' && h('div', { class: 'chips' }, presets.map(({ name, curve }) => h('button', { type: 'button', class: 'chip', onClick: () => choose(curve) }, name))),
      numberField({ label: 'Time', value: first, unit: 's', step: 0.05, digits: 3, min: 0, id: 'key-time', onChange: (time) => {
        store.run(moveKeys(clip.name, refs, time - first));
        store.set({ selectedKeys: shift(time - first), time });
      } }),
      row(
        button({ label: `Copy to ${now.toFixed(2)} s`, icon: 'key', id: 'copy-keys', disabled: Math.abs(now - first) < 0.001, onClick: () => {
          store.run(copyKeys(clip.name, refs, now - first));
          store.set({ selectedKeys: shift(now - first) });
        } }),
        button({ label: 'Delete', icon: 'trash', keys: 'Del', danger: true, id: 'delete-keys', onClick: () => {
          store.run(removeKeys(clip.name, refs));
          store.set({ selectedKeys: [] });
        } }),
      ),
      targetRow(app, clip),
    ),
  ];
}

function targetRow(app: App, clip: KeyClip): HTMLElement | undefined {
  const { store } = app;
  const { selection } = store.session;
  if (selection.length === 0) return undefined;
  const aimed = clip.channels.filter(({ kind, name }) => kind === 'target' && selection.includes(name));
  if (aimed.length > 0) {
    return row(button({ label: 'Remove target', icon: 'pin', pressed: true, id: 'remove-target', hint: 'The joint moves by its own keys again', onClick: () => store.run(removeChannels(clip.name, aimed.map(channelId))) }));
  }
  return row(button({ label: 'Hold here', icon: 'pin', id: 'set-target', hint: 'A target: inverse kinematics brings the joint to this place, whatever the bones above it do. Dragging it sets further keys.', onClick: () => app.posing.setTargets() }));
}
