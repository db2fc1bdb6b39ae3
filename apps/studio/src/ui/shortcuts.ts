// SPDX-License-Identifier: Apache-2.0
// Keys, in one list: what they do and what is told about them.
import type { App } from '../app';
import { removeKeys } from '../commands/clips';
import { resetPose, toggleLocks, togglePins, withJoint } from '../commands/commands';
import type { Session } from '../state/session';
import { h } from './dom';
import { dialog } from './popover';

export interface Shortcut {
  readonly keys: string;
  readonly what: string;
  readonly group: 'Everywhere' | 'Pose' | 'Rig' | 'Paint' | 'Animate';
  /** The workspace that it is for; missing: all. */
  readonly in?: Session['workspace'];
  /** Missing: something that is done with the pointer, told here only. */
  readonly run?: (app: App) => void;
}

type Actions = Readonly<
  Record<'undo' | 'redo' | 'open' | 'save' | 'compare' | 'swipe' | 'cancel' | 'again' | 'alongX' | 'alongY' | 'alongZ' | 'takeTemplate' | 'deleteJoint' | 'pickBone' | 'selectAll', (app: App) => void>
>;

const brushBy = (app: App, change: (brush: Session['brush']) => Partial<Session['brush']>): void => {
  const { brush } = app.store.session;
  app.store.set({ brush: { ...brush, ...change(brush) } });
};

const turnView = ({ viewport }: App, dx: number, dy: number): void => {
  viewport.orbit.orbit(dx, dy);
  viewport.draw();
};

const zoomView = ({ viewport }: App, by: number): void => {
  viewport.orbit.zoom(by);
  viewport.draw();
};

export function makeShortcuts(actions: Actions): readonly Shortcut[] {
  const space = (name: Session['workspace']): ((app: App) => void) => (app) => app.store.set({ workspace: name, welcome: false });
  const lengths = (value: Session['lengths']): ((app: App) => void) => (app) => {
    app.store.set({ lengths: value });
    actions.again(app);
  };
  return [
    { keys: 'Ctrl+Z', what: 'Undo', group: 'Everywhere', run: actions.undo },
    { keys: 'Ctrl+Shift+Z', what: 'Redo', group: 'Everywhere', run: actions.redo },
    { keys: 'Ctrl+Y', what: 'Redo', group: 'Everywhere', run: actions.redo },
    { keys: 'Ctrl+O', what: 'Open a file', group: 'Everywhere', run: actions.open },
    { keys: 'Ctrl+S', what: 'Save the project', group: 'Everywhere', run: actions.save },
    { keys: 'F1', what: 'Pose', group: 'Everywhere', run: space('pose') },
    { keys: 'F2', what: 'Rig', group: 'Everywhere', run: space('rig') },
    { keys: 'F3', what: 'Paint', group: 'Everywhere', run: space('paint') },
    { keys: 'F4', what: 'Animate', group: 'Everywhere', run: space('animate') },
    { keys: 'F', what: 'Fit the character into the view', group: 'Everywhere', run: (app) => app.viewport.fit() },
    { keys: 'ArrowLeft', what: 'Turn the view', group: 'Everywhere', run: (app) => turnView(app, 10, 0) },
    { keys: 'ArrowRight', what: 'Turn the view', group: 'Everywhere', run: (app) => turnView(app, -10, 0) },
    { keys: 'ArrowUp', what: 'Turn the view', group: 'Everywhere', run: (app) => turnView(app, 0, 10) },
    { keys: 'ArrowDown', what: 'Turn the view', group: 'Everywhere', run: (app) => turnView(app, 0, -10) },
    { keys: '+', what: 'Nearer', group: 'Everywhere', run: (app) => zoomView(app, 1 / 1.15) },
    { keys: '-', what: 'Farther', group: 'Everywhere', run: (app) => zoomView(app, 1.15) },
    { keys: 'B', what: 'Show or hide bones', group: 'Everywhere', run: (app) => app.store.set({ showBones: !app.store.session.showBones }) },
    { keys: 'W', what: 'Show or hide edges', group: 'Everywhere', run: (app) => app.store.set({ showWire: !app.store.session.showWire }) },
    { keys: 'H', what: 'Show what is wrong: torn, crushed, through itself', group: 'Everywhere', run: (app) => app.store.set({ overlay: app.store.session.overlay === 'faults' ? 'none' : 'faults' }) },
    { keys: 'C', what: 'Compare methods', group: 'Everywhere', run: actions.compare },
    { keys: 'V', what: 'Compare methods with a line to drag', group: 'Everywhere', run: actions.swipe },
    { keys: 'N', what: 'Show or hide the inspector', group: 'Everywhere', run: (app) => app.store.set({ inspector: !app.store.session.inspector }) },
    { keys: 'Space', what: 'Play or pause', group: 'Everywhere', run: (app) => app.store.set({ playing: !app.store.session.playing }) },
    { keys: 'Escape', what: 'Cancel what is under way; select nothing', group: 'Everywhere', run: actions.cancel },
    { keys: '?', what: 'This list', group: 'Everywhere', run: () => showShortcuts() },
    { keys: 'drag', what: 'Drag a joint, a tail, a ring, a knob', group: 'Pose' },
    { keys: '1', what: 'Dragging stretches bones', group: 'Pose', run: lengths('free') },
    { keys: '2', what: 'Dragging keeps lengths', group: 'Pose', run: lengths('kept') },
    { keys: '3', what: 'Dragging stretches beyond reach', group: 'Pose', run: lengths('beyond-reach') },
    { keys: 'Shift drag', what: 'Keep lengths for this drag', group: 'Pose' },
    { keys: 'Alt drag', what: 'Both sides at once', group: 'Pose' },
    { keys: 'M', what: 'Mirror: both sides at once', group: 'Pose', run: (app) => app.store.set({ mirror: !app.store.session.mirror }) },
    { keys: 'Ctrl click', what: 'Select several', group: 'Pose' },
    { keys: 'Ctrl+A', what: 'Select all joints', group: 'Pose', run: actions.selectAll },
    { keys: 'P', what: 'Pin or unpin the selected joints', group: 'Pose', run: (app) => void app.store.run(togglePins(app.store.session.selection)) },
    { keys: 'R', what: 'Reset the selected joints, or all', group: 'Pose', run: (app) => {
      const { selection, clip } = app.store.session;
      const chosen = selection.length > 0 ? selection : undefined;
      if (clip === undefined) app.store.run(resetPose(chosen));
      else app.posing.change('Reset joints', (pose) => (chosen ?? Object.keys(pose.joints)).reduce((result, one) => withJoint(result, one, undefined), pose));
    } },
    { keys: 'double-click', what: 'Reset a joint', group: 'Pose' },
    { keys: 'Delete', what: 'Delete the selected joint or keys', group: 'Rig', run: (app) => {
      if (app.store.session.workspace === 'rig') actions.deleteJoint(app);
      const clip = app.posing.keyClip();
      if (app.store.session.workspace === 'animate' && clip) {
        app.store.run(removeKeys(clip.name, app.store.session.selectedKeys));
        app.store.set({ selectedKeys: [] });
      }
    } },
    { keys: 'Enter', what: 'Take the template that is shown', group: 'Rig', in: 'rig', run: actions.takeTemplate },
    { keys: 'Shift drag', what: 'Move a joint with its children', group: 'Rig' },
    { keys: 'Ctrl drag', what: 'Move a joint to the middle of the volume', group: 'Rig' },
    { keys: 'X', what: 'While a joint is dragged: along the x axis only', group: 'Rig', in: 'rig', run: actions.alongX },
    { keys: 'Y', what: 'Along the y axis only', group: 'Rig', in: 'rig', run: actions.alongY },
    { keys: 'Z', what: 'Along the z axis only', group: 'Rig', in: 'rig', run: actions.alongZ },
    { keys: '[', what: 'Smaller brush', group: 'Paint', run: (app) => brushBy(app, (brush) => ({ radius: Math.max(0.004, brush.radius / 1.2) })) },
    { keys: ']', what: 'Larger brush', group: 'Paint', run: (app) => brushBy(app, (brush) => ({ radius: Math.min(0.5, brush.radius * 1.2) })) },
    { keys: 'Ctrl drag', what: 'Strength of the brush', group: 'Paint' },
    { keys: 'X', what: 'Add or subtract', group: 'Paint', in: 'paint', run: (app) => brushBy(app, (brush) => ({ mode: brush.mode === 'subtract' ? 'add' : 'subtract' })) },
    { keys: 'S', what: 'Smooth', group: 'Paint', in: 'paint', run: (app) => brushBy(app, (brush) => ({ mode: brush.mode === 'smooth' ? 'add' : 'smooth' })) },
    { keys: 'Shift+S', what: 'Sharpen', group: 'Paint', in: 'paint', run: (app) => brushBy(app, (brush) => ({ mode: brush.mode === 'sharpen' ? 'add' : 'sharpen' })) },
    { keys: 'Q', what: 'Take the bone under the pointer', group: 'Paint', in: 'paint', run: actions.pickBone },
    { keys: 'L', what: 'Lock or unlock the weights of the selected bones', group: 'Paint', in: 'paint', run: (app) => void app.store.run(toggleLocks(app.store.session.selection)) },
    { keys: 'K', what: 'Set keys for the selected joints, or for all that moves', group: 'Animate', in: 'animate', run: (app) => app.posing.setKeys() },
  ];
}

let list: readonly Shortcut[] = [];

export function listenToKeys(app: App, shortcuts: readonly Shortcut[]): void {
  list = shortcuts;
  // A button that was clicked has the focus, which people with a pointer do not see: keys are not for it.
  let isByPointer = false;
  window.addEventListener('pointerdown', () => (isByPointer = true), { capture: true });
  window.addEventListener('keydown', ({ key }) => {
    if (key === 'Tab' || key.startsWith('Arrow')) isByPointer = false;
  }, { capture: true });
  window.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const isTyping = target.closest('input:not([type=range]):not([type=checkbox]), textarea, select, dialog[open]');
    if (isTyping && event.key !== 'F1' && event.key !== 'F2' && event.key !== 'F3' && event.key !== 'F4') return;
    // Arrows go about in lists and panels; the view turns where nothing of those has the focus.
    if (event.key.startsWith('Arrow') && target !== app.viewport.canvas && target !== document.body) return;
    const isButton = target.closest('button, summary, a, [role=treeitem]');
    if (isButton && !isByPointer && (event.key === ' ' || event.key === 'Enter')) return;
    const name = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const plain = /^[A-Z]$/.test(name) || event.ctrlKey || event.metaKey;
    const keys = [event.ctrlKey || event.metaKey ? 'Ctrl' : '', event.shiftKey && plain ? 'Shift' : '', name].filter(Boolean).join('+');
    // A key may mean something in one workspace, and something else in another.
    const found = shortcuts.filter((shortcut) => shortcut.run && shortcut.keys === keys && (shortcut.in === undefined || shortcut.in === app.store.session.workspace));
    if (found.length === 0 || event.altKey) return;
    event.preventDefault();
    for (const shortcut of found) shortcut.run?.(app);
  });
}

const arrows: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };
const keysAsTold = (keys: string): string => arrows[keys] ?? keys.replace(/(?<=.)\+/g, ' ');

// Keys that do the same stand together.
function keysByUse(group: Shortcut['group']): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const shortcut of list.filter((one) => one.group === group)) {
    found.set(shortcut.what, [...(found.get(shortcut.what) ?? []), keysAsTold(shortcut.keys)]);
  }
  return found;
}

export function showShortcuts(): void {
  const groups = [...new Set(list.map((shortcut) => shortcut.group))];
  void dialog(
    'Shortcuts',
    h(
      'div',
      { class: 'shortcuts' },
      groups.map((group) =>
        h(
          'section',
          {},
          h('h3', {}, group),
          h(
            'dl',
            {},
            [...keysByUse(group)].flatMap(([what, keys]) => [h('dt', {}, keys.map((one) => h('kbd', {}, one))), h('dd', {}, what)]),
          ),
        ),
      ),
    ),
  );
}
