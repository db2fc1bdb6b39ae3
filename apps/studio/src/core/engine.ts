// SPDX-License-Identifier: Apache-2.0
// The Worker's side: revisions of rigs, and what is posed and deformed of them. A revision never changes. It is
// either a file, or another revision and an operation; what was thrown out of memory is made again the same way.
import type { Deformer, Ik, Pose as CorePose, Rig, Sinew } from 'sinew';
import { jointKeys, type Pose, type RigInfo, type RigRef, type Vec3 } from '../state/document';
import { between, conjugate, length, multiply, rotationAt, sub, unit, vecAt } from './math';
import type {
  Calls,
  Catalogue,
  Drag,
  Frame,
  FrameRequest,
  MeshData,
  Report,
  RigOperation,
  SkinData,
  Surface,
  TailDrag,
} from './protocol';
import { setSkeleton } from './skeleton';
import { strokesStep } from './strokes';
import { toldAfter } from './told';

type Origin =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly format: string }
  | { readonly kind: 'sample'; readonly name: string; readonly vertices: number }
  | { readonly kind: 'derived'; readonly from: number; readonly operation: RigOperation };

interface Revision {
  readonly origin: Origin;
  readonly info: RigInfo;
}

/** Things by name, of which the longest unused are freed. */
class Pool<T extends { free(): void }> {
  private readonly items = new Map<string, T>();

  constructor(private readonly size: number) {}

  get(key: string, make: () => T): T {
    const found = this.items.get(key) ?? make();
    this.items.delete(key);
    this.items.set(key, found);
    for (const [old, item] of this.items) {
      if (this.items.size <= this.size) break;
      this.items.delete(old);
      item.free();
    }
    return found;
  }

  peek(key: string): T | undefined {
    return this.items.get(key);
  }

  drop(belongs: (key: string) => boolean): void {
    for (const [key, item] of this.items) {
      if (!belongs(key)) continue;
      this.items.delete(key);
      item.free();
    }
  }
}

export class Engine implements Calls {
  private readonly revisions = new Map<number, Revision>();
  private readonly rigs = new Pool<Rig>(16);
  private readonly poses = new Pool<CorePose>(4);
  private readonly deformers = new Pool<Deformer>(12);
  private readonly played = new Pool<Rig>(2);
  private readonly solvers = new Pool<Ik>(4);
  private next = 1;

  constructor(private readonly sinew: Sinew) {}

  catalogue(): Catalogue {
    const { sinew } = this;
    return {
      version: sinew.version,
      methods: Object.values(sinew.methods()).map(({ name, summary, readsEndpoints }) => ({
        name,
        summary,
        readsEndpoints,
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

  derive(rig: number, operation: RigOperation): { rig: RigRef; report: Report | null } {
    const made = this.rig(rig).copy();
    try {
      const report = this.apply(made, operation);
      return { rig: this.keep(made, { kind: 'derived', from: rig, operation }), report };
    } catch (error) {
      made.free();
      throw error;
    }
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
    for (const pool of [this.rigs, this.poses, this.deformers, this.played, this.solvers]) pool.drop(isGone);
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
    const rig = this.rig(id);
    const { endpoints, twistEndpoints } = rig;
    return {
      offsets: rig.weightOffsets,
      bones: rig.weightBones,
      weights: new Float32Array(rig.weights),
      endpoints: endpoints && new Float32Array(endpoints),
      twistEndpoints: twistEndpoints && new Float32Array(twistEndpoints),
    };
  }

  frame(request: FrameRequest): Frame {
    const { info } = this.revision(request.rig);
    if (info.joints.length === 0) return this.still(request);
    const { pose, told } = this.pose(request);
    const surfaces = info.hasWeights
      ? request.methods.map((method) => this.surface(request.rig, method, pose))
      : request.methods.map(() => this.restSurface(request.rig));
    return {
      rig: request.rig,
      pose: told,
      jointFrames: pose.jointFrames,
      boneHeads: pose.boneHeads,
      boneTails: pose.boneTails,
      boneTwists: pose.boneTwists,
      surfaces,
    };
  }

  report(id: number): Report {
    return this.rig(id).weightReport();
  }

  pack(id: number): Uint8Array<ArrayBuffer> {
    const rig = this.rig(id);
    if (rig.boneCount === 0 || rig.influenceCount > 0) return rig.toBytes('glb');
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
      const made = this.rig(origin.from).copy();
      this.apply(made, origin.operation);
      return made;
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

  private apply(rig: Rig, operation: RigOperation): Report | null {
    switch (operation.kind) {
      case 'edit':
        return rig.edit(operation.steps);
      case 'paint': {
        const locks = operation.locks.length > 0 ? [{ lock: operation.locks.join(',') }] : [];
        return rig.edit([...locks, strokesStep(operation.strokes)]);
      }
      case 'skeleton':
        return setSkeleton(this.sinew, rig, operation.skeleton);
      case 'unbind': {
        // The core keeps weights of bones that it knows by name: none are known after this.
        const { jointNames: names, jointParents: parents, jointRests: rests, boneJoints, boneTails, boneInverseBinds } = rig;
        rig.setSkeleton({ parents, rests, boneJoints, boneTails, boneInverseBinds });
        rig.setSkeleton({ parents, rests, names, boneJoints, boneTails, boneInverseBinds });
        return null;
      }
      case 'motion': {
        const motion = this.sinew.read(operation.file as Uint8Array<ArrayBuffer>, { format: 'bvh' });
        try {
          return rig.retarget(motion, 0, { name: operation.name });
        } finally {
          motion.free();
        }
      }
    }
  }

  private pose(moment: FrameRequest): { pose: CorePose; told: Pose | undefined } {
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

  private playing(moment: FrameRequest): { pose: CorePose; told: Pose | undefined } {
    const { rig: id, keys, time = 0 } = moment;
    let key = `${id}`;
    let clip = moment.clip ?? 0;
    let rig = this.rig(id);
    if (keys !== undefined) {
      key = `${id}:${keys}`;
      rig = this.played.get(key, () => {
        const copy = this.rig(id).copy();
        copy.addKeys(keys);
        return copy;
      });
      clip = rig.findClip((JSON.parse(keys) as { name: string }).name);
    }
    const pose = this.poses.get(key, () => new this.sinew.Pose(rig));
    pose.play(clip, time);
    return { pose, told: moment.told ? toldOf(pose) : undefined };
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
    const deformer = this.deformers.get(`${id}:${method}`, () => new this.sinew.Deformer(rig, method));
    const { vertices } = this.revision(id).info;
    const positions = new Float32Array(3 * vertices);
    const normals = new Float32Array(3 * vertices);
    deformer.deform(pose, positions, { normals });
    return { positions, normals };
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
      jointFrames: none,
      boneHeads: none,
      boneTails: none,
      boneTwists: none,
      surfaces: request.methods.map(() => this.restSurface(request.rig)),
    };
  }
}

function toldOf(pose: CorePose): Pose {
  const json = pose.toJson() as { joints: Pose['joints']; shapes?: Record<string, number>; controls?: Record<string, number> };
  return { joints: json.joints, shapes: json.shapes, controls: json.controls };
}

// A bone whose tail is at no joint turns towards the goal, and gets as long as it takes where its length is free.
function dragTail(info: RigInfo, pose: CorePose, told: Pose, drag: TailDrag): Pose {
  const bone = info.bones[drag.bone];
  const joint = info.joints[bone.joint];
  const head = vecAt(pose.boneHeads, drag.bone);
  const tail = vecAt(pose.boneTails, drag.bone);
  const frames = pose.jointFrames;
  const turn = between(sub(tail, head), sub(drag.position, head));
  const parent = joint.parent < 0 ? ([0, 0, 0, 1] as const) : rotationAt(frames, joint.parent);
  const local = multiply(multiply(conjugate(parent), turn), parent);
  const said = told.joints[joint.key] ?? {};
  const rotation = unit(multiply(local, said.rotation ?? joint.rest.rotation));
  const rest = length(sub(bone.tail, bone.head));
  const wanted = length(sub(drag.position, head)) / (rest || 1);
  const stretch = drag.lengths === 'kept' ? said.stretch : Math.max(drag.lengths === 'free' ? 0.05 : 1, wanted);
  return { ...told, joints: { ...told.joints, [joint.key]: { ...said, rotation, stretch: stretch ?? 1 } } };
}

function vertexNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(positions.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const [a, b, c] = corners.map((v) => vecAt(positions, v));
    const u = sub(b, a);
    const w = sub(c, a);
    const n: Vec3 = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    for (const v of corners) for (let k = 0; k < 3; ++k) normals[3 * v + k] += n[k];
  }
  for (let v = 0; v < normals.length; v += 3) {
    const l = Math.hypot(normals[v], normals[v + 1], normals[v + 2]) || 1;
    for (let k = 0; k < 3; ++k) normals[v + k] /= l;
  }
  return normals;
}

/** What the page is told of a rig. */
export function infoOf(sinew: Sinew, rig: Rig): RigInfo {
  const names = rig.jointNames;
  const keys = jointKeys(names);
  const parents = rig.jointParents;
  const rests = rig.jointRests;
  const boneJoints = rig.boneJoints;
  const tailJoints = rig.boneTailJoints;
  const heads = rig.boneHeads;
  const tails = rig.boneTails;
  const movable = new Set<string>();
  if (names.length > 0) {
    // What a pose of all joints leaves out is computed, or a node of the scene.
    const pose = new sinew.Pose(rig);
    for (const key of Object.keys(toldOf(pose).joints)) movable.add(key);
    pose.free();
  }
  const numbers = (from: number, count: number): number[] => [...rests.slice(from, from + count)];
  const pairs = (flat: Float64Array): [number, number][] =>
    Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
  const shapeDefaults = rig.shapeDefaults;
  const controlDefaults = rig.controlDefaults;
  const hasWeights = rig.influenceCount > 0;
  return {
    vertices: rig.vertexCount,
    triangles: rig.triangleCount,
    hasWeights,
    hasEndpoints: hasWeights && rig.endpoints !== null,
    hasTwistEndpoints: hasWeights && rig.twistEndpoints !== null,
    joints: names.map((name, j) => ({
      key: keys[j],
      name,
      parent: parents[j],
      driven: !movable.has(keys[j]),
      isNode: !movable.has(keys[j]) && !boneJoints.includes(j) && !tailJoints.includes(j),
      rest: {
        translation: numbers(10 * j, 3) as unknown as Vec3,
        rotation: numbers(10 * j + 3, 4) as unknown as [number, number, number, number],
        scale: numbers(10 * j + 7, 3) as unknown as Vec3,
      },
    })),
    bones: Array.from(boneJoints, (joint, b) => ({
      joint,
      tailJoint: tailJoints[b],
      head: vecAt(heads, b),
      tail: vecAt(tails, b),
      stretchFilter: pairs(rig.stretchFilter(b)),
      twistFilter: pairs(rig.twistFilter(b)),
    })),
    clips: rig.clips.map(({ name, duration }) => ({ name, duration })),
    shapes: rig.shapeNames.map((name, s) => ({ name, rest: shapeDefaults[s] })),
    controls: rig.controlNames.map((name, c) => ({ name, rest: controlDefaults[c] })),
    notes: rig.notes,
  };
}

