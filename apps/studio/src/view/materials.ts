// SPDX-License-Identifier: Apache-2.0
// Materials and textures of a glTF file, as three.js reads them.
import type { Material, MeshStandardMaterial } from 'three';

interface Gltf {
  readonly materials?: readonly { readonly name?: string }[];
  readonly meshes?: readonly { readonly primitives: readonly { readonly material?: number }[] }[];
}

/** Materials for parts of these names; empty if the file has none. A file that three.js cannot read has none. */
export async function materialsOf(file: Uint8Array, names: readonly string[]): Promise<Material[]> {
  if (names.length === 0) return [];
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  try {
    const gltf = await new GLTFLoader().parseAsync(file.slice().buffer, '');
    const json = gltf.parser.json as Gltf;
    const list = json.materials ?? [];
    if (list.length === 0) return [];
    const primitives = (json.meshes ?? []).flatMap((mesh) => mesh.primitives);
    return await Promise.all(
      names.map(async (name, part) => {
        const byName = list.findIndex((material) => material.name === name);
        const byPlace = primitives.length === names.length ? primitives[part].material : undefined;
        const index = name !== '' && byName >= 0 ? byName : (byPlace ?? 0);
        const material = (await gltf.parser.getDependency('material', index)) as MeshStandardMaterial;
        return material;
      }),
    );
  } catch {
    return [];
  }
}
