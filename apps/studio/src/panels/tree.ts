// SPDX-License-Identifier: Apache-2.0
// The joints as a tree, for the keyboard as well as the pointer.
import type { App } from '../app';
import { h } from '../ui/dom';

export function jointTree(app: App): HTMLElement {
  const { store } = app;
  const list = h('ul', { class: 'tree', role: 'tree', 'aria-label': 'Joints', 'aria-multiselectable': 'true' });
  store.watch(
    ({ document, session }) => [document.rig.info, document.pins, document.locks, session.selection],
    () => {
      const { info } = store.document.rig;
      const hadFocus = list.contains(document.activeElement);
      const children = info.joints.map((): number[] => []);
      const roots: number[] = [];
      info.joints.forEach((joint, j) => (joint.parent < 0 ? roots : children[joint.parent]).push(j));
      const items: HTMLElement[] = [];
      const visit = (j: number, depth: number): void => {
        const joint = info.joints[j];
        const isSelected = store.session.selection.includes(joint.key);
        const choose = (add: boolean): void => {
          const others = store.session.selection.filter((key) => key !== joint.key);
          store.set({ selection: add ? (isSelected ? others : [...others, joint.key]) : [joint.key] });
        };
        if (joint.isNode) {
          for (const child of children[j]) visit(child, depth);
          return;
        }
        const item = h(
          'li',
          {
            role: 'treeitem',
            'aria-level': depth + 1,
            'aria-selected': String(isSelected),
            tabindex: isSelected || (items.length === 0 && store.session.selection.length === 0) ? 0 : -1,
            style: `--depth:${depth}`,
            class: joint.driven ? 'driven' : undefined,
            'data-joint': joint.key,
            onClick: (event: MouseEvent) => choose(event.ctrlKey || event.metaKey || store.session.ctrl),
            onPointerEnter: () => store.set({ hover: joint.key }),
            onPointerLeave: () => store.set({ hover: undefined }),
          },
          h('span', { class: 'tree-name' }, joint.name || `joint ${j}`),
          store.document.pins.includes(joint.key) && h('span', { class: 'badge pin' }, 'pin'),
          store.document.locks.includes(joint.key) && h('span', { class: 'badge' }, 'locked'),
          joint.driven && h('span', { class: 'badge' }, 'computed'),
        );
        items.push(item);
        for (const child of children[j]) visit(child, depth + 1);
      };
      for (const root of roots) visit(root, 0);
      const scroll = list.scrollTop;
      list.replaceChildren(...items);
      list.scrollTop = scroll;
      const selected = list.querySelector<HTMLElement>('[aria-selected=true]');
      if (selected && (selected.offsetTop < list.scrollTop || selected.offsetTop > list.scrollTop + list.clientHeight - 24)) {
        list.scrollTop = selected.offsetTop - list.clientHeight / 2;
      }
      if (hadFocus) selected?.focus();
    },
  );
  list.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const items = [...list.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = items[Math.min(items.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))];
    if (!next) return;
    store.set({ selection: [next.dataset.joint ?? ''] });
    next.focus();
  });
  return list;
}
