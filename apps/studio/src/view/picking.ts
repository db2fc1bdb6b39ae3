// SPDX-License-Identifier: Apache-2.0
// What is under a point of the picture, and where things of the world are in it. Points are in pixels of the canvas.
import * as THREE from 'three';
import { length, originAt, sub, vecAt } from '../core/math';
import type { Dab } from '../core/protocol';
import type { Vec3 } from '../state/document';
import type { Handle } from './gizmo';
import { viewAt } from './layout';
import type { Viewport } from './viewport';

export interface SurfaceHit extends Dab {
  readonly point: Vec3;
  readonly normal: Vec3;
  readonly view: number;
}

export class Picking {
  constructor(private readonly viewport: Viewport) {}

  viewAt(x: number, y: number): number {
    return viewAt(this.viewport.places, x, y);
  }

  /** Where a point of the world is. */
  project(point: THREE.Vector3 | Vec3, view: number): [number, number] {
    const { rect } = this.viewport.places[view];
    const p = (point instanceof THREE.Vector3 ? point.clone() : new THREE.Vector3(...point)).project(this.viewport.orbit.camera);
    return [rect.x + ((p.x + 1) / 2) * rect.width, rect.y + ((1 - p.y) / 2) * rect.height];
  }

  ray(x: number, y: number): THREE.Ray {
    const { rect } = this.viewport.places[this.viewAt(x, y)];
    const caster = new THREE.Raycaster();
    const ndc = new THREE.Vector2(((x - rect.x) / rect.width) * 2 - 1, 1 - ((y - rect.y) / rect.height) * 2);
    caster.setFromCamera(ndc, this.viewport.orbit.camera);
    return caster.ray;
  }

  /** The point in the plane through `through` that faces the camera; of a picture, in its own plane. */
  inViewPlane(x: number, y: number, through: Vec3): Vec3 {
    const sight = this.viewport.orbit.camera.getWorldDirection(new THREE.Vector3());
    const own = new THREE.Vector3(0, 0, 1);
    // From the edge there is no plane to see.
    const normal = this.viewport.isFlat && Math.abs(sight.z) > 0.2 ? own : sight;
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...through));
    const hit = this.ray(x, y).intersectPlane(plane, new THREE.Vector3());
    return hit ? (hit.toArray() as unknown as Vec3) : through;
  }

  /** How far along a line the point is that is nearest to what the pointer is over; undefined: the line goes away from the eye. */
  alongLine(x: number, y: number, through: Vec3, line: THREE.Vector3): number | undefined {
    const { origin, direction } = this.ray(x, y);
    const between = new THREE.Vector3(...through).sub(origin);
    const cosine = direction.dot(line);
    const part = 1 - cosine * cosine;
    return part < 1e-4 ? undefined : (cosine * direction.dot(between) - line.dot(between)) / part;
  }

  /** The same along a world axis, as a point. */
  onAxis(x: number, y: number, through: Vec3, axis: 0 | 1 | 2): Vec3 {
    const along = this.alongLine(x, y, through, new THREE.Vector3().setComponent(axis, 1)) ?? 0;
    return through.map((value, k) => (k === axis ? value + along : value)) as unknown as Vec3;
  }

  /** The nearest joint; -1: none within reach. */
  joint(x: number, y: number, reach: number): number {
    const frames = this.viewport.lastFrame?.jointFrames;
    if (!frames) return -1;
    return this.nearest(x, y, reach, frames.length / 16, (j) => (this.viewport.hidden.has(j) ? undefined : originAt(frames, j)));
  }

  /** The nearest tail that is at no joint; -1: none within reach. */
  tail(x: number, y: number, reach: number): number {
    const tails = this.viewport.lastFrame?.boneTails;
    if (!tails) return -1;
    const { boneList } = this.viewport;
    return this.nearest(x, y, reach, boneList.length, (b) => (boneList[b].tailJoint >= 0 ? undefined : vecAt(tails, b)));
  }

  /** The nearest bone; -1: none within reach. */
  bone(x: number, y: number, reach: number): number {
    const frame = this.viewport.lastFrame;
    if (!frame) return -1;
    const { boneHeads, boneTails } = frame;
    return this.nearestLine(x, y, reach, boneHeads.length / 3, (b) => [vecAt(boneHeads, b), vecAt(boneTails, b)]);
  }

  /** What of a skeleton that is not there yet: the knob that scales it, or all of it. */
  ghost(x: number, y: number, reach: number): 'size' | 'place' | undefined {
    const { segments, knob } = this.viewport.ghost;
    if (knob && this.nearest(x, y, 1.5 * reach, 1, () => knob) === 0) return 'size';
    return this.nearestLine(x, y, reach, segments.length, (s) => segments[s]) >= 0 ? 'place' : undefined;
  }

  handle(x: number, y: number, reach: number): Handle | undefined {
    const { viewport } = this;
    const view = this.viewAt(x, y);
    const project = (point: THREE.Vector3): readonly [number, number] => this.project(point, view);
    return viewport.gizmo.pick(x, y, reach, project, viewport.orbit.camera, viewport.places[view].rect.height);
  }

  /** Where a ray meets the surface as it was posed when it last came to rest; all places if `through`. */
  surface(x: number, y: number, through = false): SurfaceHit[] {
    const view = this.viewAt(x, y);
    const object = this.viewport.skinAt(view)?.object;
    if (!object) return [];
    const caster = new THREE.Raycaster();
    caster.ray.copy(this.ray(x, y));
    caster.layers.enableAll();
    const hits = caster.intersectObject(object, false);
    const found = through ? hits : hits.slice(0, 1);
    return found.flatMap((hit) => {
      if (hit.faceIndex === undefined || hit.faceIndex === null || !hit.barycoord || !hit.face) return [];
      const b = hit.barycoord;
      return [
        {
          triangle: hit.faceIndex,
          barycentric: [b.x, b.y, b.z] as const,
          point: hit.point.toArray() as unknown as Vec3,
          normal: hit.face.normal.toArray() as unknown as Vec3,
          view,
        },
      ];
    });
  }

  /** The middle of the volume: between where the ray goes in and comes out first. What has no volume, as a picture, is met where it is. */
  midVolume(x: number, y: number): Vec3 | undefined {
    const hits = this.surface(x, y, true);
    if (hits.length === 0) return undefined;
    const [a, b] = [hits[0].point, hits.find((hit) => length(sub(hit.point, hits[0].point)) > 1e-5)?.point];
    return b ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2] : a;
  }

  private nearestLine(x: number, y: number, reach: number, count: number, ends: (index: number) => readonly [Vec3, Vec3]): number {
    const view = this.viewAt(x, y);
    let best = -1;
    let least = reach;
    for (let i = 0; i < count; ++i) {
      const [head, tail] = ends(i);
      const [ax, ay] = this.project(head, view);
      const [bx, by] = this.project(tail, view);
      const dx = bx - ax;
      const dy = by - ay;
      const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      const distance = Math.hypot(ax + t * dx - x, ay + t * dy - y);
      if (distance < least) [best, least] = [i, distance];
    }
    return best;
  }

  private nearest(x: number, y: number, reach: number, count: number, place: (index: number) => Vec3 | undefined): number {
    const view = this.viewAt(x, y);
    let best = -1;
    let least = reach;
    for (let i = 0; i < count; ++i) {
      const at = place(i);
      if (!at) continue;
      const [px, py] = this.project(at, view);
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) [best, least] = [i, distance];
    }
    return best;
  }
}
