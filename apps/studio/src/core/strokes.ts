// SPDX-License-Identifier: Apache-2.0
import type { EditStep, Stroke } from './protocol';

/** Strokes as a file that `sinew edit --paint` replays. */
export function strokesFile(strokes: readonly Stroke[]): object {
  return { format: 'sinew-strokes', version: 1, strokes };
}

export function strokesStep(strokes: readonly Stroke[]): EditStep {
  return { paint: strokesFile(strokes) };
}
