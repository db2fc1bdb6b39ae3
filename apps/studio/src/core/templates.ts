// SPDX-License-Identifier: Apache-2.0
// Skeletons to start from. Places are parts of the mesh's box: x from the middle in half widths (left is positive),
// y from the bottom in heights, z from the middle in half depths (forward is positive).
import type { Vec3 } from '../state/document';
import { add, scaled, sub } from './math';
import type { SkeletonEdit } from './protocol';

type Line = readonly [name: string, parent: string, x: number, y: number, z: number];

export interface Template {
  readonly name: string;
  readonly what: string;
  readonly lines: readonly Line[];
  /** Free ends: joint and place. */
  readonly ends: Readonly<Record<string, Vec3>>;
  /** Limbs that go to where the mesh is widest, however they are held: from, through, and the end of the last. */
  readonly limbs?: readonly (readonly string[])[];
  /** Goes along the mesh's longest side, however it lies: as a chain does, or as a hand with its fingers spread. */
  readonly lies?: 'chain' | 'hand';
}

const side = (lines: readonly Line[]): Line[] =>
  (['L', 'R'] as const).flatMap((s) =>
    lines.map(([name, parent, x, y, z]): Line => {
      const central = ['hips', 'spine', 'chest', 'neck', 'head', 'body', 'hand', ''].includes(parent);
      return [`${name}.${s}`, central ? parent : `${parent}.${s}`, s === 'L' ? x : -x, y, z];
    }),
  );

const both = (ends: Readonly<Record<string, Vec3>>): Record<string, Vec3> =>
  Object.fromEntries(
    Object.entries(ends).flatMap(([name, [x, y, z]]) => [
      [`${name}.L`, [x, y, z] as Vec3],
      [`${name}.R`, [-x, y, z] as Vec3],
    ]),
  );

const finger = (name: string, y: number, z: number, from: number): Line[] => [
  [`${name}_1`, 'hand', 0, y, z],
  [`${name}_2`, `${name}_1`, 0, y + from, z],
  [`${name}_3`, `${name}_2`, 0, y + from * 1.7, z],
];

export const templates: readonly Template[] = [
  {
    name: 'Person',
    what: 'Arms to the sides, facing the front',
    lines: [
      ['hips', '', 0, 0.53, 0],
      ['spine', 'hips', 0, 0.6, 0],
      ['chest', 'spine', 0, 0.69, 0],
      ['neck', 'chest', 0, 0.82, -0.05],
      ['head', 'neck', 0, 0.88, 0.05],
      ...side([
        ['shoulder', 'chest', 0.04, 0.795, 0],
        ['upper_arm', 'shoulder', 0.22, 0.795, 0],
        ['forearm', 'upper_arm', 0.54, 0.795, 0],
        ['hand', 'forearm', 0.82, 0.795, 0],
        ['thigh', 'hips', 0.12, 0.51, 0],
        ['shin', 'thigh', 0.12, 0.28, 0],
        ['foot', 'shin', 0.12, 0.05, -0.1],
        ['toes', 'foot', 0.12, 0.02, 0.5],
      ]),
    ],
    ends: { head: [0, 0.99, 0.05], ...both({ hand: [0.96, 0.795, 0], toes: [0.12, 0.02, 0.85] }) },
    limbs: [
      ['upper_arm.L', 'forearm.L', 'hand.L'],
      ['upper_arm.R', 'forearm.R', 'hand.R'],
    ],
  },
  {
    name: 'Four legs',
    what: 'Long along z, head to the front',
    lines: [
      ['hips', '', 0, 0.66, -0.45],
      ['spine', 'hips', 0, 0.68, -0.1],
      ['chest', 'spine', 0, 0.68, 0.25],
      ['neck', 'chest', 0, 0.74, 0.45],
      ['head', 'neck', 0, 0.88, 0.66],
      ['tail_1', 'hips', 0, 0.66, -0.6],
      ['tail_2', 'tail_1', 0, 0.6, -0.78],
      ...side([
        ['thigh', 'hips', 0.4, 0.58, -0.45],
        ['shin', 'thigh', 0.4, 0.34, -0.4],
        ['hind_foot', 'shin', 0.4, 0.15, -0.52],
        ['upper_arm', 'chest', 0.4, 0.56, 0.32],
        ['forearm', 'upper_arm', 0.4, 0.34, 0.28],
        ['fore_foot', 'forearm', 0.4, 0.12, 0.32],
      ]),
    ],
    ends: { head: [0, 0.86, 0.97], tail_2: [0, 0.5, -0.98], ...both({ hind_foot: [0.4, 0.01, -0.45], fore_foot: [0.4, 0.01, 0.38] }) },
  },
  {
    name: 'Bird',
    what: 'Wings to the sides',
    lines: [
      ['body', '', 0, 0.45, -0.2],
      ['chest', 'body', 0, 0.55, 0.15],
      ['neck', 'chest', 0, 0.68, 0.35],
      ['head', 'neck', 0, 0.85, 0.5],
      ['tail', 'body', 0, 0.45, -0.5],
      ...side([
        ['wing_1', 'chest', 0.1, 0.6, 0.05],
        ['wing_2', 'wing_1', 0.4, 0.6, 0],
        ['wing_3', 'wing_2', 0.72, 0.6, 0],
        ['leg', 'body', 0.08, 0.35, -0.1],
        ['shin', 'leg', 0.08, 0.2, -0.05],
        ['foot', 'shin', 0.08, 0.05, -0.1],
      ]),
    ],
    limbs: [
      ['wing_1.L', 'wing_2.L', 'wing_3.L'],
      ['wing_1.R', 'wing_2.R', 'wing_3.R'],
    ],
    ends: { head: [0, 0.85, 0.95], tail: [0, 0.42, -0.97], ...both({ wing_3: [0.98, 0.6, 0], foot: [0.08, 0.01, 0.15] }) },
  },
  {
    name: 'Hand',
    what: 'Along the longest side, fingers at the end with most vertices',
    lies: 'hand',
    lines: [
      ['hand', '', 0, 0.05, 0],
      ...finger('index', 0.5, 0.35, 0.17),
      ...finger('middle', 0.52, 0.08, 0.19),
      ...finger('ring', 0.5, -0.2, 0.17),
      ...finger('pinky', 0.46, -0.45, 0.13),
      ['thumb_1', 'hand', 0, 0.2, 0.4],
      ['thumb_2', 'thumb_1', 0, 0.36, 0.68],
    ],
    ends: {
      index_3: [0, 0.92, 0.35],
      middle_3: [0, 0.98, 0.08],
      ring_3: [0, 0.92, -0.2],
      pinky_3: [0, 0.8, -0.5],
      thumb_2: [0, 0.52, 0.92],
    },
  },
  {
    name: 'Tail, chain',
    what: 'Six bones along the longest side, upwards',
    lies: 'chain',
    lines: Array.from({ length: 6 }, (_, k): Line => [`chain_${k + 1}`, k === 0 ? '' : `chain_${k}`, 0, 0.02 + (k * 0.96) / 6, 0]),
    ends: { chain_6: [0, 0.98, 0] },
  },
];

/** A template scaled to the box of a mesh. Limbs go to its tips; chains and hands lie as it does. */
export function fitTemplate(template: Template, positions: ArrayLike<number>): SkeletonEdit {
  const [min, max] = boxOf(positions);
  const size = sub(max, min);
  const middle = scaled(add(min, max), 0.5);
  const lie = lieOf(template, positions, middle, size);
  const place = (x: number, y: number, z: number): Vec3 => {
    const at: [number, number, number] = [0, 0, 0];
    [x / 2, y - 0.5, z / 2].forEach((part, k) => {
      const { axis, sign } = lie[k];
      at[axis] = middle[axis] + sign * part * size[axis];
    });
    return at;
  };
  const index = new Map(template.lines.map(([name], j) => [name, j]));
  const joints = template.lines.map(([name, parent, x, y, z]) => ({
    name,
    parent: index.get(parent) ?? -1,
    position: place(x, y, z),
    was: -1,
    ...(template.ends[name] ? { tail: place(...template.ends[name]) } : {}),
  }));
  for (const limb of template.limbs ?? []) {
    const chain = limb.map((name) => joints[index.get(name) ?? 0]);
    const start = chain[0].position;
    const end = chain[chain.length - 1].tail ?? chain[chain.length - 1].position;
    const tip = tipOf(positions, Math.sign(end[0] - start[0]), size[0]);
    // Each joint as far along the limb as in the template.
    const along = (point: Vec3): Vec3 => {
      const t = (point[0] - start[0]) / (end[0] - start[0]);
      return [0, 1, 2].map((k) => start[k] + (tip[k] - start[k]) * t) as unknown as Vec3;
    };
    for (const joint of chain) {
      joint.position = along(joint.position);
      if (joint.tail) joint.tail = along(joint.tail);
    }
  }
  return { joints };
}

interface Axis {
  readonly axis: number;
  readonly sign: number;
}

// Which axis of the mesh each one of the template is.
function lieOf({ lies }: Template, positions: ArrayLike<number>, middle: Vec3, size: Vec3): Axis[] {
  if (!lies) return [0, 1, 2].map((axis) => ({ axis, sign: 1 }));
  const [thin, wide, long] = [0, 1, 2].sort((a, b) => size[a] - size[b]);
  const along = (axis: number, sign: number): Axis => ({ axis, sign });
  if (lies === 'chain') return [along(thin, 1), along(long, 1), along(wide, 1)];
  // Most vertices are in the fingers, and the thumb is where the tips of the others are not.
  const up = sideOf(positions, long, middle, () => true);
  const tips = sideOf(positions, wide, middle, (v) => up * (positions[3 * v + long] - middle[long]) > 0.35 * size[long]);
  return [along(thin, 1), along(long, up), along(wide, -tips)];
}

// On which side of the middle most of some vertices are: 1 or -1.
function sideOf(positions: ArrayLike<number>, axis: number, middle: Vec3, isMeant: (vertex: number) => boolean): number {
  let balance = 0;
  for (let v = 0; v < positions.length / 3; ++v) {
    if (isMeant(v)) balance += Math.sign(positions[3 * v + axis] - middle[axis]);
  }
  return balance < 0 ? -1 : 1;
}

function boxOf(positions: ArrayLike<number>): [Vec3, Vec3] {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    min[i % 3] = Math.min(min[i % 3], positions[i]);
    max[i % 3] = Math.max(max[i % 3], positions[i]);
  }
  return [min, max];
}

/** The mean of the outermost vertices on one side. */
function tipOf(positions: ArrayLike<number>, sign: number, width: number): Vec3 {
  let far = -Infinity;
  for (let i = 0; i < positions.length; i += 3) far = Math.max(far, sign * positions[i]);
  const sum = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < positions.length; i += 3) {
    if (sign * positions[i] < far - 0.02 * width) continue;
    ++count;
    for (let k = 0; k < 3; ++k) sum[k] += positions[i + k];
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

/** A skeleton scaled about the middle of its foot, and moved. */
export function placed(edit: SkeletonEdit, size: number, offset: Vec3): SkeletonEdit {
  const { foot } = handlesOf(edit);
  const at = (point: Vec3): Vec3 => [0, 1, 2].map((k) => foot[k] + (point[k] - foot[k]) * size + offset[k]) as unknown as Vec3;
  return { joints: edit.joints.map((joint) => ({ ...joint, position: at(joint.position), ...(joint.tail ? { tail: at(joint.tail) } : {}) })) };
}

/** The middle of its foot, and of its top, which it can be pulled larger by. */
export function handlesOf(edit: SkeletonEdit): { readonly foot: Vec3; readonly head: Vec3 } {
  const [min, max] = boxOf(edit.joints.flatMap(({ position, tail }) => [...position, ...(tail ?? position)]));
  const middle = [0, 1, 2].map((k) => (min[k] + max[k]) / 2);
  // Above the foot, however flat it is.
  const height = Math.max(max[1] - min[1], 0.15 * Math.max(max[0] - min[0], max[2] - min[2]));
  return { foot: [middle[0], min[1], middle[2]], head: [middle[0], min[1] + height, middle[2]] };
}

/** Lines to draw a skeleton by. */
export function segmentsOf(edit: SkeletonEdit): (readonly [Vec3, Vec3])[] {
  return edit.joints.flatMap((joint) => [
    ...(joint.parent >= 0 ? [[edit.joints[joint.parent].position, joint.position] as const] : []),
    ...(joint.tail ? [[joint.position, joint.tail] as const] : []),
  ]);
}
