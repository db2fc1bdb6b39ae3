// SPDX-License-Identifier: Apache-2.0
import { Box3, Ray, Sphere, Vector3, type BufferGeometry, type Intersection, type Material, type Raycaster } from 'three';
import type { SinewCharacter } from './character.js';
import { DeformedMesh } from './deformed_mesh.js';
import type { SkinPoses } from './skin_poses.js';

const localRay = new Ray();
const worldSphere = new Sphere();
const point = new Vector3();

/** A mesh that deforms with a character, on the GPU. */
export class SinewMesh extends DeformedMesh {
  readonly isSinewMesh = true;
  #character: SinewCharacter;
  /** About the posed mesh: for culling and picking. Follows the pose; wider than the exact one. */
  boundingSphere = new Sphere();
  /** About the posed mesh, as computeBoundingBox() found it last. */
  boundingBox: Box3 | null = null;
  #version = -1;

  /** `geometry` was made or prepared by the character's skin. The materials are copied; see adapted(). */
  constructor(character: SinewCharacter, geometry: BufferGeometry, material: Material | Material[]) {
    super(character.skin, geometry, material, false);
    this.#character = character;
    this.dress();
  }

  get character(): SinewCharacter {
    return this.#character;
  }

  protected override get skinPoses(): SkinPoses {
    return this.#character.skinPoses;
  }

  /** Those of the character: here, an AnimationMixer finds them. */
  get controls(): number[] {
    return this.#character.controls;
  }

  /** Goes over to another character of the same skin. */
  join(character: SinewCharacter): void {
    if (character.skin !== this.#character.skin) throw new Error('the character has another skin');
    this.#character = character;
    this.#version = -1;
    this.dress();
  }

  override updateMatrixWorld(force?: boolean): void {
    super.updateMatrixWorld(force);
    this.#follow();
  }

  override updateWorldMatrix(updateParents: boolean, updateChildren: boolean): void {
    super.updateWorldMatrix(updateParents, updateChildren);
    this.#follow();
  }

  /** The pose places the mesh, not the node that it hangs from: as glTF has it for skins. */
  #follow(): void {
    const { character } = this;
    if (character.space) this.matrixWorld.copy(character.space.matrixWorld);
    character.update();
    if (character.version === this.#version) return;
    this.#version = character.version;
    this.boundingBox = null;
    character.skinPoses.sphere(0, this.reach, this.boundingSphere);
  }

  /** A vertex in the current pose, from the core, in the mesh's space. */
  override getVertexPosition(index: number, target: Vector3): Vector3 {
    return target.fromArray(this.character.positions(), 3 * this.vertexOf(index));
  }

  /** The exact box of the posed mesh, computed on the CPU. */
  computeBoundingBox(): void {
    this.character.update();
    const box = (this.boundingBox ??= new Box3()).makeEmpty();
    const count = this.geometry.getAttribute('position').count;
    for (let i = 0; i < count; ++i) box.expandByPoint(this.getVertexPosition(i, point));
  }

  /** The sphere about the exact box of the posed mesh, until the pose changes. */
  computeBoundingSphere(): void {
    this.computeBoundingBox();
    const sphere = (this.boundingBox as Box3).getCenter(this.boundingSphere.center);
    this.boundingSphere.radius = 0;
    const count = this.geometry.getAttribute('position').count;
    for (let i = 0; i < count; ++i) {
      const distance = this.getVertexPosition(i, point).distanceTo(sphere);
      this.boundingSphere.radius = Math.max(this.boundingSphere.radius, distance);
    }
  }

  /** Hits the posed shape. */
  override raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    this.character.update();
    worldSphere.copy(this.boundingSphere).applyMatrix4(this.matrixWorld);
    if (!raycaster.ray.intersectsSphere(worldSphere)) return;
    this.hitTriangles(raycaster, intersects, this.toLocal(raycaster.ray, localRay));
  }

  /** Shares the character: a second mesh in the same pose. cloneCharacter() makes one with a pose of its own. */
  override clone(recursive?: boolean): this {
    return new SinewMesh(this.character, this.geometry, this.material).copy(this, recursive) as this;
  }

  /** Frees what only this mesh has; the character, the geometry and the skin stay. */
  override dispose(): void {
    this.disposeShadows();
    this.dispatchEvent({ type: 'dispose' } as never);
  }
}
