// SPDX-License-Identifier: Apache-2.0
import type { BufferGeometry, Material } from 'three';
import type { DeformInputs, Features } from './inputs.js';
import type { SinewSkin } from './skin.js';
import { adaptForWebGL } from './webgl.js';

/** Makes a copy of a material deform. */
export type Adapter = (copy: Material, source: Material, inputs: DeformInputs, features: Features) => void;

let adapt: Adapter = adaptForWebGL;

/** What copies were made of, so that a copy of a copy is one of the original. */
const originals = new WeakMap<Material, Material>();

/** Says for which renderer materials are adapted from now on. */
export function useAdapter(adapter: Adapter): void {
  adapt = adapter;
}

/** What shaders are compiled for, for a geometry that the skin has prepared. */
export function featuresOf(skin: SinewSkin, geometry: BufferGeometry, crowd: boolean): Features {
  return {
    normals: geometry.hasAttribute('normal'),
    tangents: geometry.hasAttribute('tangent'),
    gradients: skin.exactNormals,
    shapes: skin.hasShapes,
    crowd,
  };
}

/** Copies of materials that are deformed with the same inputs. Materials themselves may be in use elsewhere. */
export class Materials {
  readonly #inputs: DeformInputs;
  readonly #known = new Map<Material, Map<string, Material>>();

  constructor(inputs: DeformInputs) {
    this.#inputs = inputs;
  }

  /** The same copy for the same material. */
  of<T extends Material>(material: T, features: Features): T {
    const key = JSON.stringify(features);
    const original = originals.get(material) ?? material;
    let variants = this.#known.get(original);
    if (!variants) this.#known.set(original, (variants = new Map<string, Material>()));
    let made = variants.get(key);
    if (!made) variants.set(key, (made = this.ownCopy(original, features)));
    return made as T;
  }

  /** A copy that nobody else gets: for materials that renderers change from draw to draw. */
  ownCopy<T extends Material>(material: T, features: Features): T {
    const made = material.clone();
    adapt(made, material, this.#inputs, features);
    originals.set(made, material);
    return made;
  }

  dispose(): void {
    for (const variants of this.#known.values()) for (const material of variants.values()) material.dispose();
    this.#known.clear();
  }
}
