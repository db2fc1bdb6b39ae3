// SPDX-License-Identifier: Apache-2.0
import { Matrix4, Mesh, MeshDepthMaterial, MeshDistanceMaterial, Ray, type BufferGeometry, type Intersection, type Material, type Raycaster } from 'three';
import { featuresOf } from './adapt.js';
import type { DeformInputs } from './inputs.js';
import { rigVertices, type SinewSkin } from './skin.js';
import type { SkinPoses } from './skin_poses.js';

/** What Mesh has, but does not declare: tests all triangles, by getVertexPosition(). */
interface TestsTriangles {
  _computeIntersections(raycaster: Raycaster, intersects: Intersection[], ray: Ray): void;
}

const toLocal = new Matrix4();

/** What a character's meshes and crowds share: materials that deform, shadows, and picking of the posed shape. */
export abstract class DeformedMesh extends Mesh {
  /** That of SinewSkin.reach(). */
  protected readonly reach: Float64Array;
  /** The rig's vertex behind one of the geometry. */
  protected readonly vertexOf: (index: number) => number;
  readonly #isCrowd: boolean;

  constructor(skin: SinewSkin, geometry: BufferGeometry, material: Material | Material[], isCrowd: boolean) {
    super(geometry, material);
    this.reach = skin.reach(geometry);
    this.vertexOf = rigVertices(geometry);
    this.#isCrowd = isCrowd;
  }

  protected abstract get skinPoses(): SkinPoses;

  /** What the shaders read. */
  get inputs(): DeformInputs {
    return this.skinPoses.inputs;
  }

  /** A copy of a material that deforms with this mesh, to be assigned to `material`. */
  adapted<T extends Material>(material: T): T {
    return this.skinPoses.materials.of(material, featuresOf(this.skinPoses.skin, this.geometry, this.#isCrowd));
  }

  /** Takes the materials of its poses, for itself and its shadows. */
  protected dress(): void {
    const { material, skinPoses: poses } = this;
    this.disposeShadows();
    this.material = Array.isArray(material) ? material.map((one) => this.adapted(one)) : this.adapted(material);
    const features = { ...featuresOf(poses.skin, this.geometry, this.#isCrowd), normals: false, tangents: false };
    this.customDepthMaterial = poses.materials.ownCopy(new MeshDepthMaterial(), features);
    this.customDistanceMaterial = poses.materials.ownCopy(new MeshDistanceMaterial(), features);
  }

  protected disposeShadows(): void {
    this.customDepthMaterial?.dispose();
    this.customDistanceMaterial?.dispose();
  }

  /** A ray in the mesh's space. */
  protected toLocal(ray: Ray, target: Ray): Ray {
    return target.copy(ray).applyMatrix4(toLocal.copy(this.matrixWorld).invert());
  }

  /** Hits of a ray in the mesh's space, by getVertexPosition(). */
  protected hitTriangles(raycaster: Raycaster, intersects: Intersection[], local: Ray): void {
    (this as unknown as TestsTriangles)._computeIntersections(raycaster, intersects, local);
  }
}
