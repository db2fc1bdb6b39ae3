// SPDX-License-Identifier: Apache-2.0
// Time: clips, a ruler to scrub on, keys that are dragged.
import type { App } from '../app';
import { addClip, copyKeys, moveKeys, removeKeys, setKey, setLoop } from '../commands/commands';
import { button, h } from '../ui/dom';

export function timeline(app: App): HTMLElement {
  const { store } = app;
  const controls = h('div', { class: 'time-controls' });
  const track = h('div', { class: 'track', role: 'slider', tabindex: 0, 'aria-label': 'Time', 'aria-valuemin': 0 });
  const ruler = h('div', { class: 'ruler' });
  const keys = h('div', { class: 'keys' });
  const cursor = h('div', { class: 'cursor' });
  track.append(ruler, keys, cursor);
  const element = h('section', { class: 'timeline', 'aria-label': 'Timeline' }, controls, track);

  // Seconds across the track.
  const span = (): number => Math.max(1, Math.ceil((app.duration() + 0.01) * 2) / 2, app.keyClip() ? 2 : 0);
  const timeAt = (x: number): number => {
    const at = track.getBoundingClientRect();
    return Math.min(span(), Math.max(0, ((x - at.left - 12) / (at.width - 24)) * span()));
  };
  const left = (time: number): string => `calc(12px + (100% - 24px) * ${time / span()})`;

  store.watch(({ session, document }) => [session.clip, session.playing, session.autoKey, session.onion, session.recording, session.workspace, document.clips, document.rig.info.clips], () => {
    const { session, document: doc } = store;
    const clip = app.keyClip();
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
              const before = store.document.clips.length;
              store.run(addClip('motion'));
              store.set({ clip: store.document.clips[before]?.name, time: 0 });
            } }),
            button({ label: 'Auto-key', icon: 'key', bare: true, pressed: session.autoKey, hint: 'Dragging makes a key at the time that is shown', onClick: () => store.set({ autoKey: !session.autoKey }) }),
            button({ label: 'Set key', icon: 'key', keys: 'K', id: 'set-key', onClick: () => {
              const base = app.shownPose();
              app.prepareToPose();
              const current = app.keyClip();
              if (current) store.run(setKey(current.name, store.session.time, base));
              else app.say('Switch auto-key on, or make a clip, to set keys.', 'bad');
            } }),
            button({ label: 'Loop', icon: 'loop', bare: true, pressed: clip?.loop ?? true, disabled: !clip, onClick: () => clip && store.run(setLoop(clip.name, !clip.loop)) }),
            button({ label: 'Onion skin', icon: 'eye', bare: true, pressed: session.onion, id: 'onion', onClick: () => store.set({ onion: !session.onion }) }),
          ]
        : []),
    );
    element.dataset.open = String(session.workspace === 'animate');
  });

  const render = (): void => {
    const duration = app.duration();
    const length = span();
    ruler.replaceChildren();
    const step = [0.1, 0.25, 0.5, 1, 2, 5, 10].find((s) => (track.clientWidth || 600) / (length / s) >= 34) ?? 20;
    for (let t = 0; t <= length + 1e-9; t += step) {
      ruler.append(h('span', { style: `left:${left(t)}` }, `${Number(t.toFixed(2))}`));
    }
    ruler.style.setProperty('--end', left(duration));
    keys.replaceChildren();
    const clip = app.keyClip();
    clip?.keys.forEach((key, k) => {
      const isSelected = store.session.selectedKeys.includes(key.time);
      const joints = Object.keys(key.pose.joints);
      const diamond = h('button', {
        type: 'button',
        class: `key ease-${key.ease}`,
        'aria-pressed': String(isSelected),
        'aria-label': `Key at ${key.time.toFixed(2)} s`,
        title: `${key.time.toFixed(2)} s · ${key.ease}${joints.length > 0 ? ` · ${joints.slice(0, 6).join(', ')}${joints.length > 6 ? ' …' : ''}` : ' · rest'}`,
        style: `left:${left(key.time)}`,
        'data-key': k,
      });
      diamond.addEventListener('pointerdown', (event) => grabKey(event, clip.name, key.time));
      keys.append(diamond);
    });
  };
  store.watch(({ document, session }) => [document.clips, document.rig.info.clips, session.clip, session.selectedKeys, session.workspace], render);
  store.watch(({ session, document }) => [session.time, session.clip, document.clips], () => {
    const { time } = store.session;
    cursor.style.left = left(Math.min(time, span()));
    cursor.dataset.time = time.toFixed(2);
    track.setAttribute('aria-valuenow', time.toFixed(2));
    track.setAttribute('aria-valuemax', span().toFixed(2));
    track.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds`);
    cursor.hidden = store.session.clip === undefined;
  });

  function grabKey(event: PointerEvent, clip: string, time: number): void {
    event.stopPropagation();
    event.preventDefault();
    const { selectedKeys } = store.session;
    const isSelected = selectedKeys.includes(time);
    const chosen = event.shiftKey || event.ctrlKey ? [...selectedKeys.filter((other) => other !== time), time] : isSelected ? selectedKeys : [time];
    store.set({ selectedKeys: chosen, time, playing: false });
    const from = event.clientX;
    let moved = false;
    const isCopy = event.altKey;
    const by = (x: number): number => Math.round((timeAt(x) - timeAt(from)) * 100) / 100;
    const move = (next: PointerEvent): void => {
      if (!moved && Math.abs(next.clientX - from) < 4) return;
      if (!moved) store.begin(isCopy ? 'Copy keys' : 'Move keys');
      moved = true;
      const shift = by(next.clientX);
      store.update((before) => (isCopy ? copyKeys(clip, chosen, shift) : moveKeys(clip, chosen, shift)).apply(before));
      const first = Math.min(...chosen);
      const real = Math.max(shift, -first);
      store.set({ selectedKeys: chosen.map((t) => t + real), time: time + real });
    };
    const up = (): void => {
      window.removeEventListener('pointermove', move);
      if (moved) store.end();
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up, { once: true });
  }

  track.addEventListener('pointerdown', (event) => {
    if (store.session.clip === undefined) {
      const first = store.document.clips[0]?.name ?? store.document.rig.info.clips[0]?.name;
      if (first === undefined) return;
      store.set({ clip: first });
    }
    track.setPointerCapture(event.pointerId);
    const scrub = (next: PointerEvent): void => store.set({ time: Math.round(timeAt(next.clientX) * 100) / 100, playing: false, selectedKeys: [] });
    scrub(event);
    track.addEventListener('pointermove', scrub);
    track.addEventListener('pointerup', () => track.removeEventListener('pointermove', scrub), { once: true });
  });
  track.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const clip = app.keyClip();
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
