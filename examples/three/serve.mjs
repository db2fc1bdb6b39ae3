// SPDX-License-Identifier: Apache-2.0
// Serves the example: node examples/three/serve.mjs [PORT]. Before that, `npm ci && npm run build` in bindings/three, and
// the package sinew must be there: in dist/sinew, where `./run wasm` puts it, or where SINEW_PACKAGE says.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../../bindings/three/tests/serve.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, '../..');
const folders = {
  '/example': here,
  '/three': join(top, 'bindings/three/node_modules/three'),
  '/sinew-three': join(top, 'bindings/three/dist'),
  '/sinew': process.env.SINEW_PACKAGE ?? join(top, 'dist/sinew'),
};
const { port } = await serve(folders, Number(process.argv[2] ?? 8080));
console.log(`http://localhost:${port}/example/index.html, with ?renderer=webgpu for WebGPU`);
