// SPDX-License-Identifier: Apache-2.0
// Deforms every case by every method, and says how far the results are from the core's.
import { webgl } from './webgl.mjs';
import { webgpu } from './webgpu.mjs';

const text = async (name) => (await fetch(name)).text();

// The largest distance between two lists of points.
function distance(actual, expected) {
  let worst = actual.length === expected.length ? 0 : Infinity;
  for (let i = 0; i < expected.length; i += 3) {
    const off = Math.hypot(actual[i] - expected[i], actual[i + 1] - expected[i + 1], actual[i + 2] - expected[i + 2]);
    if (!(off <= worst)) worst = off;  // NaN counts as worst
  }
  return worst;
}

function diagonal(points) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  points.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3], x);
    high[i % 3] = Math.max(high[i % 3], x);
  });
  return Math.hypot(...high.map((x, k) => x - low[k]));
}

// A deformer is made by its interface for a case, exact or not; at(method) gives arrays of three
// numbers per vertex: position, normal, tangent, and the position by the function for it alone.
globalThis.deformAll = async (api) => {
  const makeDeformer = api === 'webgl' ? await webgl(await text('sinew.glsl')) : await webgpu(await text('sinew.wgsl'));
  if (!makeDeformer) return null;
  const floats = new Float32Array(await (await fetch('floats.bin')).arrayBuffer());
  const results = [];
  for (const { name, vertex_count: count, arrays: places, methods } of await (await fetch('cases.json')).json()) {
    const slice = ([first, length]) => floats.subarray(first, first + length);
    const arrays = Object.fromEntries(Object.entries(places).map(([key, place]) => [key, slice(place)]));
    const rough = await makeDeformer(arrays, count, false);
    const exact = await makeDeformer(arrays, count, true);
    const shaped = arrays.deltas.length > 0 ? 'shaped_' : '';
    for (const method of methods) {
      const expected = slice(method.positions);
      const size = diagonal(expected);
      const a = await rough.at(method);
      const b = await exact.at(method);
      const errors = {
        positions: Math.max(...[a.position, a.alone, b.position, b.alone].map((p) => distance(p, expected))) / size,
        rough_normals: distance(a.normal, slice(method.rough_normals)),
        [`${shaped}normals`]: distance(b.normal, slice(method.normals)),
      };
      if (arrays.tangents.length > 0) errors[`${shaped}tangents`] = distance(b.tangent, slice(method.tangents));
      results.push({ name, method: method.name, errors });
    }
  }
  return results;
};
