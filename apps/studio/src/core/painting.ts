// SPDX-License-Identifier: Apache-2.0
// Weights that are being painted. The core's painter does a dab in a time that depends on its radius alone; it is kept
// from one stroke to the next, as long as each goes on where the last one ended.
import type { Painter, Rig, Sinew } from 'sinew';
import type { PaintedRows, Stroke } from './protocol';
import { append, isSameBrush } from './strokes';

export class Painting {
  private readonly painter: Painter;
  private readonly work: Rig;
  private strokes: Stroke[] = [];
  private isFresh = true;

  /** `rig` has the weights to begin with, and stays as it is. */
  constructor(
    sinew: Sinew,
    rig: Rig,
    readonly locks: readonly string[],
  ) {
    this.painter = new sinew.Painter(rig, { locks });
    this.work = rig.copy();
  }

  /** Paints; says which rows changed and what they are now. */
  dab(strokes: readonly Stroke[]): PaintedRows {
    const rows = new Map<number, Row>();
    for (const stroke of strokes) {
      const last = this.strokes.at(-1);
      if (!last || !isSameBrush(last, stroke)) this.painter.begin(stroke);
      append(this.strokes, stroke);
      for (const { triangle, barycentric } of stroke.dabs) {
        if (this.painter.dab(triangle, barycentric) > 0) collect(this.painter, rows);
      }
    }
    if (rows.size > 0) this.isFresh = false;
    return joined(rows);
  }

  /** A rig with what was painted so far; it is painted on by the next call. */
  rig(): Rig {
    if (!this.isFresh) this.painter.apply(this.work);
    this.isFresh = true;
    return this.work;
  }

  /** Ends the strokes: they, and a copy of the rig after them. What follows is another revision's. */
  end(): { rig: Rig; strokes: readonly Stroke[] } {
    this.painter.end();
    const { strokes } = this;
    this.strokes = [];
    return { rig: this.rig().copy(), strokes };
  }

  free(): void {
    this.painter.free();
    this.work.free();
  }
}

interface Row {
  readonly bones: Int32Array;
  readonly weights: Float64Array;
  readonly endpoints: Float64Array | undefined;
  readonly twists: Float64Array | undefined;
}

function collect(painter: Painter, rows: Map<number, Row>): void {
  const { vertices, offsets, bones, weights, endpoints, twistEndpoints } = painter.changed();
  vertices.forEach((vertex, r) => {
    const [from, to] = [offsets[r], offsets[r + 1]];
    rows.set(vertex, {
      bones: bones.subarray(from, to),
      weights: weights.subarray(from, to),
      endpoints: endpoints?.subarray(from, to),
      twists: twistEndpoints?.subarray(from, to),
    });
  });
}

function joined(rows: ReadonlyMap<number, Row>): PaintedRows {
  const list = [...rows].sort(([a], [b]) => a - b);
  const offsets = new Uint32Array(list.length + 1);
  list.forEach(([, row], r) => (offsets[r + 1] = offsets[r] + row.bones.length));
  const count = offsets[list.length];
  const floats = (part: (row: Row) => Float64Array | undefined): Float32Array | null => {
    if (list.length === 0 || !part(list[0][1])) return null;
    const values = new Float32Array(count);
    list.forEach(([, row], r) => values.set(part(row) ?? [], offsets[r]));
    return values;
  };
  const bones = new Int32Array(count);
  list.forEach(([, row], r) => bones.set(row.bones, offsets[r]));
  return {
    vertices: Uint32Array.from(list, ([vertex]) => vertex),
    offsets,
    bones,
    weights: floats((row) => row.weights) ?? new Float32Array(0),
    endpoints: floats((row) => row.endpoints),
    twistEndpoints: floats((row) => row.twists),
  };
}
