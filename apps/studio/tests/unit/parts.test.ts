// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, filterStep, tidy } from '../../src/core/filter-curve';
import { addJoint, below, connect, deleteJoints, moveJoint, partnerOf, splitBone } from '../../src/core/skeleton-edit';
import type { SkeletonEdit } from '../../src/core/protocol';
import { fitTemplate, handlesOf, placed, segmentsOf, templates } from '../../src/core/templates';
import { emptyInfo, newDocument, type KeyClip, type RigInfo } from '../../src/state/document';
import { contentsOf, parseContents, readProject, writeProject } from '../../src/state/project';
import { scoped } from '../../src/state/scope';
import { Store } from '../../src/state/store';
import { faultColors, faultPlaces, weightMap } from '../../src/view/colors';
import { placeViews, viewAt } from '../../src/view/layout';
import { isLarge, proxyOf } from '../../src/view/proxy';
import { drawnMesh, withProxy } from '../../src/view/skin';
import { hasStretch, measuresOf } from '../../src/panels/compare';
import { setMethod } from '../../src/commands/commands';

describe('filter curves', () => {
  it('go through their points, without overshoot', () => {
    const points = tidy([[0, 0], [0.3, 0.1], [0.7, 0.1], [1, 1]]);
    for (const [x, y] of points) expect(evaluate(points, x)).toBeCloseTo(y, 12);
    for (let x = 0.3; x <= 0.7; x += 0.05) expect(evaluate(points, x)).toBeCloseTo(0.1, 12);
    for (let x = 0, last = 0; x <= 1; x += 0.01) {
      const y = evaluate(points, x);
      expect(y).toBeGreaterThanOrEqual(last - 1e-12);
      last = y;
    }
    expect(evaluate([], 0.4)).toBe(0.4);
  });

  it('become steps of editing', () => {
    expect(filterStep('stretch', ['arm'], [[0, 0], [1, 1]])).toEqual({ filter: 'arm=0:0,1:1' });
    expect(filterStep('twist', ['a', 'b'], [[0, 0], [0.5, 1], [1, 0]])).toEqual({ 'twist-filter': 'a,b=free:0:0,0.5:1,1:0' });
    expect(filterStep('stretch', ['arm'], [])).toEqual({ filter: 'arm=none' });
  });

  it('are tidied', () => {
    expect(tidy([[1.2, -1], [0.5, 0.5], [0.5, 0.7], [-3, 0]])).toEqual([[0, 0], [0.5, 0.5], [1, 0]]);
  });
});

describe('skeletons edited by hand', () => {
  const chain: SkeletonEdit = {
    joints: [
      { name: 'hips', parent: -1, position: [0, 0, 0], was: 0 },
      { name: 'arm.L', parent: 0, position: [1, 0, 0], was: 1 },
      { name: 'hand.L', parent: 1, position: [2, 0, 0], was: 2, tail: [2.5, 0, 0] },
      { name: 'arm.R', parent: 0, position: [-1, 0, 0], was: 3 },
    ],
  };

  it('move with and without children', () => {
    expect(moveJoint(chain, 1, [1, 1, 0], false).joints[2].position).toEqual([2, 0, 0]);
    const moved = moveJoint(chain, 1, [1, 1, 0], true);
    expect(moved.joints[2].position).toEqual([2, 1, 0]);
    expect(moved.joints[2].tail).toEqual([2.5, 1, 0]);
  });

  it('get joints, which end bones that had free ends', () => {
    const made = addJoint(chain, 2, [3, 0, 0], 'hand.L');
    expect(made.joints[4]).toMatchObject({ parent: 2, was: -1, name: 'hand_2.L' });
    expect(made.joints[2].tail).toBeUndefined();
  });

  it('are split in the middle', () => {
    const made = splitBone(chain, 1, 2);
    expect(made.joints[4]).toMatchObject({ parent: 1, position: [1.5, 0, 0] });
    expect(made.joints[2].parent).toBe(4);
    const end = splitBone(chain, 2, -1);
    expect(end.joints[4]).toMatchObject({ parent: 2, position: [2.25, 0, 0], tail: [2.5, 0, 0] });
  });

  it('lose joints, whose children hang from what is left', () => {
    const made = deleteJoints(chain, [1]);
    expect(made.joints.map((joint) => [joint.name, joint.parent])).toEqual([['hips', -1], ['hand.L', 0], ['arm.R', 0]]);
  });

  it('have no rings and know their other side', () => {
    expect(connect(chain, 0, 2)).toBeUndefined();
    expect(connect(chain, 3, 2)?.joints[3].parent).toBe(2);
    expect(below(chain, 0)).toEqual([1, 2, 3]);
    expect(partnerOf(chain, 1, 0.01)).toBe(3);
    expect(partnerOf(chain, 0, 0.01)).toBe(-1);
  });

  it('start from templates that are scaled about their foot, and moved', () => {
    const made = fitTemplate(templates[0], [-1, 0, -0.5, 1, 2, 0.5]);
    const { foot, head } = handlesOf(made);
    expect(head[1]).toBe(Math.max(...segmentsOf(made).flat().map((point) => point[1])));
    const lying = handlesOf(fitTemplate(templates[4], [-1, 0, 0, 1, 0.2, 0.1]));
    expect(lying.head[1]).toBeGreaterThan(lying.foot[1]);
    const half = placed(made, 0.5, [0.25, 0, -1]);
    expect(handlesOf(half).foot).toEqual([foot[0] + 0.25, foot[1], foot[2] - 1].map((value) => expect.closeTo(value, 9)));
    made.joints.forEach((joint, j) => {
      const to = half.joints[j];
      expect([to.name, to.parent]).toEqual([joint.name, joint.parent]);
      expect(to.position[1] - foot[1]).toBeCloseTo((joint.position[1] - foot[1]) / 2, 9);
      expect(to.tail === undefined).toBe(joint.tail === undefined);
    });
    expect(placed(made, 1, [0, 0, 0])).toEqual(made);
  });

  it('start from templates that fit the box and name every parent', () => {
    for (const template of templates) {
      const names = new Set(template.lines.map(([name]) => name));
      for (const [, parent] of template.lines) expect(parent === '' || names.has(parent), `${template.name}: ${parent}`).toBe(true);
      for (const end of Object.keys(template.ends)) expect(names.has(end), `${template.name}: ${end}`).toBe(true);
      const corners = [-1, 0, -0.5, 1, 2, 0.5, 0.99, 1.2, 0.1, -0.99, 1.2, 0.1];
      const made = fitTemplate(template, corners);
      expect(made.joints.filter((joint) => joint.parent < 0)).toHaveLength(1);
      for (const [a, b] of segmentsOf(made)) {
        for (const point of [a, b]) {
          expect(point[0]).toBeGreaterThanOrEqual(-1);
          expect(point[0]).toBeLessThanOrEqual(1);
          expect(point[1]).toBeGreaterThanOrEqual(0);
          expect(point[1]).toBeLessThanOrEqual(2);
        }
      }
    }
  });
});

describe('a template on a mesh whose arms hang', () => {
  it('has its hands at the tips', () => {
    // A trunk, and two tips lower than a template's arms.
    const mesh = [0, 0, -0.2, 0, 2, 0.2, 1, 0.9, 0.05, -1, 0.9, 0.05];
    const person = templates.find((template) => template.name === 'Person');
    const made = fitTemplate(person ?? templates[0], mesh);
    const hand = made.joints.find((joint) => joint.name === 'hand.L');
    const arm = made.joints.find((joint) => joint.name === 'upper_arm.L');
    expect(hand?.tail).toEqual([1, 0.9, 0.05].map((value) => expect.closeTo(value, 9)));
    expect(hand?.position[1]).toBeLessThan(arm?.position[1] ?? 0);
  });
});

describe('projects', () => {
  const clip: KeyClip = {
    name: 'a',
    loop: true,
    channels: [
      { kind: 'rotation', name: 'x', keys: [{ time: 0, value: { twist: 720 }, ease: 'step' }, { time: 1, value: {}, ease: [0.4, 0, 0.2, 1.3] }] },
      { kind: 'target', name: 'x', keys: [{ time: 0.5, value: { position: [0, 1, 2], weight: 1, lengths: 'kept' }, ease: 'linear' }] },
      { kind: 'shape', name: 'smile', keys: [{ time: 0, value: 1, ease: 'linear' }] },
    ],
  };
  const document = { ...newDocument('hero', { id: 3, info: emptyInfo }), pins: ['hand'], clips: [clip] };
  const info: RigInfo = {
    ...emptyInfo,
    joints: [{ key: 'x', name: 'x', parent: -1, driven: false, isNode: false, rest: { translation: [0, 1, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] } }],
    shapes: [{ name: 'smile', rest: 0.25, driven: false }],
  };

  it('come back as they were, and have the same bytes every time', () => {
    const rig = Uint8Array.from([1, 2, 3]);
    const bytes = writeProject(rig, document, [1, 2, 3, 4, 5, 6, 7]);
    expect(writeProject(rig, document, [1, 2, 3, 4, 5, 6, 7])).toEqual(bytes);
    const project = readProject(bytes);
    expect([...project.rig]).toEqual([1, 2, 3]);
    expect(project.document(info)).toEqual({ name: 'hero', pose: { joints: {} }, pins: ['hand'], locks: [], method: 'stbs-dqs', clips: document.clips });
    expect(project.camera).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('that are something else are refused with a reason', () => {
    expect(() => readProject(Uint8Array.from([1, 2, 3]))).toThrow('it is not a project');
    expect(() => readProject(writeProject(new Uint8Array(0), { ...document, pins: [3 as unknown as string] }))).toThrow('"pins"');
    expect(() => readProject(writeProject(new Uint8Array(0), { ...document, clips: [{ name: 'a' } as never] }))).toThrow('"clips"');
    const wrong = { ...clip, channels: [{ ...clip.channels[0], keys: [{ time: 0, value: 'far', ease: 'linear' }] }] };
    expect(() => readProject(writeProject(new Uint8Array(0), { ...document, clips: [wrong as never] }))).toThrow('"clips"');
  });

  it('of a version that is no number are refused', () => {
    for (const version of [3, null, {}, { toString: '' }, [{ toString: '' }]]) {
      expect(() => parseContents({ ...contentsOf(document), version })).toThrow(`project.json: version ${JSON.stringify(version)} is of a newer studio`);
    }
  });

  it('with anything in the place of any value are refused with the name of a member, or open', () => {
    const whole = { ...contentsOf(document, [1, 2, 3]), pose: { joints: { x: { twist: 90, bend: [30, 'x'] } } } };
    const older = { ...whole, version: 1, clips: [{ name: 'a', loop: false, keys: [{ time: 0, pose: { joints: { x: { twist: 90 } }, shapes: { smile: 1 } }, ease: 'smooth' }] }] };
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 'constructor', {}, [], null, -1));
    for (const text of [whole, older].map((contents) => JSON.stringify(contents))) {
      let count = 0;
      JSON.parse(text, (_, value: unknown) => (++count, value));
      fc.assert(fc.property(fc.nat(count - 1), anything, (place, put) => {
        let at = 0;
        const broken: unknown = JSON.parse(text, (_, value: unknown) => (at++ === place ? put : value));
        try {
          expect(parseContents(broken).document(info).name).toBeTypeOf('string');
        } catch (error) {
          expect(String(error)).toMatch(/^Error: project\.json: /);
        }
      }), { numRuns: 2000 });
    }
  });

  it('with whole poses as keys, as they were before, get channels for what the poses say', () => {
    const old = { ...contentsOf(document), version: 1, clips: [{ name: 'a', loop: false, keys: [
      { time: 0, pose: { joints: {} }, ease: 'smooth' },
      { time: 1, pose: { joints: { x: { twist: 90, translation: [0, 2, 0] }, gone: { twist: 5 } }, shapes: { smile: 1 } }, ease: 'step' },
    ] }] };
    expect(parseContents(old).document(info).clips).toEqual([{ name: 'a', loop: false, channels: [
      { kind: 'rotation', name: 'x', keys: [{ time: 0, value: {}, ease: 'smooth' }, { time: 1, value: { twist: 90 }, ease: 'step' }] },
      { kind: 'translation', name: 'x', keys: [{ time: 0, value: [0, 1, 0], ease: 'smooth' }, { time: 1, value: [0, 2, 0], ease: 'step' }] },
      { kind: 'shape', name: 'smile', keys: [{ time: 0, value: 0.25, ease: 'smooth' }, { time: 1, value: 1, ease: 'step' }] },
    ] }]);
  });
});

describe('the store', () => {
  it('tells watchers once per turn, and only of what they watch', async () => {
    const store = new Store(newDocument('hero', { id: 1, info: emptyInfo }));
    const seen: string[] = [];
    store.watch(({ document }) => document.method, (method) => seen.push(method));
    store.run(setMethod('lbs'));
    store.run(setMethod('dqs'));
    store.set({ showWire: true });
    await Promise.resolve();
    expect(seen).toEqual(['stbs-dqs', 'dqs']);
  });
});

describe('a scope', () => {
  it('ends what began to watch in it, and nothing else', async () => {
    const store = new Store(newDocument('hero', { id: 1, info: emptyInfo }));
    const seen: string[] = [];
    store.watch(({ document }) => document.method, (method) => seen.push(`outside ${method}`));
    const { end } = scoped(() => store.watch(({ document }) => document.method, (method) => seen.push(`inside ${method}`)));
    end();
    store.run(setMethod('lbs'));
    await Promise.resolve();
    expect(seen).toEqual(['outside stbs-dqs', 'inside stbs-dqs', 'outside lbs']);
  });
});

describe('what is drawn', () => {
  it('splits vertices where textures have seams, and nowhere else', () => {
    const mesh = {
      positions: new Float32Array(12),
      normals: null,
      normalCorners: null,
      uvs: Float32Array.from([0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5]),
      uvCorners: Uint32Array.from([0, 1, 2, 4, 2, 3]),
      colors: null,
      triangles: Uint32Array.from([0, 1, 2, 0, 2, 3]),
      parts: Uint32Array.from([0, 2]),
      materials: [],
    };
    const drawn = drawnMesh(mesh);
    expect(drawn.count).toBe(5);
    expect([...(drawn.source ?? [])]).toEqual([0, 1, 2, 0, 3]);
    expect([...drawn.index]).toEqual([0, 1, 2, 3, 2, 4]);
    expect(drawnMesh({ ...mesh, uvs: null, uvCorners: null }).source).toBeNull();
  });

  it('has fewer triangles over the same vertices, part by part, where it is very large', () => {
    // A sheet of 100 by 100 squares; its right half is a part of its own.
    const n = 100;
    const positions = Float32Array.from({ length: 3 * (n + 1) ** 2 }, (_, i) => [Math.floor(i / 3) % (n + 1), Math.floor(i / 3 / (n + 1)), 0][i % 3]);
    const squares = Array.from({ length: n * n }, (_, s) => [s % n, Math.floor(s / n)]).sort(([a], [b]) => Number(a >= n / 2) - Number(b >= n / 2));
    const index = Uint32Array.from(squares.flatMap(([x, y]) => {
      const a = y * (n + 1) + x;
      return [a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1];
    }));
    const half = index.length / 2;
    const groups = [{ start: 0, count: half, materialIndex: 0 }, { start: half, count: half, materialIndex: 1 }];
    const proxy = proxyOf(index, positions, null, groups, 800);
    const count = proxy.index.length / 3;
    expect(count).toBeGreaterThan(400);
    expect(count).toBeLessThan(1200);
    expect(proxy.groups[0].count + proxy.groups[1].count).toBe(proxy.index.length);
    expect(proxy.groups.map(({ materialIndex }) => materialIndex)).toEqual([0, 1]);
    // It covers what the sheet does, but for its rim, and is not folded.
    let area = 0;
    for (let c = 0; c < proxy.index.length; c += 3) {
      const [a, b, d] = [0, 1, 2].map((k) => positions.subarray(3 * proxy.index[c + k], 3 * proxy.index[c + k] + 2));
      const part = ((b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0])) / 2;
      expect(part).toBeGreaterThanOrEqual(0);
      area += part;
    }
    expect(area).toBeGreaterThan(0.85 * n * n);
    expect(area).toBeLessThanOrEqual(n * n);
    expect([isLarge({ triangles: 299_999 }), isLarge({ triangles: 300_000 })]).toEqual([false, true]);

    const mesh = { positions, normals: null, normalCorners: null, uvs: null, uvCorners: null, colors: null, triangles: index, parts: Uint32Array.from([0, half / 3, half / 3, half / 3]), materials: [] };
    const drawn = withProxy(drawnMesh(mesh), mesh);
    expect(drawn.index.subarray(0, index.length)).toEqual(index);
    expect(drawn.proxy?.map(({ start }) => start)[0]).toBe(index.length);
    expect(drawn.groups).toEqual(groups);
  });

  it('keeps vertices from distant places of a texture apart in its proxy', () => {
    const positions = [0, 0, 0, 0.01, 0, 0, 0, 0.01, 0, 9, 9, 0, 9, 0, 0, 0, 9, 0];
    const uvs = [0, 0, 0.01, 0, 0.9, 0.9, 0.5, 0.5, 0.5, 0, 0, 0.5];
    const index = Uint32Array.from([0, 4, 3, 1, 4, 3, 2, 3, 5]);
    const { index: made } = proxyOf(index, positions, uvs, [{ start: 0, count: 9 }], 4);
    expect(made[0]).toBe(made[3]);
    expect(made[6]).toBe(2);
  });

  it('shows faults the darker the worse, and finds places with some apart from each other', () => {
    const faults = Uint8Array.from([0, 2, 3, 2, 1]);
    const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 1.1, 0, 0, 5, 0, 0, 9, 0, 0]);
    expect(faultPlaces(faults, positions, 0.5, 8)).toEqual([2, 3, 4]);
    expect(faultPlaces(faults, positions, 0.5, 2)).toEqual([2, 3]);
    expect(faultPlaces(new Uint8Array(5), positions, 0.5, 8)).toEqual([]);
    const colors = faultColors(faults);
    const light = (v: number): number => colors[3 * v] + colors[3 * v + 1] + colors[3 * v + 2];
    expect(light(0)).toBeGreaterThan(light(1));
    expect(light(1)).toBeGreaterThan(light(2));
  });
  it('gets darker with the weight', () => {
    const light = (t: number): number => weightMap(t).reduce((sum, c) => sum + c, 0);
    for (let t = 0; t < 1; t += 0.1) expect(light(t + 0.1)).toBeLessThan(light(t));
  });
});

describe('views', () => {
  it('lie beside each other, or over each other with a line between two', () => {
    expect(placeViews(900, 600, 1)).toEqual([{ rect: { x: 0, y: 0, width: 900, height: 600 }, seen: { x: 0, y: 0, width: 900, height: 600 } }]);
    expect(placeViews(900, 600, 2).map(({ rect }) => rect.x)).toEqual([0, 450]);
    expect(placeViews(400, 600, 2).map(({ rect }) => rect.y)).toEqual([0, 300]);
    expect(placeViews(900, 600, 4).map(({ rect }) => [rect.x, rect.y])).toEqual([[0, 0], [450, 0], [0, 300], [450, 300]]);
    const swipe = placeViews(900, 600, 2, 0.25);
    expect(swipe.map(({ rect }) => rect.width)).toEqual([900, 900]);
    expect(swipe.map(({ seen }) => [seen.x, seen.width])).toEqual([[0, 225], [225, 675]]);
    expect([viewAt(swipe, 224, 10), viewAt(swipe, 225, 10), viewAt(swipe, 5000, 10)]).toEqual([0, 1, 0]);
  });
});

describe('measures', () => {
  const method = { method: 'lbs', distortedArea: 0.003, newCrossings: 4, smallestRadius: 0.5, twistNearJoints: 0.8, volumeChange: 0.1 };

  it('are of what is wrong: a bone that was stretched is not', () => {
    expect(measuresOf(method, false).map(({ label }) => label)).toEqual(['distorted', 'crossings', 'thinnest', 'twist at joints', 'volume']);
    expect(measuresOf(method, true).map(({ label }) => label)).not.toContain('volume');
  });

  it('are left out where there is nothing to be measured', () => {
    const untwisted = { ...method, distortedArea: 0, newCrossings: 0, smallestRadius: null, twistNearJoints: null, volumeChange: null };
    expect(measuresOf(untwisted, false)).toEqual([expect.objectContaining({ text: '0.00%', badness: 0 }), expect.objectContaining({ text: '0', badness: 0 })]);
  });

  it('know when bones have other lengths', () => {
    const bones = [{ joint: 0, tailJoint: 1, head: [0, 0, 0], tail: [0, 2, 0], stretchFilter: [], twistFilter: [] }] as const;
    expect(hasStretch(bones, Float64Array.of(1, 0, 0), Float64Array.of(3, 0, 0))).toBe(false);
    expect(hasStretch(bones, Float64Array.of(1, 0, 0), Float64Array.of(4, 0, 0))).toBe(true);
  });
});
