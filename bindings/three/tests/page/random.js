// SPDX-License-Identifier: Apache-2.0
// A module in place of the core, with random bones and influences, and what docs/gpu.md says in double precision.

/** Numbers from 0 to 1, the same ones for the same seed. */
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const unit = (v) => v.map((x) => x / Math.hypot(...v));
const vector = (random) => [0, 1, 2].map(() => 2 * random() - 1);

/** The core's part of SinewSkin and SinewCharacter: `bones` bones, `count` vertices with up to `most` influences. */
export function randomCore({ seed, bones, count, most, shapes = 0, plain = false }) {
  const random = numbers(seed);
  const positions = Float32Array.from({ length: 3 * count }, () => 2 * random() - 1);
  const normals = new Float32Array(3 * count);
  const tangents = new Float32Array(4 * count);
  const vertices = new Float32Array(4 * count);
  const influences = [];
  const gradients = [];
  const deltaRanges = shapes ? new Float32Array(2 * count) : null;
  const deltas = [];
  for (let v = 0; v < count; ++v) {
    const n = unit(vector(random));
    const t = unit([n[1], -n[0], 0.001]);
    const d = t[0] * n[0] + t[1] * n[1] + t[2] * n[2];
    normals.set(n, 3 * v);
    tangents.set([...unit(t.map((x, k) => x - d * n[k])), 1], 4 * v);
    const own = v === 0 ? 0 : 1 + Math.floor(random() * most);
    const weights = Array.from({ length: own }, () => 0.01 + random()).sort((a, b) => b - a);
    const sum = weights.reduce((a, b) => a + b, 0);
    vertices.set([influences.length / 4, own, own, random()], 4 * v);
    for (const w of weights) {
      influences.push(Math.floor(random() * bones), w / sum, random(), random());
      for (let k = 0; k < 3; ++k) gradients.push(0, 0, 0, 0);
    }
    if (!shapes) continue;
    const moved = Math.floor(random() * (shapes + 1));
    deltaRanges.set([deltas.length / 12, moved], 2 * v);
    for (let s = 0; s < moved; ++s) {
      deltas.push(...vector(random).map((x) => 0.2 * x), 24 * bones + s);
      deltas.push(0, 0, 0, 0, 0, 0, 0, 0);
    }
  }
  const padded = (list) => {
    const texels = list.length / 4;
    const size = texels > 4096 ? 4096 * Math.ceil(texels / 4096) : Math.max(texels, 1);
    const floats = new Float32Array(4 * size);
    floats.set(list);
    return floats;
  };
  class GpuSkin {
    positions = positions;
    normals = normals;
    tangents = tangents;
    vertices = vertices;
    influences = padded(influences);
    gradients = padded(gradients);
    deltaRanges = deltaRanges;
    deltas = shapes ? padded(deltas) : null;
    // Without a pose, as of the core: as many floats as one has.
    pose(pose, { method, out = new Float32Array(4 * Math.ceil((24 * bones + shapes) / 4)) } = {}) {
      pose?.fill(method, out);
      return out;
    }
    free() {}
  }
  let poses = 0;
  class Pose {
    seed = seed + 17 * ++poses;
    joints = [];
    shapes = Float64Array.from({ length: shapes }, () => 0.5);
    fill(method, floats) {
      const next = numbers(this.seed);
      for (let b = 0; b < bones; ++b) {
        const q = unit([...vector(next), 2 * next() - 1]);
        const u = unit(vector(next));
        const isStbs = method.startsWith('stbs');
        const rows = [0, 1, 2].map((k) => vector(next).map((x, i) => (plain ? 0 : 0.2 * x) + (i === k ? 1 : 0)));
        const head = vector(next);
        const bindHead = vector(next);
        const turns = 6 * next() - 3;
        const longer = next() - 0.3;
        floats.set(
          [...q, ...head, isStbs ? turns : 0, ...bindHead, isStbs ? longer : 0, ...rows.flatMap((row, k) => [...row, u[k]])],
          24 * b,
        );
      }
      floats.set(this.shapes, 24 * bones);
    }
    rest() {}
    free() {}
  }
  class Deformer {
    free() {}
  }
  const rig = {
    vertexCount: count,
    boneCount: bones,
    jointCount: bones,
    shapeNames: Array.from({ length: shapes }, (_, s) => `shape ${s}`),
    shapeDefaults: new Float64Array(shapes),
    controlDefaults: new Float64Array(0),
    boneHeads: new Float64Array(3 * bones),
    partTriangles: new Uint32Array([0, Math.floor(count / 3)]),
    triangles: Uint32Array.from({ length: 3 * Math.floor(count / 3) }, (_, i) => i),
    normals: null,
    uvs: null,
    colors: null,
    normalCorners: null,
    uvCorners: null,
    shape: () => ({ positions: new Float64Array(0) }),
    free() {},
  };
  return { core: { GpuSkin, Pose, Deformer }, rig };
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const plus = (a, b, s = 1) => a.map((x, i) => x + s * b[i]);
const product = (a, b) => {
  const c = cross(a, b);
  return [0, 1, 2].map((k) => a[3] * b[k] + b[3] * a[k] + c[k]).concat(a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]);
};
const conjugate = (q) => [-q[0], -q[1], -q[2], q[3]];
const pure = (v) => [...v, 0];
const rotate = (q, v) => product(product(q, pure(v)), conjugate(q)).slice(0, 3);

/** The deformed position of vertex v, from the skin's arrays and a pose's texels, with `blend` as in docs/gpu.md. */
export function reference(gpu, texels, v, blend) {
  const row = (array, width, i) => Array.from(array.subarray(width * i, width * (i + 1)));
  let p = row(gpu.positions, 3, v);
  if (gpu.deltaRanges) {
    const [first, count] = row(gpu.deltaRanges, 2, v);
    for (let i = first; i < first + count; ++i) {
      const delta = row(gpu.deltas, 4, 3 * i);
      p = plus(p, delta.slice(0, 3), texels[delta[3]]);
    }
  }
  const [first, count, , own] = row(gpu.vertices, 4, v);
  if (count === 0) return p;
  const share = blend < 0 ? own : blend;
  let linear = [0, 0, 0];
  let r = [0, 0, 0, 0];
  let dual = [0, 0, 0, 0];
  let before = [0, 0, 0];
  let pivot = null;
  for (let i = first; i < first + count; ++i) {
    const [bone, w, e, t] = row(gpu.influences, 4, i);
    const [q0, posed, bind, x, y, z] = [0, 1, 2, 3, 4, 5].map((k) => row(texels, 4, 6 * bone + k));
    const u = [x[3], y[3], z[3]];
    const angle = Math.PI * (t - 0.5) * posed[3];
    const q = product(q0, [...u.map((c) => c * Math.sin(angle)), Math.cos(angle)]);
    pivot ??= q;
    const d = plus(p, bind.slice(0, 3), -1);
    const scaled = [x, y, z].map((line) => dot(line.slice(0, 3), d));
    const head = plus(posed.slice(0, 3), rotate(q0, u), e * bind[3]);
    linear = plus(linear, plus(head, rotate(q, scaled)), w);
    const sign = dot(q, pivot) < 0 ? -w : w;
    r = plus(r, q, sign);
    dual = plus(plus(dual, product(pure(head), q), sign), product(q, pure(d)), sign);
    before = plus(before, plus(scaled, d, -1), w);
  }
  const whole = plus(dual, product(r, pure(before)));
  const turned = product(whole, conjugate(r)).map((c) => c / dot(r, r));
  return linear.map((c, k) => (1 - share) * c + share * turned[k]);
}
