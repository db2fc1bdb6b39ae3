// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// The package `sinew`, as built by bindings/wasm.
const sinew = fileURLToPath(new URL('../../dist/sinew', import.meta.url));

// The package `sinew-three`, from its source.
const three = fileURLToPath(new URL('../../bindings/three', import.meta.url));

const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

// The studio runs one thread per Worker. The module with threads is never loaded, and need not be there.
const left = existsSync(`${sinew}/wasm/sinew_threads.js`) ? {} : { external: [/sinew_threads/] };

// What the first picture needs is asked for with the page itself, not once its script runs.
const early = {
  name: 'early',
  transformIndexHtml: {
    order: 'post' as const,
    handler(_html: string, { bundle }: { bundle?: Record<string, unknown> }) {
      const core = Object.keys(bundle ?? {}).find((name) => name.endsWith('.wasm'));
      const link = (href: string, type: string) => ({ tag: 'link', injectTo: 'head' as const, attrs: { rel: 'preload', as: 'fetch', href, type, crossorigin: true } });
      return core ? [link(`./${core}`, 'application/wasm'), link('./mannequin.glb', 'model/gltf-binary')] : [];
    },
  },
};

export default defineConfig({
  plugins: [early],
  // Works in any folder of any host.
  base: './',
  resolve: {
    dedupe: ['three'],
    alias: [
      { find: /^sinew\/(.*)$/, replacement: `${sinew}/$1` },
      { find: /^sinew-three\/(.*)$/, replacement: `${three}/src/$1.ts` },
      { find: /^sinew$/, replacement: `${sinew}/sinew.js` },
    ],
  },
  build: { target: 'es2022', outDir: 'dist', chunkSizeWarningLimit: 1200, rolldownOptions: left },
  worker: { format: 'es', rolldownOptions: left },
  server: { headers: isolation, host: '127.0.0.1' },
  preview: { headers: isolation, host: '127.0.0.1' },
  test: { include: ['tests/unit/**/*.test.ts'], testTimeout: 60000 },
} as Parameters<typeof defineConfig>[0]);
