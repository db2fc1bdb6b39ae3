// SPDX-License-Identifier: Apache-2.0
// Packs what was built, so that no server has to when the page is asked for.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const folder = fileURLToPath(new URL('../dist', import.meta.url));
for (const name of readdirSync(folder, { recursive: true })) {
  if (!['.html', '.js', '.css', '.wasm'].includes(extname(name))) continue;
  writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
}
