// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/core/engine';
import { JobRunner } from '../../src/core/jobs';
import { movedLayers } from '../../src/panels/layers';
import type { RigRef } from '../../src/state/document';
import { isMissing, sinew } from './core';

describe('the order of layers', () => {
  const order = [0, 1, 2, 3, 4];

  it('has parts further to the front or back, by one place or all the way', () => {
    expect(movedLayers(order, [1], 1, false)).toEqual([0, 2, 1, 3, 4]);
    expect(movedLayers(order, [1], -1, false)).toEqual([1, 0, 2, 3, 4]);
    expect(movedLayers(order, [1, 3], 1, true)).toEqual([0, 2, 4, 1, 3]);
    expect(movedLayers(order, [1, 3], -1, true)).toEqual([1, 3, 0, 2, 4]);
    expect(movedLayers(order, [1, 2], 1, false)).toEqual([0, 3, 1, 2, 4]);
  });

  it('stays at the ends, and where nothing is chosen', () => {
    expect(movedLayers(order, [4], 1, false)).toEqual(order);
    expect(movedLayers(order, [0], -1, false)).toEqual(order);
    expect(movedLayers(order, [9], 1, true)).toEqual(order);
  });
});

describe.skipIf(isMissing)('layers of a picture', () => {
  const engine = new Engine(sinew);
  const puppet = (): RigRef => {
    const { image, bones } = sinew.samplePicture('dancer', { size: 96 });
    return engine.open(new sinew.Puppet(image, { bones }).rig().toBytes('glb'), 'glb');
  };

  it('are in the order of its triangles, and keep all else: texture, weights, bones', () => {
    const { id, info } = puppet();
    expect(info.layers.length).toBeGreaterThan(4);
    const order = movedLayers(info.layers, [info.layers[0]], 1, true);
    const { rig } = engine.derive(id, { kind: 'layers', order });
    expect(rig.info.layers).toEqual(order);
    const [before, after] = [id, rig.id].map((one) => engine.mesh(one));
    const sorted = (list: Uint32Array): string[] => Array.from({ length: list.length / 3 }, (_, t) => list.subarray(3 * t, 3 * t + 3).join()).sort();
    expect(sorted(after.triangles)).toEqual(sorted(before.triangles));
    expect(after.triangles).not.toEqual(before.triangles);
    expect(engine.skin(rig.id)).toEqual(engine.skin(id));
    // Drawn with its texture, at rest nothing covers anything: the same picture.
    const drawn = [id, rig.id].map((one) => sinew.read(engine.write(one, 'glb', []), { format: 'glb' }).render({ width: 64, height: 64, view: 'front' }).pixels);
    expect(drawn[1]).toEqual(drawn[0]);
  });

  it('are none where there is depth', () => {
    expect(engine.sample('tube', 200).info.layers).toEqual([]);
  });

  it('are there for pictures that people open', async () => {
    const picture = sinew.samplePicture('dancer', { size: 96 }).image.toPng();
    const file = await new JobRunner(sinew, () => undefined).puppet(picture, { autoBones: 6, loops: [] });
    expect(engine.open(file, 'glb').info.layers.length).toBeGreaterThan(2);
  });
});
