// SPDX-License-Identifier: Apache-2.0
// Ways out: files for other programs, pictures, films, the project.
import type { App } from '../app';
import { keysText } from '../core/keys';
import type { BakeReport } from '../core/reports';
import { filmed } from '../core/webm';
import type { KeyClip } from '../state/document';
import { writeProject } from '../state/project';
import { button, h, note, row } from '../ui/dom';
import { closePopover, dialog } from '../ui/popover';
import { download, fileName } from './files';
import { savePose } from './pose-files';

export function exportMenu(app: App): HTMLElement {
  const { info } = app.store.document.rig;
  const item = (title: string, text: string, id: string, run: () => unknown, enabled = true): HTMLElement =>
    h('button', { type: 'button', class: 'menu-item', 'data-id': id, disabled: !enabled, onClick: () => {
      closePopover();
      void run();
    } }, h('b', {}, title), h('span', {}, text));
  const hasClip = app.store.session.clip !== undefined && app.player.duration() > 0;
  const hasEncoder = 'VideoEncoder' in window;
  const clip = app.posing.keyClip();
  const keys = clip && clip.channels.length > 0 ? clip : undefined;
  return h(
    'div',
    { class: 'menu' },
    h('h3', {}, 'Character'),
    item('Character .glb', 'Skeleton, weights, endpoint weights and clips: opens here again', 'export-glb', () => saveGlb(app)),
    item('Baked .glb for engines', 'Stretch and twist as ordinary joints; shows the error first', 'export-baked', () => bake(app), info.hasWeights && info.bones.length > 0),
    item('Clip .json', keys ? 'The keys of the clip on the timeline, as sinew animate reads them' : 'Choose a clip that was made here first', 'export-keys', () => keys && saveKeys(app, keys), keys !== undefined),
    item('Pose .json', 'What is shown now, as a pose file', 'export-pose', () => savePose(app), info.joints.length > 0),
    h('h3', {}, 'Pictures'),
    item('Picture .png', 'The view, twice as large, without background', 'export-png', () => savePicture(app)),
    item('Turntable .gif', 'Once round in two seconds', 'export-turn', () => saveFilm(app, 'turntable', 'gif')),
    item('Turntable .apng', 'The same with all colours', 'export-turn-apng', () => saveFilm(app, 'turntable', 'apng')),
    item('Turntable .webm', 'The same as a film', 'export-turn-webm', () => saveFilm(app, 'turntable', 'webm'), hasEncoder),
    item('Clip .gif', hasClip ? 'The clip that is on the timeline' : 'Choose a clip on the timeline first', 'export-gif', () => saveFilm(app, 'clip', 'gif'), hasClip),
    item('Clip .apng', hasClip ? 'The same with all colours' : 'Choose a clip on the timeline first', 'export-apng', () => saveFilm(app, 'clip', 'apng'), hasClip),
    item('Clip .webm', hasClip ? 'The same as a film' : 'Choose a clip on the timeline first', 'export-webm', () => saveFilm(app, 'clip', 'webm'), hasClip && hasEncoder),
    h('h3', {}, 'Project'),
    item('Project .sinew', 'Everything, to go on where you left off (Ctrl S)', 'export-project', () => saveProject(app)),
  );
}

export async function saveProject(app: App): Promise<void> {
  await app.attempt('Saving the project', async () => {
    const { document } = app.store;
    const rig = await app.pack();
    download(writeProject(rig, document, app.viewport.orbit.state), fileName(document.name, 'sinew'), 'application/zip');
    app.say('The project was saved.', 'good');
  });
}

async function saveGlb(app: App): Promise<void> {
  await app.attempt('Saving the character', async () => {
    const bytes = await app.file();
    download(bytes, fileName(app.store.document.name, 'glb'), 'model/gltf-binary');
    app.say(`${fileName(app.store.document.name, 'glb')} was saved, ${(bytes.length / 1024).toFixed(0)} KB.`, 'good');
  });
}

async function bake(app: App): Promise<void> {
  const file = await app.attempt('Baking', () => app.file());
  if (!file) return;
  const made = await app.run('Baking', (progress) => app.core.start('bake', [file, {}], progress));
  if (!made) return;
  const name = fileName(`${app.store.document.name} baked`, 'glb');
  const save = button({ label: `Save ${name}`, icon: 'save', primary: true, id: 'save-baked', onClick: () => {
    download(made.file, name, 'model/gltf-binary');
    window.document.querySelector<HTMLDialogElement>('dialog.dialog')?.close();
    app.say(`${name} was saved.`, 'good');
  } });
  await dialog('Baked for engines', h('div', { class: 'bake' }, bakeReport(made.report), note(`${(made.file.length / 1024).toFixed(0)} KB. Any engine plays it by linear blending.`), row(save)));
}

function bakeReport(report: BakeReport): HTMLElement {
  const percent = (value: number): string => `${value.toPrecision(2)}%`;
  const lines: [string, string][] = [
    ['largest error, of a limb’s radius', percent(report.maxError)],
    ...(report.bound === null ? [] : [['allowed', percent(report.bound)] satisfies [string, string]]),
    ['largest error, of the figure’s size', percent(report.maxErrorBox)],
    ['the same without baking', percent(report.plainErrorBox)],
    ['helper joints', String(report.helpers)],
    ['bones a vertex, at most', String(report.maxInfluences)],
    ['clips', String(report.clips)],
    ['poses measured', String(report.poses)],
  ];
  return h(
    'div',
    {},
    h('dl', { class: 'facts-list', 'data-id': 'bake-report' }, lines.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
    !report.isWithinBound && note(`The error is larger than allowed. ${report.remedy}`, 'warn'),
  );
}

async function savePicture(app: App): Promise<void> {
  await app.attempt('Making the picture', async () => {
    const blob = await app.viewport.plain(() => app.viewport.picture(2, null));
    download(blob, fileName(app.store.document.name, 'png'));
  });
}

function saveKeys(app: App, clip: KeyClip): void {
  download(keysText(app.store.document.rig.info, clip), fileName(`${app.store.document.name} ${clip.name}`, 'json'), 'application/json');
}

async function saveFilm(app: App, what: 'turntable' | 'clip', format: 'gif' | 'apng' | 'webm'): Promise<void> {
  const { store, viewport } = app;
  const { session } = store;
  if (app.isBusy()) return;
  store.set({ playing: false });
  const seconds = what === 'clip' ? app.player.duration() : 2;
  const rate = format === 'webm' ? 30 : 20;
  const count = Math.max(2, Math.round(seconds * rate));
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, 480 / Math.max(viewport.canvas.clientWidth, viewport.canvas.clientHeight));
  canvas.width = Math.round((viewport.canvas.clientWidth * scale) / 2) * 2;
  canvas.height = Math.round((viewport.canvas.clientHeight * scale) / 2) * 2;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return;
  const background = getComputedStyle(document.documentElement).getPropertyValue('--stage').trim() || '#e8eaed';
  let cancelled = false;
  const camera = viewport.orbit.state;
  const label = what === 'clip' ? 'Filming the clip' : 'Filming the turntable';
  app.job.value = { label, stage: '', fraction: 0, cancel: () => (cancelled = true) };
  try {
    await viewport.plain(async () => {
      const frames: ImageData[] = [];
      for (let f = 0; f < count && !cancelled; ++f) {
        if (what === 'turntable') {
          viewport.orbit.look(camera[0] + (2 * Math.PI * f) / count, camera[1]);
        } else {
          const frame = await app.core.call('frame', { ...app.stage.moment(session.clip, (f * seconds) / count), methods: app.stage.methods() });
          viewport.setFrame(frame);
        }
        viewport.pixels(context, background);
        frames.push(context.getImageData(0, 0, canvas.width, canvas.height));
        app.job.value = { label, stage: `${f + 1} of ${count}`, fraction: f / count, cancel: () => (cancelled = true) };
        await new Promise((resolve) => setTimeout(resolve));
      }
      if (cancelled) return;
      if (format === 'webm') {
        const film = await filmed(frames, rate, (done) => {
          app.job.value = { label, stage: 'writing', fraction: done, cancel: () => (cancelled = true) };
          return !cancelled;
        });
        if (film) download(film, fileName(store.document.name, 'webm'), 'video/webm');
        return;
      }
      const { width, height } = canvas;
      const pictures = frames.map(({ data }) => data as Uint8ClampedArray<ArrayBuffer>);
      const job = app.core.start('film', [{ width, height, frames: pictures, secondsPerFrame: 1 / rate, format }]);
      app.job.value = { label, stage: 'writing', fraction: 1, cancel: () => job.cancel() };
      download(await job.done, fileName(store.document.name, format), format === 'gif' ? 'image/gif' : 'image/apng');
    });
    app.say(cancelled ? `${label}: cancelled.` : 'The film was saved.', cancelled ? 'info' : 'good');
  } catch (error) {
    app.say(`${label} failed: ${(error as Error).message}`, 'bad');
  } finally {
    app.job.value = undefined;
    viewport.orbit.state = camera;
    void app.stage.refresh();
  }
}
