// SPDX-License-Identifier: Apache-2.0
import type { PaintMode, PaintTarget } from '../state/session';
import type { EditStep, Stroke } from './protocol';

/** Strokes as a file that `sinew edit --paint` replays. */
export function strokesFile(strokes: readonly Stroke[]): object {
  return { format: 'sinew-strokes', version: 1, strokes };
}

/** Steps of editing that replay strokes with some bones locked. */
export function strokesSteps(strokes: readonly Stroke[], locks: readonly string[]): EditStep[] {
  const paint = { paint: strokesFile(strokes) };
  return locks.length > 0 ? [{ lock: locks.join(',') }, paint] : [paint];
}

/** Smoothing and sharpening bone weights is for all bones of a vertex: a stroke needs none. */
export function paintsAllBones(target: PaintTarget, mode: PaintMode): boolean {
  return target === 'bone-weights' && (mode === 'smooth' || mode === 'sharpen');
}

/** Whether the dabs of two strokes may be one stroke. */
export function isSameBrush(a: Stroke, b: Stroke): boolean {
  return JSON.stringify({ ...a, dabs: [] }) === JSON.stringify({ ...b, dabs: [] });
}

/** Adds dabs to the last stroke where the brush is the same; as a stroke of their own otherwise. */
export function append(strokes: Stroke[], stroke: Stroke): void {
  const last = strokes.at(-1);
  if (last && isSameBrush(last, stroke)) strokes[strokes.length - 1] = { ...last, dabs: [...last.dabs, ...stroke.dabs] };
  else strokes.push(stroke);
}
