// SPDX-License-Identifier: Apache-2.0
// Runs the shaders in a browser without a window, and compares with what the core makes of the same
// rigs and poses.
//   node shaders.mjs webgl|webgpu CASES SHADERS CHROMIUM
// CASES is a folder that sinew_dump wrote. Status 1 if a vertex is off by more than the bounds, 77 if
// the browser has no such interface.
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { chromium } from 'playwright-core';

// Positions against the size of the shape; normals and tangents are differences of unit vectors.
// Where shapes turn the normals, shaders and kernels carry gradients over to the new tangent planes
// in different ways.
const bounds = {
  positions: 1e-6, rough_normals: 2e-5, normals: 2e-5, tangents: 2e-5, shaped_normals: 4e-3, shaped_tangents: 4e-3,
};

const [api, cases, shaders, browserPath] = process.argv.slice(2);
const types = { '.html': 'text/html', '.mjs': 'text/javascript', '.json': 'application/json' };
const server = createServer((request, response) => {
  const name = basename(new URL(request.url, 'http://localhost').pathname);
  const file = [import.meta.dirname, cases, shaders].map((folder) => join(folder, name)).find(existsSync);
  if (!file || !name) {
    response.writeHead(404).end();
    return;
  }
  const type = types[name.slice(name.lastIndexOf('.'))] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type });
  createReadStream(file).pipe(response);
});
await new Promise((done) => { server.listen(0, '127.0.0.1', done); });

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan',
    '--use-vulkan=swiftshader'],
});
try {
  const page = await browser.newPage();
  page.on('console', (message) => console.log(message.text()));
  page.on('pageerror', (error) => console.log(error.stack));
  await page.goto(`http://localhost:${server.address().port}/page.html`);
  const results = await page.evaluate((name) => globalThis.deformAll(name), api);
  if (results === null) {
    console.log(`${api}: the browser does not have it`);
    process.exitCode = 77;
  } else {
    const worst = {};
    for (const { name, method, errors } of results) {
      const listed = Object.entries(errors).map(([what, error]) => `${what} ${error.toExponential(1)}`);
      console.log(`${name}, ${method}: ${listed.join(', ')}`);
      for (const [what, error] of Object.entries(errors)) {
        if (!(error <= (worst[what] ?? 0))) worst[what] = error;
        if (!(error <= bounds[what])) {
          console.log(`  ${what}: more than ${bounds[what]}`);
          process.exitCode = 1;
        }
      }
    }
    console.log(`worst of ${results.length}: ${JSON.stringify(worst)}`);
    if (results.length < 36) process.exitCode = 1;
  }
} finally {
  await browser.close();
  server.close();
}
