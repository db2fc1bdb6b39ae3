// SPDX-License-Identifier: Apache-2.0
// Ways in: files, samples, pictures, projects.
import type { App } from '../app';
import { button, h, row } from '../ui/dom';
import { closePopover } from '../ui/popover';
import { bytesOf, chooseFiles, endingOf, stemOf } from './files';
import { addMotion } from './motion';
import { openPose } from './pose-files';
import { readProject } from '../state/project';

const models = ['glb', 'gltf', 'obj', 'ply', 'off', 'mesh'];
const pictures = ['png', 'jpg', 'jpeg', 'webp'];
const accepted = [...models, ...pictures, 'bvh', 'tgf', 'sinew', 'json'].map((ending) => `.${ending}`).join(',');

export const sampleTitles: Readonly<Record<string, string>> = {
  mannequin: 'Mannequin',
  beast: 'Beast',
  head: 'Head with expressions',
  dancer: 'Dancer, a drawing',
  arm: 'Arm and hand',
  giraffe: 'Giraffe (flat)',
  tube: 'Tube, two bones',
  tube3: 'Tube, three bones',
  cigar: 'Capsule',
  box: 'Box',
};

/** Built-in characters, the most telling first. */
export function sampleNames(app: App): string[] {
  const order = Object.keys(sampleTitles);
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...Object.keys(app.catalogue.samples), ...Object.keys(app.catalogue.samplePictures)].sort((a, b) => place(a) - place(b));
}

export function openMenu(app: App): HTMLElement {
  return h(
    'div',
    { class: 'menu' },
    row(button({ label: 'Open a file …', icon: 'open', keys: 'Ctrl O', id: 'open-file', onClick: () => {
      closePopover();
      void chooseAndOpen(app);
    } })),
    app.kept.value.length > 0 && h('h3', {}, 'Kept by the browser'),
    app.kept.value.map((kept) =>
      h('button', { type: 'button', class: 'menu-item', 'data-id': 'kept', onClick: () => {
        closePopover();
        void kept.restore();
      } }, h('b', {}, kept.name), h('span', {}, `From ${kept.age}`)),
    ),
    h('h3', {}, 'Samples'),
    h(
      'div',
      { class: 'sample-list' },
      sampleNames(app).map((name) =>
        h('button', { type: 'button', class: 'menu-item', 'data-sample': name, onClick: () => {
          closePopover();
          void openSample(app, name);
        } }, h('b', {}, sampleTitles[name] ?? name), h('span', {}, app.catalogue.samples[name] ?? app.catalogue.samplePictures[name])),
      ),
    ),
  );
}

export async function openSample(app: App, name: string): Promise<void> {
  if (name in app.catalogue.samplePictures) {
    const made = await app.run('Bringing the drawing to life', (progress) => app.core.start('drawing', [name], progress));
    if (made && (await app.openBytes(name, made, 'glb'))) app.store.set({ welcome: false });
    return;
  }
  if (await app.openSample(name, name === 'mannequin' || name === 'beast' ? 6000 : 3000)) app.store.set({ welcome: false });
}

export async function chooseAndOpen(app: App, accept = accepted): Promise<void> {
  await openFiles(app, await chooseFiles(accept, true));
}

export function choosePicture(app: App): Promise<void> {
  return chooseAndOpen(app, pictures.map((ending) => `.${ending}`).join(','));
}

/** Opens what was dropped or chosen. What cannot be read changes nothing. */
export async function openFiles(app: App, files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const main = files.find((file) => models.includes(endingOf(file.name))) ?? files[0];
  const ending = endingOf(main.name);
  if (main.size > 1 << 30) {
    app.say(`${main.name} is larger than 1 GB; the browser cannot hold that. Use the program sinew instead.`, 'bad');
    return;
  }
  const bytes = await bytesOf(main);
  let opened = false;
  if (ending === 'sinew') {
    const project = await app.attempt(`Opening ${main.name}`, async () => readProject(bytes));
    if (project) opened = await app.openBytes(project.name, project.rig, 'glb', project.document, project.bound);
    if (opened && project?.camera) app.stage.lookFrom(project.camera);
  } else if (ending === 'gltf') {
    opened = await openGltf(app, main, files);
  } else if (ending === 'bvh' && app.store.document.rig.info.bones.length > 0) {
    await addMotion(app, stemOf(main.name), bytes);
  } else if (models.includes(ending) || ending === 'tgf' || ending === 'bvh') {
    opened = await app.openBytes(stemOf(main.name), bytes, ending);
  } else if (pictures.includes(ending)) {
    opened = await openPicture(app, main.name, bytes);
  } else if (ending === 'json') {
    await openPose(app, main);
  } else {
    app.say(`${main.name}: no reader for .${ending || '?'} files. These can be opened: ${accepted.replace(/,/g, ', ')}`, 'bad');
  }
  if (!opened) return;
  app.store.set({ welcome: false, workspace: app.store.document.rig.info.joints.length === 0 ? 'rig' : app.store.session.workspace });
  // A motion is opened to be seen.
  if (ending === 'bvh') app.store.set({ workspace: 'animate', clip: app.store.document.rig.info.clips[0]?.name, playing: !matchMedia('(prefers-reduced-motion: reduce)').matches });
  if (app.store.document.rig.info.joints.length === 0) {
    app.say('A mesh without a skeleton: take a template or click to add joints, then bind.', 'info');
  }
}

/** Opens a file that the address of the page names, with those that a .gltf refers to. */
export async function openAddress(app: App, address: string): Promise<void> {
  const load = async (from: URL): Promise<File> => {
    const response = await fetch(from);
    if (!response.ok) throw new Error(`${decodeURIComponent(from.pathname.split('/').at(-1) ?? '')} is not there`);
    return new File([await response.blob()], decodeURIComponent(from.pathname.split('/').at(-1) ?? 'file'));
  };
  const files = await app.attempt(`Opening ${address}`, async () => {
    const base = new URL(address, document.baseURI);
    const main = await load(base);
    if (endingOf(main.name) !== 'gltf') return [main];
    return [main, ...(await Promise.all(referring(JSON.parse(await main.text())).map(({ uri }) => load(new URL(uri, base)))))];
  });
  if (files) await openFiles(app, files);
}

interface Refers {
  uri: string;
}

// The parts of a .gltf that refer to files. What else is in it, the core looks at.
function referring(json: unknown): Refers[] {
  const { buffers, images } = (json ?? {}) as Record<string, unknown>;
  const isReferring = (part: unknown): part is Refers => {
    const uri = (part as Partial<Refers> | null)?.uri;
    return typeof uri === 'string' && !uri.startsWith('data:');
  };
  return [buffers, images].flatMap((list): unknown[] => (Array.isArray(list) ? list : [])).filter(isReferring);
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

// The files that a .gltf refers to were dropped with it: they go into it as data.
async function openGltf(app: App, main: File, files: readonly File[]): Promise<boolean> {
  const text = await app.attempt(`Opening ${main.name}`, async () => {
    const json: unknown = JSON.parse(await main.text());
    for (const item of referring(json)) {
      const name = decoded(item.uri).split('/').at(-1);
      const file = files.find((other) => other.name === name);
      if (!file) throw new Error(`it refers to ${name}: drop that file together with it`);
      item.uri = await dataUrl(file);
    }
    return JSON.stringify(json);
  });
  return text !== undefined && app.openBytes(stemOf(main.name), new TextEncoder().encode(text), 'gltf');
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^data:;/, 'data:application/octet-stream;')));
    reader.addEventListener('error', () => reject(new Error(`${file.name} cannot be read`)));
    reader.readAsDataURL(file);
  });
}

async function openPicture(app: App, name: string, bytes: Uint8Array): Promise<boolean> {
  const made = await app.run('Bringing the picture to life', (progress) =>
    app.core.start('puppet', [bytes, { autoBones: 12, loops: ['wave', 'breathe'] }], progress),
  );
  return made !== undefined && app.openBytes(stemOf(name), made, 'glb');
}
