// SPDX-License-Identifier: Apache-2.0
import type { App } from '../app';
import { toggleLocks } from '../commands/commands';
import { boneOfJoint, jointIndex } from '../state/document';
import { endsWithScope } from '../state/scope';
import type { Brush } from '../state/session';
import { button, h, note, row, section, segmented, slider, toggle } from '../ui/dom';
import { filterSection } from './filters';
import { jointTree } from './tree';
import { weightsSection } from './weights';

export function paintPanel(app: App): HTMLElement {
  const { store } = app;
  const brush = h('div', { class: 'live' });
  let dragging = false;
  brush.addEventListener('pointerdown', () => (dragging = true));
  const release = (): void => void (dragging = false);
  window.addEventListener('pointerup', release);
  endsWithScope(() => window.removeEventListener('pointerup', release));
  store.watch(({ session, document }) => [session.brush, session.selection, document.locks, document.rig], () => {
    if (!dragging) brush.replaceChildren(...brushPart(app));
  });
  return h(
    'div',
    { class: 'panel' },
    brush,
    filterSection(app),
    weightsSection(app),
    section('Bones', jointTree(app)),
  );
}

function brushPart(app: App): HTMLElement[] {
  const { store } = app;
  const { brush, selection } = store.session;
  const { info } = store.document.rig;
  const set = (change: Partial<Brush>): void => store.set({ brush: { ...store.session.brush, ...change } });
  const key = selection.at(-1);
  const bone = key === undefined ? -1 : boneOfJoint(info, jointIndex(info, key));
  const isLocked = key !== undefined && store.document.locks.includes(key);
  const target = h(
    'div',
    {},
    segmented(
      'What is painted',
      [
        { value: 'bone-weights', label: 'Bone', hint: 'How much the bone moves the skin' },
        { value: 'endpoints', label: 'Endpoint', hint: 'How far along the bone: 0 at its head, 1 at its tail; decides how it stretches' },
        { value: 'twist-endpoints', label: 'Twist', hint: 'The same for the twist, where it differs' },
      ],
      brush.target,
      (value) => set({ target: value }),
    ),
    legend(brush.target),
  );
  const subject = h(
    'header',
    { class: 'subject' },
    h('div', {}, bone >= 0 ? h('b', {}, key ?? '') : h('span', { class: 'muted' }, 'Click a bone, or press Q over the skin')),
    key !== undefined && h('div', { class: 'subject-actions' }, button({ label: isLocked ? 'Unlock weights' : 'Lock weights', icon: 'lock', bare: true, keys: 'L', pressed: isLocked, id: 'lock', onClick: () => store.run(toggleLocks(selection)) })),
  );
  const parts: HTMLElement[] = [subject, target];
  if (!info.hasWeights) {
    parts.push(note('There are no weights yet. Compute them below, then paint.', 'warn'));
    return parts;
  }
  if (brush.target === 'twist-endpoints' && !info.hasTwistEndpoints) {
    parts.push(
      note('Twist follows the endpoint weights. To paint it on its own, give it weights of its own first.'),
      row(button({ label: 'Give the twist its own', icon: 'wand', id: 'make-twist', onClick: () => void app.edit('Twist endpoint weights', { kind: 'edit', steps: [{ 'twist-endpoints': 'bbw' }] }) })),
    );
  }
  parts.push(
    segmented(
      'Brush',
      [
        { value: 'add', label: 'Add', hint: 'Towards 1' },
        { value: 'subtract', label: 'Subtract', keys: 'X', hint: 'Towards 0' },
        { value: 'replace', label: 'Set', hint: 'Towards the value below' },
        { value: 'smooth', label: 'Smooth', keys: 'S', hint: 'Towards the mean of the neighbours' },
        { value: 'sharpen', label: 'Sharpen', keys: 'Shift S', hint: 'What has more gets more' },
      ],
      brush.mode,
      (mode) => set({ mode }),
    ),
    slider({ label: 'Radius', value: brush.radius, min: 0.005, max: 0.4, id: 'brush-radius', show: (value) => `${(value * 100).toFixed(1)}%`, onInput: (radius) => set({ radius }) }),
    slider({ label: 'Strength', value: brush.strength, min: 0.01, max: 1, id: 'brush-strength', show: (value) => `${Math.round(value * 100)}%`, onInput: (strength) => set({ strength }) }),
  );
  if (brush.mode === 'replace') {
    parts.push(slider({ label: 'Value', value: brush.value, min: 0, max: 1, id: 'brush-value', onInput: (value) => set({ value }) }));
  }
  parts.push(
    toggle('Both sides', brush.mirror, (mirror) => set({ mirror }), 'The mirrored bone at the mirrored place, too'),
    toggle('Through the mesh', brush.through, (through) => set({ through }), 'Also what lies behind'),
  );
  return parts;
}

function legend(target: Brush['target']): HTMLElement {
  return h(
    'div',
    { class: `legend ${target === 'bone-weights' ? 'weights' : 'endpoints'}`, 'aria-hidden': 'true' },
    h('span', {}, target === 'bone-weights' ? '0' : 'head'),
    h('i', {}),
    h('span', {}, target === 'bone-weights' ? '1' : 'tail'),
  );
}
