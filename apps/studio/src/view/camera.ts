// SPDX-License-Identifier: Apache-2.0
// A camera that goes round a point.
import * as THREE from 'three';

export class OrbitCamera {
  readonly camera = new THREE.PerspectiveCamera(28, 1, 0.01, 100);
  readonly target = new THREE.Vector3(0, 0.9, 0);
  private azimuth = 0.45;
  private elevation = 0.12;
  private distance = 5;
  private size = 2;
  /** How far the picture is moved to the right and down, as parts of its size, and how many times smaller it is: away from a card that covers some of it. */
  shift: readonly [right: number, down: number, smaller: number] = [0, 0, 1];

  constructor() {
    this.apply();
  }

  /** Puts a box into the middle of the picture. `direction`: azimuth and elevation in radians; missing: as it is. */
  fit(box: THREE.Box3, direction?: readonly [number, number]): void {
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    this.target.copy(sphere.center);
    this.size = Math.max(sphere.radius, 1e-4);
    this.distance = (this.size * 1.02) / Math.sin((this.camera.fov * Math.PI) / 360) / roomOf(this.camera.aspect);
    if (direction) [this.azimuth, this.elevation] = direction;
    this.apply();
  }

  /** Looks at a point from nearby, keeping the direction. */
  focus(point: THREE.Vector3, radius: number): void {
    this.target.copy(point);
    this.distance = Math.max(radius * 4, this.size * 0.15);
    this.apply();
  }

  /** Another shape of the picture: what was in it stays in it. */
  reshape(aspect: number): void {
    this.distance *= roomOf(this.camera.aspect) / roomOf(aspect);
    this.camera.aspect = aspect;
    this.apply();
  }

  orbit(dx: number, dy: number): void {
    this.azimuth -= dx * 0.008;
    this.elevation = Math.min(1.55, Math.max(-1.55, this.elevation + dy * 0.008));
    this.apply();
  }

  pan(dx: number, dy: number, height: number): void {
    const unit = (2 * this.distance * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.target.addScaledVector(right, -dx * unit).addScaledVector(up, dy * unit);
    this.apply();
  }

  zoom(factor: number): void {
    this.distance = Math.min(this.size * 60, Math.max(this.size * 0.02, this.distance * factor));
    this.apply();
  }

  look(azimuth: number, elevation: number): void {
    this.azimuth = azimuth;
    this.elevation = elevation;
    this.apply();
  }

  get state(): readonly number[] {
    return [this.azimuth, this.elevation, this.distance, ...this.target.toArray(), this.size];
  }

  set state(state: readonly number[]) {
    if (state.length !== 7 || !state.every(Number.isFinite)) return;
    [this.azimuth, this.elevation, this.distance] = state;
    this.target.set(state[3], state[4], state[5]);
    this.size = state[6];
    this.apply();
  }

  private apply(): void {
    const { azimuth, elevation, distance, camera, target } = this;
    const c = Math.cos(elevation);
    camera.position.set(
      target.x + distance * c * Math.sin(azimuth),
      target.y + distance * Math.sin(elevation),
      target.z + distance * c * Math.cos(azimuth),
    );
    camera.near = Math.max(distance * 0.01, this.size * 0.005);
    camera.far = distance + this.size * 30;
    camera.lookAt(target);
    this.project();
    camera.updateMatrixWorld();
  }

  /** After the aspect or the shift has changed. */
  project(): void {
    const { camera } = this;
    const [right, down, smaller] = this.shift;
    const width = 1000 * camera.aspect;
    const [x, y] = [right, down].map((by) => (1 - smaller) / 2 - by);
    if (right === 0 && down === 0 && smaller === 1) camera.clearViewOffset();
    else camera.setViewOffset(width, 1000, x * width, y * 1000, smaller * width, smaller * 1000);
    camera.updateProjectionMatrix();
  }
}

// How much of the height a box may take: less where the picture is narrow.
function roomOf(aspect: number): number {
  return Math.max(0.45, Math.min(1, aspect));
}
