// SPDX-License-Identifier: Apache-2.0
/// <reference lib="esnext.disposable" />
/**
 * The runtime alone: rigs from arrays, clips, poses, inverse kinematics, deforming. Files, weights, editing,
 * drawing and pictures are in 'sinew', whose classes have all of this, too.
 *
 *     import createSinew from 'sinew/runtime';
 *     const sinew = await createSinew();
 *     const rig = new sinew.Rig('own');
 *     rig.setMesh([[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0]], [[0, 1, 2, 3]]);
 *     rig.setSkeleton({ parents: [-1, 0], rests: [[0.5, 0, 0], [0, 1, 0]], names: ['lower', 'upper'] });
 *     rig.setWeights([[1, 0], [1, 0], [0, 1], [0, 1]]);
 *     const pose = new sinew.Pose(rig);
 *     pose.setJoint('upper', { rotation: [0, 0, 0.6, 0.8] });
 *     const positions = new sinew.Deformer(rig, 'lbs').deform(pose); // Float32Array, 3 numbers per vertex
 *
 * Numbers: metres, y up, right-handed; angles in radians, but degrees in JSON; vertices, joints and bones count
 * from 0, -1 is none. A transform is ten numbers: translation (3), rotation as a quaternion x, y, z, w (4),
 * scale (3). A matrix is sixteen numbers, column by column, as three.js and WebGL have them.
 *
 * Arrays in are flat typed arrays of any kind, flat lists, or lists of rows; they are copied. Arrays out are flat,
 * and copies that belong to you, unless said otherwise: keep them rather than asking for them in a loop.
 *
 * Objects hold memory of the WebAssembly module: free() gives it back at once, `using` does so at the end of the
 * block, and what is forgotten is freed with the garbage, sooner or later. Objects do not depend on each other: a pose or deformer
 * keeps the rig as it was when they were made. All calls are synchronous: do long ones in a worker.
 */

/** Any typed array of numbers. */
export type NumberArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** Numbers in: flat, or as rows, as in [[0, 0, 0], [0, 1, 0]]. */
export type Numbers = NumberArray | readonly number[] | readonly (readonly number[] | NumberArray)[];

/** Something of a rig by its name or number. */
export type Key = string | number;

/** What became of a call, by the names that the C interface has for it. */
export type StatusName =
  | 'SINEW_ERROR_USAGE' // a name, number or size that makes no sense
  | 'SINEW_ERROR_INPUT' // data or a file that breaks a rule; the message names the place
  | 'SINEW_ERROR_FILE'
  | 'SINEW_CANCELLED' // a progress function returned false
  | 'SINEW_ERROR_MEMORY'
  | 'SINEW_ERROR_HANDLE' // an object that was freed
  | 'SINEW_ERROR_INTERNAL'; // a fault of Sinew: please report it

/** Everything that Sinew throws. A call that throws has changed nothing. */
export class SinewError extends Error {
  readonly name: 'SinewError';
  /** The number of the status in sinew.h. */
  readonly status: number;
  /** Its name. */
  readonly code: StatusName;
}

/**
 * Called now and then by what takes long, with what is being done and how much of the whole is done (0 to 1).
 * Cancels by returning false: the call then throws a SinewError with the code SINEW_CANCELLED. What it throws ends
 * the call, too, and arrives at the caller. To cancel from outside of a worker, look at a SharedArrayBuffer in here.
 */
export type Progress = (stage: string, fraction: number) => boolean | void;

/** How the module is found and run. */
export interface RuntimeOptions {
  /** The bytes of the .wasm file, or the module compiled from them; else it is fetched, or read by node. */
  wasmBinary?: BufferSource | WebAssembly.Module;
  /** Where the .wasm file is, if it does not lie beside the script. */
  wasmUrl?: string | URL;
}

/** What all objects have. */
export interface Handle {
  /** Gives the memory back. What is called afterwards throws; freeing twice is fine. */
  free(): void;
  /** Whether free() was called. */
  readonly isFree: boolean;
  [Symbol.dispose](): void;
}

/** A blend shape: how far vertices move at weight 1. */
export interface Shape {
  name: string;
  /** Which vertices move; null: all of them. */
  vertices: Uint32Array | null;
  /** 3 numbers each. */
  positions: Float64Array;
  /** 3 numbers each. */
  normals: Float64Array | null;
  /** 3 numbers each. */
  tangents: Float64Array | null;
  /** Its weight at rest. */
  default: number;
}

export type ChannelTarget = 'translation' | 'rotation' | 'scale' | 'shapes' | 'control' | 'euler';
export type Interpolation = 'step' | 'linear' | 'hermite' | 'bezier';

/** One curve of a clip and what it moves. */
export interface Channel {
  /**
   * 'translation', 'rotation' (quaternions x, y, z, w) or 'scale' of a joint, 'shapes' (the weights of the shapes
   * from `index` on) or 'control'; 'euler' is only read.
   */
  target: ChannelTarget;
  /** The joint, shape or control; a number when read. */
  index: Key;
  /** In seconds, ascending. */
  times: Numbers;
  /** As many for each key as the target has numbers; empty when read for 'shapes' and 'euler'. */
  values: Numbers;
  /** Missing: 'linear'. 'hermite' has a slope per second before and after each key; 'bezier' is only read. */
  interpolation?: Interpolation;
  inSlopes?: Numbers | null;
  outSlopes?: Numbers | null;
}

/** A clip as it was when it was asked for. Its channels have typed arrays. */
export interface Clip {
  name: string;
  /** In seconds. */
  duration: number;
  channels: Channel[];
}

/** What else a mesh can have. */
export interface MeshOptions {
  /** 3 numbers per vertex, or per value if there are normal corners. */
  normals?: Numbers;
  /** Which normal each corner of each face has. */
  normalCorners?: Numbers;
  /** 2 numbers, v upwards, as normals. */
  uvs?: Numbers;
  uvCorners?: Numbers;
  /** 4 numbers per vertex, the last is the handedness. */
  tangents?: Numbers;
  /** 3 or 4 numbers per vertex: linear red, green, blue, alpha. */
  colors?: Numbers;
  /** 4 vertices each. */
  tetrahedra?: Numbers;
}

/** Faces: triangles, flat or as rows; or a list of faces with any number of corners; or where each begins and all corners. */
export type Faces = Numbers | { offsets: Numbers; corners: Numbers };

/** A skeleton, as joints (`parents` and `rests`) or as `points` and `segments` between them. */
export interface SkeletonOptions {
  /** The joint above each; -1: a root. */
  parents?: Numbers;
  /** 3 numbers, translations, or 10, transforms, per joint, against its parent. */
  rests?: Numbers;
  /** The names of the joints or points. */
  names?: readonly string[];
  /** The joint of each bone; missing: a bone for each joint, to its child or an inferred tail. */
  boneJoints?: Numbers;
  /** 3 numbers each, mesh space at bind time; missing: inferred. */
  boneTails?: Numbers;
  /** 16 numbers each; missing: bound at rest. */
  boneInverseBinds?: Numbers;
  /** 3 numbers each: joints at these points. */
  points?: Numbers;
  /** 2 points each: from, to. A bone for each. */
  segments?: Numbers;
}

/** What else weights can have; endpoint weights have the form of the weights. */
export interface WeightArrays {
  /** The bone of each weight; as many per vertex as there are weights, as in glTF, unless there are offsets. */
  bones?: Numbers;
  /** Where each vertex's weights begin, and the end of the last. */
  offsets?: Numbers;
  endpoints?: Numbers | null;
  twistEndpoints?: Numbers | null;
}

export interface ShapeOptions {
  /** Which vertices move, ascending; missing: all of them. */
  vertices?: Numbers;
  /** 3 numbers each. */
  normals?: Numbers;
  /** Its weight at rest; missing: 0. */
  default?: number;
}

/** A mesh, a skeleton, what ties them, and clips. */
export interface RuntimeRig extends Handle {
  readonly name: string;
  readonly jointNames: string[];
  /** Each that of its joint. */
  readonly boneNames: string[];
  readonly partNames: string[];
  /** Of each part. */
  readonly materialNames: string[];
  readonly shapeNames: string[];
  readonly clipNames: string[];
  readonly controlNames: string[];
  /** Oddities of the file that was read, and how they were taken. */
  readonly notes: string[];
  readonly vertexCount: number;
  readonly triangleCount: number;
  readonly jointCount: number;
  readonly boneCount: number;
  /** Of all vertices together. */
  readonly influenceCount: number;
  /** How many joints there are that others or controls move. */
  readonly driverCount: number;
  /** How many drivers of blend shapes there are. */
  readonly shapeDriverCount: number;
  /** How many examples of poses there are that turn blend shapes on. */
  readonly correctiveCount: number;

  /** The number of the joint of that name; -1 if there is none. */
  findJoint(name: string): number;
  findBone(name: string): number;
  findClip(name: string): number;
  findShape(name: string): number;
  findControl(name: string): number;

  /** 3 numbers per vertex, mesh space at bind time. */
  readonly positions: Float64Array;
  /** 3 vertices each. */
  readonly triangles: Uint32Array;
  /** 3 numbers per vertex, or per value if there are normal corners; null if there are none. */
  readonly normals: Float64Array | null;
  /** Which normal each corner of each face has; null: that of its vertex. */
  readonly normalCorners: Uint32Array | null;
  /** 2 numbers, v upwards, as normals. */
  readonly uvs: Float64Array | null;
  readonly uvCorners: Uint32Array | null;
  /** 4 numbers per vertex, the last is the handedness. */
  readonly tangents: Float64Array | null;
  /** 4 numbers per vertex: linear red, green, blue, alpha. */
  readonly colors: Float64Array | null;
  /** Where each face begins in polygonCorners, and the end of the last; null if all are triangles. */
  readonly polygonOffsets: Uint32Array | null;
  readonly polygonCorners: Uint32Array | null;
  /** 4 vertices each. */
  readonly tetrahedra: Uint32Array | null;
  /** 2 numbers per part: its first triangle, and how many it has. */
  readonly partTriangles: Uint32Array;
  /** The joint above each; -1: a root. */
  readonly jointParents: Int32Array;
  /** 10 numbers per joint, against its parent. */
  readonly jointRests: Float64Array;
  /** 3 numbers per joint, in its own frame: along its bone, about which it twists; 0 without a bone. */
  readonly jointTwistAxes: Float64Array;
  /** The joint of each bone. */
  readonly boneJoints: Int32Array;
  /** The joint at the tail of each bone; -1: there is none. */
  readonly boneTailJoints: Int32Array;
  /** 3 numbers per bone, mesh space at bind time. */
  readonly boneHeads: Float64Array;
  readonly boneTails: Float64Array;
  /** 16 numbers per bone: matrices from mesh space into the joints' frames. */
  readonly boneInverseBinds: Float64Array;
  /** Where each vertex's influences begin in the arrays below, and the end of the last. */
  readonly weightOffsets: Uint32Array;
  /** The bone of each influence. */
  readonly weightBones: Int32Array;
  /** The weight of each influence. */
  readonly weights: Float64Array;
  /** The endpoint weight of each influence, 0 at the bone's head and 1 at its tail; null if there are none. */
  readonly endpoints: Float64Array | null;
  /** Endpoint weights for twist where they differ; null: as endpoints. */
  readonly twistEndpoints: Float64Array | null;
  /** The weights of the blend shapes at rest. */
  readonly shapeDefaults: Float64Array;
  /** The values of the controls at rest. */
  readonly controlDefaults: Float64Array;
  /** 2 numbers per point of the curve from endpoint weight to endpoint weight; empty: none. */
  stretchFilter(bone: Key): Float64Array;
  twistFilter(bone: Key): Float64Array;
  shape(shape: Key): Shape;
  clip(clip: Key): Clip;
  readonly clips: Clip[];

  /** Replaces the mesh and its shapes. Weights are kept if the number of vertices is the same, and dropped if not. */
  setMesh(positions: Numbers, faces?: Faces, options?: MeshOptions): void;
  /**
   * Replaces the skeleton, and keeps what can be kept: weights, filters and channels of clips follow their bones and
   * joints by name; those of bones and joints that are gone are dropped, and the other weights of a vertex scaled to
   * the same sum. The mesh, shapes, controls, base colours and base textures stay.
   */
  setSkeleton(skeleton: SkeletonOptions): void;
  /**
   * Replaces bone weights and both kinds of endpoint weights: a row for each vertex, with a number for each bone, or,
   * with `bones`, for each slot; or, with `offsets`, one number for each influence.
   */
  setWeights(weights: Numbers, options?: WeightArrays): void;
  /** Adds a blend shape: how far all vertices, or these, move at weight 1, 3 numbers each. */
  addShape(name: string, positions: Numbers, options?: ShapeOptions): void;
  /** Adds a free parameter to animate. */
  addControl(name: string, defaultValue?: number): void;
  /** Adds a clip of curves at the end. */
  addClip(name: string, channels: readonly Channel[]): void;
  /** Removes a clip; those after it move up. */
  removeClip(clip: Key): void;
  /** A copy, to be changed on its own. */
  copy(): this;
}

export interface PoseOptions {
  /** Stretched bones get thinner and keep their volume. */
  squash?: boolean;
  /** Methods whose bones do not twist or stretch are given as much as they can express. */
  sameIntent?: boolean;
  /** Twists go on from the last pose, through full turns. */
  follow?: boolean;
}

/** A joint against its parent; what is missing stays as it is. */
export interface JointChange {
  translation?: ArrayLike<number>;
  /** A quaternion x, y, z, w. */
  rotation?: ArrayLike<number>;
  scale?: ArrayLike<number>;
}

/** The joints, shapes and controls of a rig at one moment, and where the bones are then. */
export interface RuntimePose extends Handle {
  /** Back to rest. */
  rest(): void;
  /** A clip at a time in seconds; before its start and after its end it stands still. */
  play(clip: Key, time: number): void;
  setJoint(joint: Key, change: JointChange): void;
  /** 10 numbers per joint against its parent. Assign to it to set all of them: changing what you got does nothing. */
  get joints(): Float64Array;
  set joints(transforms: Numbers);
  /** The weights of all blend shapes. Assign to it to set them. */
  get shapes(): Float64Array;
  set shapes(weights: Numbers);
  /** All controls. Assign to it to set them. */
  get controls(): Float64Array;
  set controls(values: Numbers);
  /** 16 numbers per joint: matrices from its frame to world space. */
  readonly jointFrames: Float64Array;
  /** 3 numbers per bone, world space. */
  readonly boneHeads: Float64Array;
  readonly boneTails: Float64Array;
  /** 4 numbers per bone: how it has turned since bind time. */
  readonly boneRotations: Float64Array;
  /** 2 numbers per bone: its twist at head and tail, in radians. */
  readonly boneTwists: Float64Array;
  /** A number per bone: the drive of its muscle, by which the skin swells across the bone; 0 without one. */
  readonly boneBulges: Float64Array;
  /** 16 numbers per bone: matrices from mesh space at bind time to world space. */
  readonly boneFrames: Float64Array;
}

/** A joint that can be given a goal. */
export interface IkHandle {
  joint: Key;
  /** The first joint above it that turns; missing: two bones lie between, as in an arm. */
  root?: Key | null;
  /** Of the bones: missing 'kept'; longer where the goal is out of reach; or the joint is dragged and its neighbours stretch. */
  lengths?: 'kept' | 'beyond-reach' | 'free';
  /** What the children of a joint that is dragged do; missing: 'automatic'. */
  children?: 'automatic' | 'follow' | 'stay';
}

/** How a joint's rotation is limited, relative to rest, in radians. */
export interface IkLimit {
  joint: Key;
  /**
   * 'cone': at most max[0] away from the axis, twisted by min[1] to max[1] about it; 'hinge': min[0] to max[0] about
   * the axis; 'axes': each component of the rotation vector from min to max.
   */
  kind: 'cone' | 'hinge' | 'axes';
  min: ArrayLike<number>;
  max: ArrayLike<number>;
  /** A unit vector in the joint's frame; not for 'axes'. */
  axis?: ArrayLike<number>;
}

/** Where a handle should be, in world space. */
export interface IkGoal {
  /** Missing: where the pose has it, a pin. */
  position?: ArrayLike<number>;
  /** Of the joint's frame, a quaternion; missing: it turns with its parent. */
  rotation?: ArrayLike<number>;
  /** The chain bends towards this point; missing: as in the pose. */
  pole?: ArrayLike<number>;
  /** From 0, which counts fully, to 1, as if there were no handle. */
  release?: number;
}

export interface IkOptions {
  /** In place of those that the rig keeps for the same joints. */
  limits?: readonly IkLimit[];
  /** false: limits that the rig keeps do not hold. */
  rigLimits?: boolean;
  /** The part of a chain's length before full extension in which it slows down. */
  softness?: number;
}

/** A skeleton prepared for handles that are dragged. */
export interface Ik extends Handle {
  /**
   * Changes a pose so that handles are at their goals; a list of three numbers is a position. As an object or map by
   * joint, as the handles named them: those without a goal are pins. As a list: one for each handle, in their order.
   * Returns how far each handle is from its goal.
   */
  solve(
    pose: RuntimePose,
    goals:
      | Readonly<Record<string, IkGoal | ArrayLike<number> | null>>
      | ReadonlyMap<Key, IkGoal | ArrayLike<number> | null>
      | readonly (IkGoal | ArrayLike<number> | null)[],
  ): Float64Array;
}

export interface DeformerOptions {
  /** Of the method, see methods(); what is missing has the default for this rig. A list for settings that take one. */
  settings?: Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;
  /** Binding and normals take less time, and normals deviate where weights change. */
  roughNormals?: boolean;
  /** In double precision, slowly, to check against. */
  reference?: boolean;
}

/** Floats to write to, vertex after vertex, or as part of interleaved ones: `offset` and `stride` are in floats. */
export type FloatTarget = Float32Array | { array: Float32Array; offset: number; stride: number };

/** A deformed mesh, in world space. */
export interface Posed {
  /** 3 numbers per vertex. */
  positions: Float32Array;
  /** 3 numbers per vertex, unit length. */
  normals: Float32Array | null;
  /** 4 numbers per vertex, the last is the handedness. */
  tangents: Float32Array | null;
}

/** Where a rig is to be: in a pose, or at a time of a clip; in neither: at rest. */
export interface RuntimeMoment {
  pose?: RuntimePose;
  clip?: Key;
  /** In seconds. */
  time?: number;
}

/** A rig bound to a method, to be deformed in one pose after another. */
export interface RuntimeDeformer extends Handle {
  readonly method: string;
  readonly vertexCount: number;
  /** Those of the rig. */
  readonly triangles: Uint32Array;
  /**
   * Deforms the rig in a pose. Into `positions` if they are given, and into normals and tangents where they are;
   * returns what it wrote the positions to.
   */
  deform(pose: RuntimePose): Float32Array;
  deform<T extends FloatTarget>(
    pose: RuntimePose,
    positions: T,
    others?: { normals?: FloatTarget; tangents?: FloatTarget },
  ): T;
  /** The same into new arrays. */
  at(moment?: RuntimeMoment, wanted?: { normals?: boolean; tangents?: boolean }): Posed;
  /**
   * The same without any copy: arrays that show memory of the module, valid until the next call of anything in it.
   * For an upload to the GPU.
   */
  view(pose: RuntimePose, wanted?: { normals?: boolean; tangents?: boolean }): Posed;
  /** Another one that shares what was computed, for another character. */
  copy(): this;
}

/** A rig as shaders read it; docs/gpu.md has the layout, bindings/shaders the shaders. */
export interface RuntimeGpuSkin extends Handle {
  /** 3 numbers per vertex, the mesh at bind. */
  readonly positions: Float32Array;
  /** 3 numbers per vertex; those of the triangles if the rig has none. */
  readonly normals: Float32Array;
  /** 4 numbers per vertex. */
  readonly tangents: Float32Array | null;
  /** 4 numbers per vertex: first influence, how many, how many with those of neighbours, share of dual quaternions. */
  readonly vertices: Float32Array;
  /** Texels in whole rows of a texture: bone, weight, endpoint weights of stretch and twist. */
  readonly influences: Float32Array;
  /** Three texels for each influence, if asked for. */
  readonly gradients: Float32Array | null;
  /** 2 numbers per vertex, if there are shapes: first delta, how many. */
  readonly deltaRanges: Float32Array | null;
  /** Three texels for each shape that moves a vertex. */
  readonly deltas: Float32Array | null;
  /** The texels of a pose, 4 numbers each; `method`: missing 'stbs-dqs'. Into `out` if it is given. */
  pose(moment?: RuntimePose | RuntimeMoment, options?: { method?: string; out?: Float32Array }): Float32Array;
}

export interface GpuSkinConstructor<Rig, GpuSkin> {
  /** `gradients`: also what normals need that are those of the deformed surface. */
  new (rig: Rig, options?: { gradients?: boolean }): GpuSkin;
  /** How the shaders blend by a method: 0 linearly, 1 by dual quaternions, -1 by the share of each vertex. */
  blend(method: string): number;
}

/** A way to deform, and what it needs and can do. */
export interface Method {
  name: string;
  /** One line. */
  summary: string;
  /** Reads endpoint weights. */
  readsEndpoints: boolean;
  /** Bones twist along their length. */
  twists: boolean;
  /** A bone that changes length scales all of its skin along its axis. */
  scales: boolean;
  /** What Deformer takes as settings, with a line about each. */
  settings: Record<string, string>;
}

/** What both modules have. */
export interface SinewBase {
  readonly version: string;
  readonly SinewError: typeof SinewError;
  /** The methods to deform by. */
  methods(): Record<string, Method>;
  /** How many threads one call may use; 0: as many as there are. The single-threaded module has one, whatever is set. */
  setThreadCount(count: number): void;
  threadCount(): number;
  /** How many objects there are that were not freed. */
  handleCount(): number;
  /** How many bytes of memory the module has; it grows as needed, to 4 GB, and never shrinks. */
  memorySize(): number;
}

/** The runtime module. */
export interface SinewRuntime extends SinewBase {
  readonly Rig: new (name?: string) => RuntimeRig;
  readonly Pose: new (rig: RuntimeRig, options?: PoseOptions) => RuntimePose;
  /** `method`: missing 'stbs-dqs'. */
  readonly Deformer: new (rig: RuntimeRig, method?: string, options?: DeformerOptions) => RuntimeDeformer;
  readonly GpuSkin: GpuSkinConstructor<RuntimeRig, RuntimeGpuSkin>;
  readonly Ik: new (rig: RuntimeRig, handles: readonly (IkHandle | Key)[], options?: IkOptions) => Ik;
}

/** Loads the module. Several can be loaded; objects of one do not fit another. */
export default function createSinew(options?: RuntimeOptions): Promise<SinewRuntime>;
