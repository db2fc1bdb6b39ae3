// SPDX-License-Identifier: Apache-2.0
/**
 * Sinew: stretchable, twistable bones for any character.
 *
 *     import createSinew from 'sinew';
 *     const sinew = await createSinew();
 *     const rig = sinew.sample('mannequin'); // or sinew.read(bytes, { format: 'glb' })
 *     const report = rig.computeWeights('bbw', { progress: (stage, fraction) => fraction < 2 });
 *     const deformer = new sinew.Deformer(rig, 'stbs-dqs');
 *     const { positions, normals } = deformer.at({ clip: 'walk', time: 0.5 }, { normals: true });
 *     const file = rig.toBytes('glb');
 *
 * runtime.d.ts says what holds for numbers, arrays and memory. Names are those of the Python package.
 */
import type {
  DeformerOptions,
  GpuSkinConstructor,
  Handle,
  Ik,
  IkHandle,
  IkOptions,
  Key,
  PoseOptions,
  Posed,
  Progress,
  RuntimeDeformer,
  RuntimeGpuSkin,
  RuntimeMoment,
  RuntimeOptions,
  RuntimePose,
  RuntimeRig,
  SinewBase,
} from './runtime.js';

export * from './runtime.js';

/** What JSON says. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Report = Record<string, any>;

/** How good weights are. */
export interface WeightReport extends Report {
  /** A vertex is not covered, a solver has not converged, or a bone cannot stretch. */
  poor: boolean;
}

/** The module of the npm package draco3dgltf: `await draco3d.createDecoderModule()`. */
export interface DracoDecoderModule {
  Decoder: new () => unknown;
  DecoderBuffer: new () => unknown;
}

/** MeshoptDecoder of the npm package meshoptimizer. */
export interface MeshoptDecoder {
  ready: Promise<void>;
  decodeGltfBuffer(
    target: Uint8Array,
    count: number,
    size: number,
    source: Uint8Array,
    mode: string,
    filter?: string,
  ): void;
}

export interface SinewOptions extends RuntimeOptions {
  /**
   * Run on several threads: true or how many. Takes a module of its own, and a page that is isolated
   * (`crossOriginIsolated`); elsewhere it is refused with a SinewError. Missing: one thread.
   */
  threads?: boolean | number;
  /** To read glTF with KHR_draco_mesh_compression. */
  draco?: DracoDecoderModule | Promise<DracoDecoderModule>;
  /** To read glTF with EXT_meshopt_compression. */
  meshopt?: MeshoptDecoder;
}

export interface ReadOptions {
  /** The extension: 'glb', 'gltf', 'obj', 'off', 'ply', 'mesh', 'tgf' or 'bvh'. */
  format: string;
  /** The files that a .gltf refers to, by the names that it has for them. */
  files?: Readonly<Record<string, BufferSource>>;
}

/** How weights are computed. An option that the chosen methods do not have is an error. */
export interface WeightsOptions {
  /** See endpointMethods(), or 'none'; missing: 'bbw'. */
  endpoints?: string;
  /** bbw, idw: 'bones' (the default) or 'joints'. */
  endpointsFrom?: 'bones' | 'joints';
  /** At most so many bones per vertex; missing: any number. */
  influences?: number;
  /** bbw: about how many nodes fill a surface. */
  latticeNodes?: number;
  /** voxel: cells along the longest side. */
  voxels?: number;
  /** voxel, shepard, idw: the power of the distance. */
  power?: number;
  /** shepard: how many joints move a vertex. */
  joints?: number;
  /** heat: how much heat bones give off. */
  heat?: number;
  progress?: Progress;
}

/**
 * A step of Rig.edit(): the first member is its name and argument, others say more, as in
 * { smooth: 3, where: 'forearm.L' }. null where there is no argument. See editSteps(). Where the argument is a file, it
 * is what is in the file: an object for a .json, rows of numbers for a .dmat, a Rig for another rig.
 */
export type EditStep = Readonly<Record<string, unknown>>;

/** A kind of step. */
export interface EditStepInfo {
  name: string;
  /** What its argument is called; '' if it takes none. */
  argument: string;
  help: string;
}

/** A pose as in pose files, by joints or by bones: { joints: { 'forearm.L': { bend: [40, 'x'], stretch: 1.3 } } }. */
export type PoseJson = Readonly<Record<string, unknown>>;

/** A clip through poses: { name, loop, keys: [{ time: 0, pose: { joints: {} }, ease: 'smooth' }] }. */
export interface KeysJson {
  name: string;
  loop?: boolean;
  keys: readonly Readonly<{ time: number; pose: PoseJson; ease?: string }>[];
  readonly [more: string]: unknown;
}

/** Where a rig is to be: in a pose, or at a time of a clip. */
export interface Moment extends Omit<RuntimeMoment, 'pose'> {
  pose?: RuntimePose | PoseJson | string;
}

/** How the mesh is to look in a pose. */
export interface CorrectiveExample {
  pose: RuntimePose | PoseJson | string;
  /** Three for each vertex of the rig, in world space. */
  positions: ArrayLike<number>;
  /** Of the blend shape. */
  name?: string;
}

export interface CorrectOptions {
  /** That shows the examples; missing: as for a deformer. */
  method?: string;
  /** Whose turns count; missing: those that a pose turns from rest. */
  joints?: readonly string[];
  /** How far in degrees from its pose an example matters; missing: everywhere. */
  radius?: number;
  /** A share of the mesh's size; the report lists vertices further from their example. Missing: 1e-4. */
  tolerance?: number;
  /** Bones that get longer get thinner. */
  squash?: boolean;
  progress?: Progress;
}

/** A baked rig and how far it is from the true result. */
export interface Baked {
  rig: Rig;
  report: Report;
  /** From which a script moves the helpers, where `live` asked for it. */
  table: Report | null;
}

export interface BakeOptions {
  /** Per bone; missing: as many as the bound requires. */
  segments?: number;
  /** Of a limb's radius; missing: 2, or no bound if segments are given. */
  maxErrorPercent?: number;
  /** At most per vertex; missing: 4. */
  influences?: number;
  /** Whose bones are split; missing: those that twist or stretch. */
  joints?: readonly string[];
  allBones?: boolean;
  endpoints?: string;
  /** What moves helpers outside the clips. */
  live?: 'none' | 'table' | 'vrm';
  /** Bones that get longer get thinner; not with live helpers. */
  squash?: boolean;
  progress?: Progress;
}

export interface BakeClipOptions {
  /** Missing: 'stbs-dqs'. */
  method?: string;
  /** Shapes: of the bounding box; missing: 0.1. */
  maxErrorPercent?: number;
  /** Shapes: where keys may be; missing: anywhere. Cache: missing 30. */
  framesPerSecond?: number;
  /** Bones that get longer get thinner. */
  squash?: boolean;
  progress?: Progress;
}

export interface RenderOptions extends Moment {
  /** In pixels; missing: 1024, or as the other side. */
  width?: number;
  height?: number;
  /** Missing: 'stbs-dqs'. */
  method?: string;
  /** 'front', 'back', 'left', 'right', 'top', 'bottom', 'three-quarter' (missing) or 'azimuth,elevation' in degrees. */
  view?: string;
  /** What colours show; missing: the rig's own. */
  colors?: 'weights' | 'endpoints' | 'bones';
  /** Whose weights. */
  bone?: Key;
  wire?: boolean;
  skeleton?: boolean;
  /** One colour for all, as in '#c8b090'. */
  color?: string;
  /** A colour, or 'transparent'. */
  background?: string;
  /** Fill the picture with what moves with this joint and those below it. */
  focus?: string;
  /** In degrees; missing: 25. */
  fieldOfView?: number;
  orthographic?: boolean;
  /** Missing: true. */
  ground?: boolean;
}

/** A joint that tenses a muscle: nothing at the first angle of the range (in degrees), `gain` at the second. */
export interface MuscleAngle {
  joint: string | number;
  /** In the joint's own frame; missing: the angle in total. */
  axis?: [number, number, number];
  range: [number, number];
  gain: number;
}

/** Lets the skin of a bone swell across it. */
export interface Muscle {
  /** How much where: points from the head, 0, to the tail, 1. Missing: a bump in the middle. */
  profile?: [number, number][];
  /** How much the bone's change of length drives it: 1 keeps the volume. */
  stretch?: number;
  angle?: MuscleAngle;
  /** The side of the bone that swells, in mesh space. Missing: all around. */
  side?: [number, number, number];
}

/** By the names of bones. */
export type Muscles = Record<string, Muscle>;

/** How a bone depends on others; -1: none. */
export interface BoneLinks {
  /** The bone that its twist is relative to. */
  parent: number;
  /** How much of that twist it takes off along itself. */
  own_share: number;
  /** The bone whose twist it takes up, and how much of it. */
  next: number;
  next_share: number;
  /** The bone that moves its tail, itself if no other does. */
  tail_carrier: number;
  /** The joint without a bone that does so instead. */
  end: number;
}

export interface RetargetOptions {
  /** Of the clip; missing: that of the motion. */
  name?: string;
  /** { 'of the motion': 'of the rig', another: ['two', 'joints'], third: null }; missing: by names and parts of the body. */
  map?: Readonly<Record<string, string | readonly string[] | null>> | string;
  /** Missing: the motion's own. */
  framesPerSecond?: number;
  /** In degrees, within which keys are left out that others imply; missing: 0.1. */
  tolerance?: number;
  /** None are left out. */
  allKeys?: boolean;
  /** The hips rise and sink, but do not travel. */
  inPlace?: boolean;
  /** When the recorded body stands as at rest, in seconds; missing: at its file's rest pose. */
  restTime?: number;
}

/** What a deformation does at each vertex. */
export interface VertexMeasures {
  /** The largest deformed length of an edge there against that at rest; 1 without edges. */
  longestEdges: Float32Array;
  /** The smallest. */
  shortestEdges: Float32Array;
  /** The largest change of a right angle there, in radians. */
  shears: Float32Array;
  /** Bits: 1 where the surface goes through itself, 2 where it is torn, crushed or bent out of shape. */
  faults: Uint8Array;
}

export interface CompareOptions extends Moment {
  /** Names; missing: linear and dual quaternion blending, without and with stretch and twist. */
  methods?: string | readonly string[];
  /** Missing: the rig's name. */
  title?: string;
  view?: string;
  focus?: string;
  /** About the side of each picture, in pixels, 100 to 2000; missing: 400. */
  size?: number;
  /** Stripes along the bones, which show the twist. */
  stripes?: boolean;
}

/** A point of a triangle: three numbers with the sum 1 say where. */
export interface SurfacePoint {
  triangle: number;
  barycentric: number[];
}

/** Rows of weights: those of vertices[i] are offsets[i] to offsets[i + 1] - 1. */
export interface PaintedRows {
  vertices: Uint32Array;
  offsets: Uint32Array;
  bones: Int32Array;
  weights: Float64Array;
  endpoints: Float64Array | null;
  twistEndpoints: Float64Array | null;
}

/** What a stroke does, and how far it reaches. */
export interface Brush {
  /** Missing: 'bone-weights'. */
  target?: 'bone-weights' | 'endpoints' | 'twist-endpoints';
  /** Missing: 'add'. */
  mode?: 'add' | 'subtract' | 'replace' | 'smooth' | 'sharpen';
  /** Smoothing and sharpening bone weights is for all bones, and needs none. */
  bone?: Key;
  /** Missing: 'smooth'. */
  falloff?: 'smooth' | 'linear' | 'constant';
  /** Along the surface, in the mesh's units; above 0. */
  radius: number;
  /** How much a dab does at its centre, up to 1; missing: 0.5. */
  strength?: number;
  /** What 'replace' goes to, from 0 to 1; missing: 1. */
  value?: number;
  /** Also on the other side of the plane, with the bone there. */
  mirror?: boolean;
}

export interface PainterOptions {
  /** Bones that keep their weights. */
  locks?: Key | readonly Key[];
  /** The plane of strokes that are mirrored; missing: x = 0. */
  mirrorPoint?: ArrayLike<number>;
  mirrorNormal?: ArrayLike<number>;
}

/** Paints bone weights, endpoint weights and twist endpoint weights. The rig changes only by apply(). */
export interface Painter extends Handle {
  /** Where a ray first meets the mesh at bind time, or null; without a direction, the point of it nearest to `origin`. */
  pick(origin: ArrayLike<number>, direction?: ArrayLike<number>): SurfacePoint | null;
  /** Begins a stroke, the unit of undo, and ends the one before. */
  begin(brush: Brush): void;
  /** Paints around a point of a triangle; returns how many vertices changed. */
  dab(triangle: number, barycentric: ArrayLike<number>): number;
  /** Ends the stroke. */
  end(): void;
  /** Takes the last stroke back; false if there is none. */
  undo(): boolean;
  /** Paints what was undone last; false if there is nothing. */
  redo(): boolean;
  /** The rows that the last dab, undo or redo changed, as they are now. */
  changed(): PaintedRows;
  /** All strokes that were not undone, as { paint: ... } of Rig.edit() takes them. */
  strokes(): Report;
  /** Puts the painted weights into the rig that the painter was made for, or a copy. */
  apply(rig: Rig): void;
}

/** A mesh, a skeleton, what ties them, and clips. */
export interface Rig extends RuntimeRig {
  /** The bytes of a file; `format` is an extension; missing: 'glb'. What else was in the file that was read is in it, too. */
  toBytes(format?: string): Uint8Array<ArrayBuffer>;
  /** The files that writing to this name makes, by name: for 'hero.gltf' that, and what it refers to. */
  toFiles(name: string): Record<string, Uint8Array<ArrayBuffer>>;
  /** Computes bone weights by a method, see weightMethods(), and endpoint weights; missing: keep the rig's, 'bbw' if it has none. */
  computeWeights(method?: string | null, options?: WeightsOptions): WeightReport;
  /** How good its weights are. */
  weightReport(): WeightReport;
  /** Edits skin, settings and blend shapes by steps, in order, or by JSON of them, and says what each changed. */
  edit(steps: readonly EditStep[] | string, options?: { progress?: Progress }): Report;
  /** How each bone depends on others in a pose. */
  boneLinks(): BoneLinks[];
  /** The muscles of bones, by the bones' names. Assign to it to replace them all; `{}`: none. */
  get muscles(): Muscles;
  set muscles(muscles: Muscles | string);
  /**
   * Plays a clip of another rig, such as a .bvh, on this one, and adds it as a clip, or replaces the one of its name.
   * The report says what was mapped, and has `map`, to be edited and passed in.
   */
  retarget(source: Rig, clip?: Key, options?: RetargetOptions): Report;
  /** Adds a clip through poses, or replaces the one of its name. */
  addKeys(keys: KeysJson | string): void;
  /** A rig whose stretch and twist are carried by ordinary joints that any engine plays. */
  bake(options?: BakeOptions): Baked;
  /**
   * The rig with a blend shape for each example, which the pose drives: off at rest, on in the example's pose, where the
   * method then shows the example. The report lists vertices that the method cannot get there.
   */
  correct(examples: readonly CorrectiveExample[], options?: CorrectOptions): { rig: Rig; report: Report };
  /** What computes joints and blend shapes: controls, drivers and pose spaces, as the edit step 'drivers' reads them. */
  drivers(): Report;
  /** A mesh with blend shapes and a clip that fades between them, without a skeleton. */
  bakeShapes(clip: Key, options?: BakeClipOptions): Baked;
  /** A point cache: every vertex in every frame. */
  bakeCache(clip: Key, options?: BakeClipOptions & { format?: 'pc2' | 'mdd' }): Uint8Array<ArrayBuffer>;
  /** What methods do to a pose: volume, edges, strain, cross-sections, twist, rigid parts, self-intersections. */
  measure(options?: Moment & { methods?: string | readonly string[] }): Report;
  /** What a method does to a pose at each vertex, to mark the worst places; `method`: missing 'stbs-dqs'. */
  measureVertices(options?: Moment & { method?: string }): VertexMeasures;
  /** A sheet with a picture for each method and its numbers below; faults are red. */
  compare(options?: CompareOptions): Image;
  /** A picture; without a pose or clip, of the mesh at bind time. */
  render(options?: RenderOptions): Image;
}

/** The joints, shapes and controls of a rig at one moment, and where the bones are then. */
export interface Pose extends RuntimePose {
  /** Takes a pose by joints or by bones, as an object or as JSON. */
  set(pose: PoseJson | string): void;
  /** The pose by joints, as set() takes it; not after one by bones. */
  toJson(): Report;
}

/** A rig bound to a method, to be deformed in one pose after another. */
export interface Deformer extends RuntimeDeformer {
  at(moment?: Moment, wanted?: { normals?: boolean; tangents?: boolean }): Posed;
}

/** A rig as shaders read it. */
export interface GpuSkin extends RuntimeGpuSkin {
  pose(moment?: RuntimePose | Moment, options?: { method?: string; out?: Float32Array }): Float32Array;
}

/** Pixels: red, green, blue, alpha, a byte each, sRGB with straight alpha, rows from the top down. An ImageData is one. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** A picture. It never changes. */
export interface Image extends Handle {
  readonly width: number;
  readonly height: number;
  /** 4 bytes per pixel; a copy. `new ImageData(image.pixels, image.width)` puts it on a canvas. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  /** The bytes of a .png. */
  toPng(): Uint8Array<ArrayBuffer>;
}

export interface ImageConstructor {
  new (pixels: Pixels): Image;
  /** Reads the bytes of a .png or .jpg. */
  read(bytes: BufferSource): Image;
  /** The same, and through the browser what else it can read (.webp, .avif, ...); node has no more than read() has. */
  decode(source: BufferSource | Blob): Promise<Image>;
}

export interface PuppetOptions {
  /** As Puppet.bones has them, in pixels; missing: `autoBones` are placed along the figure's middle. */
  bones?: Report | string;
  /** How many; missing: 12. */
  autoBones?: number;
  /** Bright where the figure is, of the same size; missing: found by `cut`. */
  mask?: Image;
  cut?: 'alpha' | 'background';
  /** The least that counts as figure; missing: 1/16. */
  alpha?: number;
  /** Its colour; missing: that of most of the border. */
  background?: string;
  /** How much the background may differ from it, 0 to 1; missing: 0.1. */
  tolerance?: number;
  /** The background's colour within the figure; missing: 'auto'. */
  holes?: 'auto' | 'cut' | 'keep';
  /** Of the mesh around the figure, in pixels; missing: 2.5. */
  margin?: number;
  /** In pixels; missing: 1. */
  outlineTolerance?: number;
  /** Of a triangle, in pixels; missing: a 30th of the figure. */
  longestEdge?: number;
  /** Missing: 'bbw'. */
  weights?: string;
  /** Missing: 'bbw'; 'none'. */
  endpoints?: string;
  /** Of the rig; missing: 100. */
  pixelsPerUnit?: number;
  progress?: Progress;
}

export interface StageOptions {
  /** Missing: 'stbs-dqs'. */
  method?: string;
  /** The longer side, in pixels; missing: as the picture. */
  size?: number;
  /** A colour; missing: transparent. */
  background?: string;
  /** Bones that get longer get thinner. */
  squash?: boolean;
  skeleton?: boolean;
}

/** A figure cut out of a picture, meshed and tied to bones. */
export interface Puppet extends Handle {
  /** In pixels from the upper left corner: { joints: { hip: [512, 600] }, bones: [{ from: 'hip', to: 'knee' }] }. */
  readonly bones: Report;
  /** How good its weights are. */
  readonly report: WeightReport;
  /** The names of its motions, in order. */
  readonly motions: string[];
  /** Adds a ready-made motion, see puppetLoops(). `pins`: joints that stay where they are, 'feet' or 'none'. */
  addLoop(name: string, options?: { pins?: string | readonly string[] }): void;
  /** Adds a motion: how joints are dragged over time. */
  addMotion(motion: Report | string): void;
  /** The puppet as a textured rig, with its motions as clips. */
  rig(): Rig;
  /** A picture at a time of one of its motions, in seconds; without one, as in its picture. */
  draw(motion?: Key | null, time?: number, options?: StageOptions): Image;
}

/** A built-in drawing, bones on it and a motion of them. */
export interface SamplePicture {
  image: Image;
  bones: Report;
  motion: Report;
}

/** The whole module. */
export interface Sinew extends SinewBase {
  readonly Rig: new (name?: string) => Rig;
  readonly Pose: new (rig: Rig, options?: PoseOptions) => Pose;
  /** `method`: missing 'stbs-dqs'. */
  readonly Deformer: new (rig: Rig, method?: string, options?: DeformerOptions) => Deformer;
  readonly GpuSkin: GpuSkinConstructor<Rig, GpuSkin>;
  readonly Ik: new (rig: Rig, handles: readonly (IkHandle | Key)[], options?: IkOptions) => Ik;
  readonly Image: ImageConstructor;
  readonly Painter: new (rig: Rig, options?: PainterOptions) => Painter;
  readonly Puppet: new (image: Image, options?: PuppetOptions) => Puppet;

  /** Reads the bytes of a file: a mesh, a skeleton (.tgf), a skeleton and its motion (.bvh), or all of it (.glb, .gltf). */
  read(bytes: BufferSource, options: ReadOptions): Rig;
  /** A built-in character by name, see samples(), with about so many vertices; missing: 5000. */
  sample(name: string, options?: { vertices?: number; progress?: Progress }): Rig;
  /** The bytes of an animation that repeats for ever: 'gif' (missing), or 'apng' with all colours; missing: 0.04 seconds. */
  animation(
    images: readonly Image[],
    secondsPerFrame?: number,
    options?: { format?: 'gif' | 'apng' },
  ): Uint8Array<ArrayBuffer>;
  /** A built-in drawing by name, see samplePictures(), `size` pixels wide and high; missing: 1024. */
  samplePicture(name: string, options?: { size?: number }): SamplePicture;

  /** The methods for bone weights. */
  weightMethods(): string[];
  /** The methods for endpoint weights. */
  endpointMethods(): string[];
  /** The steps of Rig.edit(). */
  editSteps(): Record<string, EditStepInfo>;
  /** The built-in characters, with a line about each. */
  samples(): Record<string, string>;
  /** The built-in drawings, with a line about each. */
  samplePictures(): Record<string, string>;
  /** The ready-made motions of puppets. */
  puppetLoops(): string[];
  /** Whether this is the module with threads. */
  readonly threaded: boolean;
}

/** Loads the module. Several can be loaded; objects of one do not fit another. */
export default function createSinew(options?: SinewOptions): Promise<Sinew>;
