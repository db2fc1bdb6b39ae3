// SPDX-License-Identifier: Apache-2.0
// What the studio writes is what the program writes from the same input, byte for byte.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Engine } from '../../src/core/engine';
import { JobRunner } from '../../src/core/jobs';
import { keysText } from '../../src/core/keys';
import { strokesFile } from '../../src/core/strokes';
import type { KeyClip } from '../../src/state/document';
import { isMissing, sinew } from './core';

const top = fileURLToPath(new URL('../../../../', import.meta.url));
const program = [process.env.SINEW_PROGRAM, `${top}build/release/apps/cli/sinew`, `${top}build/dev/apps/cli/sinew`].find((path) => path && existsSync(path));

/** Where two files first differ; -1: nowhere. A difference of files takes a test minutes to print. */
function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const place = a.findIndex((byte, i) => byte !== b[i]);
  return place < 0 && a.length !== b.length ? Math.min(a.length, b.length) : place;
}

describe.skipIf(isMissing || !program)('the program and the studio write the same bytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinew-studio-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);
  // Without fused multiply-add, which WebAssembly does not have.
  const env = { ...process.env, SINEW_SIMD: 'sse4' };
  const run = (...args: string[]): Uint8Array => writtenTo('out.glb', ...args);
  const writtenTo = (name: string, ...args: string[]): Uint8Array => {
    const output = at(name);
    const { status, stderr } = spawnSync(program ?? '', [...args, '--quiet', '-o', output], { encoding: 'utf8', env });
    if (status !== 0 && status !== 1) throw new Error(stderr);
    return new Uint8Array(readFileSync(output));
  };
  const engine = new Engine(sinew);
  const jobs = new JobRunner(sinew, () => undefined);
  const input = at('in.glb');
  const bytes = isMissing ? new Uint8Array() : engine.write(engine.sample('tube3', 500).id, 'glb', []);
  writeFileSync(input, bytes);
  const open = (): number => engine.open(bytes, 'glb').id;
  const written = (id: number, keys: readonly string[] = []): Uint8Array => engine.write(id, 'glb', keys);

  it('a built-in character', () => {
    expect(firstDifference(bytes, run('sample', 'tube3', '--resolution', '500'))).toBe(-1);
  });

  it('a character with pictures', () => {
    const file = engine.write(engine.sample('head', 500).id, 'glb', []);
    expect(firstDifference(file, run('sample', 'head', '--resolution', '500'))).toBe(-1);
  });

  it('an edited rig: filters, smoothing, pruning', () => {
    const steps = [{ filter: 'bone_2=0:0,0.3:0.75,1:1' }, { smooth: 2 }, { prune: 3 }];
    const made = engine.derive(open(), { kind: 'edit', steps });
    expect(firstDifference(written(made.rig.id), run('edit', input, '--filter', 'bone_2=0:0,0.3:0.75,1:1', '--smooth', '2', '--prune', '3'))).toBe(-1);
  });

  it('a painted rig', () => {
    const rig = open();
    const strokes = [
      { target: 'endpoints', mode: 'replace', bone: 1, value: 0.2, radius: 0.3, strength: 0.7, dabs: [{ triangle: 300, barycentric: [0.2, 0.3, 0.5] }] },
      { target: 'bone-weights', mode: 'sharpen', radius: 0.4, strength: 0.5, dabs: [{ triangle: 320, barycentric: [1, 0, 0] }, { triangle: 330, barycentric: [0, 1, 0] }] },
    ] as const;
    engine.paint({ rig, locks: [], strokes });
    const made = engine.painted(rig, true);
    writeFileSync(at('strokes.json'), JSON.stringify(strokesFile(strokes)));
    expect(firstDifference(written(made?.id ?? 0), run('edit', input, '--paint', at('strokes.json')))).toBe(-1);
    expect(firstDifference(written(made?.id ?? 0), bytes)).toBeGreaterThan(0);
  });

  it('a rig with a muscle', () => {
    const muscle = { profile: [[0, 0], [0.3, 1], [1, 0]], stretch: 0.5, angle: { joint: 'bone_3', range: [0, 90], gain: 0.25 }, side: [0, 0, 1] } as const;
    const made = engine.derive(open(), { kind: 'muscle', bones: [1], muscle });
    const theirs = run('edit', input, '--muscle', 'bone_2', '--by-stretch', '0.5', '--by-angle', 'bone_3:0:90:0.25', '--profile', '0:0,0.3:1,1:0', '--side', 'front');
    expect(firstDifference(written(made.rig.id), theirs)).toBe(-1);
  });

  it('the mesh of a pose, and a corrective of what was sculpted', () => {
    const pose = { joints: { bone_2: { bend: [[70, 'z']] } } } as const;
    writeFileSync(at('pose.json'), JSON.stringify(pose));
    const mesh = engine.posed({ rig: open(), pose }, 'dqs');
    expect(firstDifference(mesh, writtenTo('bent.obj', 'deform', input, '--pose', at('pose.json'), '--method', 'dqs'))).toBe(-1);
    const { file } = jobs.correct(bytes, { name: 'bent', pose, sculpted: mesh, format: 'obj', method: 'lbs' });
    expect(firstDifference(file, run('correct', input, '--example', at('pose.json'), at('bent.obj'), '--method', 'lbs'))).toBe(-1);
  });

  const clip: KeyClip = {
    name: 'wring',
    loop: true,
    channels: [
      { kind: 'rotation', name: 'bone_2', keys: [{ time: 0, value: {}, ease: 'smooth' }, { time: 0.5, value: { twist: 200 }, ease: 'linear' }, { time: 1.25, value: {}, ease: 'step' }] },
      { kind: 'stretch', name: 'bone_2', keys: [{ time: 0, value: 1, ease: [0.3, 0, 0.6, 1.2] }, { time: 0.75, value: 1.5, ease: 'linear' }] },
      { kind: 'rotation', name: 'bone_3', keys: [{ time: 0.5, value: {}, ease: 'linear' }, { time: 1.25, value: { bend: [[40, 'z']] }, ease: 'step' }] },
    ],
  };
  const text = (): string => keysText(engine.open(bytes, 'glb').info, clip);

  it('clips of keys', () => {
    writeFileSync(at('keys.json'), text());
    expect(firstDifference(written(open(), [text()]), run('animate', input, '--keys', at('keys.json')))).toBe(-1);
  });

  it('a motion of another skeleton', () => {
    const motion = sinew.read(written(open(), [text()]) as Uint8Array<ArrayBuffer>, { format: 'glb' }).toBytes('bvh');
    writeFileSync(at('motion.bvh'), motion);
    const made = engine.derive(open(), { kind: 'motion', name: 'gait', file: motion });
    expect(firstDifference(written(made.rig.id), run('animate', input, '--motion', at('motion.bvh'), '--name', 'gait'))).toBe(-1);
  });

  it.each(['bbw', 'heat', 'voxel', 'idw', 'shepard', 'rigid'])('weights by %s', (method) => {
    const { file } = jobs.weights(bytes, { method, endpoints: 'projection' });
    expect(firstDifference(file, run('weights', input, '--method', method, '--endpoints', 'projection'))).toBe(-1);
  });

  it('a baked file', () => {
    const file = written(open(), [text()]);
    writeFileSync(at('animated.glb'), file);
    expect(firstDifference(jobs.bake(file, {}).file, run('bake', at('animated.glb')))).toBe(-1);
  });

  it('a picture made a puppet', async () => {
    const picture = sinew.samplePicture('dancer', { size: 96 }).image.toPng();
    writeFileSync(at('dancer.png'), picture);
    const file = await jobs.puppet(picture, { autoBones: 6, loops: ['sway'] });
    expect(firstDifference(file, run('image', at('dancer.png'), '--auto-bones', '6', '--loop', 'sway'))).toBe(-1);
  });
});
