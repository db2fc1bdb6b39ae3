// SPDX-License-Identifier: Apache-2.0
// The Worker's side: revisions of rigs, and what is posed and deformed of them. A revision never changes. It is
// either a file, or another revision and an operation; what was thrown out of memory is made again the same way.
import type { Deformer, GpuSkin, Ik, Pose as CorePose, Rig, Sinew } from 'sinew';
import type { Channel, Pose, RigInfo, RigRef } from '../state/document';
import { channelsOfClip } from './clip-channels';
import { infoOf, toldOf } from './info';
import type {
  Calls,
  Catalogue,
  Derived,
  Drag,
  Frame,
  FrameRequest,
  GpuData,
  GpuPoseData,
  MeshData,
  Moment,
  PaintRequest,
  PaintedRows,
  RigOperation,
  SkinData,
  Surface,
} from './protocol';
import { madeBy } from './operations';
import { Painting } from './painting';
import { Pool } from './pool';
import { weightReport, type WeightReport } from './reports';
import { rowsOf } from './rows';
import { deformed, objFile, vertexNormals } from './surface';
import { dragTail } from './tail';
import { toldAfter } from './told';

type Origin =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly format: string }
  | { readonly kind: 'sample'; readonly name: string; readonly vertices: number }
  | { readonly kind: 'derived'; readonly from: number; readonly operation: RigOperation };

interface Revision {
  readonly origin: Origin;
  readonly info: RigInfo;
}

export class Engine implements Calls {
  private readonly revisions = new Map<number, Revision>();
  private readonly rigs = new Pool<Rig>(16);
  private readonly poses = new Pool<CorePose>(4);
  private readonly deformers = new Pool<Deformer>(12);
  private readonly gpus = new Pool<GpuSkin>(2);
  private readonly played = new Pool<Rig>(2);
  private readonly solvers = new Pool<Ik>(4);
  /** The painter, and the revision that it goes on from. */
  private painting: { rig: number; is: Painting } | undefined;
  private next = 1;

  constructor(private readonly sinew: Sinew) {}

  loaded(): string[] {
    return performance.getEntriesByType('resource').map((entry) => entry.name);
  }

  catalogue(): Catalogue {
    const { sinew } = this;
    return {
      version: sinew.version,
      methods: Object.values(sinew.methods()).map(({ name, summary, readsEndpoints }) => ({
        name,
        summary,
        readsEndpoints,
        isOnGpu: this.blend(name) !== undefined,
      })),
      weightMethods: sinew.weightMethods(),
      endpointMethods: sinew.endpointMethods(),
      samples: sinew.samples(),
      samplePictures: sinew.samplePictures(),
      loops: sinew.puppetLoops(),
    };
  }

  open(bytes: Uint8Array, format: string): RigRef {
    return this.keep(this.sinew.read(bytes as Uint8Array<ArrayBuffer>, { format }), { kind: 'file', bytes, format });
  }

  sample(name: string, vertices: number): RigRef {
    return this.keep(this.sinew.sample(name, { vertices }), { kind: 'sample', name, vertices });
  }

  derive(rig: number, operation: RigOperation): Derived {
    const { made, report } = madeBy(this.sinew, this.rig(rig), operation);
    return { rig: this.keep(made, { kind: 'derived', from: rig, operation }), report };
  }

  release(keep: readonly number[]): number {
    const needed = new Set<number>();
    for (let id of keep) {
      for (;;) {
        needed.add(id);
        const origin = this.revisions.get(id)?.origin;
        if (origin?.kind !== 'derived') break;
        id = origin.from;
      }
    }
    for (const id of [...this.revisions.keys()]) if (!needed.has(id)) this.revisions.delete(id);
    const isGone = (key: string): boolean => !this.revisions.has(Number.parseInt(key, 10));
    for (const pool of [this.rigs, this.poses, this.deformers, this.gpus, this.played, this.solvers]) pool.drop(isGone);
    if (this.painting && !this.revisions.has(this.painting.rig)) this.stopPainting();
    return this.revisions.size;
  }

  mesh(id: number): MeshData {
    const rig = this.rig(id);
    const floats = (numbers: Float64Array | null): Float32Array | null => numbers && new Float32Array(numbers);
    return {
      positions: new Float32Array(rig.positions),
      normals: floats(rig.normals),
      normalCorners: rig.normalCorners,
      uvs: floats(rig.uvs),
      uvCorners: rig.uvCorners,
      colors: floats(rig.colors),
      triangles: rig.triangles,
      parts: rig.partTriangles,
      materials: rig.materialNames,
    };
  }

  skin(id: number): SkinData {
    const { offsets, bones, weights, endpoints, twistEndpoints } = rowsOf(this.rig(id));
    return {
      offsets,
      bones,
      weights: new Float32Array(weights),
      endpoints: endpoints && new Float32Array(endpoints),
      twistEndpoints: twistEndpoints && new Float32Array(twistEndpoints),
    };
  }

  gpu(id: number): GpuData {
    const { positions, normals, vertices, influences, gradients, deltaRanges, deltas } = this.gpuSkin(id);
    const own = (array: Float32Array): Float32Array<ArrayBuffer> => array as Float32Array<ArrayBuffer>;
    return {
      positions,
      normals,
      vertices,
      influences: own(influences),
      gradients: gradients && own(gradients),
      deltaRanges,
      deltas: deltas && own(deltas),
    };
  }

  faults(moment: Moment, methods: readonly string[]): Uint8Array[] {
    const { pose } = this.pose(moment);
    return methods.map((method) => this.rig(moment.rig).measureVertices({ pose, method }).faults);
  }

  frame(request: FrameRequest): Frame {
    const { info } = this.revision(request.rig);
    if (info.joints.length === 0) return this.still(request);
    const { pose, told } = this.pose(request);
    const surface = (method: string): Surface => {
      if (!info.hasWeights) return this.restSurface(request.rig);
      return request.isPainted ? this.paintedSurface(request.rig, method, pose) : this.surface(request.rig, method, pose);
    };
    const isForGpu = request.forGpu && info.hasWeights;
    return {
      rig: request.rig,
      pose: told,
      time: timeOf(request),
      jointFrames: pose.jointFrames,
      boneHeads: pose.boneHeads,
      boneTails: pose.boneTails,
      boneTwists: pose.boneTwists,
      bulges: pose.boneBulges,
      shapes: pose.shapes,
      surfaces: request.noSurfaces && isForGpu ? [] : request.methods.map(surface),
      poses: isForGpu ? request.methods.map((method) => this.gpuPose(request.rig, method, pose)) : [],
    };
  }

  channels(id: number, clip: number): Channel[] {
    return channelsOfClip(this.sinew, this.rig(id), this.revision(id).info, clip);
  }

  paint({ rig, locks, strokes }: PaintRequest): PaintedRows {
    if (this.painting?.rig !== rig || this.painting.is.locks.join() !== locks.join()) {
      this.stopPainting();
      this.painting = { rig, is: new Painting(this.sinew, this.rig(rig), locks) };
    }
    return this.painting.is.dab(strokes);
  }

  painted(rig: number, keep: boolean): RigRef | null {
    if (this.painting?.rig !== rig) return null;
    if (!keep) {
      this.stopPainting();
      return null;
    }
    const { is } = this.painting;
    const { rig: made, strokes } = is.end();
    const operation: RigOperation = { kind: 'paint', strokes, locks: is.locks };
    const kept = this.keep(made, { kind: 'derived', from: rig, operation });
    this.painting = { rig: kept.id, is };
    return kept;
  }

  report(id: number): WeightReport {
    return weightReport(this.rig(id).weightReport());
  }

  pack(id: number): Uint8Array<ArrayBuffer> {
    const rig = this.rig(id);
    if (rig.boneCount === 0 || rig.vertexCount === 0 || rig.influenceCount > 0) return rig.toBytes('glb');
    const copy = rig.copy();
    try {
      const count = copy.vertexCount;
      copy.setWeights(new Float64Array(count).fill(1), {
        bones: new Int32Array(count),
        offsets: Uint32Array.from({ length: count + 1 }, (_, v) => v),
      });
      return copy.toBytes('glb');
    } finally {
      copy.free();
    }
  }

  write(id: number, format: string, keys: readonly string[]): Uint8Array<ArrayBuffer> {
    const rig = this.rig(id);
    if (keys.length === 0) return rig.toBytes(format);
    const copy = rig.copy();
    try {
      for (const clip of keys) copy.addKeys(clip);
      return copy.toBytes(format);
    } finally {
      copy.free();
    }
  }

  posed(moment: Moment, method: string): Uint8Array<ArrayBuffer> {
    const { pose } = this.pose(moment);
    const { positions } = this.surface(moment.rig, method, pose);
    return objFile(this.sinew, this.rig(moment.rig), positions);
  }

  private revision(id: number): Revision {
    const found = this.revisions.get(id);
    if (!found) throw new Error(`there is no revision ${id} of the rig`);
    return found;
  }

  private rig(id: number): Rig {
    const { origin } = this.revision(id);
    return this.rigs.get(`${id}`, () => {
      if (origin.kind === 'file') {
        return this.sinew.read(origin.bytes as Uint8Array<ArrayBuffer>, { format: origin.format });
      }
      if (origin.kind === 'sample') return this.sinew.sample(origin.name, { vertices: origin.vertices });
      return madeBy(this.sinew, this.rig(origin.from), origin.operation).made;
    });
  }

  private keep(rig: Rig, origin: Origin): RigRef {
    let info: RigInfo;
    try {
      info = infoOf(this.sinew, rig);
    } catch (error) {
      rig.free();
      throw error;
    }
    const id = this.next++;
    this.revisions.set(id, { origin, info });
    this.rigs.get(`${id}`, () => rig);
    return { id, info };
  }

  private pose(moment: Moment): { pose: CorePose; told: Pose } {
    if (moment.clip !== undefined || moment.keys !== undefined) return this.playing(moment);
    const { info } = this.revision(moment.rig);
    const pose = this.poses.get(`${moment.rig}`, () => new this.sinew.Pose(this.rig(moment.rig)));
    let told: Pose = moment.pose ?? { joints: {} };
    pose.set(told as never);
    if (moment.drag) told = this.drag(moment.rig, pose, told, moment.drag);
    if (moment.tail) told = dragTail(info, pose, told, moment.tail);
    if (told !== moment.pose) pose.set(told as never);
    return { pose, told };
  }

  private playing(moment: Moment): { pose: CorePose; told: Pose } {
    const { rig: id, keys, time = 0 } = moment;
    let key = `${id}`;
    let clip = moment.clip ?? 0;
    let rig = this.rig(id);
    if (keys !== undefined) {
      key = `${id}:${keys.text}`;
      rig = this.played.get(key, () => {
        const copy = this.rig(id).copy();
        copy.addKeys(keys.text);
        return copy;
      });
      clip = rig.findClip(keys.name);
    }
    const pose = this.poses.get(key, () => new this.sinew.Pose(rig));
    pose.play(clip, time);
    return { pose, told: toldOf(pose) };
  }

  // Solved from the pose before the drag every time, so that going back with the pointer goes back with the pose.
  private drag(id: number, pose: CorePose, told: Pose, drag: Drag): Pose {
    const { info } = this.revision(id);
    const dragged = new Set(drag.goals.map((goal) => goal.joint));
    const pins = drag.pins.filter((key) => !dragged.has(key));
    const index = (key: string): number => info.joints.findIndex((joint) => joint.key === key);
    const solver = this.solvers.get(`${id}:${JSON.stringify([[...dragged], pins, drag.lengths])}`, () => {
      const handles = [
        ...[...dragged].map((key) => ({ joint: index(key), lengths: drag.lengths })),
        ...pins.map((key) => ({ joint: index(key), lengths: 'kept' as const })),
      ];
      return new this.sinew.Ik(this.rig(id), handles);
    });
    const before = pose.joints;
    solver.solve(pose, [...drag.goals.map((goal) => ({ position: goal.position })), ...pins.map(() => null)]);
    return toldAfter(info, told, before, pose.joints);
  }

  private surface(id: number, method: string, pose: CorePose): Surface {
    const rig = this.rig(id);
    return deformed(this.deformers.get(`${id}:${method}`, () => new this.sinew.Deformer(rig, method)), rig, pose);
  }

  // The weights are others every time.
  private paintedSurface(id: number, method: string, pose: CorePose): Surface {
    if (this.painting?.rig !== id) return this.surface(id, method, pose);
    const rig = this.painting.is.rig();
    const deformer = new this.sinew.Deformer(rig, method);
    try {
      return deformed(deformer, rig, pose);
    } finally {
      deformer.free();
    }
  }

  private stopPainting(): void {
    this.painting?.is.free();
    this.painting = undefined;
  }

  private gpuSkin(id: number): GpuSkin {
    return this.gpus.get(`${id}`, () => new this.sinew.GpuSkin(this.rig(id), { gradients: true }));
  }

  private gpuPose(id: number, method: string, pose: CorePose): GpuPoseData {
    return { texels: this.gpuSkin(id).pose(pose, { method }), blend: this.blend(method) ?? 0 };
  }

  // How the GPU blends by a method; undefined: it does not know it.
  private blend(method: string): number | undefined {
    try {
      return this.sinew.GpuSkin.blend(method);
    } catch {
      return undefined;
    }
  }

  private restSurface(id: number): Surface {
    const rig = this.rig(id);
    const positions = new Float32Array(rig.positions);
    return { positions, normals: vertexNormals(positions, rig.triangles) };
  }

  private still(request: FrameRequest): Frame {
    const none = new Float64Array(0);
    return {
      rig: request.rig,
      pose: { joints: {} },
      time: timeOf(request),
      jointFrames: none,
      boneHeads: none,
      boneTails: none,
      boneTwists: none,
      bulges: none,
      shapes: none,
      surfaces: request.methods.map(() => this.restSurface(request.rig)),
      poses: [],
    };
  }
}

const timeOf = ({ clip, keys, time = 0 }: Moment): number | undefined => (clip === undefined && keys === undefined ? undefined : time);
