// SPDX-License-Identifier: Apache-2.0
// The shaders alone, against double precision, with bones and influences as wild as they get.
import { Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from 'three';
import { SinewCharacter, SinewCrowd, SinewMesh, SinewSkin } from 'sinew-three';
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
    return deviation(await renderer(), { seed: 1, bones: 8, count: 600, most: 2 });
  },
  async many_influences_and_bones() {
    return deviation(await renderer(), { seed: 2, bones: 900, count: 600, most: 12 });
  },
  async shapes() {
    return deviation(await renderer(), { seed: 3, bones: 8, count: 600, most: 4, shapes: 7 });
  },
  async exact_normals() {
    return deviation(await renderer(), { seed: 4, bones: 8, count: 600, most: 4, exactNormals: true });
  },
  async crowd() {
    const { core, rig } = randomCore({ seed: 5, bones: 40, count: 80, most: 4, shapes: 3 });
    const skin = new SinewSkin(core, rig, { exactNormals: true });
    const gpu = new core.GpuSkin();
    const crowd = new SinewCrowd(skin, skin.geometry(), new MeshBasicMaterial(), 25);
    const places = crowd.poses.map((_, i) => {
      const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), i);
      const place = new Matrix4().compose(new Vector3(i, 0, -i), turn, new Vector3(1, 1 + 0.02 * i, 1));
      crowd.setMatrixAt(i, place);
      return place;
    });
    const result = {};
    for (const [method, blend] of Object.entries(methods)) {
      crowd.method = method;
      const found = await readVertices(await renderer(), crowd);
      let most = 0;
      crowd.poses.forEach((pose, i) => {
        const texels = new Float32Array(24 * 40 + 4);
        pose.fill(method, texels);
        for (let v = 0; v < 80; ++v) {
          const expected = new Vector3(...reference(gpu, texels, v, blend)).applyMatrix4(places[i]);
          const at = 3 * (80 * i + v);
          most = Math.max(most, farthest(found.subarray(at, at + 3), expected.toArray()));
        }
      });
      result[method] = atMost(1e-5, most / 30, method);
    }
    crowd.dispose();
    skin.dispose();
    return result;
  },
};

let made = null;
const renderer = () => (made ??= makeRenderer());
