// SPDX-License-Identifier: Apache-2.0
import type { App } from '../app';
import { h } from '../ui/dom';
import { closePopover } from '../ui/popover';

export function historyMenu(app: App): HTMLElement {
  const { past, future } = app.store;
  const go = (count: number) => (): void => {
    app.store.goTo(count);
    closePopover();
  };
  const item = (label: string, count: number, kind: string): HTMLElement =>
    h('li', { class: kind }, h('button', { type: 'button', onClick: go(count), 'aria-current': kind === 'now' ? 'step' : undefined }, label));
  return h(
    'div',
    { class: 'menu history' },
    h('h3', {}, 'History'),
    h(
      'ol',
      {},
      item('Opened', 0, past.length === 0 ? 'now' : ''),
      past.map((entry, e) => item(entry.label, e + 1, e + 1 === past.length ? 'now' : '')),
      future.map((entry, e) => item(entry.label, past.length + e + 1, 'undone')),
    ),
  );
}
