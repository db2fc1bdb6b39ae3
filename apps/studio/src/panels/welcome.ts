// SPDX-License-Identifier: Apache-2.0
// The first screen: over a character that moves.
import type { App } from '../app';
import { h } from '../ui/dom';
import { icon, type IconName } from '../ui/icons';
import { chooseAndOpen, choosePicture, openSample, sampleNames, sampleTitles } from './open';

export function welcome(app: App): HTMLElement {
  const { store } = app;
  const action = (name: IconName, title: string, text: string, id: string, run: () => void): HTMLElement =>
    h('button', { type: 'button', class: 'big', 'data-id': id, onClick: run }, icon(name), h('b', {}, title), h('span', {}, text));
  const samples = h(
    'div',
    { class: 'welcome-samples', hidden: true },
    sampleNames(app).map((name) =>
      h('button', { type: 'button', class: 'chip', 'data-sample': name, title: app.catalogue.samples[name] ?? app.catalogue.samplePictures[name], onClick: () => void openSample(app, name) }, sampleTitles[name] ?? name),
    ),
  );
  const again = h('div', { class: 'welcome-samples' });
  app.kept.watch((kept) => {
    again.hidden = kept.length === 0;
    again.replaceChildren(
      ...kept.map(({ name, age, restore }) => h('button', { type: 'button', class: 'chip again', 'data-id': 'welcome-kept', title: `From ${age}`, onClick: () => void restore() }, `Go on with ${name}`)),
    );
  });
  const element = h(
    'section',
    { class: 'welcome', 'aria-label': 'Start' },
    h('h1', {}, 'Pull a joint. The skin follows.'),
    h('p', {}, 'Bones that stretch and twist without breaking the shape. Grab the figure, or bring your own.'),
    h(
      'div',
      { class: 'bigs' },
      action('open', 'Open a file', '.glb .gltf .obj .ply .off .bvh', 'welcome-open', () => void chooseAndOpen(app)),
      action('sample', 'Pick a sample', 'Ready to pose', 'welcome-samples', () => (samples.hidden = !samples.hidden)),
      action('picture', 'Open a picture', 'A drawing becomes a puppet', 'welcome-picture', () => void choosePicture(app)),
    ),
    samples,
    again,
    h('p', { class: 'muted small' }, 'Or drop a file anywhere. Nothing leaves this computer.'),
  );
  let isPressed = false;
  window.addEventListener('pointerdown', () => (isPressed = true), { capture: true });
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, () => (isPressed = false), { capture: true });
  // The figure stands beside the card where there is room, above it elsewhere.
  const place = (): void => {
    const { clientWidth: width, clientHeight: height } = app.viewport.canvas;
    const isWide = width > 760;
    // In the middle of what the card leaves, which is not laid out yet: as wide and where the style sheet has it.
    const aside = (Math.min(72, Math.max(16, 0.05 * width)) + 420) / (2 * width);
    const above = width > height ? ([0, -0.4, 1.7] as const) : ([0, -0.2, 1] as const);
    app.viewport.orbit.shift = !store.session.welcome ? [0, 0, 1] : isWide ? [aside, 0, 1] : above;
    app.viewport.orbit.project();
    app.viewport.draw();
  };
  store.watch(({ session }) => session.welcome, (shown) => {
    element.hidden = !shown;
    // What is grabbed stays under the pointer: the figure goes to the middle when it is let go.
    if (isPressed && !shown) window.addEventListener('pointerup', place, { once: true });
    else place();
  });
  return element;
}
