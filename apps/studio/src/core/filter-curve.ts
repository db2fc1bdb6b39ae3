// SPDX-License-Identifier: Apache-2.0
// The core's filter curves, to be drawn: monotone cubics through points (Fritsch and Butland), constant outside.
import type { EditStep } from './protocol';

export type Point = readonly [number, number];

function slope(points: readonly Point[], i: number): number {
  if (i === 0 || i === points.length - 1) {
    const [a, b] = i === 0 ? [points[0], points[1]] : [points[i - 1], points[i]];
    return (b[1] - a[1]) / (b[0] - a[0]);
  }
  const h0 = points[i][0] - points[i - 1][0];
  const h1 = points[i + 1][0] - points[i][0];
  const d0 = (points[i][1] - points[i - 1][1]) / h0;
  const d1 = (points[i + 1][1] - points[i][1]) / h1;
  if (d0 * d1 <= 0) return 0;
  const share = (h0 + 2 * h1) / (3 * (h0 + h1));
  return (d0 * d1) / (share * d1 + (1 - share) * d0);
}

/** What the curve makes of x; x itself if there are no points. */
export function evaluate(points: readonly Point[], x: number): number {
  if (points.length === 0) return x;
  if (x <= points[0][0]) return points[0][1];
  const last = points[points.length - 1];
  if (x >= last[0]) return last[1];
  let i = 0;
  while (points[i + 1][0] < x) ++i;
  const [x0, y0] = points[i];
  const [x1, y1] = points[i + 1];
  const width = x1 - x0;
  const t = (x - x0) / width;
  const a = width * slope(points, i);
  const b = width * slope(points, i + 1);
  return y0 + (y1 - y0) * t * t * (3 - 2 * t) + a * t * (1 - t) * (1 - t) - b * t * t * (1 - t);
}

/** Points in order, in the unit square, apart from each other. */
export function tidy(points: readonly Point[]): Point[] {
  const clamp = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;
  const sorted = points.map(([x, y]): Point => [clamp(x), clamp(y)]).sort((a, b) => a[0] - b[0]);
  return sorted.filter((point, i) => i === 0 || point[0] > sorted[i - 1][0]);
}

/** The step of editing that gives bones this curve. */
export function filterStep(kind: 'stretch' | 'twist', bones: readonly string[], points: readonly Point[]): EditStep {
  const falls = points.some((point, i) => i > 0 && point[1] < points[i - 1][1]);
  const curve = points.length === 0 ? 'none' : `${falls ? 'free:' : ''}${points.map(([x, y]) => `${x}:${y}`).join(',')}`;
  return { [kind === 'stretch' ? 'filter' : 'twist-filter']: `${bones.join(',')}=${curve}` };
}
