// SPDX-License-Identifier: Apache-2.0
import type { Core } from './core/client';

/** Lets the browser keep the page for when there is no network. Hosts where that is not allowed go without. */
export async function keepOffline(core: Core): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  try {
    const registration = await navigator.serviceWorker.register(new URL('sw.js', document.baseURI));
    await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map((entry) => entry.name);
    const urls = [...new Set([document.baseURI, ...loaded, ...(await core.call('loaded'))])].filter((url) => new URL(url).origin === location.origin && !url.includes('/opened/'));
    registration.active?.postMessage({ keep: urls });
  } catch {
    // Without it, the page needs the network when it is opened.
  }
}
