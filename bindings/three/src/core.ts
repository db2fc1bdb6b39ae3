// SPDX-License-Identifier: Apache-2.0
// What is used of the modules of the npm package `sinew`. Both of them, 'sinew' and 'sinew/runtime', have it.
import type {
  DeformerOptions,
  PoseOptions,
  RuntimeDeformer,
  RuntimeGpuSkin,
  RuntimePose,
  RuntimeRig,
} from 'sinew/runtime';

export type { RuntimeDeformer, RuntimeGpuSkin, RuntimePose, RuntimeRig } from 'sinew/runtime';

/** A module that poses and deforms: `await createSinew()` of 'sinew' or of 'sinew/runtime'. */
export interface Core {
  readonly Pose: new (rig: never, options?: PoseOptions) => RuntimePose;
  readonly Deformer: new (rig: never, method?: string, options?: DeformerOptions) => RuntimeDeformer;
  readonly GpuSkin: new (rig: never, options?: { gradients?: boolean }) => RuntimeGpuSkin;
}

/** A module that also reads files: that of 'sinew'. */
export interface ReadingCore extends Core {
  read(bytes: BufferSource, options: { format: string; files?: Readonly<Record<string, BufferSource>> }): RuntimeRig;
}

/** The methods that run on the GPU, and how the shaders blend by them. */
export const blends = {
  lbs: 0,
  dqs: 1,
  mixed: -1,
  'stbs-lbs': 0,
  'stbs-dqs': 1,
  'stbs-mixed': -1,
} as const;

/** A method that runs on the GPU. */
export type Method = keyof typeof blends;

/** Throws for a method that does not run on the GPU. */
export function requireMethod(method: string): asserts method is Method {
  if (method in blends) return;
  throw new Error(`${method}: the GPU has no such method; there are ${Object.keys(blends).join(', ')}`);
}
