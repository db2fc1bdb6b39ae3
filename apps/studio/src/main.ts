// SPDX-License-Identifier: Apache-2.0
import './ui/style.css';
import { App } from './app';
import { Core } from './core/client';
import { chooseAndOpen, openAddress } from './panels/open';
import { keepOffline } from './offline';
import { saveProject } from './panels/export';
import { deleteSelected, takeTemplate } from './panels/rig';
import { Keeper } from './state/keeper';
import { PaintTool } from './tools/paint-tool';
import { PointerDesk } from './tools/pointer';
import { PoseTool } from './tools/pose-tool';
import { RigTool } from './tools/rig-tool';
import { h } from './ui/dom';
import { frame, redoStep, setViews, shell, undoStep } from './ui/shell';
import { listenToKeys, makeShortcuts } from './ui/shortcuts';
import { Viewport } from './view/viewport';

async function start(root: HTMLElement): Promise<void> {
  const parts = frame(root);
  if (!document.createElement('canvas').getContext('webgl2')) {
    parts.stage.append(
      h('div', { class: 'stop' }, h('h1', {}, 'This browser cannot draw in 3D'),
        h('p', {}, 'The studio needs WebGL 2. Switch on hardware acceleration or use another browser; the program ', h('code', {}, 'sinew'), ' does all of this on the command line.')),
    );
    return;
  }
  const loading = h('div', { class: 'veil', role: 'status' }, h('span', { class: 'spinner' }), 'Loading …');
  parts.stage.append(loading);
  const file = new URLSearchParams(location.search).get('file');
  // All at once: the core, and what will be shown.
  const core = new Core();
  const first = file ? undefined : fetch(new URL('mannequin.glb', document.baseURI)).catch(() => undefined);
  const catalogue = core.call('catalogue');
  // Meanwhile, what draws.
  const viewport = new Viewport(parts.stage);
  viewport.warm();
  const app = new App(core, await catalogue, viewport);
  loading.remove();
  shell(parts, app);

  const pose = new PoseTool(app);
  const paint = new PaintTool(app);
  const rig = new RigTool(app);
  const desk = new PointerDesk(app, { pose, animate: pose, rig, paint });
  listenToKeys(
    app,
    makeShortcuts({
      undo: undoStep,
      redo: redoStep,
      open: () => void chooseAndOpen(app),
      save: () => void saveProject(app),
      compare: () => setViews(app, app.store.session.compared.length === 0 ? 1 : 0),
      swipe: () => (app.store.session.swipe === undefined ? setViews(app, 1, true) : setViews(app, 0)),
      cancel() {
        if (desk.cancel()) return;
        if (app.job.value) app.job.value.cancel();
        else if (app.store.session.ghost) app.store.set({ ghost: undefined });
        else if (app.store.session.playing) app.store.set({ playing: false });
        else app.store.set({ selection: [], marked: [] });
      },
      again: () => pose.again(),
      alongX: () => rig.along(0),
      alongY: () => rig.along(1),
      alongZ: () => rig.along(2),
      takeTemplate: () => void takeTemplate(app),
      deleteJoint: () => void deleteSelected(app),
      pickBone: () => void paint.pick(),
      selectAll: () => app.store.set({ selection: app.store.document.rig.info.joints.filter((joint) => !joint.driven).map((joint) => joint.key) }),
    }),
  );
  // For tests and for people who look under the hood.
  (window as unknown as { studio: App }).studio = app;

  const keeper = new Keeper(app);
  if (file) {
    await openAddress(app, file);
  }
  if (app.store.document.rig.id === 0) {
    if (await openFirst(app, await first)) {
      const clip = app.store.document.rig.info.clips.find((one) => one.name === 'wave') ?? app.store.document.rig.info.clips[0];
      app.store.set({ welcome: true, clip: clip?.name });
      if (!matchMedia('(prefers-reduced-motion: reduce)').matches) app.store.set({ playing: true });
    }
  }
  await app.stage.refresh();
  document.documentElement.dataset.ready = 'true';
  await keeper.start();
  await keepOffline(core);
}

// The built page has the first character as a file; without it, the core makes one.
async function openFirst(app: App, response: Response | undefined): Promise<boolean> {
  if (!response?.ok || response.headers.get('content-type')?.startsWith('text/html')) return app.openSample('mannequin', 6000);
  return app.openBytes('mannequin', new Uint8Array(await response.arrayBuffer()), 'glb');
}

const root = document.getElementById('studio');
if (root) {
  start(root).catch((error: unknown) => {
    root.replaceChildren(h('div', { class: 'stop' }, h('h1', {}, 'The studio could not start'), h('p', {}, (error as Error).message), h('p', {}, 'Reload the page. If that does not help, the console of the browser says more.')));
    console.error(error);
  });
}
