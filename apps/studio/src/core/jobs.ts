// SPDX-License-Identifier: Apache-2.0
// What takes long, from bytes to bytes as the program `sinew` does it, in a Worker that may be ended at any time.
import type { Progress, Rig, Sinew } from 'sinew';
import type { Pose } from '../state/document';
import type { BakeRequest, CorrectRequest, FilmRequest, Jobs, PuppetRequest, WeightsRequest } from './protocol';
import { bakeReport, correctiveReport, methodMeasures, weightReport, type BakeReport, type CorrectiveReport, type MethodMeasures, type WeightReport } from './reports';
import { rowsOf, type Rows } from './rows';

export class JobRunner implements Jobs {
  constructor(
    private readonly sinew: Sinew,
    private readonly progress: Progress,
  ) {}

  weights(file: Uint8Array, request: WeightsRequest): { file: Uint8Array<ArrayBuffer>; report: WeightReport } {
    const { progress } = this;
    const rig = this.read(file);
    const { method, endpoints, influences, only } = request;
    const before = only ? rig.copy() : undefined;
    let report = rig.computeWeights(method ?? null, { endpoints, influences, progress });
    if (only && before && before.influenceCount > 0) {
      keepRows(rig, before, new Set(only));
      report = rig.weightReport();
    }
    return { file: rig.toBytes('glb'), report: weightReport(report) };
  }

  bake(file: Uint8Array, request: BakeRequest): { file: Uint8Array<ArrayBuffer>; report: BakeReport } {
    const { rig, report } = this.read(file).bake({ ...request, progress: this.progress });
    return { file: rig.toBytes('glb'), report: bakeReport(report) };
  }

  correct(file: Uint8Array, request: CorrectRequest): { file: Uint8Array<ArrayBuffer>; report: CorrectiveReport } {
    const { name, pose, sculpted, format, method, joints, radius } = request;
    const rig = this.read(file);
    const { positions } = this.sinew.read(sculpted as Uint8Array<ArrayBuffer>, { format });
    if (positions.length !== 3 * rig.vertexCount) {
      throw new Error(`it has ${positions.length / 3} vertices, the character has ${rig.vertexCount}: sculpt the mesh of the pose, and add or merge none`);
    }
    const made = rig.correct([{ pose: pose as never, positions, name }], { method, joints, radius, progress: this.progress });
    return { file: made.rig.toBytes('glb'), report: correctiveReport(made.report) };
  }

  film({ width, height, frames, secondsPerFrame, format }: FilmRequest): Uint8Array<ArrayBuffer> {
    const images = frames.map((data) => new this.sinew.Image({ width, height, data }));
    try {
      return this.sinew.animation(images, secondsPerFrame, { format });
    } finally {
      for (const image of images) image.free();
    }
  }

  measure(file: Uint8Array, pose: Pose, methods: readonly string[]): MethodMeasures[] {
    return methodMeasures(this.read(file).measure({ pose: pose as never, methods }));
  }

  drawing(name: string): Uint8Array<ArrayBuffer> {
    const { image, bones, motion } = this.sinew.samplePicture(name);
    const puppet = new this.sinew.Puppet(image, { bones, progress: this.progress });
    puppet.addMotion(motion);
    return puppet.rig().toBytes('glb');
  }

  async puppet(picture: Uint8Array, request: PuppetRequest): Promise<Uint8Array<ArrayBuffer>> {
    const image = await this.sinew.Image.decode(picture as Uint8Array<ArrayBuffer>);
    const puppet = new this.sinew.Puppet(image, { autoBones: request.autoBones, progress: this.progress });
    for (const loop of request.loops) puppet.addLoop(loop);
    return puppet.rig().toBytes('glb');
  }

  private read(file: Uint8Array): Rig {
    return this.sinew.read(file as Uint8Array<ArrayBuffer>, { format: 'glb' });
  }
}

// Vertices that none of these bones moves, before or now, get their rows back.
function keepRows(rig: Rig, before: Rig, joints: ReadonlySet<string>): void {
  const isNew = rig.boneNames.map((name) => joints.has(name));
  const now = rowsOf(rig);
  const old = rowsOf(before);
  const offsets = [0];
  const parts = { bones: [] as number[], weights: [] as number[], endpoints: [] as number[], twists: [] as number[] };
  for (let v = 0; v < rig.vertexCount; ++v) {
    const touches = (rows: Rows): boolean => {
      for (let i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
        if (isNew[rows.bones[i]] && rows.weights[i] > 1e-4) return true;
      }
      return false;
    };
    const rows = touches(now) || touches(old) || old.offsets[v] === old.offsets[v + 1] ? now : old;
    for (let i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
      parts.bones.push(rows.bones[i]);
      parts.weights.push(rows.weights[i]);
      parts.endpoints.push(rows.endpoints?.[i] ?? endpointOf(now, v, rows.bones[i]));
      parts.twists.push((rows.twistEndpoints ?? rows.endpoints)?.[i] ?? 0);
    }
    offsets.push(parts.bones.length);
  }
  rig.setWeights(parts.weights, {
    bones: parts.bones,
    offsets,
    endpoints: now.endpoints && parts.endpoints,
    twistEndpoints: old.twistEndpoints && parts.twists,
  });
}

// What was computed for the same bone; 0, its head, where it was not.
function endpointOf(rows: Rows, vertex: number, bone: number): number {
  for (let i = rows.offsets[vertex]; i < rows.offsets[vertex + 1]; ++i) {
    if (rows.bones[i] === bone) return rows.endpoints?.[i] ?? 0;
  }
  return 0;
}
