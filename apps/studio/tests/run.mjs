// SPDX-License-Identifier: Apache-2.0
// run.mjs parts|NAME: runs the tests of the parts, or those of tests/browser/NAME.test.mjs; or says what is missing and exits with 77.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const skip = (what) => {
  console.log(`skipped: ${what}`);
  process.exit(77);
};
if (!existsSync(`${folder}/node_modules/vitest`)) skip('the packages of apps/studio are not installed (npm install)');
const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
if (process.argv[2] === 'parts') {
  run('../../bindings/three/scripts/embed.mjs', '../../bindings/shaders/sinew.glsl', '../../bindings/three/src/shader.ts');
  run('node_modules/typescript/bin/tsc', '--noEmit');
  run('node_modules/eslint/bin/eslint.js', '.');
  run('node_modules/vitest/vitest.mjs', 'run');
} else {
  const sinew = `${folder}/../../dist/sinew`;
  if (!existsSync(`${sinew}/sinew.js`)) skip('the WebAssembly package is not built');
  if (!existsSync(`${folder}/dist/index.html`)) skip('the studio is not built (./run studio builds it)');
  if (!existsSync(process.env.CHROMIUM || '/usr/bin/chromium')) skip('there is no chromium');
  run('--test', '--test-reporter=spec', `tests/browser/${process.argv[2]}.test.mjs`);
}
