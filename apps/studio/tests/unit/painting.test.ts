// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/core/engine';
import type { Stroke } from '../../src/core/protocol';
import { append, paintsAllBones, strokesSteps } from '../../src/core/strokes';
import { isMissing, sinew } from './core';

const stroke = (change: Partial<Stroke> = {}): Stroke => ({
  target: 'bone-weights',
  mode: 'add',
  bone: 1,
  radius: 0.1,
  strength: 0.5,
  dabs: [{ triangle: 40, barycentric: [0.2, 0.3, 0.5] }],
  ...change,
});

describe('strokes', () => {
  it('go on while the brush is the same', () => {
    const strokes: Stroke[] = [];
    append(strokes, stroke());
    append(strokes, stroke({ dabs: [{ triangle: 41, barycentric: [1, 0, 0] }] }));
    append(strokes, stroke({ strength: 0.25 }));
    expect(strokes.map((one) => one.dabs.length)).toEqual([2, 1]);
  });

  it('need no bone where all are painted', () => {
    expect(paintsAllBones('bone-weights', 'smooth')).toBe(true);
    expect(paintsAllBones('bone-weights', 'sharpen')).toBe(true);
    expect(paintsAllBones('endpoints', 'sharpen')).toBe(false);
    expect(paintsAllBones('bone-weights', 'add')).toBe(false);
  });
});

describe.skipIf(isMissing)('painting', () => {
  const begin = (): { engine: Engine; rig: number } => {
    const engine = new Engine(sinew);
    return { engine, rig: engine.sample('tube', 600).id };
  };
  const first = [stroke(), stroke({ mode: 'subtract', bone: 0, strength: 0.25 })];
  const second = [stroke({ target: 'endpoints', mode: 'replace', value: 0.1, dabs: [{ triangle: 90, barycentric: [1, 0, 0] }] })];

  it('gives the rows that changed, which are those of the revision after it', () => {
    const { engine, rig } = begin();
    const rows = engine.paint({ rig, locks: [], strokes: first });
    const made = engine.painted(rig, true);
    expect(made?.id).toBeGreaterThan(rig);
    const after = engine.skin(made?.id ?? 0);
    expect(rows.vertices.length).toBeGreaterThan(3);
    rows.vertices.forEach((vertex, r) => {
      const row = [rows.offsets[r], rows.offsets[r + 1]] as const;
      const there = [after.offsets[vertex], after.offsets[vertex + 1]] as const;
      for (const name of ['bones', 'weights', 'endpoints'] as const) {
        expect(rows[name]?.slice(...row)).toEqual(after[name]?.slice(...there));
      }
    });
    expect(engine.skin(rig)).not.toEqual(after);
  });

  it('has the bits of the same strokes replayed, stroke after stroke, with locks', () => {
    for (const locks of [[], [sinew.sample('tube', { vertices: 600 }).jointNames[0]]]) {
      const { engine, rig } = begin();
      for (const one of first) engine.paint({ rig, locks, strokes: [one] });
      const one = engine.painted(rig, true);
      engine.paint({ rig: one?.id ?? 0, locks, strokes: second });
      const two = engine.painted(one?.id ?? 0, true);
      const replayed = sinew.sample('tube', { vertices: 600 });
      replayed.edit(strokesSteps(first, locks));
      replayed.edit(strokesSteps(second, locks));
      expect(engine.write(two?.id ?? 0, 'glb', [])).toEqual(replayed.toBytes('glb'));
    }
  });

  it('shows the skin that moves, and leaves the rig alone when it is dropped', () => {
    const { engine, rig } = begin();
    const joint = sinew.sample('tube', { vertices: 600 }).jointNames.at(-1) ?? '';
    const moment = { rig, pose: { joints: { [joint]: { bend: [[60, 'z']] } } }, methods: ['stbs-dqs'] } as const;
    const before = engine.frame(moment).surfaces[0].positions;
    engine.paint({ rig, locks: [], strokes: [stroke({ strength: 1 })] });
    const during = engine.frame({ ...moment, isPainted: true }).surfaces[0].positions;
    expect(during).not.toEqual(before);
    expect(engine.frame(moment).surfaces[0].positions).toEqual(before);
    const made = engine.painted(rig, true);
    expect(engine.frame({ ...moment, rig: made?.id ?? 0 }).surfaces[0].positions).toEqual(during);
    engine.paint({ rig, locks: [], strokes: [stroke()] });
    expect(engine.painted(rig, false)).toBeNull();
    expect(engine.frame({ ...moment, isPainted: true }).surfaces[0].positions).toEqual(before);
  });
});
