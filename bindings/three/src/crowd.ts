// SPDX-License-Identifier: Apache-2.0
import {
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  Mesh,
  MeshDepthMaterial,
  MeshDistanceMaterial,
  Ray,
  Sphere,
  Vector3,
  type BufferGeometry,
  type Intersection,
  type Material,
  type Raycaster,
} from 'three';
import { featuresOf, Materials } from './adapt.js';
import { shapesReach, sphereAbout } from './bounds.js';
import { blends, requireMethod, type Method, type RuntimePose } from './core.js';
import { paddedTexels, poseTexels, texelSize, texelTexture, type DeformInputs } from './inputs.js';
import type { TestsTriangles } from './mesh.js';
import { PosedVertices } from './posed_vertices.js';
import { rigVertices, sourceOf, type SinewSkin } from './skin.js';

/** How a crowd is made. */
export interface CrowdOptions {
  /** Of all members; missing: 'stbs-dqs'. */
  method?: Method;
  squash?: boolean;
}

const matrix = new Matrix4();
const sphere = new Sphere();
const localRay = new Ray();
const toLocal = new Matrix4();

/** Many characters of one skin in one draw call, each in its own pose and at its own place. */
export class SinewCrowd extends Mesh {
  readonly isSinewCrowd = true;
  readonly skin: SinewSkin;
  /** How many there are. */
  readonly members: number;
  /** The pose of each member. Change it, then call updateAt(). */
  readonly poses: readonly RuntimePose[];
  readonly inputs: DeformInputs;
  /** About all members, for culling. Follows poses and places. */
  boundingSphere: Sphere | null = null;
  readonly #materials: Materials;
  readonly #texels: Float32Array<ArrayBuffer>;
  readonly #rows: InstancedInterleavedBuffer;
  readonly #reach: Float64Array;
  readonly #vertexOf: (index: number) => number;
  readonly #cpu: PosedVertices;
  readonly #shapes: Float64Array;
  #method: Method;
  #picked = 0;
  #changes = 0;

  /** `geometry` was made or prepared by the skin. The materials are copied. Members begin at rest, at the origin. */
  constructor(skin: SinewSkin, geometry: BufferGeometry, material: Material | Material[], count: number, options: CrowdOptions = {}) {
    super(geometry, material);
    this.skin = skin;
    this.members = count;
    this.#method = options.method ?? 'stbs-dqs';
    requireMethod(this.#method);
    const stride = poseTexels(skin.boneCount, skin.shapeCount);
    this.#texels = new Float32Array(texelSize * paddedTexels(count * stride));
    this.#rows = new InstancedInterleavedBuffer(new Float32Array(12 * count), 12);
    this.inputs = {
      pose: { value: texelTexture(this.#texels) },
      influences: { value: skin.influences },
      gradients: { value: skin.gradients },
      deltas: { value: skin.deltas },
      blend: { value: blends[this.#method] },
      stride: { value: stride },
    };
    this.#reach = skin.reach(geometry);
    this.#vertexOf = rigVertices(geometry);
    this.#shapes = skin.shapeReach();
    this.#cpu = new PosedVertices(skin);
    this.geometry = this.#instanced(geometry);
    this.#materials = new Materials(this.inputs);
    this.material = Array.isArray(material) ? material.map((one) => this.adapted(one)) : this.adapted(material);
    const plain = { ...featuresOf(skin, geometry, true), normals: false, tangents: false };
    this.customDepthMaterial = this.#materials.ownCopy(new MeshDepthMaterial(), plain);
    this.customDistanceMaterial = this.#materials.ownCopy(new MeshDistanceMaterial(), plain);
    const poseOptions = { follow: true, squash: options.squash ?? false };
    this.poses = Array.from({ length: count }, () => new skin.core.Pose(skin.rig as never, poseOptions));
    for (let i = 0; i < count; ++i) {
      this.setMatrixAt(i, matrix.identity());
      this.updateAt(i);
    }
  }

  /** A copy of a material that deforms with the crowd, to be assigned to `material`. */
  adapted<T extends Material>(material: T): T {
    return this.#materials.of(material, featuresOf(this.skin, this.geometry, true));
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
    return this.#method;
  }
  /** Takes effect with the next frame; nothing is compiled. */
  set method(method: Method) {
    requireMethod(method);
    this.#method = method;
    this.inputs.blend.value = blends[method];
    for (let i = 0; i < this.members; ++i) this.updateAt(i);
  }

  /** Shows a member in its pose, after that was changed. */
  updateAt(index: number): void {
    const pose = this.poses[index];
    if (!pose) throw new Error(`the crowd has no member ${index}`);
    const size = texelSize * this.inputs.stride.value;
    this.skin.fill(pose, this.#method, this.#texels.subarray(index * size, (index + 1) * size));
    this.inputs.pose.value.needsUpdate = true;
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
    const { value: stride } = this.inputs.stride;
    const end = texelSize * stride * (index + 1);
    const weights = this.#texels.subarray(end - 4 * Math.ceil(this.skin.shapeCount / 4), end);
    sphereAbout(this.#texels, index * stride, this.#reach, shapesReach(weights, this.#shapes), target);
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
    const positions = this.#cpu.at(this.#method, pose, `${member} ${this.#changes}`);
    target.fromArray(positions, 3 * this.#vertexOf(index));
    return target.applyMatrix4(this.getMatrixAt(member, matrix));
  }

  /** Hits the posed shapes; intersections have the member as `instanceId`. */
  override raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    localRay.copy(raycaster.ray).applyMatrix4(toLocal.copy(this.matrixWorld).invert());
    for (let i = 0; i < this.members; ++i) {
      if (!localRay.intersectsSphere(this.sphereAt(i, sphere))) continue;
      this.#picked = i;
      const before = intersects.length;
      (this as unknown as TestsTriangles)._computeIntersections(raycaster, intersects, localRay);
      for (const hit of intersects.slice(before)) hit.instanceId = i;
    }
  }

  /** Frees the poses, their texture, the materials and the instanced geometry; the skin and the given geometry stay. */
  override dispose(): void {
    this.#materials.dispose();
    this.customDepthMaterial?.dispose();
    this.customDistanceMaterial?.dispose();
    this.geometry.dispose();
    this.inputs.pose.value.dispose();
    this.#cpu.free();
    for (const pose of this.poses) pose.free();
    this.dispatchEvent({ type: 'dispose' } as never);
  }
}
