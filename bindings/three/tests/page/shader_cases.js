// SPDX-License-Identifier: Apache-2.0
// The shaders alone, against double precision, with bones and influences as wild as they get.
import { MeshBasicMaterial } from 'three';
import { SinewCharacter, SinewMesh, SinewSkin } from 'sinew-three';
import { randomCore, reference } from './random.js';
import { atMost } from './check.js';
import { makeRenderer, readVertices } from './view.js';

const methods = { lbs: 0, dqs: 1, mixed: -1, 'stbs-lbs': 0, 'stbs-dqs': 1, 'stbs-mixed': -1 };

const farthest = (found, expected) => {
  let most = 0;
  for (let i = 0; i < expected.length; ++i) most = Math.max(most, Math.abs(found[i] - expected[i]));
  return most;
};

/** How far the GPU is from the reference, relative to how large the numbers are. */
async function deviation(renderer, options) {
  const { core, rig } = randomCore(options);
  const skin = new SinewSkin(core, rig, { exactNormals: options.exactNormals ?? false });
  const gpu = new core.GpuSkin();
  const character = new SinewCharacter(skin);
  const mesh = new SinewMesh(character, skin.geometry(), new MeshBasicMaterial());
  const result = {};
  for (const [method, blend] of Object.entries(methods)) {
    character.method = method;
    const found = await readVertices(renderer, mesh);
    const expected = [];
    for (let v = 0; v < rig.vertexCount; ++v) expected.push(...reference(gpu, character.texels, v, blend));
    const size = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    result[method] = atMost(2e-6, farthest(found, expected) / size, method);
  }
  character.dispose();
  skin.dispose();
  return result;
}

export const cases = {
  async few_influences() {
    return deviation(await renderer(), { seed: 1, bones: 8, count: 3000, most: 2 });
  },
  async many_influences_and_bones() {
    return deviation(await renderer(), { seed: 2, bones: 900, count: 3000, most: 12 });
  },
  async shapes() {
    return deviation(await renderer(), { seed: 3, bones: 8, count: 3000, most: 4, shapes: 7 });
  },
  async exact_normals() {
    return deviation(await renderer(), { seed: 4, bones: 8, count: 3000, most: 4, exactNormals: true });
  },
};

let made = null;
const renderer = () => (made ??= makeRenderer());
