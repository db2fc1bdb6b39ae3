// SPDX-License-Identifier: Apache-2.0
// Panels make their elements anew when the state changes. Who works with the keyboard stays where they are: the focus
// goes to what has taken the place of the element that had it.

const nameOf = (element: Element): string =>
  [element.tagName, element.getAttribute('data-id'), element.getAttribute('data-value'), element.getAttribute('aria-label') ?? element.textContent].join('|');
const groupOf = (element: Element): string => element.closest('[role=radiogroup], [role=toolbar], [role=group]')?.getAttribute('aria-label') ?? '';
const isText = (target: unknown): boolean => target instanceof HTMLInputElement && target.type === 'text';

export function keepFocus(root: HTMLElement): void {
  let last: { readonly element: HTMLElement; readonly name: string; readonly group: string } | undefined;
  root.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? { element: target, name: nameOf(target), group: groupOf(target) } : undefined;
  });
  // A field is left when what was typed is taken, or with a click beside it.
  root.addEventListener('keydown', ({ key, target }) => {
    if (isText(target) && (key === 'Enter' || key === 'Escape')) last = undefined;
  }, { capture: true });
  root.addEventListener('pointerdown', ({ target }) => {
    if (isText(last?.element) && target !== last?.element) last = undefined;
  }, { capture: true });
  root.addEventListener('focusout', ({ target }) => {
    // Gone on purpose, not with its element, which is known once that is.
    window.setTimeout(() => {
      if (last?.element === target && last.element.isConnected && document.activeElement !== target) last = undefined;
    });
  });
  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const { name, group } = last;
    const next = [...root.querySelectorAll<HTMLElement>(last.element.tagName)].find((element) => nameOf(element) === name && groupOf(element) === group);
    last = undefined;
    next?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}
