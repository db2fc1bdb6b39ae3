// SPDX-License-Identifier: Apache-2.0
// What the page and its Workers say to each other. The Worker owns rigs, poses and deformers; the page knows
// revisions of rigs by number, and gets plain data.
import type { Channel, Muscle, Pose, Quat, RigRef, Vec3 } from '../state/document';
import type { Lengths, PaintMode, PaintTarget } from '../state/session';
import type { BakeReport, CorrectiveReport, MethodMeasures, OperationReport, WeightReport } from './reports';

/** A step of the core's `edit`, as in { smooth: 3, where: 'forearm.L' }. */
export type EditStep = Readonly<Record<string, unknown>>;

export interface Dab {
  readonly triangle: number;
  readonly barycentric: Vec3;
}

/** A stroke as the core's strokes files have it. */
export interface Stroke {
  readonly target: PaintTarget;
  readonly mode: PaintMode;
  readonly bone?: string | number;
  readonly value?: number;
  readonly radius: number;
  readonly strength: number;
  readonly mirror?: boolean;
  readonly dabs: readonly Dab[];
}

/** A skeleton edited by hand: joints in mesh space. New ones have the world's axes, others keep theirs. */
export interface SkeletonEdit {
  readonly joints: readonly {
    readonly name: string;
    readonly parent: number;
    readonly position: Vec3;
    /** Which joint of the revision before this one was; -1: a new one. */
    readonly was: number;
    /** Where its bone ends, if it ends at no joint; missing: inferred. */
    readonly tail?: Vec3;
  }[];
}

export interface WeightsRequest {
  /** Missing: keep the bone weights. */
  readonly method?: string;
  readonly endpoints?: string;
  readonly influences?: number;
  /** Names of joints whose bones are computed anew; all others keep their share. Missing: all. */
  readonly only?: readonly string[];
}

/** What makes a revision of a rig out of another. Kept, so that it can be done again. */
export type RigOperation =
  | { readonly kind: 'edit'; readonly steps: readonly EditStep[] }
  | { readonly kind: 'paint'; readonly strokes: readonly Stroke[]; readonly locks: readonly string[] }
  | { readonly kind: 'skeleton'; readonly skeleton: SkeletonEdit }
  /** Numbers of bones, and what they get; null: no muscle. */
  | { readonly kind: 'muscle'; readonly bones: readonly number[]; readonly muscle: Muscle | null }
  /** The number of a blend shape that follows the pose no longer. */
  | { readonly kind: 'release'; readonly shape: number }
  /** Bones of a picture, those whose skin lies farthest back first. */
  | { readonly kind: 'layers'; readonly order: readonly number[] }
  /** Bones stay, weights go. */
  | { readonly kind: 'unbind' }
  /** The first clip of a recorded motion (.bvh), laid onto the skeleton by the names of joints, or as the map says. */
  | { readonly kind: 'motion'; readonly name: string; readonly file: Uint8Array; readonly map?: MotionMap };

/** Joints of a motion, and those of the character that they move. */
export type MotionMap = Readonly<Record<string, string | readonly string[] | null>>;

export interface MeshData {
  /** 3 numbers per vertex, mesh space at bind time. */
  readonly positions: Float32Array;
  readonly normals: Float32Array | null;
  readonly normalCorners: Uint32Array | null;
  readonly uvs: Float32Array | null;
  readonly uvCorners: Uint32Array | null;
  readonly colors: Float32Array | null;
  readonly triangles: Uint32Array;
  /** First triangle and count for each part. */
  readonly parts: Uint32Array;
  readonly materials: readonly string[];
}

/** Influences of vertex v: offsets[v] to offsets[v + 1] - 1. */
export interface SkinData {
  readonly offsets: Uint32Array;
  readonly bones: Int32Array;
  readonly weights: Float32Array;
  readonly endpoints: Float32Array | null;
  readonly twistEndpoints: Float32Array | null;
}

/** Rows that painting changed, as they are now: row r is that of vertex vertices[r]. */
export interface PaintedRows extends SkinData {
  readonly vertices: Uint32Array;
}

export interface PaintRequest {
  /** What is painted on; its weights stay, see `painted`. */
  readonly rig: number;
  readonly locks: readonly string[];
  /** Dabs since the last call. */
  readonly strokes: readonly Stroke[];
}

/** Where something that is dragged should be, in world space. */
export interface Drag {
  /** Joint keys and their goals. */
  readonly goals: readonly { readonly joint: string; readonly position: Vec3 }[];
  readonly lengths: Lengths;
  readonly pins: readonly string[];
}

/** The tail of a bone that ends at no joint, dragged: the bone turns and stretches. */
export interface TailDrag {
  readonly bone: number;
  readonly position: Vec3;
  readonly lengths: Lengths;
  /** Whether the bone of the other side becomes its mirror image. */
  readonly both?: boolean;
}

export interface Moment {
  readonly rig: number;
  /** A pose, and what is dragged in it. */
  readonly pose?: Pose;
  readonly drag?: Drag;
  readonly tail?: TailDrag;
  /** Or a clip of the rig, or one made of keys, at a time. */
  readonly clip?: number;
  readonly keys?: { readonly name: string; readonly text: string };
  readonly time?: number;
}

export interface FrameRequest extends Moment {
  /** A surface for each. */
  readonly methods: readonly string[];
  /** The pose for the GPU, which knows all of the methods. */
  readonly forGpu?: boolean;
  /** No vertices are computed. */
  readonly noSurfaces?: boolean;
  /** With the weights that are being painted on that rig. */
  readonly isPainted?: boolean;
}

/** A pose as the shaders of sinew-three read it, and how they blend. */
export interface GpuPoseData {
  readonly texels: Float32Array;
  readonly blend: number;
}

/** A rig as these shaders read it; docs/gpu.md has the layout. */
export interface GpuData {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly vertices: Float32Array;
  readonly influences: Float32Array<ArrayBuffer>;
  readonly gradients: Float32Array<ArrayBuffer> | null;
  readonly deltaRanges: Float32Array | null;
  readonly deltas: Float32Array<ArrayBuffer> | null;
}

export interface Surface {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
}

/** A rig in a pose. */
export interface Frame {
  readonly rig: number;
  /** The pose after the drag; the pose that was asked for otherwise. Of a clip: as it is then. */
  readonly pose: Pose;
  /** Of a clip: the time that was asked for. */
  readonly time: number | undefined;
  /** 16 numbers per joint: from its frame to world space. */
  readonly jointFrames: Float64Array;
  readonly boneHeads: Float64Array;
  readonly boneTails: Float64Array;
  /** 2 numbers per bone, radians at head and tail. */
  readonly boneTwists: Float64Array;
  /** A number per bone: how much its muscle is tensed. */
  readonly bulges: Float64Array;
  /** Weights of the blend shapes, with those that are computed. */
  readonly shapes: Float64Array;
  /** One for each method, or none. */
  readonly surfaces: readonly Surface[];
  readonly poses: readonly GpuPoseData[];
}

export interface MethodInfo {
  readonly name: string;
  readonly summary: string;
  readonly readsEndpoints: boolean;
  readonly isOnGpu: boolean;
}

export interface Catalogue {
  readonly version: string;
  readonly methods: readonly MethodInfo[];
  readonly weightMethods: readonly string[];
  readonly endpointMethods: readonly string[];
  readonly samples: Readonly<Record<string, string>>;
  readonly samplePictures: Readonly<Record<string, string>>;
  readonly loops: readonly string[];
}

/** A revision made of another; null: there is nothing to say of it. */
export interface Derived {
  readonly rig: RigRef;
  readonly report: OperationReport | null;
}

/** Calls that the Worker answers; each is a name, arguments and a result. */
export interface Calls {
  /** The addresses of what the Worker loaded. */
  loaded(): string[];
  catalogue(): Catalogue;
  open(bytes: Uint8Array, format: string): RigRef;
  sample(name: string, vertices: number): RigRef;
  derive(rig: number, operation: RigOperation): Derived;
  /** Forgets all revisions but these and what they are made of. Says how many are left. */
  release(keep: readonly number[]): number;
  mesh(rig: number): MeshData;
  skin(rig: number): SkinData;
  /** For sinew-three's shaders. */
  gpu(rig: number): GpuData;
  /** For each method what is wrong at each vertex: bits of sinew_fault. Stretch that was asked for is not. */
  faults(moment: Moment, methods: readonly string[]): Uint8Array[];
  frame(request: FrameRequest): Frame;
  /** The channels of a clip of the rig, with its keys. */
  channels(rig: number, clip: number): Channel[];
  /** Goes on painting, or begins to. */
  paint(request: PaintRequest): PaintedRows;
  /** Ends what was begun on a rig: the revision that has it, or nothing if it is not kept. */
  painted(rig: number, keep: boolean): RigRef | null;
  report(rig: number): WeightReport;
  /** A file to go on with: where bones have no weights yet, all of the skin is tied to the first, as glTF has bones only in skins. */
  pack(rig: number): Uint8Array<ArrayBuffer>;
  write(rig: number, format: string, keys: readonly string[]): Uint8Array<ArrayBuffer>;
  /** The mesh as it is in a moment, to be sculpted: an .obj. */
  posed(moment: Moment, method: string): Uint8Array<ArrayBuffer>;
}

export interface PuppetRequest {
  readonly autoBones: number;
  readonly loops: readonly string[];
}

/** What takes long is done in a Worker of its own, from bytes to bytes, so that it can be ended at any time. */
export interface Jobs {
  weights(file: Uint8Array, request: WeightsRequest): { file: Uint8Array<ArrayBuffer>; report: WeightReport };
  bake(file: Uint8Array, request: BakeRequest): { file: Uint8Array<ArrayBuffer>; report: BakeReport };
  /** An animation of pictures of one size, 4 bytes a pixel, that repeats for ever. */
  film(request: FilmRequest): Uint8Array<ArrayBuffer>;
  /** A sculpted mesh as a blend shape that the pose turns on. */
  correct(file: Uint8Array, request: CorrectRequest): { file: Uint8Array<ArrayBuffer>; report: CorrectiveReport };
  measure(file: Uint8Array, pose: Pose, methods: readonly string[]): readonly MethodMeasures[];
  /** A built-in drawing, with its own bones and motion. */
  drawing(name: string): Uint8Array<ArrayBuffer>;
  puppet(picture: Uint8Array, request: PuppetRequest): Promise<Uint8Array<ArrayBuffer>>;
}

export interface CorrectRequest {
  /** Of the blend shape. */
  readonly name: string;
  readonly pose: Pose;
  /** The mesh as it is to look in that pose, in a file with this ending. */
  readonly sculpted: Uint8Array;
  readonly format: string;
  /** That shows it. */
  readonly method: string;
  /** Names of the joints whose turns count; missing: those that the pose turns. */
  readonly joints?: readonly string[];
  /** How far in degrees from its pose it matters; missing: everywhere. */
  readonly radius?: number;
}

export interface FilmRequest {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Uint8ClampedArray<ArrayBuffer>[];
  readonly secondsPerFrame: number;
  readonly format: 'gif' | 'apng';
}

export interface BakeRequest {
  readonly segments?: number;
  readonly maxErrorPercent?: number;
  readonly influences?: number;
}

/** What a Worker does; the first message says it. */
export interface Roles {
  readonly engine: Calls;
  readonly jobs: Jobs;
}
export type Role = keyof Roles;
export type Start = { readonly module: WebAssembly.Module; readonly role: Role };

type ArgsOf<T> = { [K in keyof T]: T[K] extends (...args: infer A) => unknown ? A : never };
type ResultsOf<T> = { [K in keyof T]: T[K] extends (...args: never[]) => infer R ? Awaited<R> : never };
export type Args<R extends Role, K extends keyof Roles[R]> = ArgsOf<Roles[R]>[K];
export type Result<R extends Role, K extends keyof Roles[R]> = ResultsOf<Roles[R]>[K];

/** A call, as it goes to a Worker of that role. */
export type Request<R extends Role, K extends keyof Roles[R] = keyof Roles[R]> = {
  [Name in K]: { readonly id: number; readonly call: Name; readonly args: Args<R, Name> };
}[K];
/** What comes back: steps, then the end. */
export type Reply<R extends Role> =
  | { readonly id: number; readonly result: Result<R, keyof Roles[R]> }
  | { readonly id: number; readonly error: string; readonly code: string }
  | { readonly id: number; readonly stage: string; readonly fraction: number };

export type { Quat, Vec3 };
