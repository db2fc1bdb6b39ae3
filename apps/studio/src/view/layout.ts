// SPDX-License-Identifier: Apache-2.0
// Where views are on the canvas: beside each other, or over each other with a line between two of them.

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ViewPlace {
  /** What the camera's picture fills. */
  readonly rect: Rect;
  /** What is seen of it. */
  readonly seen: Rect;
}

/** `swipe`: where the line between two views is, as a share of the width; undefined: they are beside each other. */
export function placeViews(width: number, height: number, count: number, swipe?: number): ViewPlace[] {
  if (swipe !== undefined && count === 2) {
    const rect = { x: 0, y: 0, width, height };
    const line = Math.round(Math.min(1, Math.max(0, swipe)) * width);
    return [
      { rect, seen: { x: 0, y: 0, width: line, height } },
      { rect, seen: { x: line, y: 0, width: width - line, height } },
    ];
  }
  const columns = count === 4 || (count === 2 && width >= height) ? 2 : 1;
  const rows = count / columns;
  return Array.from({ length: count }, (_, v) => {
    const rect = {
      x: Math.round(((v % columns) * width) / columns),
      y: Math.round((Math.floor(v / columns) * height) / rows),
      width: Math.round(width / columns),
      height: Math.round(height / rows),
    };
    return { rect, seen: rect };
  });
}

/** The view that is seen at a point; the first where none is. */
export function viewAt(places: readonly ViewPlace[], x: number, y: number): number {
  const found = places.findIndex(({ seen: r }) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);
  return Math.max(0, found);
}
