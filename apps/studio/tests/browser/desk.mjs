// SPDX-License-Identifier: Apache-2.0
// What the tests of a file share: the core, a character, a browser, and the studio in it.
import { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch, openStudio, serve } from './harness.mjs';

const sinewFolder = fileURLToPath(new URL('../../../../dist/sinew', import.meta.url));
const { default: createSinew } = await import(pathToFileURL(`${sinewFolder}/sinew.js`).href);
export const sinew = await createSinew();
// A processor draws here: few vertices and few pixels.
export const mannequin = sinew.sample('mannequin', { vertices: 1200 }).toBytes('glb');

export let server;
export let browser;
export let context;
export let studio;

let ready;
async function start() {
  server = await serve();
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1000, height: 640 }, deviceScaleFactor: 0.25, acceptDownloads: true, serviceWorkers: 'block' });
  await giveFewVertices(context);
}
before(() => (ready ??= start()));

after(async () => {
  await browser?.close();
  server?.end();
});

export const giveFewVertices = (to) =>
  to.route('**/mannequin.glb', (route) => route.fulfill({ body: Buffer.from(mannequin), contentType: 'model/gltf-binary' }));

/** A page with the studio as it starts. */
export async function begin() {
  await (ready ??= start());
  studio = await openStudio(context, server.url);
}

/** The same without the first screen: a character at rest. */
export async function beginCalm() {
  await begin();
  await studio.look(() => window.studio.store.set({ welcome: false, playing: false, clip: undefined, time: 0 }));
  await studio.settle();
}

/** The same pose by the core, without a page; with normals, as the studio asks for them: lbs has other last bits without. */
export function deformed(file, pose, method = 'stbs-dqs') {
  const rig = sinew.read(file, { format: 'glb' });
  const told = new sinew.Pose(rig);
  told.set(pose);
  const positions = new Float32Array(3 * rig.vertexCount);
  new sinew.Deformer(rig, method).deform(told, positions, { normals: new Float32Array(positions.length) });
  return { rig, told, positions };
}

/** How many steps can be undone. */
export const past = () => studio.look(() => window.studio.store.past.length);

/** Where a joint is in the world. */
export const place = (name) =>
  studio.look((key) => {
    const { store, viewport } = window.studio;
    const j = store.document.rig.info.joints.findIndex((joint) => joint.key === key);
    return [12, 13, 14].map((k) => viewport.lastFrame.jointFrames[16 * j + k]);
  }, name);

/** How far two places are apart. */
export const apart = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));

/** The largest difference of two lists of numbers. */
export const farthest = (a, b) => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
