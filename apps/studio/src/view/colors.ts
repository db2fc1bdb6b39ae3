// SPDX-License-Identifier: Apache-2.0
// Colour maps that people with any colour vision can read: lightness falls along each of them.
import type { SkinData, Surface } from '../core/protocol';

type Rgb = readonly [number, number, number];

const linear = (hex: number): Rgb =>
  [16, 8, 0].map((shift) => {
    const c = ((hex >> shift) & 255) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;

const ramp = (stops: readonly number[]): ((t: number) => Rgb) => {
  const colors = stops.map(linear);
  return (t) => {
    const at = Math.min(1, Math.max(0, t)) * (colors.length - 1);
    const i = Math.min(colors.length - 2, Math.floor(at));
    const f = at - i;
    return [0, 1, 2].map((k) => colors[i][k] * (1 - f) + colors[i + 1][k] * f) as unknown as Rgb;
  };
};

/** One hue, from light to dark: bone weights. */
export const weightMap = ramp([0xe9eaec, 0xbcd6ee, 0x7fb2e0, 0x3f83c8, 0x1c5199, 0x0d2b5c]);
/** Orange at the head, blue at the tail: endpoint weights. */
export const endpointMap = ramp([0xd9691e, 0xf2a65e, 0xf0ece4, 0x6aa5d8, 0x20509c]);
/** From calm to hot: strain. */
export const strainMap = ramp([0xdcdcdc, 0xe8c9a0, 0xe39a55, 0xcb5b2c, 0x8c1d18]);

/** Colours of the weights of a bone, 3 numbers per vertex. */
export function weightColors(skin: SkinData, bone: number): Float32Array {
  return rows(skin, (v) => {
    const i = find(skin, v, bone);
    return weightMap(i < 0 ? 0 : skin.weights[i]);
  });
}

/** Colours of endpoint weights of a bone; paler where it moves the vertex less. */
export function endpointColors(skin: SkinData, values: Float32Array | null, bone: number): Float32Array {
  const none = weightMap(0);
  return rows(skin, (v) => {
    const i = find(skin, v, bone);
    if (i < 0 || !values) return none;
    const share = Math.sqrt(Math.min(1, skin.weights[i] * 1.5));
    const color = endpointMap(values[i]);
    return [0, 1, 2].map((k) => none[k] * (1 - share) + color[k] * share) as unknown as Rgb;
  });
}

function rows(skin: SkinData, color: (vertex: number) => Rgb): Float32Array {
  const count = skin.offsets.length - 1;
  const colors = new Float32Array(3 * Math.max(0, count));
  for (let v = 0; v < count; ++v) colors.set(color(v), 3 * v);
  return colors;
}

function find(skin: SkinData, vertex: number, bone: number): number {
  for (let i = skin.offsets[vertex]; i < skin.offsets[vertex + 1]; ++i) if (skin.bones[i] === bone) return i;
  return -1;
}

/** For each vertex, how much the edges at it are stretched or squeezed: the largest |log(length / rest)|. */
export function strain(triangles: Uint32Array, rest: Float32Array, posed: Float32Array): Float32Array {
  const result = new Float32Array(rest.length / 3);
  const edge = (p: Float32Array, a: number, b: number): number =>
    Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; ++k) {
      const a = triangles[t + k];
      const b = triangles[t + ((k + 1) % 3)];
      const before = edge(rest, a, b);
      if (before < 1e-9) continue;
      const value = Math.abs(Math.log(Math.max(edge(posed, a, b), 1e-9) / before));
      if (value > result[a]) result[a] = value;
      if (value > result[b]) result[b] = value;
    }
  }
  return result;
}

export function strainColors(values: Float32Array): Float32Array {
  const colors = new Float32Array(3 * values.length);
  // A factor of two either way is as hot as it gets.
  for (let v = 0; v < values.length; ++v) colors.set(strainMap(values[v] / Math.LN2), 3 * v);
  return colors;
}

/** The places with the largest strain, apart from each other. */
export function hotSpots(values: Float32Array, surface: Surface, apart: number, count: number): number[] {
  const order = Array.from(values.keys()).sort((a, b) => values[b] - values[a]);
  const found: number[] = [];
  const p = surface.positions;
  for (const v of order) {
    if (found.length === count || values[v] < 0.15) break;
    const isNear = found.some((o) => {
      return Math.hypot(p[3 * v] - p[3 * o], p[3 * v + 1] - p[3 * o + 1], p[3 * v + 2] - p[3 * o + 2]) < apart;
    });
    if (!isNear) found.push(v);
  }
  return found;
}
