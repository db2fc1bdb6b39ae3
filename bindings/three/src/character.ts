// SPDX-License-Identifier: Apache-2.0
import type { Object3D } from 'three';
import type { Materials } from './adapt.js';
import type { Method, RuntimePose } from './core.js';
import type { DeformInputs } from './inputs.js';
import type { SinewSkin } from './skin.js';
import { SkinPoses } from './skin_poses.js';

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

/** Numbers that are set again and again, most of the time to what they are. */
class Watched {
  readonly values: Float64Array;
  #isNew = true;

  constructor(values: Float64Array) {
    this.values = values;
  }

  set(at: number, value: number): void {
    if (this.values[at] === value) return;
    this.values[at] = value;
    this.#isNew = true;
  }

  /** Whether a number has changed since it was asked last. */
  takeNew(): boolean {
    const was = this.#isNew;
    this.#isNew = false;
    return was;
  }
}

/** A rig in a pose. Its meshes share the texture of the pose, and the method. */
export class SinewCharacter {
  readonly skin: SinewSkin;
  readonly squash: boolean;
  /** The core's pose. Twists go on from frame to frame through full turns; `pose.rest()` forgets them. */
  readonly pose: RuntimePose;
  /** The pose as the shaders read it. */
  readonly skinPoses: SkinPoses;
  readonly shapeSources: ShapeSource[] = [];
  /** The values of the rig's controls, which move generalized bones. Read with the joints. */
  readonly controls: number[];
  joints: readonly Object3D[] | null;
  space: Object3D | null;
  /** Set it after changing `pose` yourself. */
  needsUpdate = true;
  /** Counts the changes of the pose. */
  version = 0;
  readonly #transforms: Watched;
  readonly #weights: Watched;
  readonly #controls: Watched;

  constructor(skin: SinewSkin, options: CharacterOptions = {}) {
    const { rig } = skin;
    this.skinPoses = new SkinPoses(skin, 1, options.method);
    this.joints = options.joints ?? null;
    if (this.joints && this.joints.length !== rig.jointCount) {
      throw new Error(`${this.joints.length} joints for a rig that has ${rig.jointCount}`);
    }
    this.skin = skin;
    this.space = options.space ?? null;
    this.squash = options.squash ?? false;
    this.pose = new skin.core.Pose(rig as never, { follow: true, squash: this.squash });
    this.#transforms = new Watched(new Float64Array(10 * rig.jointCount));
    this.#weights = new Watched(new Float64Array(rig.shapeDefaults));
    this.controls = Array.from(rig.controlDefaults);
    this.#controls = new Watched(new Float64Array(rig.controlDefaults));
  }

  /** What the shaders read. */
  get inputs(): DeformInputs {
    return this.skinPoses.inputs;
  }

  /** Copies of materials that are deformed with this character. */
  get materials(): Materials {
    return this.skinPoses.materials;
  }

  get method(): Method {
    return this.skinPoses.method;
  }
  /** Takes effect with the next frame; nothing is compiled. */
  set method(method: Method) {
    if (method === this.method) return;
    this.skinPoses.method = method;
    this.needsUpdate = true;
  }

  /** The texels of the pose, as update() left them. */
  get texels(): Float32Array {
    return this.skinPoses.texels;
  }

  /** From the joints' objects, the shapes' weights and the controls to the texture. Meshes call it whenever a scene is updated. */
  update(): void {
    if (this.joints) this.#read(this.joints);
    if (!this.needsUpdate) return;
    this.needsUpdate = false;
    this.skinPoses.fill(0, this.pose);
    ++this.version;
  }

  #read(joints: readonly Object3D[]): void {
    const transforms = this.#transforms;
    let at = 0;
    for (const joint of joints) {
      if (!joint.matrixAutoUpdate) joint.matrix.decompose(joint.position, joint.quaternion, joint.scale);
      const { position, quaternion, scale } = joint;
      transforms.set(at, position.x);
      transforms.set(at + 1, position.y);
      transforms.set(at + 2, position.z);
      transforms.set(at + 3, quaternion.x);
      transforms.set(at + 4, quaternion.y);
      transforms.set(at + 5, quaternion.z);
      transforms.set(at + 6, quaternion.w);
      transforms.set(at + 7, scale.x);
      transforms.set(at + 8, scale.y);
      transforms.set(at + 9, scale.z);
      at += 10;
    }
    for (const { object, first } of this.shapeSources) {
      object.morphTargetInfluences?.forEach((weight, k) => {
        this.#weights.set(first + k, weight);
      });
    }
    this.controls.forEach((value, c) => {
      this.#controls.set(c, value);
    });
    if (transforms.takeNew()) {
      this.pose.joints = transforms.values;
      this.needsUpdate = true;
    }
    if (this.#weights.takeNew() && this.#weights.values.length > 0) {
      this.pose.shapes = this.#weights.values;
      this.needsUpdate = true;
    }
    if (this.#controls.takeNew() && this.#controls.values.length > 0) {
      this.pose.controls = this.#controls.values;
      this.needsUpdate = true;
    }
  }

  /** All vertices of the rig in this pose, 3 numbers each, from the core. Computed when asked for, once for each pose. */
  positions(): Float32Array {
    return this.skinPoses.positions(this.pose, this.version);
  }

  /** Frees the pose, its texture and the materials; the skin and geometries stay. */
  dispose(): void {
    this.skinPoses.dispose();
    this.pose.free();
  }
}
