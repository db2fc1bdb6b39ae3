// SPDX-License-Identifier: Apache-2.0
// Vectors, quaternions (x, y, z, w) and matrices (16 numbers, column by column) as plain numbers.
import type { Quat, Vec3 } from '../state/document';

export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scaled = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.sqrt(dot(a, a));
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function normalized(a: Vec3): Vec3 {
  const l = length(a);
  return l > 0 ? scaled(a, 1 / l) : [0, 0, 0];
}

export const vecAt = (array: ArrayLike<number>, i: number): Vec3 => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];

export const identity: Quat = [0, 0, 0, 1];
export const conjugate = (q: Quat): Quat => [-q[0], -q[1], -q[2], q[3]];

export function multiply(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
    a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

export function unit(q: Quat): Quat {
  const l = Math.hypot(q[0], q[1], q[2], q[3]);
  return l > 0 ? [q[0] / l, q[1] / l, q[2] / l, q[3] / l] : identity;
}

/** A turn by an angle (radians) about a unit vector. */
export function aboutAxis(axis: Vec3, angle: number): Quat {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** From one rotation to another the shorter way. */
export function slerp(a: Quat, b: Quat, s: number): Quat {
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const from = sine < 1e-9 ? 1 - s : Math.sin((1 - s) * angle) / sine;
  const to = sign * (sine < 1e-9 ? s : Math.sin(s * angle) / sine);
  return [from * a[0] + to * b[0], from * a[1] + to * b[1], from * a[2] + to * b[2], from * a[3] + to * b[3]];
}

/** The smallest turn from one direction to another. */
export function between(from: Vec3, to: Vec3): Quat {
  const a = normalized(from);
  const b = normalized(to);
  const d = dot(a, b);
  if (d < -0.999999) {
    const side = Math.abs(a[0]) < 0.9 ? cross(a, [1, 0, 0]) : cross(a, [0, 1, 0]);
    return aboutAxis(normalized(side), Math.PI);
  }
  return unit([...cross(a, b), 1 + d] as unknown as Quat);
}

export function rotate(q: Quat, v: Vec3): Vec3 {
  const u: Vec3 = [q[0], q[1], q[2]];
  const t = scaled(cross(u, v), 2);
  return add(add(v, scaled(t, q[3])), cross(u, t));
}

/** The translation of matrix i of a list. */
export const originAt = (matrices: ArrayLike<number>, i: number): Vec3 => [
  matrices[16 * i + 12],
  matrices[16 * i + 13],
  matrices[16 * i + 14],
];

/** The rotation of matrix i of a list, without its scale. */
export function rotationAt(matrices: ArrayLike<number>, i: number): Quat {
  const column = (c: number): Vec3 =>
    normalized([matrices[16 * i + 4 * c], matrices[16 * i + 4 * c + 1], matrices[16 * i + 4 * c + 2]]);
  const x = column(0);
  let y = column(1);
  y = normalized(sub(y, scaled(x, dot(x, y))));
  const z = cross(x, y);
  const trace = x[0] + y[1] + z[2];
  if (trace > 0) {
    const s = Math.sqrt(trace + 1) * 2;
    return [(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4];
  }
  if (x[0] > y[1] && x[0] > z[2]) {
    const s = Math.sqrt(1 + x[0] - y[1] - z[2]) * 2;
    return [s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s];
  }
  if (y[1] > z[2]) {
    const s = Math.sqrt(1 + y[1] - x[0] - z[2]) * 2;
    return [(y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s];
  }
  const s = Math.sqrt(1 + z[2] - x[0] - y[1]) * 2;
  return [(z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s];
}

/** A direction taken into the axes of matrix i, whose columns may be scaled: what a translation in them has to be. */
export function intoFrame(matrices: ArrayLike<number>, i: number, v: Vec3): Vec3 {
  const at = (c: number, r: number): number => matrices[16 * i + 4 * c + r];
  const x: Vec3 = [at(0, 0), at(0, 1), at(0, 2)];
  const y: Vec3 = [at(1, 0), at(1, 1), at(1, 2)];
  const z: Vec3 = [at(2, 0), at(2, 1), at(2, 2)];
  const det = dot(x, cross(y, z));
  if (det === 0) return [0, 0, 0];
  return [dot(v, cross(y, z)) / det, dot(v, cross(z, x)) / det, dot(v, cross(x, y)) / det];
}

/** Across the plane x = 0. */
export const mirroredVec = (v: Vec3): Vec3 => [-v[0], v[1], v[2]];
export const mirroredQuat = (q: Quat): Quat => [q[0], -q[1], -q[2], q[3]];

export const degrees = (radians: number): number => (radians * 180) / Math.PI;
export const radians = (deg: number): number => (deg * Math.PI) / 180;
