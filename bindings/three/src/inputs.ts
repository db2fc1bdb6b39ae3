// SPDX-License-Identifier: Apache-2.0
// What the shaders read, of both kinds of renderers.
import { DataTexture, FloatType, NearestFilter, RGBAFormat } from 'three';

/** A uniform, as materials have them. */
export interface Input<T> {
  value: T;
}

/** The textures and numbers that a deformed material reads. Textures are laid out as docs/gpu.md says. */
export interface DeformInputs {
  readonly pose: Input<DataTexture>;
  readonly influences: Input<DataTexture>;
  readonly gradients: Input<DataTexture>;
  readonly deltas: Input<DataTexture>;
  /** 0: linear, 1: dual quaternions, between: a mix, -1: each vertex's own share. */
  readonly blend: Input<number>;
  /** How many texels a pose has: where the pose of the next member of a crowd begins. */
  readonly stride: Input<number>;
}

/** What a shader is compiled for. */
export interface Features {
  /** The geometry has normals, tangents. */
  readonly normals: boolean;
  readonly tangents: boolean;
  /** The skin has gradients of weights, for exact normals. */
  readonly gradients: boolean;
  readonly shapes: boolean;
  /** Each instance has its own pose and placement. */
  readonly crowd: boolean;
}

/** How texels are wrapped into rows: texel i is at column i % 4096, row i / 4096. */
export const textureWidth = 4096;

/** Floats in a texel. */
export const texelSize = 4;

/** Texels of a bone in a pose. */
export const boneTexels = 6;

/** How many texels a texture for so many has: whole rows, if there is more than one. */
export function paddedTexels(count: number): number {
  return count <= textureWidth ? Math.max(count, 1) : Math.ceil(count / textureWidth) * textureWidth;
}

/** A texture that shows `floats`, which must be as long as paddedTexels() says. */
export function texelTexture(floats: Float32Array<ArrayBuffer>): DataTexture {
  const texels = floats.length / texelSize;
  const width = Math.min(texels, textureWidth);
  const texture = new DataTexture(floats, width, texels / width, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}
