// SPDX-License-Identifier: Apache-2.0
import { h } from './dom';

let current: { element: HTMLElement; anchor: HTMLElement; close: () => void } | undefined;

/** Shows something below an element, until Escape, a click elsewhere or closePopover(). */
export function popover(anchor: HTMLElement, content: HTMLElement): void {
  const isAgain = current?.anchor === anchor;
  closePopover();
  if (isAgain) return;
  const element = h('div', { class: 'popover', role: 'dialog' }, content);
  document.body.append(element);
  const at = anchor.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  element.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - width - 8))}px`;
  const below = at.bottom + 6;
  element.style.top = `${below + height > window.innerHeight ? Math.max(8, at.top - height - 6) : below}px`;
  const outside = (event: Event): void => {
    if (!element.contains(event.target as Node) && !anchor.contains(event.target as Node)) closePopover();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    closePopover();
    anchor.focus();
  };
  document.addEventListener('pointerdown', outside, true);
  document.addEventListener('keydown', key, true);
  current = {
    element,
    anchor,
    close() {
      document.removeEventListener('pointerdown', outside, true);
      document.removeEventListener('keydown', key, true);
      element.remove();
    },
  };
  element.querySelector<HTMLElement>('button, input, select, [tabindex]')?.focus({ preventScroll: true });
}

export function closePopover(): void {
  current?.close();
  current = undefined;
}

/** A dialog in the middle of the window. Resolves when it is closed. */
export function dialog(title: string, content: HTMLElement): Promise<void> {
  const element = h('dialog', { class: 'dialog', 'aria-label': title });
  const close = h('button', { type: 'button', class: 'button bare', 'aria-label': 'Close', onClick: () => element.close() }, '✕');
  element.append(h('header', {}, h('h2', {}, title), close), content);
  document.body.append(element);
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  element.showModal();
  return new Promise((resolve) => {
    element.addEventListener('close', () => {
      element.remove();
      resolve();
    });
  });
}
