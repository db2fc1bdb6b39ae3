// SPDX-License-Identifier: Apache-2.0
// Without a network, and on a narrow screen, in a browser without a window.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { browser, deformed, giveFewVertices, mannequin, server } from './desk.mjs';
import { openStudio } from './harness.mjs';

/** How many bytes a file has on its way to a browser. */
const sizeOf = (url) =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip, deflate, br' } }, (answer) => {
      let size = 0;
      answer.on('data', (part) => (size += part.length));
      answer.on('end', () => resolve(size));
    }).on('error', reject);
  });

test('it is less than 3 MB over the wire, and opens without a network, once it was there', async () => {
  const offline = await browser.newContext({ viewport: { width: 400, height: 300 }, deviceScaleFactor: 0.25, reducedMotion: 'reduce' });
  await giveFewVertices(offline);
  const there = await openStudio(offline, server.url);
  const loaded = () =>
    there.look(async () => {
      const urls = [document.baseURI, ...performance.getEntriesByType('resource').map((entry) => entry.name), ...(await window.studio.core.call('loaded'))];
      return [...new Set(urls)].filter((url) => new URL(url).origin === location.origin);
    });
  const isKept = async () =>
    there.look(async (urls) => {
      const kept = new Set((await (await caches.open('sinew-studio')).keys()).map((request) => request.url));
      return navigator.serviceWorker.controller?.state === 'activated' && urls.every((url) => kept.has(url));
    }, await loaded());
  // Not by waitForFunction, to which a promise is as good as true.
  for (const end = Date.now() + 20000; !(await isKept()); ) {
    assert.ok(Date.now() < end, 'the page is not kept');
    await there.page.waitForTimeout(50);
  }
  const sizes = await Promise.all((await loaded()).map(sizeOf));
  const size = sizes.reduce((sum, one) => sum + one, 0);
  assert.ok(sizes.length > 5 && size > 1e6 && size < 3e6, `${size} bytes over the wire in ${sizes.length} files`);
  await offline.setOffline(true);
  const alone = await openStudio(offline, server.url);
  assert.equal(await alone.page.locator('.welcome .big').count(), 3);
  await offline.close();
});

test('a host that knows nothing of it will do: in a folder, without headers and types', async () => {
  const folder = process.env.SINEW_STUDIO_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
  const plain = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/^\/art\/studio\//, '/');
    const file = `${folder}${path === '/' ? '/index.html' : path}`;
    if (!request.url.startsWith('/art/studio/') || path.includes('..') || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    // Browsers take scripts and styles by their type alone.
    const type = { html: 'text/html', js: 'text/javascript', css: 'text/css' }[file.split('.').at(-1)] ?? 'application/octet-stream';
    response.writeHead(200, { 'Content-Type': type }).end(readFileSync(file));
  });
  await new Promise((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const guest = await browser.newContext({ viewport: { width: 800, height: 560 }, deviceScaleFactor: 0.25, serviceWorkers: 'block', reducedMotion: 'reduce' });
  await giveFewVertices(guest);
  const there = await openStudio(guest, `http://127.0.0.1:${plain.address().port}/art/studio/`);
  assert.equal(await there.look(() => window.crossOriginIsolated), false);
  await there.look(() => window.studio.store.set({ welcome: false, playing: false, clip: undefined, time: 0 }));
  await there.settle();
  const hand = await there.joint('hand.L');
  await there.drag(hand, [hand[0] + 40, hand[1] - 60]);
  const { pose } = await there.document();
  assert.ok(pose.joints['hand.L'].translation);
  assert.deepEqual(await there.positions(), deformed(mannequin, pose).positions);
  // What takes long is done as elsewhere.
  await there.press('F3');
  await there.page.selectOption('[data-id="weight-method"]', 'rigid');
  await there.click('compute-weights');
  await there.page.waitForFunction(() => window.studio.store.past.at(-1)?.label === 'Compute weights', null, { timeout: 60000 });
  assert.deepEqual(there.errors, []);
  await guest.close();
  plain.close();
});

test('a narrow screen has sheets, and fingers pose', async () => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 0.5, serviceWorkers: 'block', reducedMotion: 'reduce' });
  await giveFewVertices(phone);
  const small = await openStudio(phone, server.url);
  await small.look(() => window.studio.store.set({ welcome: false, playing: false, clip: undefined, inspector: false }));
  await small.settle();
  await small.page.waitForFunction(() => document.getElementById('inspector').getBoundingClientRect().height < 40);
  await small.page.tap('.sheet-grip');
  await small.page.waitForFunction(() => document.getElementById('inspector').getBoundingClientRect().height > 200);
  await small.page.tap('.sheet-grip');
  await small.page.waitForFunction(() => document.getElementById('inspector').getBoundingClientRect().height < 40);
  await small.settle();
  const hand = await small.joint('hand.L');
  const client = await phone.newCDPSession(small.page);
  const touch = (type, points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch('touchStart', [hand]);
  for (let k = 1; k <= 5; ++k) await touch('touchMove', [[hand[0] + 6 * k, hand[1] - 16 * k]]);
  await small.waitForDrag();
  await touch('touchEnd', []);
  await small.settle();
  const moved = Object.keys((await small.document()).pose.joints);
  assert.ok(moved.includes('hand.L'), `moved: ${moved}`);
  assert.deepEqual(small.errors, []);
  await phone.close();
});
