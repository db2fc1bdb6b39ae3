// SPDX-License-Identifier: Apache-2.0
// Keys as diamonds in rows: one row for all of the clip, and one for each channel of what is selected. Targets,
// shapes and controls, which are not selected in the view, always have theirs.
import type { App } from '../app';
import { copyKeys, moveKeys, shiftOf } from '../commands/clips';
import { easeName, keyMoments, sameValue, type KeyMoment, type KeyRef } from '../state/channels';
import { channelId, jointIndex, type Channel, type KeyClip } from '../state/document';
import { h } from '../ui/dom';
import type { TimeScale } from './timeline';

export function keyRows(app: App, scale: TimeScale, scrub: (event: PointerEvent, on: HTMLElement) => void): HTMLElement {
  const { store } = app;
  const rows = h('div', { class: 'key-rows', role: 'group', 'aria-label': 'Keys' });

  const nameOf = ({ channel, time }: KeyRef): string => `${Math.round(time * 1e5)} ${channel}`;
  let selected = new Set<string>();
  const isSelected = (ref: KeyRef): boolean => selected.has(nameOf(ref));

  const diamond = (clip: KeyClip, label: string, kind: string, one: KeyMoment): HTMLElement => {
    const time = `${one.time.toFixed(2)} s`;
    const element = h('button', {
      type: 'button',
      class: `key ease-${kind}`,
      'aria-pressed': String(one.refs.some(isSelected)),
      'aria-label': `${label}: key at ${time}`,
      title: [time, label, kind === 'step' ? 'hold' : kind === 'all' ? undefined : kind].filter(Boolean).join(' · '),
      style: `left:${scale.left(one.time)}`,
      'data-time': one.time,
    });
    element.addEventListener('pointerdown', (event) => grab(event, clip.name, one));
    // By the keyboard; a pointer has chosen it when it came down.
    element.addEventListener('click', (event) => {
      if (event.detail === 0) choose(one, event.shiftKey || event.ctrlKey);
    });
    return element;
  };
  const rowOf = (label: string, id: string, part: string | undefined, ...children: (HTMLElement | undefined)[]): HTMLElement => {
    const lane = h('div', { class: 'lane' }, ...children);
    lane.addEventListener('pointerdown', (event) => {
      if (event.target === lane || (event.target as HTMLElement).className === 'way') scrub(event, lane);
    });
    const name = h('span', { class: 'channel-name', title: part ? `${label}, ${part}` : label }, h('b', {}, label), part && h('span', {}, part));
    return h('div', { class: 'key-row', 'data-channel': id }, name, lane);
  };
  const channelRow = (clip: KeyClip, channel: Channel, label: string): HTMLElement => {
    const { keys, kind } = channel;
    // Where it moves.
    const ways = keys.slice(1).map((key, k) =>
      sameValue(keys[k].value, key.value) ? undefined : h('i', { class: 'way', style: `left:${scale.left(keys[k].time)};width:calc((100% - 24px) * ${(key.time - keys[k].time) / scale.span()})` }),
    );
    const id = channelId(channel);
    const marks = keys.map((key) => diamond(clip, `${label}, ${kind}`, easeName(key.ease), { time: key.time, refs: [{ channel: id, time: key.time }] }));
    return rowOf(label, id, kind, ...ways, ...marks);
  };

  const render = (): void => {
    const clip = app.posing.keyClip();
    const { session, document } = store;
    if (!clip || session.workspace !== 'animate') {
      const hint = session.recording ? 'What you drag becomes a motion.' : session.autoKey ? 'What you drag gets keys here, at the time that is shown.' : 'What you drag gets no keys while auto-key is off.';
      rows.replaceChildren(h('p', { class: 'rows-hint' }, hint));
      return;
    }
    const { info } = document.rig;
    selected = new Set(session.selectedKeys.map(nameOf));
    const made = [rowOf('All keys', 'all', undefined, ...keyMoments(clip).map((one) => diamond(clip, 'All', 'all', one)))];
    for (const key of session.selection) {
      const name = info.joints[jointIndex(info, key)]?.name || key;
      const own = clip.channels.filter((channel) => channel.name === key && channel.kind !== 'shape' && channel.kind !== 'control');
      if (own.length === 0) made.push(rowOf(name, key, undefined, h('span', { class: 'lane-hint' }, 'No keys yet: drag it, or press K')));
      for (const channel of own) made.push(channelRow(clip, channel, name));
    }
    for (const channel of clip.channels) {
      const isListed = channel.kind === 'target' ? !session.selection.includes(channel.name) : channel.kind === 'shape' || channel.kind === 'control';
      if (isListed) made.push(channelRow(clip, channel, channel.name));
    }
    const focus = rows.contains(window.document.activeElement) ? (window.document.activeElement as HTMLElement) : undefined;
    const row = focus?.closest<HTMLElement>('.key-row')?.dataset.channel;
    rows.replaceChildren(...made);
    const again = focus && [...rows.querySelectorAll<HTMLElement>('.key-row')].find((other) => other.dataset.channel === row);
    again?.querySelector<HTMLElement>(`[data-time="${focus?.dataset.time}"]`)?.focus();
  };
  store.watch(({ document, session }) => [document.clips, document.rig.info, session.clip, session.selectedKeys, session.selection, session.workspace, session.autoKey, session.recording], render);

  function choose(one: KeyMoment, add: boolean): readonly KeyRef[] {
    const { selectedKeys } = store.session;
    const isThere = one.refs.every(isSelected);
    const chosen = isThere ? selectedKeys : add ? [...selectedKeys.filter((other) => !one.refs.some((ref) => nameOf(ref) === nameOf(other))), ...one.refs] : one.refs;
    store.set({ selectedKeys: chosen, time: one.time, playing: false });
    return chosen;
  }

  function grab(event: PointerEvent, clip: string, one: KeyMoment): void {
    event.stopPropagation();
    event.preventDefault();
    // As it is now: what is chosen, and the keys on their way, may change the scale.
    const secondsPerPixel = scale.secondsPerPixel();
    const chosen = choose(one, event.shiftKey || event.ctrlKey);
    const from = event.clientX;
    const isCopy = event.altKey;
    let moved = false;
    const move = (next: PointerEvent): void => {
      if (!moved && Math.abs(next.clientX - from) < 4) return;
      if (!moved) store.begin(isCopy ? 'Copy keys' : 'Move keys');
      moved = true;
      const by = shiftOf(chosen, Math.round((next.clientX - from) * secondsPerPixel * 100) / 100);
      store.update((before) => (isCopy ? copyKeys : moveKeys)(clip, chosen, by).apply(before));
      store.set({ selectedKeys: chosen.map((ref) => ({ ...ref, time: ref.time + by })), time: one.time + by });
    };
    const end = (): void => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      if (moved) store.end();
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  }
  return rows;
}
