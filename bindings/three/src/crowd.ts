// SPDX-License-Identifier: Apache-2.0
import {
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  Ray,
  Sphere,
  type BufferGeometry,
  type Intersection,
  type Material,
  type Raycaster,
  type Vector3,
} from 'three';
import type { Method, RuntimePose } from './core.js';
import { DeformedMesh } from './deformed_mesh.js';
import { sourceOf, type SinewSkin } from './skin.js';
import { SkinPoses } from './skin_poses.js';

/** How a crowd is made. */
export interface CrowdOptions {
  /** Of all members; missing: 'stbs-dqs'. */
  method?: Method;
  squash?: boolean;
}

const matrix = new Matrix4();
const sphere = new Sphere();
const localRay = new Ray();

/** Many characters of one skin in one draw call, each in its own pose and at its own place. */
export class SinewCrowd extends DeformedMesh {
  readonly isSinewCrowd = true;
  readonly skin: SinewSkin;
  /** How many there are. */
  readonly members: number;
  /** The pose of each member. Change it, then call updateAt(). */
  readonly poses: readonly RuntimePose[];
  /** About all members, for culling. Follows poses and places. */
  boundingSphere: Sphere | null = null;
  protected readonly skinPoses: SkinPoses;
  readonly #rows: InstancedInterleavedBuffer;
  #picked = 0;
  #changes = 0;

  /** `geometry` was made or prepared by the skin. The materials are copied. Members begin at rest, at the origin. */
  constructor(skin: SinewSkin, geometry: BufferGeometry, material: Material | Material[], count: number, options: CrowdOptions = {}) {
    super(skin, geometry, material, true);
    this.skin = skin;
    this.members = count;
    this.skinPoses = new SkinPoses(skin, count, options.method);
    this.#rows = new InstancedInterleavedBuffer(new Float32Array(12 * count), 12);
    this.geometry = this.#instanced(geometry);
    this.dress();
    const poseOptions = { follow: true, squash: options.squash ?? false };
    this.poses = Array.from({ length: count }, () => new skin.core.Pose(skin.rig as never, poseOptions));
    for (let i = 0; i < count; ++i) {
      this.setMatrixAt(i, matrix.identity());
      this.updateAt(i);
    }
  }

  #instanced(geometry: BufferGeometry): InstancedBufferGeometry {
    const instanced = new InstancedBufferGeometry();
    instanced.setIndex(geometry.index);
    for (const [name, attribute] of Object.entries(geometry.attributes)) instanced.setAttribute(name, attribute);
    for (const { start, count, materialIndex } of geometry.groups) instanced.addGroup(start, count, materialIndex);
    for (let row = 0; row < 3; ++row) {
      instanced.setAttribute(`sinewRow${row}`, new InterleavedBufferAttribute(this.#rows, 4, 4 * row));
    }
    instanced.instanceCount = this.members;
    const source = sourceOf(geometry);
    return this.skin.prepare(instanced, source) as InstancedBufferGeometry;
  }

  get method(): Method {
    return this.skinPoses.method;
  }
  /** Takes effect with the next frame; nothing is compiled. */
  set method(method: Method) {
    this.skinPoses.method = method;
    for (let i = 0; i < this.members; ++i) this.updateAt(i);
  }

  /** Shows a member in its pose, after that was changed. */
  updateAt(index: number): void {
    const pose = this.poses[index];
    if (!pose) throw new Error(`the crowd has no member ${index}`);
    this.skinPoses.fill(index, pose);
    this.#changed();
  }

  /** Places a member, in the crowd's space. */
  setMatrixAt(index: number, place: Matrix4): void {
    const e = place.elements;
    for (let row = 0; row < 3; ++row) {
      for (let column = 0; column < 4; ++column) {
        this.#rows.array[12 * index + 4 * row + column] = e[4 * column + row] as number;
      }
    }
    this.#rows.needsUpdate = true;
    this.#changed();
  }

  getMatrixAt(index: number, target: Matrix4): Matrix4 {
    const r = this.#rows.array.subarray(12 * index, 12 * index + 12) as Float32Array;
    const at = (k: number) => r[k] as number;
    return target.set(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11), 0, 0, 0, 1);
  }

  #changed(): void {
    this.boundingSphere = null;
    ++this.#changes;
  }

  /** About one member, in the crowd's space. */
  sphereAt(index: number, target: Sphere): Sphere {
    this.skinPoses.sphere(index, this.reach, target);
    return target.applyMatrix4(this.getMatrixAt(index, matrix));
  }

  computeBoundingSphere(): void {
    this.boundingSphere = new Sphere().makeEmpty();
    for (let i = 0; i < this.members; ++i) this.boundingSphere.union(this.sphereAt(i, sphere));
  }

  /** A vertex of the member that was picked last. */
  override getVertexPosition(index: number, target: Vector3): Vector3 {
    const member = this.#picked;
    const pose = this.poses[member];
    if (!pose) throw new Error(`the crowd has no member ${member}`);
    const positions = this.skinPoses.positions(pose, `${member} ${this.#changes}`);
    target.fromArray(positions, 3 * this.vertexOf(index));
    return target.applyMatrix4(this.getMatrixAt(member, matrix));
  }

  /** Hits the posed shapes; intersections have the member as `instanceId`. */
  override raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    this.toLocal(raycaster.ray, localRay);
    for (let i = 0; i < this.members; ++i) {
      if (!localRay.intersectsSphere(this.sphereAt(i, sphere))) continue;
      this.#picked = i;
      const before = intersects.length;
      this.hitTriangles(raycaster, intersects, localRay);
      for (const hit of intersects.slice(before)) hit.instanceId = i;
    }
  }

  /** Frees the poses, their texture, the materials and the instanced geometry; the skin and the given geometry stay. */
  override dispose(): void {
    this.disposeShadows();
    this.geometry.dispose();
    this.skinPoses.dispose();
    for (const pose of this.poses) pose.free();
    this.dispatchEvent({ type: 'dispose' } as never);
  }
}
