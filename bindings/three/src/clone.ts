// SPDX-License-Identifier: Apache-2.0
import type { Object3D } from 'three';
import { SinewCharacter } from './character.js';
import { SinewMesh } from './mesh.js';

/**
 * A copy of a scene whose character has a pose and bones of its own. They share skin and geometries. `root` holds all joints of the
 * character, as `gltf.scene` does.
 */
export function cloneCharacter(root: Object3D, character: SinewCharacter): { root: Object3D; character: SinewCharacter } {
  const copy = root.clone(true);
  const copies = new Map<Object3D, Object3D>();
  const pair = (a: Object3D, b: Object3D): void => {
    copies.set(a, b);
    a.children.forEach((child, i) => {
      pair(child, b.children[i] as Object3D);
    });
  };
  pair(root, copy);
  const made = new SinewCharacter(character.skin, {
    method: character.method,
    ...(character.joints && { joints: character.joints.map((joint) => copies.get(joint) ?? joint) }),
    ...(character.space && { space: copies.get(character.space) ?? character.space }),
    squash: character.squash,
  });
  made.controls.splice(0, Infinity, ...character.controls);
  for (const [original, other] of copies) {
    if (original instanceof SinewMesh && other instanceof SinewMesh) other.join(made);
  }
  for (const { object, first } of character.shapeSources) {
    const other = copies.get(object as Object3D);
    if (other instanceof SinewMesh) made.shapeSources.push({ object: other, first });
  }
  return { root: copy, character: made };
}
