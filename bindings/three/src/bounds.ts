// SPDX-License-Identifier: Apache-2.0
import { Box3, Vector3, type Sphere } from 'three';
import { boneTexels, texelSize } from './inputs.js';

const box = new Box3();
const head = new Vector3();

/** A bound of how much the rows of X in the bone that begins at float `at` lengthen a vector: 1 for the identity. */
function growth(texels: Float32Array, at: number): number {
  let rows = 0;
  let columns = 0;
  for (let i = 0; i < 3; ++i) {
    let row = 0;
    let column = 0;
    for (let k = 0; k < 3; ++k) {
      row += Math.abs(texels[at + 12 + 4 * i + k] as number);
      column += Math.abs(texels[at + 12 + 4 * k + i] as number);
    }
    rows = Math.max(rows, row);
    columns = Math.max(columns, column);
  }
  return Math.sqrt(rows * columns);
}

/**
 * A sphere about balls around the posed heads, each of which holds the skin of its bone. What is blended linearly lies between
 * them, and what dual quaternions blend about a joint stays as far from it as it was. `reach` says how large the balls are at bind
 * (below 0: none), `more` how far blend shapes move vertices. The pose begins at texel `first`.
 */
export function sphereAbout(texels: Float32Array, first: number, reach: Float64Array, more: number, target: Sphere): Sphere {
  const radius = (bone: number, at: number) =>
    growth(texels, at) * ((reach[bone] as number) + more) + Math.abs(texels[at + 11] as number);
  box.makeEmpty();
  for (let bone = 0; bone < reach.length; ++bone) {
    if ((reach[bone] as number) < 0) continue;
    const at = texelSize * (first + boneTexels * bone);
    const r = radius(bone, at);
    head.fromArray(texels, at + 4);
    box.min.set(Math.min(box.min.x, head.x - r), Math.min(box.min.y, head.y - r), Math.min(box.min.z, head.z - r));
    box.max.set(Math.max(box.max.x, head.x + r), Math.max(box.max.y, head.y + r), Math.max(box.max.z, head.z + r));
  }
  if (box.isEmpty()) return target.makeEmpty();
  box.getCenter(target.center);
  target.radius = 0;
  for (let bone = 0; bone < reach.length; ++bone) {
    if ((reach[bone] as number) < 0) continue;
    const at = texelSize * (first + boneTexels * bone);
    head.fromArray(texels, at + 4);
    target.radius = Math.max(target.radius, head.distanceTo(target.center) + radius(bone, at));
  }
  return target;
}

/** How far shapes with these weights move a vertex at most; `reach` is that of SinewSkin.shapeReach(). */
export function shapesReach(weights: ArrayLike<number>, reach: Float64Array): number {
  let sum = 0;
  for (let s = 0; s < reach.length; ++s) sum += Math.abs(weights[s] as number) * (reach[s] as number);
  return sum;
}
