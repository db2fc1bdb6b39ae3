// SPDX-License-Identifier: Apache-2.0
// What is drawn about the character: the brush, dots on vertices, the character at other times, a skeleton to be.
import * as THREE from 'three';
import { vecAt } from '../core/math';
import type { Surface } from '../core/protocol';
import type { Vec3 } from '../state/document';

export class Signs {
  readonly group = new THREE.Group();
  private readonly ghost = new THREE.Group();
  private readonly ghostLines = new THREE.LineBasicMaterial({ color: 0x19a974, depthTest: false, transparent: true });
  private readonly ghostDots = new THREE.PointsMaterial({ color: 0x19a974, size: 6, sizeAttenuation: false, depthTest: false, transparent: true });
  private readonly ghostKnob = new THREE.PointsMaterial({ color: 0x19a974, size: 13, sizeAttenuation: false, depthTest: false, transparent: true });
  /** Where the selected bone is at rest. */
  private readonly rest: THREE.Line;
  private readonly brush: THREE.LineLoop;
  /** One for each view, whose surface they are on. */
  private marks: THREE.Points[] = [];
  private readonly markDots = new THREE.PointsMaterial({ color: 0xe5484d, size: 7, sizeAttenuation: false, depthTest: false, transparent: true });
  private onions: THREE.Mesh[] = [];
  private marked: readonly number[] = [];

  constructor() {
    const circle = new THREE.BufferGeometry().setFromPoints(
      Array.from({ length: 64 }, (_, k) => {
        const a = (k / 64) * 2 * Math.PI;
        return new THREE.Vector3(Math.cos(a), Math.sin(a), 0);
      }),
    );
    this.brush = new THREE.LineLoop(circle, new THREE.LineBasicMaterial({ color: 0x2e7cf6, depthTest: false }));
    this.brush.renderOrder = 30;
    this.brush.visible = false;
    this.rest = new THREE.Line(
      new THREE.BufferGeometry(),
      new THREE.LineDashedMaterial({ color: 0x2e7cf6, dashSize: 1, gapSize: 0.8, depthTest: false, transparent: true, opacity: 0.75 }),
    );
    this.rest.renderOrder = 12;
    this.rest.frustumCulled = false;
    this.rest.visible = false;
    this.group.add(this.brush, this.ghost, this.rest);
  }

  /** The brush on the surface, or nothing. */
  setBrush(hit: { point: Vec3; normal: Vec3 } | undefined, radius: number): void {
    this.brush.visible = hit !== undefined;
    if (!hit) return;
    this.brush.position.set(...hit.point);
    this.brush.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...hit.normal));
    this.brush.scale.setScalar(radius);
  }

  /** Dots on vertices that a report speaks of, on the surface of each view. */
  setMarks(vertices: readonly number[], surfaces: readonly (Float32Array | undefined)[]): void {
    this.marked = vertices;
    this.placeMarks(surfaces);
  }

  placeMarks(surfaces: readonly (Float32Array | undefined)[]): void {
    while (this.marks.length < surfaces.length) this.marks.push(this.newMarks(this.marks.length));
    this.marks.forEach((marks, view) => {
      const positions = surfaces[view];
      const points = positions ? this.marked.filter((v) => 3 * v < positions.length).flatMap((v) => [...vecAt(positions, v)]) : [];
      marks.geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
      marks.visible = points.length > 0;
    });
  }

  private newMarks(view: number): THREE.Points {
    const marks = new THREE.Points(new THREE.BufferGeometry(), this.markDots);
    marks.renderOrder = 25;
    marks.frustumCulled = false;
    marks.layers.set(view + 1);
    this.group.add(marks);
    return marks;
  }

  /** The character at other times, faintly. */
  setOnions(triangles: Uint32Array, surfaces: readonly (Surface & { readonly color: number })[]): void {
    for (const old of this.onions) {
      old.removeFromParent();
      old.geometry.dispose();
    }
    this.onions = surfaces.map((surface) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
      geometry.setAttribute('position', new THREE.BufferAttribute(surface.positions, 3));
      geometry.setAttribute('normal', new THREE.BufferAttribute(surface.normals, 3));
      const material = new THREE.MeshLambertMaterial({
        color: surface.color,
        transparent: true,
        opacity: 0.3,
        depthWrite: false,
        // Behind the character where both are in the same place.
        polygonOffset: true,
        polygonOffsetFactor: 4,
        polygonOffsetUnits: 40,
      });
      const mesh = new THREE.Mesh(geometry, material);
      mesh.frustumCulled = false;
      this.group.add(mesh);
      return mesh;
    });
  }

  /** Where the selected bone is at rest, or nothing. */
  setRest(bone: { head: Vec3; tail: Vec3 } | undefined): void {
    this.rest.visible = bone !== undefined;
    if (!bone) return;
    const [head, tail] = [new THREE.Vector3(...bone.head), new THREE.Vector3(...bone.tail)];
    this.rest.geometry.setFromPoints([head, tail]);
    this.rest.computeLineDistances();
    // A dozen dashes, however long it is.
    const distances = this.rest.geometry.getAttribute('lineDistance') as THREE.BufferAttribute;
    distances.setX(1, 21.6);
    distances.needsUpdate = true;
  }

  /** Lines of a skeleton that is not there yet, and a knob to scale it by. */
  setGhost(segments: readonly (readonly [Vec3, Vec3])[], knob?: Vec3): void {
    for (const child of [...this.ghost.children]) {
      child.removeFromParent();
      (child as THREE.LineSegments).geometry.dispose();
    }
    if (segments.length === 0) return;
    const ends = new THREE.BufferGeometry().setFromPoints(segments.flat().map((point) => new THREE.Vector3(...point)));
    this.ghost.add(new THREE.LineSegments(ends, this.ghostLines), new THREE.Points(ends, this.ghostDots));
    if (knob) this.ghost.add(new THREE.Points(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(...knob)]), this.ghostKnob));
    for (const child of this.ghost.children) {
      child.renderOrder = 28;
      child.frustumCulled = false;
    }
  }
}
