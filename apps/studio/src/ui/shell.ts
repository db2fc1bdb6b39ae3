// SPDX-License-Identifier: Apache-2.0
// The window: top bar, rail, viewport, inspector, timeline, status line. Panels fill it.
import type { App } from '../app';
import { keepFocus } from './focus';
import { animatePanel } from '../panels/animate';
import { compareLabels } from '../panels/compare';
import { exportMenu } from '../panels/export';
import { historyMenu } from '../panels/history';
import { openFiles, openMenu } from '../panels/open';
import { paintPanel } from '../panels/paint';
import { posePanel } from '../panels/pose';
import { rail } from '../panels/rail';
import { rigPanel } from '../panels/rig';
import { statusLine } from '../panels/status';
import { timeline } from '../panels/timeline';
import { welcome } from '../panels/welcome';
import { renameDocument, setMethod } from '../commands/commands';
import { scoped } from '../state/scope';
import type { Workspace } from '../state/session';
import { button, h, segmented } from './dom';
import { popover } from './popover';
import { showShortcuts } from './shortcuts';

const workspaces = [
  { value: 'pose', label: 'Pose', icon: 'pose', keys: 'F1', hint: 'Drag joints, twist and stretch bones' },
  { value: 'rig', label: 'Rig', icon: 'rig', keys: 'F2', hint: 'Make and change the skeleton' },
  { value: 'paint', label: 'Paint', icon: 'paint', keys: 'F3', hint: 'Compute, paint and filter weights' },
  { value: 'animate', label: 'Animate', icon: 'animate', keys: 'F4', hint: 'Keys and clips' },
] as const;

const panels: Record<Workspace, (app: App) => HTMLElement> = {
  pose: posePanel,
  rig: rigPanel,
  paint: paintPanel,
  animate: animatePanel,
};

/** The parts of the window that exist before the core does. */
export interface Frame {
  readonly root: HTMLElement;
  readonly stage: HTMLElement;
}

export function frame(root: HTMLElement): Frame {
  applyTheme('system');
  const stage = h('main', { class: 'stage', id: 'stage' });
  const lines = (count: number): HTMLElement[] => Array.from({ length: count }, () => h('i', {}));
  // What will be there, in outline, while the core is loaded.
  root.replaceChildren(
    h('header', { class: 'top coming', 'aria-hidden': 'true' }, logo(), lines(5)),
    h('nav', { class: 'rail coming', 'aria-hidden': 'true' }, lines(4)),
    stage,
    h('aside', { class: 'inspector coming', 'aria-hidden': 'true' }, lines(9)),
    h('div', { class: 'timeline', 'aria-hidden': 'true' }),
    h('footer', { class: 'status', 'aria-hidden': 'true' }),
  );
  return { root, stage };
}

/** Fills the window. */
export function shell({ root, stage }: Frame, app: App): void {
  const { store } = app;
  const name = h('input', { class: 'name', 'aria-label': 'Name of the document', spellcheck: 'false', maxlength: 60 });
  name.addEventListener('change', () => store.run(renameDocument(name.value)));
  name.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Enter') name.blur();
  });
  store.watch(({ document }) => document.name, (value) => {
    name.value = value;
    document.title = `${value} — Sinew studio`;
  });

  const spaces = h('nav', { class: 'spaces', 'aria-label': 'Workspace' });
  store.watch(({ session }) => session.workspace, (workspace) => {
    spaces.replaceChildren(
      segmented('Workspace', workspaces, workspace, (value) => store.set({ workspace: value, welcome: false })),
    );
    root.dataset.workspace = workspace;
  });

  const undo = button({ label: 'Undo', icon: 'undo', bare: true, keys: 'Ctrl Z', id: 'undo', onClick: () => undoStep(app) });
  const redo = button({ label: 'Redo', icon: 'redo', bare: true, keys: 'Ctrl Shift Z', id: 'redo', onClick: () => redoStep(app) });
  store.watch(({ past, future }) => [past.length, future.length, past.at(-1), future[0]], () => {
    const last = store.past.at(-1)?.label;
    const next = store.future[0]?.label;
    undo.disabled = last === undefined;
    redo.disabled = next === undefined;
    undo.title = last ? `Undo: ${last} (Ctrl Z)` : 'Nothing to undo';
    redo.title = next ? `Redo: ${next} (Ctrl Shift Z)` : 'Nothing to redo';
  });

  const method = h('select', { class: 'method', 'aria-label': 'Method', 'data-id': 'method', title: 'How the skin follows the bones' });
  method.append(...app.catalogue.methods.map((one) => h('option', { value: one.name, title: one.summary }, one.name)));
  method.addEventListener('change', () => store.run(setMethod(method.value)));
  store.watch(({ document }) => document.method, (value) => (method.value = value));

  const compare = h('div', { class: 'compare' });
  store.watch(({ session }) => [session.compared.length, session.swipe !== undefined] as const, ([count, isSwipe]) => {
    compare.replaceChildren(
      segmented(
        'Views',
        [
          { value: '0', label: '', icon: 'single', hint: 'One view' },
          { value: '1', label: '', icon: 'compare', keys: 'C', hint: 'Two methods side by side' },
          { value: 'swipe', label: '', icon: 'swipe', keys: 'V', hint: 'Two methods in one view, with a line to drag' },
          { value: '3', label: '', icon: 'compare4', hint: 'Four methods side by side' },
        ],
        (count === 1 && isSwipe ? 'swipe' : String(count)) as '0' | '1' | 'swipe' | '3',
        (value) => setViews(app, value === 'swipe' ? 1 : Number(value), value === 'swipe'),
      ),
    );
    app.viewport.setViews(count + 1);
  });

  const theme = button({
    label: 'Light or dark',
    icon: 'theme',
    bare: true,
    onClick: () => {
      const isDark = document.documentElement.dataset.theme === 'dark';
      store.set({ theme: isDark ? 'light' : 'dark' });
    },
  });
  store.watch(({ session }) => session.theme, applyTheme);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => applyTheme(store.session.theme));

  const inspectorToggle = button({
    label: 'Inspector',
    icon: 'panel',
    bare: true,
    keys: 'N',
    id: 'inspector-toggle',
    onClick: () => store.set({ inspector: !store.session.inspector }),
  });
  const top = h(
    'header',
    { class: 'top' },
    h('a', { class: 'logo', href: '#', title: 'Start screen', 'aria-label': 'Sinew: start screen', onClick: (event: Event) => {
      event.preventDefault();
      store.set({ welcome: true });
    } }, logo(), h('span', {}, 'Sinew')),
    button({ label: 'Open', icon: 'open', bare: true, keys: 'Ctrl O', id: 'open', onClick: (event) => popover(event.currentTarget as HTMLElement, openMenu(app)) }),
    name,
    spaces,
    h('span', { class: 'grow' }),
    undo,
    redo,
    button({ label: 'History', icon: 'history', bare: true, id: 'history', onClick: (event) => popover(event.currentTarget as HTMLElement, historyMenu(app)) }),
    h('span', { class: 'divider' }),
    method,
    compare,
    h('span', { class: 'divider' }),
    button({ label: 'Export', icon: 'export', primary: true, id: 'export', onClick: (event) => popover(event.currentTarget as HTMLElement, exportMenu(app)) }),
    inspectorToggle,
    theme,
    button({ label: 'Shortcuts', icon: 'help', bare: true, keys: '?', id: 'help', onClick: () => showShortcuts() }),
  );

  const inspector = h('aside', { class: 'inspector', 'aria-label': 'Inspector', id: 'inspector' });
  const grip = h('button', { type: 'button', class: 'sheet-grip', 'aria-label': 'Open or close the inspector', onClick: () => store.set({ inspector: !store.session.inspector }) });
  const body = h('div', { class: 'inspector-body' });
  inspector.append(grip, body);
  let shown: { end(): void } | undefined;
  store.watch(({ session }) => session.workspace, (workspace) => {
    shown?.end();
    const panel = scoped(() => panels[workspace](app));
    shown = panel;
    body.replaceChildren(panel.value);
    body.scrollTop = 0;
  });
  store.watch(({ session }) => session.inspector, (open) => {
    root.dataset.inspector = open ? 'open' : 'closed';
    inspectorToggle.setAttribute('aria-pressed', String(open));
  });

  const overlay = h('div', { class: 'overlay' });
  overlay.append(compareLabels(app), valueTag(app), welcome(app), busyVeil(app));
  stage.append(overlay);
  root.replaceChildren(top, rail(app), stage, inspector, timeline(app), statusLine(app));
  acceptDrops(root, app);
  keepFocus(root);
}

export function undoStep(app: App): void {
  const label = app.store.undo();
  app.say(label ? `Undone: ${label}` : 'Nothing to undo');
}

export function redoStep(app: App): void {
  const label = app.store.redo();
  app.say(label ? `Done again: ${label}` : 'Nothing to redo');
}

/** So many views beside the first, with methods that differ; two may lie over each other with a line between them. */
export function setViews(app: App, count: number, isSwipe = false): void {
  const { store } = app;
  const others = ['lbs', 'dqs', 'stbs-lbs', 'delta-mush', 'stbs-dqs'].filter((name) => name !== store.document.method);
  const kept = store.session.compared.slice(0, count);
  const added = others.filter((name) => !kept.includes(name)).slice(0, count - kept.length);
  store.set({ compared: [...kept, ...added], swipe: isSwipe ? (store.session.swipe ?? 0.5) : undefined, welcome: false });
}

function applyTheme(theme: 'system' | 'light' | 'dark'): void {
  const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

function logo(): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'mark');
  svg.setAttribute('aria-hidden', 'true');
  svg.innerHTML =
    '<path d="M5 19C5 11 19 13 19 5" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/>' +
    '<circle cx="5" cy="19" r="2.6" fill="currentColor"/><circle cx="19" cy="5" r="2.6" fill="currentColor"/>' +
    '<path d="M9 20.5C10 14.5 21 16 21.500 9.500M3 14.500C4 8 14 9.500 15 3.500" fill="none" stroke="currentColor" stroke-width="1.2" opacity=".45" stroke-linecap="round"/>';
  return svg;
}

function valueTag(app: App): HTMLElement {
  const tag = h('div', { class: 'tag', 'aria-hidden': 'true' });
  app.tag.watch((value) => {
    tag.hidden = !value;
    if (!value) return;
    tag.textContent = value.text;
    tag.style.translate = `${value.x + 16}px ${value.y - 28}px`;
  });
  return tag;
}

function busyVeil(app: App): HTMLElement {
  const veil = h('div', { class: 'veil', role: 'status', 'aria-live': 'polite' }, h('span', { class: 'spinner' }), 'Opening …');
  app.busy.watch((busy) => (veil.hidden = !busy));
  return veil;
}

function acceptDrops(root: HTMLElement, app: App): void {
  const sign = h('div', { class: 'drop-sign', hidden: true }, h('b', {}, 'Drop to open'), h('span', {}, 'Characters, meshes, motions, pictures, projects'));
  root.append(sign);
  let depth = 0;
  const isFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  root.addEventListener('dragenter', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    ++depth;
    sign.hidden = false;
  });
  root.addEventListener('dragover', (event) => {
    if (isFile(event)) event.preventDefault();
  });
  root.addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    sign.hidden = depth === 0;
  });
  root.addEventListener('drop', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    depth = 0;
    sign.hidden = true;
    void openFiles(app, [...(event.dataTransfer?.files ?? [])]);
  });
}
