// SPDX-License-Identifier: Apache-2.0
// Packs the package, installs it into an empty folder beside three, and imports it there: both entries, and all that they export.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, '..');
const folder = mkdtempSync(join(tmpdir(), 'sinew-three-'));
const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [{ filename, files }] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], top));
  const names = files.map(({ path }) => path);
  const strange = names.filter((name) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md)$/.test(name));
  if (strange.length > 0) throw new Error(`the package has ${strange.join(', ')} in it`);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  run('npm', ['install', '--no-audit', '--no-fund', '--offline', '--legacy-peer-deps', join(folder, filename)], folder);
  cpSync(join(top, 'node_modules/three'), join(folder, 'node_modules/three'), { recursive: true });
  writeFileSync(
    join(folder, 'main.js'),
    `globalThis.self = globalThis;
     const plain = await import('sinew-three');
     const nodes = await import('sinew-three/webgpu');
     const wanted = ['SinewGLTFPlugin', 'SinewMesh', 'SinewCharacter', 'SinewSkin', 'SinewCrowd', 'cloneCharacter', 'createBones', 'sinewCharacter'];
     for (const name of wanted) if (typeof plain[name] !== 'function' || nodes[name] !== plain[name]) throw new Error(name);`,
  );
  run('node', ['main.js'], folder);
  console.log(`${filename}: ${names.length} files, both entries can be imported`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
