// SPDX-License-Identifier: Apache-2.0
// Time: clips, a ruler to scrub on, and rows of keys.
import type { App } from '../app';
import { removeKeys, setLoop } from '../commands/clips';
import { button, h } from '../ui/dom';
import { keyRows } from './key-rows';

/** Seconds along the ruler and the rows, which are as wide. */
export interface TimeScale {
  /** Seconds from one end to the other. */
  span(): number;
  timeAt(x: number): number;
  secondsPerPixel(): number;
  left(time: number): string;
}

export function timeline(app: App): HTMLElement {
  const { store } = app;
  const controls = h('div', { class: 'time-controls' });
  const track = h('div', { class: 'track', role: 'slider', tabindex: 0, 'aria-label': 'Time', 'aria-valuemin': 0 });
  const ruler = h('div', { class: 'ruler' });
  const cursor = h('div', { class: 'cursor' });
  track.append(ruler);

  const span = (): number => Math.max(1, Math.ceil((app.player.duration() + 0.01) * 2) / 2, app.posing.keyClip() ? 2 : 0);
  const scale: TimeScale = {
    span,
    timeAt(x) {
      const at = track.getBoundingClientRect();
      return Math.min(span(), Math.max(0, ((x - at.left - 12) / (at.width - 24)) * span()));
    },
    secondsPerPixel: () => span() / (track.getBoundingClientRect().width - 24),
    left: (time) => `calc(12px + (100% - 24px) * ${time / span()})`,
  };
  const scrub = (event: PointerEvent, on: HTMLElement): void => {
    if (store.session.clip === undefined) {
      const first = store.document.clips[0]?.name ?? store.document.rig.info.clips[0]?.name;
      if (first === undefined) return;
      store.set({ clip: first });
    }
    on.setPointerCapture(event.pointerId);
    const go = (next: PointerEvent): void => store.set({ time: Math.round(scale.timeAt(next.clientX) * 100) / 100, playing: false });
    store.set({ selectedKeys: [] });
    go(event);
    on.addEventListener('pointermove', go);
    for (const end of ['pointerup', 'pointercancel']) on.addEventListener(end, () => on.removeEventListener('pointermove', go), { once: true });
  };
  const rows = keyRows(app, scale, scrub);
  const body = h('div', { class: 'time-body' }, track, rows, h('div', { class: 'cursor-area' }, cursor));
  const element = h('section', { class: 'timeline', 'aria-label': 'Timeline' }, controls, body);

  store.watch(({ session, document }) => [session.clip, session.playing, session.autoKey, session.onion, session.recording, session.workspace, document.clips, document.rig.info.clips], () => {
    const { session, document: doc } = store;
    const clip = app.posing.keyClip();
    const choice = h('select', { 'aria-label': 'Clip', 'data-id': 'clip' });
    choice.append(h('option', { value: '' }, 'Pose'));
    [...doc.clips, ...doc.rig.info.clips].forEach(({ name }, c) => choice.append(h('option', { value: `=${name}` }, name || `clip ${c + 1}`)));
    choice.value = session.clip === undefined ? '' : `=${session.clip}`;
    choice.addEventListener('change', () => {
      store.set({ clip: choice.value === '' ? undefined : choice.value.slice(1), time: 0, playing: false, selectedKeys: [] });
    });
    controls.replaceChildren(
      button({ label: 'To the start', icon: 'start', bare: true, onClick: () => store.set({ time: 0 }) }),
      button({ label: session.playing ? 'Pause' : 'Play', icon: session.playing ? 'pause' : 'play', bare: true, keys: 'Space', id: 'play', disabled: session.clip === undefined, onClick: () => store.set({ playing: !session.playing }) }),
      choice,
      ...(session.workspace === 'animate'
        ? [
            button({ label: 'New clip', icon: 'plus', bare: true, id: 'new-clip', onClick: () => {
              app.posing.addClip();
              store.set({ time: 0 });
            } }),
            button({ label: 'Loop', icon: 'loop', bare: true, pressed: clip?.loop ?? true, disabled: !clip, onClick: () => clip && store.run(setLoop(clip.name, !clip.loop)) }),
            button({ label: 'Onion skin', icon: 'eye', bare: true, pressed: session.onion, id: 'onion', onClick: () => store.set({ onion: !session.onion }) }),
            button({ label: 'Auto-key', icon: 'record', bare: true, pressed: session.autoKey, hint: 'What is dragged gets keys at the time that is shown', onClick: () => store.set({ autoKey: !session.autoKey }) }),
            button({ label: 'Set key', icon: 'key', keys: 'K', id: 'set-key', hint: 'Keys for the selected joints, or for all that moves', onClick: () => app.posing.setKeys() }),
          ]
        : []),
    );
    element.dataset.open = String(session.workspace === 'animate');
  });

  const render = (): void => {
    const length = span();
    ruler.replaceChildren();
    const step = [0.1, 0.25, 0.5, 1, 2, 5, 10].find((s) => (track.clientWidth || 600) / (length / s) >= 34) ?? 20;
    for (let t = 0; t <= length + 1e-9; t += step) {
      ruler.append(h('span', { style: `left:${scale.left(t)}` }, `${Number(t.toFixed(2))}`));
    }
    ruler.style.setProperty('--end', scale.left(app.player.duration()));
  };
  store.watch(({ document, session }) => [document.clips, document.rig.info.clips, session.clip, session.workspace], render);
  store.watch(({ session, document }) => [session.time, session.clip, document.clips], () => {
    const { time } = store.session;
    cursor.style.left = scale.left(Math.min(time, span()));
    cursor.dataset.time = time.toFixed(2);
    track.setAttribute('aria-valuenow', time.toFixed(2));
    track.setAttribute('aria-valuemax', span().toFixed(2));
    track.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds`);
    cursor.hidden = store.session.clip === undefined;
  });

  track.addEventListener('pointerdown', (event) => scrub(event, track));
  track.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const clip = app.posing.keyClip();
    if ((event.key === 'Delete' || event.key === 'Backspace') && clip) {
      store.run(removeKeys(clip.name, store.session.selectedKeys));
      store.set({ selectedKeys: [] });
      event.stopPropagation();
    }
    if (by === undefined) return;
    event.preventDefault();
    const time = store.session.time + (by * (event.shiftKey ? 10 : 1)) / 30;
    store.set({ time: Math.min(span(), Math.max(0, time)), playing: false });
  });
  new ResizeObserver(render).observe(track);
  return element;
}
