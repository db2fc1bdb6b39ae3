// SPDX-License-Identifier: Apache-2.0
import { BufferGeometry, type AnimationClip, type Mesh, type Object3D, type SkinnedMesh } from 'three';
import type { GLTF, GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { SinewCharacter } from './character.js';
import { controlTracks } from './control_tracks.js';
import type { Method, ReadingCore } from './core.js';
import { isFallback, layoutOf, withoutPictures, type GltfJson, type Layout, type Part } from './gltf_document.js';
import { SinewMesh } from './mesh.js';
import { SinewSkin } from './skin.js';

/** How skins of glTF files are loaded. */
export interface GLTFOptions {
  /** The module that reads the rig and poses it: `createSinew()` of 'sinew'. */
  sinew: ReadingCore | Promise<ReadingCore>;
  /** Missing: 'stbs-dqs'. */
  method?: Method;
  /** See SkinOptions. */
  exactNormals?: boolean;
  /** Stretched bones get thinner and keep their volume. */
  squash?: boolean;
}

const characters = new WeakMap<GLTF, SinewCharacter>();

/** What the core reads and the shaders do not: glTF's own skinning, and our additions to it. */
const skinAttributes = /^(skin(Index|Weight)|joints_\d+|weights_\d+|_endpoint_\d+|_twist_endpoint_\d+|_blend_share|_curve_weight_\d+)$/;

/**
 * Makes the skinned meshes of a glTF file SinewMeshes:
 *
 *     loader.register((parser) => new SinewGLTFPlugin(parser, { sinew }));
 *
 * The character that they belong to is had by sinewCharacter(gltf).
 */
export class SinewGLTFPlugin implements GLTFLoaderPlugin {
  readonly name = 'SINEW_skin';
  readonly #parser: GLTFParser;
  readonly #options: GLTFOptions;
  /** As it was before the loader put marks into it. */
  readonly #json: GltfJson;
  #loading: Promise<{ character: SinewCharacter; layout: Layout }> | null = null;

  constructor(parser: GLTFParser, options: GLTFOptions) {
    this.#parser = parser;
    this.#options = options;
    this.#json = structuredClone(parser.json as GltfJson);
  }

  /** Called by the loader for each node. */
  createNodeMesh(index: number): Promise<Mesh> | null {
    const node = this.#json.nodes?.[index];
    if (node?.skin === undefined || node.mesh === undefined) return null;
    return this.#meshOf(index) as Promise<Mesh>;
  }

  async #meshOf(index: number): Promise<Object3D> {
    const original = await (this.#parser as unknown as { createNodeMesh(i: number): Promise<Object3D> }).createNodeMesh(index);
    const { character, layout } = await (this.#loading ??= this.#load());
    const replaced = (object: Object3D): Object3D => {
      if (!('isSkinnedMesh' in object)) return object;
      const primitive = this.#parser.associations.get(object)?.['primitives'] ?? 0;
      const part = layout.parts.get(index)?.get(primitive);
      if (!part) throw new Error(`node ${index}: primitive ${primitive} is not in the rig`);
      const mesh = this.#replacement(character, object as SkinnedMesh, part);
      const known = this.#parser.associations.get(object);
      if (known) this.#parser.associations.set(mesh, known);
      return mesh;
    };
    if ('isSkinnedMesh' in original) return replaced(original);
    const meshes = original.children.map(replaced);
    original.clear();
    original.add(...meshes);
    return original;
  }

  #replacement(character: SinewCharacter, old: SkinnedMesh, part: Part): SinewMesh {
    // Nodes may share a geometry, but not the vertices of the rig.
    const geometry = new BufferGeometry();
    geometry.name = old.geometry.name;
    geometry.setIndex(old.geometry.index);
    geometry.userData = old.geometry.userData;
    for (const [name, attribute] of Object.entries(old.geometry.attributes)) {
      if (!skinAttributes.test(name)) geometry.setAttribute(name, attribute);
    }
    const mesh = new SinewMesh(character, character.skin.prepare(geometry, part), old.material);
    mesh.name = old.name;
    mesh.userData = old.userData;
    if (old.morphTargetInfluences) {
      mesh.morphTargetInfluences = old.morphTargetInfluences;
      if (old.morphTargetDictionary) mesh.morphTargetDictionary = old.morphTargetDictionary;
      character.shapeSources.push({ object: mesh, first: part.firstShape });
    }
    return mesh;
  }

  async #load(): Promise<{ character: SinewCharacter; layout: Layout }> {
    const pending = (this.#json.buffers ?? []).map(async (buffer, i) =>
      isFallback(buffer) ? null : ((await this.#parser.getDependency('buffer', i)) as ArrayBuffer),
    );
    const { text, files } = withoutPictures(this.#json, await Promise.all(pending));
    const core = await this.#options.sinew;
    const rig = core.read(text, { format: 'gltf', files });
    const layout = layoutOf(this.#json);
    if (layout.vertexCount !== rig.vertexCount || layout.nodes.length !== rig.jointCount) {
      rig.free();
      throw new Error('the core has read another rig than three.js: please report it, with the file');
    }
    const { method, exactNormals, squash } = this.#options;
    const skin = new SinewSkin(core, rig, { ownsRig: true, ...(exactNormals !== undefined && { exactNormals }) });
    const character = new SinewCharacter(skin, { ...(method && { method }), ...(squash !== undefined && { squash }) });
    return { character, layout };
  }

  /** Called by the loader at the end: ties the character to the bones. */
  async afterRoot(gltf: GLTF): Promise<void> {
    if (!this.#loading) return;
    const { character, layout } = await this.#loading;
    const nodes = layout.nodes.map((node) => this.#parser.getDependency('node', node) as Promise<Object3D>);
    character.joints = await Promise.all(nodes);
    const meshIn = (scene: Object3D) => {
      let found: SinewMesh | null = null;
      scene.traverse((object) => {
        if (object instanceof SinewMesh && object.character === character) found ??= object;
      });
      return found as SinewMesh | null;
    };
    character.space = gltf.scenes.find((scene) => meshIn(scene)) ?? gltf.scene;
    const mesh = meshIn(character.space);
    if (mesh) {
      gltf.animations.forEach((clip: AnimationClip, index) => {
        clip.tracks.push(...controlTracks(character, index, mesh));
      });
    }
    characters.set(gltf, character);
  }
}

/** The character that the skinned meshes of a file belong to; null if it has none, or was loaded without the plugin. */
export function sinewCharacter(gltf: GLTF): SinewCharacter | null {
  return characters.get(gltf) ?? null;
}
