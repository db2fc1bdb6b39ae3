// SPDX-License-Identifier: Apache-2.0
// Bones as octahedra and joints as dots, drawn over the skin: in full where they are in sight, at half strength
// where the skin hides them.
import * as THREE from 'three';

export interface BoneLook {
  /** Numbers of bones and joints. */
  readonly selectedBones: ReadonlySet<number>;
  readonly selectedJoints: ReadonlySet<number>;
  readonly hoverJoint: number;
  readonly pins: ReadonlySet<number>;
  readonly driven: ReadonlySet<number>;
  /** Joints that are only nodes of a scene: not drawn. */
  readonly hidden: ReadonlySet<number>;
}

const palette = {
  bone: new THREE.Color(0xf2f5f9),
  driven: new THREE.Color(0xb9c0c9),
  selected: new THREE.Color(0x2e7cf6),
  joint: new THREE.Color(0xffffff),
  pin: new THREE.Color(0xf08a24),
  hover: new THREE.Color(0x5b9bff),
  outline: new THREE.Color(0x39424e),
};

function octahedron(): THREE.BufferGeometry {
  const at = 0.14;
  const ring: [number, number, number][] = [
    [1, at, 0],
    [0, at, 1],
    [-1, at, 0],
    [0, at, -1],
  ];
  const points: number[] = [];
  for (let k = 0; k < 4; ++k) {
    const a = ring[k];
    const b = ring[(k + 1) % 4];
    points.push(0, 0, 0, ...a, ...b, 0, 1, 0, ...b, ...a);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  geometry.computeVertexNormals();
  return geometry;
}

class Instances {
  readonly group = new THREE.Group();
  private readonly meshes: THREE.InstancedMesh[] = [];
  private readonly outline: THREE.InstancedMesh;

  constructor(geometry: THREE.BufferGeometry, capacity: number) {
    const make = (material: THREE.Material, order: number): THREE.InstancedMesh => {
      const mesh = new THREE.InstancedMesh(geometry, material, capacity);
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      mesh.count = 0;
      this.group.add(mesh);
      return mesh;
    };
    this.outline = make(
      new THREE.MeshBasicMaterial({
        color: palette.outline,
        side: THREE.BackSide,
        transparent: true,
        opacity: 0.55,
        depthTest: false,
        depthWrite: false,
        toneMapped: false,
      }),
      9,
    );
    this.meshes.push(
      make(
        new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.5, depthTest: false, depthWrite: false, toneMapped: false }),
        10,
      ),
      make(new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.95, emissive: 0x8a8f96, emissiveIntensity: 0.6, toneMapped: false }), 11),
    );
  }

  set count(count: number) {
    for (const mesh of [this.outline, ...this.meshes]) mesh.count = count;
  }

  set(i: number, matrix: THREE.Matrix4, fat: THREE.Matrix4, color: THREE.Color): void {
    this.outline.setMatrixAt(i, fat);
    for (const mesh of this.meshes) {
      mesh.setMatrixAt(i, matrix);
      mesh.setColorAt(i, color);
    }
  }

  done(): void {
    for (const mesh of [this.outline, ...this.meshes]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  free(): void {
    this.group.removeFromParent();
    for (const mesh of [this.outline, ...this.meshes]) {
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }
}

export class Bones {
  readonly group = new THREE.Group();
  private bones: Instances | undefined;
  private joints: Instances | undefined;
  private readonly shape = octahedron();
  private readonly dot = new THREE.SphereGeometry(1, 14, 10);
  private capacity = 0;
  private heads: ArrayLike<number> = [];
  private tails: ArrayLike<number> = [];
  private frames: ArrayLike<number> = [];
  private shortest: number[] = [];
  private look: BoneLook = {
    selectedBones: new Set(),
    selectedJoints: new Set(),
    hoverJoint: -1,
    pins: new Set(),
    driven: new Set(),
    hidden: new Set(),
  };

  place(heads: ArrayLike<number>, tails: ArrayLike<number>, frames: ArrayLike<number>): void {
    this.heads = heads;
    this.tails = tails;
    this.frames = frames;
    this.shortest = shortestBones(heads, tails, frames);
    const needed = Math.max(heads.length / 3, frames.length / 16, 1);
    if (needed > this.capacity) {
      this.bones?.free();
      this.joints?.free();
      this.capacity = Math.ceil(needed * 1.5) + 8;
      this.bones = new Instances(this.shape, this.capacity);
      this.joints = new Instances(this.dot, this.capacity);
      this.group.add(this.bones.group, this.joints.group);
    }
  }

  style(look: BoneLook): void {
    this.look = look;
  }

  /** Sizes are in pixels, so they depend on the camera. */
  update(camera: THREE.PerspectiveCamera, height: number): void {
    if (!this.bones || !this.joints) return;
    const pixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / height;
    const head = new THREE.Vector3();
    const tail = new THREE.Vector3();
    const along = new THREE.Vector3();
    const side = new THREE.Vector3();
    const other = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    const fat = new THREE.Matrix4();
    const count = this.heads.length / 3;
    this.bones.count = count;
    for (let b = 0; b < count; ++b) {
      head.fromArray(this.heads as number[], 3 * b);
      tail.fromArray(this.tails as number[], 3 * b);
      along.subVectors(tail, head);
      const length = along.length();
      side.set(Math.abs(along.y) < 0.9 * length ? 0 : 1, Math.abs(along.y) < 0.9 * length ? 1 : 0, 0);
      side.cross(along).normalize();
      other.crossVectors(along, side).normalize();
      const distance = camera.position.distanceTo(head) * pixel;
      const width = Math.min(length * 0.13, 7 * distance);
      const set = (into: THREE.Matrix4, w: number, grow: number): void => {
        into.makeBasis(
          side.clone().multiplyScalar(w),
          along.clone().multiplyScalar(1 + 2 * grow),
          other.clone().multiplyScalar(w),
        );
        into.setPosition(head.x - along.x * grow, head.y - along.y * grow, head.z - along.z * grow);
      };
      set(matrix, width, 0);
      set(fat, width + 1.3 * distance, length > 0 ? (1.3 * distance) / length : 0);
      this.bones.set(b, matrix, fat, this.look.selectedBones.has(b) ? palette.selected : palette.bone);
    }
    this.bones.done();

    const joints = this.frames.length / 16;
    this.joints.count = joints;
    for (let j = 0; j < joints; ++j) {
      head.set(this.frames[16 * j + 12], this.frames[16 * j + 13], this.frames[16 * j + 14]);
      const distance = camera.position.distanceTo(head) * pixel;
      const { selectedJoints, hoverJoint, pins, driven, hidden } = this.look;
      const isSelected = selectedJoints.has(j);
      // Dots of short bones, as in fingers, are smaller, so that they do not hide one another.
      const room = Math.max(1.3, (0.2 * this.shortest[j]) / distance);
      let radius = Math.min(room, driven.has(j) ? 2.2 : 3.6);
      if (isSelected) radius = Math.min(5, radius * 1.5 + 1);
      if (j === hoverJoint) radius = Math.min(7, radius * 2 + 2);
      if (hidden.has(j)) radius = 0;
      const color = pins.has(j)
        ? palette.pin
        : isSelected
          ? palette.selected
          : j === hoverJoint
            ? palette.hover
            : driven.has(j)
              ? palette.driven
              : palette.joint;
      matrix.makeScale(radius * distance, radius * distance, radius * distance).setPosition(head);
      const outer = radius === 0 ? 0 : (radius + Math.min(1.4, radius * 0.5)) * distance;
      fat.makeScale(outer, outer, outer).setPosition(head);
      this.joints.set(j, matrix, fat, color);
    }
    this.joints.done();
  }
}

/** For each joint, the length of the shortest bone that starts or ends there. */
function shortestBones(heads: ArrayLike<number>, tails: ArrayLike<number>, frames: ArrayLike<number>): number[] {
  const result = new Array<number>(frames.length / 16).fill(Infinity);
  const bones = heads.length / 3;
  for (let b = 0; b < bones; ++b) {
    const [hx, hy, hz] = [heads[3 * b], heads[3 * b + 1], heads[3 * b + 2]];
    const [tx, ty, tz] = [tails[3 * b], tails[3 * b + 1], tails[3 * b + 2]];
    const length = Math.hypot(tx - hx, ty - hy, tz - hz);
    for (let j = 0; j < result.length; ++j) {
      const [x, y, z] = [frames[16 * j + 12], frames[16 * j + 13], frames[16 * j + 14]];
      const isEnd = Math.abs(x - hx) + Math.abs(y - hy) + Math.abs(z - hz) < 1e-6 || Math.abs(x - tx) + Math.abs(y - ty) + Math.abs(z - tz) < 1e-6;
      if (isEnd && length < result[j]) result[j] = length;
    }
  }
  return result;
}
