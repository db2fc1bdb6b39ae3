// SPDX-License-Identifier: Apache-2.0
import { Sphere, Vector3, type Object3D } from 'three';
import { Materials } from './adapt.js';
import { blends, requireMethod, type Method, type RuntimePose } from './core.js';
import { paddedTexels, texelSize, texelTexture, type DeformInputs } from './inputs.js';
import type { SinewSkin } from './skin.js';

/** Texels of a bone in a pose. */
export const boneTexels = 6;

/** Something with weights of blend shapes, which are those of the rig from `first` on. */
export interface ShapeSource {
  object: { morphTargetInfluences?: number[] | undefined };
  first: number;
}

/** How a character is made. */
export interface CharacterOptions {
  /** Missing: 'stbs-dqs'. */
  method?: Method;
  /** The objects that stand for the joints of the rig, in its order. Missing: set `pose` yourself. */
  joints?: readonly Object3D[];
  /** In whose space the pose is: what the outermost joints hang from. Missing: that of each mesh. */
  space?: Object3D;
  /** Stretched bones get thinner and keep their volume. */
  squash?: boolean;
}

/** How many texels a pose has. */
export function poseTexels(skin: SinewSkin): number {
  return boneTexels * skin.boneCount + Math.ceil(skin.shapeCount / 4);
}

/** A rig in a pose. Its meshes share the pose's texture and the method. */
export class SinewCharacter {
  readonly skin: SinewSkin;
  readonly squash: boolean;
  /** The core's pose. Twists go on from frame to frame through full turns; `pose.rest()` forgets them. */
  readonly pose: RuntimePose;
  readonly inputs: DeformInputs;
  space: Object3D | null;
  /** Copies of materials that are deformed with this character. */
  readonly materials: Materials;
  readonly shapeSources: ShapeSource[] = [];
  /** Counts the changes of the pose. */
  version = 0;
  /** Set it after changing `pose` yourself. */
  needsUpdate = true;
  joints: readonly Object3D[] | null;
  readonly #texels: Float32Array<ArrayBuffer>;
  readonly #transforms: Float64Array;
  readonly #weights: Float64Array;
  readonly #cpu: PosedVertices;
  #method: Method;

  constructor(skin: SinewSkin, options: CharacterOptions = {}) {
    this.skin = skin;
    this.#method = options.method ?? 'stbs-dqs';
    requireMethod(this.#method);
    this.joints = options.joints ?? null;
    this.space = options.space ?? null;
    if (this.joints && this.joints.length !== skin.rig.jointCount) {
      throw new Error(`${this.joints.length} joints for a rig that has ${skin.rig.jointCount}`);
    }
    this.squash = options.squash ?? false;
    const texels = poseTexels(skin);
    this.#texels = new Float32Array(texelSize * paddedTexels(texels));
    this.#transforms = new Float64Array(10 * skin.rig.jointCount).fill(NaN);
    this.#weights = new Float64Array(skin.rig.shapeDefaults);
    this.pose = new skin.core.Pose(skin.rig as never, { follow: true, squash: this.squash });
    this.#cpu = new PosedVertices(skin);
    this.inputs = {
      pose: { value: texelTexture(this.#texels) },
      influences: { value: skin.influences },
      gradients: { value: skin.gradients },
      deltas: { value: skin.deltas },
      blend: { value: blends[this.#method] },
      stride: { value: texels },
    };
    this.materials = new Materials(this.inputs);
  }

  get method(): Method {
    return this.#method;
  }
  /** Takes effect with the next frame; nothing is compiled. */
  set method(method: Method) {
    requireMethod(method);
    if (method === this.#method) return;
    this.#method = method;
    this.inputs.blend.value = blends[method];
    this.needsUpdate = true;
  }

  /** The texels of the pose, as update() left them. */
  get texels(): Float32Array {
    return this.#texels;
  }

  /** From the joints' objects and the shapes' weights to the texture. Meshes call it whenever a scene is updated. */
  update(): void {
    if (this.joints) this.#read(this.joints);
    if (!this.needsUpdate) return;
    this.needsUpdate = false;
    this.pose.toGpu(this.#method, this.#texels);
    this.inputs.pose.value.needsUpdate = true;
    ++this.version;
  }

  #read(joints: readonly Object3D[]): void {
    const transforms = this.#transforms;
    let isNew = false;
    let at = 0;
    const put = (value: number): void => {
      isNew ||= transforms[at] !== value;
      transforms[at++] = value;
    };
    for (const joint of joints) {
      if (!joint.matrixAutoUpdate) joint.matrix.decompose(joint.position, joint.quaternion, joint.scale);
      const { position: p, quaternion: q, scale: s } = joint;
      put(p.x), put(p.y), put(p.z), put(q.x), put(q.y), put(q.z), put(q.w), put(s.x), put(s.y), put(s.z);
    }
    if (isNew) this.pose.joints = transforms;
    let isShaped = false;
    for (const { object, first } of this.shapeSources) {
      object.morphTargetInfluences?.forEach((weight, k) => {
        isShaped ||= this.#weights[first + k] !== weight;
        this.#weights[first + k] = weight;
      });
    }
    if (isShaped) this.pose.shapes = this.#weights;
    this.needsUpdate ||= isNew || isShaped;
  }

  /** All vertices of the rig in this pose, 3 numbers each, from the core. Computed when asked for, once for each pose. */
  positions(): Float32Array {
    return this.#cpu.at(this.#method, this.pose, this.version);
  }

  /** A sphere about what bones move, whatever the method: `reach` is that of SinewSkin.reach(). */
  sphere(reach: Float64Array, target: Sphere): Sphere {
    return sphereAbout(this.#texels, 0, reach, this.#shapeReach(), target);
  }

  #shapeReach(): number {
    if (this.skin.shapeCount === 0) return 0;
    this.#farthest ??= this.skin.shapeReach();
    let sum = 0;
    for (let s = 0; s < this.skin.shapeCount; ++s) {
      const weight = this.#texels[texelSize * boneTexels * this.skin.boneCount + s] as number;
      sum += Math.abs(weight) * (this.#farthest[s] as number);
    }
    return sum;
  }
  #farthest: Float64Array | null = null;

  /** Frees the pose, its texture and the materials; the skin and geometries stay. */
  dispose(): void {
    this.materials.dispose();
    this.inputs.pose.value.dispose();
    this.#cpu.free();
    this.pose.free();
  }
}

/** Vertices from the core's fast path on the CPU, computed once for each pose. */
export class PosedVertices {
  readonly #skin: SinewSkin;
  #deformer: { method: Method; use: InstanceType<SinewSkin['core']['Deformer']> } | null = null;
  #positions: Float32Array | null = null;
  #version: unknown = null;

  constructor(skin: SinewSkin) {
    this.#skin = skin;
  }

  at(method: Method, pose: RuntimePose, version: unknown): Float32Array {
    const key = `${method} ${String(version)}`;
    if (this.#positions && this.#version === key) return this.#positions;
    if (this.#deformer?.method !== method) {
      this.#deformer?.use.free();
      const options = { roughNormals: true };
      this.#deformer = { method, use: new this.#skin.core.Deformer(this.#skin.rig as never, method, options) };
    }
    this.#positions ??= new Float32Array(3 * this.#skin.rig.vertexCount);
    this.#deformer.use.deform(pose, this.#positions);
    this.#version = key;
    return this.#positions;
  }

  free(): void {
    this.#deformer?.use.free();
    this.#deformer = null;
  }
}

const point = new Vector3();

/**
 * A sphere about the balls around posed heads that hold each bone's skin. What is blended linearly lies between them, and what dual
 * quaternions blend about a joint stays as far from it as it was.
 */
export function sphereAbout(
  texels: Float32Array,
  firstTexel: number,
  reach: Float64Array,
  more: number,
  target: Sphere,
): Sphere {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const radius = (bone: number, at: number): number => {
    const row = (k: number) => Math.abs(texels[at + k] as number);
    const rows = [12, 16, 20].map((k) => row(k) + row(k + 1) + row(k + 2));
    const columns = [12, 13, 14].map((k) => row(k) + row(k + 4) + row(k + 8));
    const scale = Math.sqrt(Math.max(...rows) * Math.max(...columns));
    return scale * ((reach[bone] as number) + more) + row(11);
  };
  for (let bone = 0; bone < reach.length; ++bone) {
    if ((reach[bone] as number) < 0) continue;
    const at = texelSize * (firstTexel + boneTexels * bone);
    const r = radius(bone, at);
    for (let c = 0; c < 3; ++c) {
      const x = texels[at + 4 + c] as number;
      low[c] = Math.min(low[c] as number, x - r);
      high[c] = Math.max(high[c] as number, x + r);
    }
  }
  if (!((low[0] as number) <= (high[0] as number))) return target.makeEmpty();
  target.center.set(0.5 * (low[0]! + high[0]!), 0.5 * (low[1]! + high[1]!), 0.5 * (low[2]! + high[2]!));
  target.radius = 0;
  for (let bone = 0; bone < reach.length; ++bone) {
    if ((reach[bone] as number) < 0) continue;
    const at = texelSize * (firstTexel + boneTexels * bone);
    point.fromArray(texels, at + 4);
    target.radius = Math.max(target.radius, point.distanceTo(target.center) + radius(bone, at));
  }
  return target;
}
