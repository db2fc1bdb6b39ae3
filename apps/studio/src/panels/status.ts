// SPDX-License-Identifier: Apache-2.0
// The line at the bottom: what the pointer would do, what is there, what happened.
import type { App } from '../app';
import { h } from '../ui/dom';

export function statusLine(app: App): HTMLElement {
  const { store } = app;
  const hint = h('span', { class: 'hint' });
  const facts = h('span', { class: 'facts' });
  const message = h('div', { class: 'message', role: 'status', 'aria-live': 'polite' });
  app.hint.watch((text) => (hint.textContent = text));

  let rate = 0;
  let counted = performance.now();
  let before = 0;
  let last = 0;
  const count = (): void => {
    const { vertices, joints, bones } = store.document.rig.info;
    const text = `${vertices.toLocaleString('en')} vertices · ${bones.length} bones · ${joints.filter((joint) => !joint.isNode).length} joints`;
    facts.textContent = rate > 0 ? `${text} · ${rate} fps` : text;
  };
  store.watch(({ document }) => document.rig, count);
  app.viewport.onDraw = () => {
    const now = performance.now();
    // While nothing moves, nothing is drawn: that is no rate.
    if (now - last > 1000) [counted, before, rate] = [now, app.viewport.drawn, 0];
    last = now;
    if (now - counted < 500) return;
    rate = Math.round(((app.viewport.drawn - before) * 1000) / (now - counted));
    counted = now;
    before = app.viewport.drawn;
    count();
  };

  let timer = 0;
  app.message.watch((value) => {
    message.replaceChildren();
    message.hidden = value === undefined;
    window.clearTimeout(timer);
    if (!value) return;
    message.className = `message ${value.kind}`;
    message.append(h('span', {}, value.text));
    if (value.action) {
      const { label, run } = value.action;
      message.append(h('button', { type: 'button', class: 'link', onClick: () => {
        app.message.value = undefined;
        run();
      } }, label));
    }
    message.append(h('button', { type: 'button', class: 'link', 'aria-label': 'Dismiss', onClick: () => (app.message.value = undefined) }, '✕'));
    if (value.kind !== 'bad' && !value.action) timer = window.setTimeout(() => (app.message.value = undefined), 5000);
  });

  // It stays the same while numbers change: a click is on one button from its press to its release.
  const what = h('span', {});
  const bar = h('progress', { max: 1 });
  const job = h('div', { class: 'job', role: 'status' }, what, bar, h('button', { type: 'button', class: 'link', 'data-id': 'status-cancel', onClick: () => app.job.value?.cancel() }, 'Cancel (Esc)'));
  app.job.watch((running) => {
    job.hidden = !running;
    if (!running) return;
    what.textContent = running.stage ? `${running.label}: ${running.stage}` : running.label;
    bar.setAttribute('aria-label', running.label);
    bar.value = running.fraction;
  });
  return h('footer', { class: 'status' }, hint, message, job, h('span', { class: 'grow' }), facts);
}
