// SPDX-License-Identifier: Apache-2.0
// Keeps the page for when there is no network. Files in assets/ have their contents' hash in their names and never
// change; all else is asked for anew where that is possible.
const cacheName = 'sinew-studio';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  if (event.data?.keep) event.waitUntil(keep(event.data.keep));
});

// What the page had loaded before this script was there. Files of older versions go.
async function keep(urls) {
  const cache = await caches.open(cacheName);
  const wanted = new Set(urls);
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
  await Promise.all(urls.map(async (url) => (await cache.match(url)) ?? cache.add(url)));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  event.respondWith(url.pathname.includes('/assets/') ? cacheFirst(request) : networkFirst(request));
});

async function cacheFirst(request) {
  const cache = await caches.open(cacheName);
  const found = await cache.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

async function networkFirst(request) {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    if (response.ok && !new URL(request.url).pathname.includes('/opened/')) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const found = await cache.match(request, { ignoreSearch: true });
    if (found) return found;
    throw error;
  }
}
