// SPDX-License-Identifier: Apache-2.0
// Without a network, and on a narrow screen, in a browser without a window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, giveFewVertices, server } from './desk.mjs';
import { openStudio } from './harness.mjs';

test('it opens without a network, once it was there', async () => {
  const offline = await browser.newContext({ viewport: { width: 400, height: 300 }, deviceScaleFactor: 0.25, reducedMotion: 'reduce' });
  await giveFewVertices(offline);
  const there = await openStudio(offline, server.url);
  const isKept = () =>
    there.look(async () => {
      const kept = new Set((await (await caches.open('sinew-studio')).keys()).map((request) => request.url));
      const loaded = [document.baseURI, ...performance.getEntriesByType('resource').map((entry) => entry.name), ...(await window.studio.core.call('loaded'))];
      const isServed = navigator.serviceWorker.controller?.state === 'activated';
      return isServed && loaded.every((url) => kept.has(url) || new URL(url).origin !== location.origin);
    });
  // Not by waitForFunction, to which a promise is as good as true.
  for (const end = Date.now() + 20000; !(await isKept()); ) {
    assert.ok(Date.now() < end, 'the page is not kept');
    await there.page.waitForTimeout(50);
  }
  await offline.setOffline(true);
  const alone = await openStudio(offline, server.url);
  assert.equal(await alone.page.locator('.welcome .big').count(), 3);
  await offline.close();
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
