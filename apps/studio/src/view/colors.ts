// SPDX-License-Identifier: Apache-2.0
// Colour maps that people with any colour vision can read: lightness falls along each of them.
import type { SkinData } from '../core/protocol';

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

/** Bits of the core's faults: a triangle goes through another, or is torn, crushed or bent out of shape. */
const crossing = 1;
const calm = linear(0xe8e4df);
const distortedColor = linear(0xe07a2e);
const crossingColor = linear(0x8c1d18);

/** Colours of faults, 3 numbers per vertex: the darker, the worse. */
export function faultColors(faults: Uint8Array): Float32Array {
  const colors = new Float32Array(3 * faults.length);
  faults.forEach((bits, v) => colors.set(bits === 0 ? calm : bits & crossing ? crossingColor : distortedColor, 3 * v));
  return colors;
}

/** Vertices with faults, those with several first, apart from each other. */
export function faultPlaces(faults: Uint8Array, positions: Float32Array, apart: number, count: number): number[] {
  const order = Array.from(faults.keys()).filter((v) => faults[v] !== 0);
  order.sort((a, b) => faults[b] - faults[a] || a - b);
  const found: number[] = [];
  const p = positions;
  for (const v of order) {
    if (found.length === count) break;
    const isNear = found.some((o) => {
      return Math.hypot(p[3 * v] - p[3 * o], p[3 * v + 1] - p[3 * o + 1], p[3 * v + 2] - p[3 * o + 2]) < apart;
    });
    if (!isNear) found.push(v);
  }
  return found;
}
