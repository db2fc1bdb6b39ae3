// SPDX-License-Identifier: Apache-2.0
// Measures what the README says: how long the page takes to be there, how much goes over the wire, what the page's own
// thread does for a frame of a drag with 50,000 vertices and 60 joints, and how many frames a second 100,000 vertices have.
//   node scripts/measure.mjs      after npm run build; with CHROMIUM_FLAGS drawn by a GPU, in full size
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch, openStudio, serve } from '../tests/browser/harness.mjs';

const sinewFolder = fileURLToPath(new URL('../../../dist/sinew', import.meta.url));
const { default: createSinew } = await import(pathToFileURL(`${sinewFolder}/sinew.js`).href);
const sinew = await createSinew();

// A tube of 60 joints, each vertex tied to the four bones nearest along it.
function longTube(joints, vertices) {
  const sides = 50;
  const rings = Math.ceil(vertices / sides);
  const positions = [];
  const triangles = [];
  for (let r = 0; r < rings; ++r) {
    const y = (r / (rings - 1)) * joints * 0.1;
    for (let s = 0; s < sides; ++s) {
      const a = (2 * Math.PI * s) / sides;
      positions.push(0.2 * Math.cos(a), y, 0.2 * Math.sin(a));
      const [b, c, d] = [r * sides + ((s + 1) % sides), (r + 1) * sides + s, (r + 1) * sides + ((s + 1) % sides)];
      if (r + 1 < rings) triangles.push([r * sides + s, c, b], [b, c, d]);
    }
  }
  const rig = new sinew.Rig();
  rig.setMesh(positions, triangles);
  const parents = Int32Array.from({ length: joints }, (_, j) => j - 1);
  const rests = Array.from({ length: joints }, (_, j) => [0, j === 0 ? 0 : 0.1, 0, 0, 0, 0, 1, 1, 1, 1]);
  rig.setSkeleton({ parents, rests, names: Array.from(parents, (_, j) => `joint_${j}`) });
  const bones = rig.boneCount;
  const count = positions.length / 3;
  const [indices, weights, endpoints] = [[], [], []];
  for (let v = 0; v < count; ++v) {
    const at = positions[3 * v + 1] / 0.1;
    const first = Math.min(bones - 4, Math.max(0, Math.floor(at) - 1));
    const shares = [0, 1, 2, 3].map((k) => Math.max(0.02, 1 - Math.abs(first + k + 0.5 - at) / 2));
    const sum = shares.reduce((a, b) => a + b);
    shares.forEach((share, k) => {
      indices.push(first + k);
      weights.push(share / sum);
      endpoints.push(Math.min(1, Math.max(0, at - first - k)));
    });
  }
  rig.setWeights(weights, { bones: indices, offsets: Uint32Array.from({ length: count + 1 }, (_, v) => 4 * v), endpoints });
  return rig.toBytes('glb');
}

// A processor draws a sixteenth of the pixels.
const deviceScaleFactor = process.env.CHROMIUM_FLAGS ? 1 : 0.25;
const server = await serve();
const browser = await launch();
try {
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 }, deviceScaleFactor, reducedMotion: 'reduce', serviceWorkers: 'block' });
  const loads = [];
  let sizes;
  for (let k = 0; k < 3; ++k) {
    const fresh = await browser.newContext({ viewport: { width: 1000, height: 640 }, deviceScaleFactor, reducedMotion: 'reduce', serviceWorkers: 'block' });
    const started = Date.now();
    const studio = await openStudio(fresh, server.url);
    // What is ready is drawn with the next picture of the screen.
    await studio.look(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
    loads.push(Date.now() - started);
    sizes = await studio.look(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => entry.transferSize));
    await fresh.close();
  }
  console.log(`from an empty cache to a character that can be dragged: ${loads.map((ms) => (ms / 1000).toFixed(2)).join(', ')} s`);
  console.log(`over the wire: ${(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(2)} MB in ${sizes.length} files`);

  const studio = await openStudio(context, server.url);
  await studio.drop([{ name: 'tube.glb', bytes: longTube(60, 50000) }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'tube', null, { timeout: 120000 });
  await studio.settle();
  await studio.page.waitForFunction(() => window.studio.viewport.gpuRig > 0, null, { timeout: 120000 });
  const result = await studio.look(async () => {
    const { posing, stage, store, viewport } = window.studio;
    const { info } = store.document.rig;
    const times = [];
    const timed = (object, name) => {
      const real = object[name].bind(object);
      object[name] = (...args) => {
        const before = performance.now();
        const value = real(...args);
        times.at(-1)[name] = (times.at(-1)[name] ?? 0) + performance.now() - before;
        return value;
      };
    };
    timed(stage, 'take');
    timed(viewport, 'render');
    const base = posing.shown();
    posing.begin('Drag');
    for (let k = 0; k < 40; ++k) {
      times.push({});
      const goals = [{ joint: 'joint_59', position: [0.05 * k, 5.9 + 0.02 * k, 0] }];
      await posing.drag(base, 'Drag', { drag: { goals, lengths: 'free', pins: [] } });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
    }
    posing.end(false);
    const sums = times.slice(5).map(({ take = 0, render = 0 }) => take + render).sort((a, b) => a - b);
    return { vertices: info.vertices, joints: info.joints.length, median: sums[Math.floor(sums.length / 2)], least: sums[0], most: sums.at(-1), surfaces: window.studio.frame.value.surfaces.length };
  });
  console.log(`a frame of a drag, ${result.vertices} vertices, ${result.joints} joints, on the page's own thread: ${result.median.toFixed(2)} ms (least ${result.least.toFixed(2)}, most ${result.most.toFixed(2)})`);

  await studio.drop([{ name: 'large.glb', bytes: longTube(60, 100000) }]);
  await studio.page.waitForFunction(() => window.studio.store.document.name === 'large', null, { timeout: 120000 });
  await studio.settle();
  await studio.page.waitForFunction(() => window.studio.viewport.gpuRig === window.studio.store.document.rig.id, null, { timeout: 120000 });
  await studio.page.setViewportSize({ width: 1440, height: 900 });
  const rate = await studio.look(async () => {
    const { posing, store, viewport } = window.studio;
    const gl = viewport.canvas.getContext('webgl2');
    const by = gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
    const base = posing.shown();
    posing.begin('Drag');
    // As a pointer asks for them: one place for each frame of the screen.
    const gaps = [];
    let [first, before, last] = [0, viewport.drawn, 0];
    await new Promise((resolve) => {
      const step = (now) => {
        first ||= now;
        if (last) gaps.push(now - last);
        last = now;
        const k = (now - first) / 1000;
        void posing.drag(base, 'Drag', { drag: { goals: [{ joint: 'joint_59', position: [Math.sin(3 * k), 5.9 + 0.3 * k, 0] }], lengths: 'free', pins: [] } });
        if (k < 4) requestAnimationFrame(step);
        else resolve();
      };
      requestAnimationFrame(step);
    });
    const seconds = (last - first) / 1000;
    const frames = viewport.drawn - before;
    // Until the GPU is done with them.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    posing.end(false);
    gaps.sort((a, b) => a - b);
    return { by, vertices: store.document.rig.info.vertices, rate: frames / seconds, late: gaps[Math.floor(gaps.length * 0.99)] };
  });
  console.log(`${rate.vertices} vertices dragged: ${rate.rate.toFixed(1)} frames a second, 99 of 100 within ${rate.late.toFixed(1)} ms of the one before, by ${rate.by}`);
  if (studio.errors.length > 0) throw new Error(studio.errors.join('\n'));
} finally {
  await browser.close();
  server.end();
}
