// SPDX-License-Identifier: Apache-2.0
// The same in headless Chromium: on a page, in a worker, and on several threads where the page is isolated.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { assertSameBits, folder, installed, reference, work } from './common.mjs';

const program = process.env.SINEW_CHROMIUM;
if (!program) {
  console.log('SKIPPED: there is no Chromium');
  process.exit(0);
}

const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const PAGE = '<!doctype html><title>sinew</title>';
// A worker that does what the page asks for, with what the page gives it.
const WORKER = `
  onmessage = async ({ data: { body, argument } }) => {
    try {
      const run = new Function('argument', 'return (' + body + ')(argument)');
      postMessage({ value: await run(argument) });
    } catch (error) {
      postMessage({ error: String(error.stack ?? error) });
    }
  };`;

/** Serves the package under /sinew/ and the reference under /reference/; isolated where the address says so. */
const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const path = normalize(decodeURIComponent(url.pathname));
  const headers = { 'Cache-Control': 'no-store' };
  if (!url.searchParams.has('plain') && !request.headers.referer?.includes('plain')) {
    headers['Cross-Origin-Opener-Policy'] = 'same-origin';
    headers['Cross-Origin-Embedder-Policy'] = 'require-corp';
  }
  if (path === '/' || path === '/worker.js') {
    response.writeHead(200, { ...headers, 'Content-Type': path === '/' ? 'text/html' : 'text/javascript' });
    response.end(path === '/' ? PAGE : WORKER);
    return;
  }
  const [, root, ...rest] = path.split('/');
  const file = join(root === 'sinew' ? folder : work, ...rest);
  if (!existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { ...headers, 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await installed('playwright-core').chromium.launch({
  executablePath: program,
  args: ['--no-sandbox'],
});

async function inPage(query, body, argument) {
  const page = await browser.newPage();
  try {
    await page.goto(address + query);
    return await page.evaluate(body, argument);
  } finally {
    await page.close();
  }
}

/** Runs in the page or in a worker: weights and positions of the stored character. */
const compute = `async ({ options, methods }) => {
  const { default: createSinew } = await import(location.origin + '/sinew/sinew.js');
  const sinew = await createSinew(options);
  const bytes = await (await fetch('/reference/model.glb')).arrayBuffer();
  const rig = sinew.read(bytes, { format: 'glb' });
  rig.computeWeights('bbw');
  const text = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let result = '';
    for (let i = 0; i < bytes.length; i += 8192) result += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(result);
  };
  const result = { weights: text(rig.weights), endpoints: text(rig.endpoints), positions: {}, normals: {}, threads: sinew.threadCount() };
  for (const method of methods) {
    const deformer = new sinew.Deformer(rig, method);
    const { positions, normals } = deformer.at({ clip: 2, time: 0.7 }, { normals: true });
    result.positions[method] = text(positions);
    result.normals[method] = text(normals);
  }
  return result;
}`;
const inWorker = `({ body, argument }) => new Promise((resolve, reject) => {
  const worker = new Worker('/worker.js', { type: 'module' });
  worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.value));
  worker.postMessage({ body, argument });
})`;

const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'));

function assertSame(result, methods) {
  assertSameBits(bytes(result.weights), reference('weights.f64'), 'weights');
  assertSameBits(bytes(result.endpoints), reference('endpoints.f64'), 'endpoints');
  for (const method of methods) {
    for (const what of ['positions', 'normals']) {
      assertSameBits(bytes(result[what][method]), reference(`${method}.${what}.f32`), `${what} by ${method}`);
    }
  }
}

const methods = ['lbs', 'dqs', 'stbs-lbs', 'stbs-dqs'];
const call = (where, query, options) => {
  const argument = { options, methods };
  return where === 'page'
    ? inPage(query, `(${compute})(${JSON.stringify(argument)})`)
    : inPage(query, `(${inWorker})(${JSON.stringify({ body: compute, argument })})`);
};

test('on any page', async () => {
  assertSame(await call('page', '?plain', {}), methods);
});

test('in a worker', async () => {
  assertSame(await call('worker', '?plain', {}), methods);
});

test('threads are refused where the page is not isolated', async () => {
  await assert.rejects(call('page', '?plain', { threads: true }), /COOP/);
});

const threads = existsSync(join(folder, 'wasm', 'sinew_threads.wasm'));
test('on two threads, in a worker of an isolated page', { skip: !threads && 'built without' }, async () => {
  const result = await call('worker', '', { threads: 2 });
  assertSame(result, methods);
  assert.ok(result.threads >= 2, `${result.threads} threads`);
});

test('what our readers do not know goes through the browser', async () => {
  const pixels = await inPage(
    '?plain',
    `(async () => {
      const { default: createSinew } = await import('/sinew/sinew.js');
      const sinew = await createSinew();
      const canvas = new OffscreenCanvas(4, 2);
      const context = canvas.getContext('2d');
      context.fillStyle = '#ff0000';
      context.fillRect(0, 0, 4, 2);
      const image = await sinew.Image.decode(await canvas.convertToBlob({ type: 'image/webp', quality: 1 }));
      return [image.width, image.height, ...image.pixels.slice(0, 4)];
    })()`,
  );
  assert.deepEqual(pixels.slice(0, 2), [4, 2]);
  assert.ok(pixels[2] > 245 && pixels[3] < 12 && pixels[4] < 12 && pixels[5] === 255, String(pixels));
});

test.after(async () => {
  await browser.close();
  server.close();
});
