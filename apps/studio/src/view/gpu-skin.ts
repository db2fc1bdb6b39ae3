// SPDX-License-Identifier: Apache-2.0
// The shaders of sinew-three, for a core that is in a Worker: it sends arrays once for a rig, and a few texels a pose.
import { MeshDepthMaterial, type DataTexture, type Material } from 'three';
import { Materials } from 'sinew-three/adapt';
import { paddedTexels, texelTexture, type DeformInputs, type Features } from 'sinew-three/inputs';
import type { GpuData } from '../core/protocol';

/** What all views share of a rig. */
export class GpuRig {
  readonly influences: DataTexture;
  readonly gradients: DataTexture;
  readonly deltas: DataTexture;

  constructor(readonly data: GpuData) {
    const nothing = (): Float32Array<ArrayBuffer> => new Float32Array(4);
    this.influences = texelTexture(data.influences);
    this.gradients = texelTexture(data.gradients ?? nothing());
    this.deltas = texelTexture(data.deltas ?? nothing());
  }

  free(): void {
    for (const texture of [this.influences, this.gradients, this.deltas]) texture.dispose();
  }
}

/** A pose of it, and materials that are deformed by that. */
export class GpuPose {
  readonly shadow: Material;
  private readonly materials: Materials;
  private readonly inputs: DeformInputs;
  private readonly features: Features;

  constructor(rig: GpuRig) {
    this.inputs = {
      pose: { value: texelTexture(new Float32Array(4)) },
      influences: { value: rig.influences },
      gradients: { value: rig.gradients },
      deltas: { value: rig.deltas },
      blend: { value: 0 },
      stride: { value: 0 },
    };
    this.features = featuresOf(rig);
    this.materials = new Materials(this.inputs);
    this.shadow = this.materials.ownCopy(new MeshDepthMaterial(), { ...this.features, normals: false, tangents: false });
  }

  /** Goes over to another rig, with the shaders that are compiled; false: it needs others. */
  use(rig: GpuRig): boolean {
    if (JSON.stringify(featuresOf(rig)) !== JSON.stringify(this.features)) return false;
    for (const name of ['influences', 'gradients', 'deltas'] as const) this.inputs[name].value = rig[name];
    return true;
  }

  /** A copy of a material that goes with the pose: the same one every time. */
  of<T extends Material>(material: T): T {
    return this.materials.of(material, this.features);
  }

  set(texels: Float32Array, blend: number): void {
    const { pose } = this.inputs;
    const length = 4 * paddedTexels(texels.length / 4);
    if (pose.value.image.data?.length !== length) {
      pose.value.dispose();
      pose.value = texelTexture(new Float32Array(length));
    }
    (pose.value.image.data as Float32Array).set(texels);
    pose.value.needsUpdate = true;
    this.inputs.blend.value = blend;
  }

  free(): void {
    this.materials.dispose();
    this.shadow.dispose();
    this.inputs.pose.value.dispose();
  }
}

function featuresOf({ data }: GpuRig): Features {
  return { normals: true, tangents: false, gradients: data.gradients !== null, shapes: data.deltaRanges !== null, crowd: false };
}
