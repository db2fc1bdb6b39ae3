// SPDX-License-Identifier: Apache-2.0
// Runs pages of cases in headless Chromium: browser.mjs CASES [--renderer KIND] [--sinew FOLDER] [--only NAME].
// A case returns what it found, or throws. Ends with 77 where the package sinew is not there.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { serve } from './serve.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const chromiums = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const flags = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--js-flags=--expose-gc',
  '--enable-precise-memory-info',
];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    renderer: { type: 'string', multiple: true },
    sinew: { type: 'string' },
    only: { type: 'string' },
    'without-core': { type: 'boolean' },
    package: { type: 'string' },
  },
});
const renderers = options.renderer ?? ['webgl', 'webgpu', 'webgpu-gl'];

if (!options['without-core'] && !existsSync(join(options.sinew ?? '', 'sinew.js'))) {
  console.log(`the package sinew is not in ${options.sinew}: build it first`);
  process.exit(77);
}
const folders = {
  '/tests': join(here, 'page'),
  '/docs': join(here, '../../../docs'),
  '/three': join(here, '../node_modules/three'),
  '/meshoptimizer': join(here, '../node_modules/meshoptimizer'),
  '/draco': join(here, '../node_modules/draco3dgltf'),
  '/sinew-three': options.package ?? join(here, '../dist'),
  ...(options.sinew && { '/sinew': options.sinew }),
};
const { server, port } = await serve(folders);
const executablePath = chromiums.find((path) => existsSync(path));
const browser = await chromium.launch({ executablePath, args: flags });
let failures = 0;
try {
  for (const renderer of renderers) {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      const isNoise = /GPU stall due to ReadPixels/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isNoise) problems.push(message.text());
    });
    await page.goto(`http://127.0.0.1:${port}/tests/index.html?renderer=${renderer}`);
    for (const file of positionals) {
      const names = await page.evaluate(async (path) => Object.keys((await import(path)).cases), `/tests/${file}.js`);
      for (const name of names) {
        if (options.only && !name.includes(options.only)) continue;
        const begin = performance.now();
        let found;
        try {
          found = await page.evaluate(
            async ([path, key]) => JSON.stringify(await (await import(path)).cases[key]()),
            [`/tests/${file}.js`, name],
          );
        } catch (error) {
          problems.push(String(error));
        }
        const seconds = ((performance.now() - begin) / 1000).toFixed(1);
        const isWell = problems.length === 0;
        if (!isWell) ++failures;
        console.log(`${isWell ? 'ok  ' : 'FAIL'} ${renderer} ${file} ${name} (${seconds} s) ${found ?? ''}`);
        for (const problem of problems.splice(0)) console.log(`     ${problem}`);
      }
    }
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
process.exit(failures === 0 ? 0 : 1);
