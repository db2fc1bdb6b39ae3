// SPDX-License-Identifier: Apache-2.0
// Handles on the selected joint: a ring that twists the bone, a ring that turns it in the view, a knob that
// stretches it. They only draw and say what is under the pointer.
import * as THREE from 'three';
import type { Vec3 } from '../state/document';

export type Handle = 'twist' | 'turn' | 'stretch';

export interface GizmoPlace {
  readonly head: Vec3;
  readonly tail: Vec3;
}

const colors: Record<Handle, number> = { twist: 0xf08a24, turn: 0x2e7cf6, stretch: 0x19a974 };

const material = (color: number): THREE.MeshBasicMaterial =>
  new THREE.MeshBasicMaterial({ color, transparent: true, depthTest: false, depthWrite: false, toneMapped: false });

export class Gizmo {
  readonly group = new THREE.Group();
  private readonly parts: Record<Handle, THREE.Mesh>;
  private place: GizmoPlace | undefined;
  private hover: Handle | undefined;

  constructor() {
    const make = (handle: Handle, geometry: THREE.BufferGeometry): THREE.Mesh => {
      const mesh = new THREE.Mesh(geometry, material(colors[handle]));
      mesh.renderOrder = 20;
      this.group.add(mesh);
      return mesh;
    };
    this.parts = {
      twist: make('twist', new THREE.TorusGeometry(1, 0.035, 10, 72)),
      turn: make('turn', new THREE.TorusGeometry(1, 0.025, 10, 72)),
      stretch: make('stretch', new THREE.BoxGeometry(1, 1, 1)),
    };
    this.group.visible = false;
  }

  show(place: GizmoPlace | undefined): void {
    this.place = place;
    this.group.visible = place !== undefined;
  }

  highlight(handle: Handle | undefined): void {
    this.hover = handle;
  }

  /** Radii in world units, for a camera. */
  private sizes(camera: THREE.PerspectiveCamera, height: number): { twist: number; turn: number; knob: number } {
    if (!this.place) return { twist: 0, turn: 0, knob: 0 };
    const head = new THREE.Vector3(...this.place.head);
    const pixel = (2 * Math.tan((camera.fov * Math.PI) / 360) * camera.position.distanceTo(head)) / height;
    const full = Math.min(1, height / 640);
    return { twist: 30 * full * pixel, turn: 54 * full * pixel, knob: 11 * full * pixel };
  }

  update(camera: THREE.PerspectiveCamera, height: number): void {
    if (!this.place) return;
    const head = new THREE.Vector3(...this.place.head);
    const tail = new THREE.Vector3(...this.place.tail);
    const along = tail.clone().sub(head);
    const length = along.length() || 1;
    along.divideScalar(length);
    const size = this.sizes(camera, height);
    const { twist, turn, stretch } = this.parts;
    twist.position.copy(head).addScaledVector(along, length * 0.55);
    twist.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), along);
    twist.scale.setScalar(size.twist);
    turn.position.copy(head);
    turn.quaternion.copy(camera.quaternion);
    turn.scale.setScalar(size.turn);
    // Beyond the tail, and not on top of the joint where the bone is short.
    stretch.position.copy(head).addScaledVector(along, Math.max(length + size.knob * 1.4, size.knob * 4));
    stretch.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
    stretch.scale.setScalar(size.knob);
    for (const [name, mesh] of Object.entries(this.parts)) {
      (mesh.material as THREE.MeshBasicMaterial).opacity = this.hover === undefined ? 0.85 : this.hover === name ? 1 : 0.35;
    }
  }

  /** Which handle is under a point of the picture, in pixels of the view. */
  pick(
    x: number,
    y: number,
    reach: number,
    project: (point: THREE.Vector3) => readonly [number, number],
    camera: THREE.PerspectiveCamera,
    height: number,
  ): Handle | undefined {
    if (!this.place) return undefined;
    this.update(camera, height);
    const near = (point: THREE.Vector3): number => {
      const [px, py] = project(point);
      return Math.hypot(px - x, py - y);
    };
    if (near(this.parts.stretch.position) < reach) return 'stretch';
    for (const handle of ['twist', 'turn'] as const) {
      const ring = this.parts[handle];
      for (let k = 0; k < 72; ++k) {
        const angle = (k / 72) * 2 * Math.PI;
        const point = new THREE.Vector3(Math.cos(angle), Math.sin(angle), 0)
          .multiplyScalar(ring.scale.x)
          .applyQuaternion(ring.quaternion)
          .add(ring.position);
        if (near(point) < reach * 0.6) return handle;
      }
    }
    return undefined;
  }
}
