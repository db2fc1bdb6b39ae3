// SPDX-License-Identifier: Apache-2.0
import type { Sphere } from 'three';
import { Materials } from './adapt.js';
import { shapesReach, sphereAbout } from './bounds.js';
import { blends, requireMethod, type Method, type RuntimePose } from './core.js';
import { boneTexels, paddedTexels, texelSize, texelTexture, type DeformInputs } from './inputs.js';
import { PosedVertices } from './posed_vertices.js';
import type { SinewSkin } from './skin.js';

/** Poses of one skin as the shaders read them: that of a character, or those of all members of a crowd. */
export class SkinPoses {
  readonly skin: SinewSkin;
  readonly inputs: DeformInputs;
  /** Copies of materials that are deformed with these poses. */
  readonly materials: Materials;
  readonly texels: Float32Array<ArrayBuffer>;
  readonly #vertices: PosedVertices;
  #shapesReach: Float64Array | null = null;
  #method: Method;

  constructor(skin: SinewSkin, count: number, method: Method = 'stbs-dqs') {
    requireMethod(method);
    this.skin = skin;
    this.#method = method;
    const stride = skin.poseTexels;
    this.texels = new Float32Array(texelSize * paddedTexels(count * stride));
    this.inputs = {
      pose: { value: texelTexture(this.texels) },
      influences: { value: skin.influences },
      gradients: { value: skin.gradients },
      deltas: { value: skin.deltas },
      blend: { value: blends[method] },
      stride: { value: stride },
    };
    this.materials = new Materials(this.inputs);
    this.#vertices = new PosedVertices(skin);
  }

  get method(): Method {
    return this.#method;
  }
  /** Poses have to be filled again. */
  set method(method: Method) {
    requireMethod(method);
    this.#method = method;
    this.inputs.blend.value = blends[method];
  }

  #textured(index: number): Float32Array {
    const size = texelSize * this.inputs.stride.value;
    return this.texels.subarray(index * size, (index + 1) * size);
  }

  /** Puts a pose into the texture. */
  fill(index: number, pose: RuntimePose): void {
    this.skin.fill(pose, this.#method, this.#textured(index));
    this.inputs.pose.value.needsUpdate = true;
  }

  /** All vertices of the rig in a pose, 3 numbers each, from the core; `version` tells poses apart. */
  positions(pose: RuntimePose, version: string | number): Float32Array {
    return this.#vertices.at(this.#method, pose, version);
  }

  /** A sphere about what bones move, whatever the method; `reach` is that of SinewSkin.reach(). */
  sphere(index: number, reach: Float64Array, target: Sphere): Sphere {
    this.#shapesReach ??= this.skin.shapeReach();
    const weights = this.#textured(index).subarray(texelSize * boneTexels * this.skin.boneCount);
    const more = shapesReach(weights, this.#shapesReach);
    return sphereAbout(this.texels, index * this.inputs.stride.value, reach, more, target);
  }

  dispose(): void {
    this.materials.dispose();
    this.inputs.pose.value.dispose();
    this.#vertices.free();
  }
}
