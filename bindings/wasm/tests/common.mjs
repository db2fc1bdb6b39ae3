// SPDX-License-Identifier: Apache-2.0
// Where the tests find the package, what they compare with, and their helpers.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const folder = process.env.SINEW_PACKAGE;
export const work = process.env.SINEW_WORK;
export const source = process.env.SINEW_SOURCE;

if (!existsSync(join(folder, 'wasm', 'sinew.wasm'))) {
  console.log(`SKIPPED: ${folder} is not there: ./run wasm makes it`);
  process.exit(0);
}

/** A package that the tests install. */
export const installed = (name) => createRequire(join(work, 'package.json'))(name);
export const module = (name) => import(pathToFileURL(join(folder, name)).href);
export const createSinew = (await module('sinew.js')).default;
export const createRuntime = (await module('runtime.js')).default;

const KINDS = { f32: Float32Array, f64: Float64Array, u32: Uint32Array };

/** What the native library wrote. */
export function reference(name) {
  const bytes = readFileSync(join(work, name));
  const Kind = KINDS[name.split('.').at(-1)];
  return Kind ? new Kind(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)) : bytes;
}

export function assertSameBits(got, expected, what) {
  assert.equal(got.byteLength, expected.byteLength, what);
  const [a, b] = [got, expected].map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength));
  assert.ok(a.equals(b), `${what}: other bits than native`);
}

export function farthest(got, expected) {
  assert.equal(got.length, expected.length);
  return got.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i])), 0);
}

export const throwsCode = (body, code, pattern) =>
  assert.throws(body, (error) => {
    assert.equal(error.name, 'SinewError');
    assert.equal(error.code, code, error.message);
    assert.match(error.message, pattern);
    return true;
  });

/** A strip of two bones. */
export function makeStrip(sinew, { skinned = true } = {}) {
  const rig = new sinew.Rig('strip');
  const positions = [];
  const faces = [];
  for (let y = 0; y <= 8; ++y) {
    positions.push([-0.5, y / 4, 0], [0.5, y / 4, 0]);
    if (y > 0) faces.push([2 * y - 2, 2 * y - 1, 2 * y + 1, 2 * y]);
  }
  rig.setMesh(positions, faces);
  rig.setSkeleton({
    parents: [-1, 0, 1],
    rests: [
      [0, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
    ],
    names: ['lower', 'upper', 'tip'],
    boneJoints: [0, 1],
    boneTails: [
      [0, 1, 0],
      [0, 2, 0],
    ],
  });
  if (skinned) {
    const share = positions.map(([, y]) => Math.min(Math.max(y - 0.5, 0), 1));
    rig.setWeights(share.map((s) => [1 - s, s]));
  }
  return rig;
}
