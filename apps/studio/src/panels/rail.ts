// SPDX-License-Identifier: Apache-2.0
// Tools of the workspace, and what is shown.
import type { App } from '../app';
import { button, h } from '../ui/dom';
import { isLarge } from '../view/proxy';

export function rail(app: App): HTMLElement {
  const hasFingers = matchMedia('(any-pointer: coarse)').matches;
  const { store } = app;
  const element = h('nav', { class: 'rail', 'aria-label': 'Tools', role: 'toolbar', 'aria-orientation': 'vertical' });
  store.watch(
    ({ document, session }) => [session.workspace, session.lengths, session.mirror, session.ctrl, session.rigTool, session.brush, session.showBones, session.showWire, session.proxy, isLarge(document.rig.info), session.overlay],
    () => {
      const { session } = store;
      const tools: HTMLElement[] = [];
      if (session.workspace === 'pose' || session.workspace === 'animate') {
        tools.push(
          button({ label: 'Stretch freely', icon: 'stretch', bare: true, keys: '1', pressed: session.lengths === 'free', onClick: () => store.set({ lengths: 'free' }) }),
          button({ label: 'Keep lengths', icon: 'link', bare: true, keys: '2', pressed: session.lengths === 'kept', onClick: () => store.set({ lengths: 'kept' }) }),
          button({ label: 'Stretch beyond reach', icon: 'reach', bare: true, keys: '3', pressed: session.lengths === 'beyond-reach', onClick: () => store.set({ lengths: 'beyond-reach' }) }),
          button({ label: 'Both sides', icon: 'mirror', bare: true, keys: 'M', pressed: session.mirror, onClick: () => store.set({ mirror: !session.mirror }) }),
        );
      } else if (session.workspace === 'rig') {
        tools.push(
          button({ label: 'Select and move', icon: 'select', bare: true, pressed: session.rigTool === 'select', onClick: () => store.set({ rigTool: 'select' }) }),
          button({ label: 'Add joints', icon: 'plus', bare: true, id: 'rig-add', pressed: session.rigTool === 'add', onClick: () => store.set({ rigTool: 'add' }) }),
          button({ label: 'Both sides', icon: 'mirror', bare: true, keys: 'M', pressed: session.mirror, onClick: () => store.set({ mirror: !session.mirror }) }),
        );
      } else {
        const mode = (value: typeof session.brush.mode, label: string, name: Parameters<typeof button>[0]['icon'], keys?: string): HTMLElement =>
          button({ label, icon: name, bare: true, keys, pressed: session.brush.mode === value, id: `brush-${value}`, onClick: () => store.set({ brush: { ...session.brush, mode: value } }) });
        tools.push(
          mode('add', 'Add', 'plus'),
          mode('subtract', 'Subtract', 'minus', 'X'),
          mode('replace', 'Set', 'brush'),
          mode('smooth', 'Smooth', 'smooth', 'S'),
          mode('sharpen', 'Sharpen', 'sharpen', 'Shift S'),
        );
      }
      if (hasFingers && session.workspace !== 'paint') {
        tools.push(button({ label: 'Select several', icon: 'several', bare: true, pressed: session.ctrl, id: 'ctrl', hint: 'As with Ctrl held: select several, move a joint to the middle of the volume, turn by 15°', onClick: () => store.set({ ctrl: !session.ctrl }) }));
      }
      element.replaceChildren(
        ...tools,
        h('span', { class: 'rail-space' }),
        button({ label: 'Bones', icon: 'bone', bare: true, keys: 'B', pressed: session.showBones, onClick: () => store.set({ showBones: !session.showBones }) }),
        button({ label: 'Edges', icon: 'wire', bare: true, keys: 'W', pressed: session.showWire, onClick: () => store.set({ showWire: !session.showWire }) }),
        ...(isLarge(store.document.rig.info)
          ? [button({ label: 'Fewer triangles while it moves', icon: 'proxy', bare: true, pressed: session.proxy, id: 'proxy', onClick: () => store.set({ proxy: !session.proxy }) })]
          : []),
        button({ label: 'What is wrong', icon: 'fire', bare: true, keys: 'H', pressed: session.overlay === 'faults', id: 'faults', onClick: () => store.set({ overlay: session.overlay === 'faults' ? 'none' : 'faults' }) }),
        button({ label: 'Fit', icon: 'fit', bare: true, keys: 'F', onClick: () => app.viewport.fit() }),
      );
    },
  );
  return element;
}
