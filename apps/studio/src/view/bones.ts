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

// Many small shapes as one mesh: they are as many draws as there are materials, also where instances are drawn one by one.
class Batch {
  readonly group = new THREE.Group();
  private readonly corners: Float32Array;
  private readonly body: THREE.BufferGeometry;
  private readonly rim: THREE.BufferGeometry;
  private readonly meshes: THREE.Mesh<THREE.BufferGeometry, THREE.Material>[] = [];

  /** `outline`: the side of the shape whose rim is seen. */
  constructor(shape: THREE.BufferGeometry, capacity: number, outline: THREE.Side) {
    this.corners = (shape.index ? shape.toNonIndexed() : shape).getAttribute('position').array as Float32Array;
    const size = capacity * this.corners.length;
    const floats = (): THREE.BufferAttribute => new THREE.BufferAttribute(new Float32Array(size), 3).setUsage(THREE.DynamicDrawUsage);
    this.body = new THREE.BufferGeometry().setAttribute('position', floats()).setAttribute('color', floats());
    this.rim = new THREE.BufferGeometry().setAttribute('position', floats());
    const make = (geometry: THREE.BufferGeometry, material: THREE.Material, order: number): void => {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      this.meshes.push(mesh);
      this.group.add(mesh);
    };
    const seen = { transparent: true, toneMapped: false };
    const hidden = { ...seen, depthTest: false, depthWrite: false };
    make(this.rim, new THREE.MeshBasicMaterial({ ...hidden, color: palette.outline, side: outline, opacity: 0.55 }), 9);
    make(this.body, new THREE.MeshBasicMaterial({ ...hidden, vertexColors: true, opacity: 0.5 }), 10);
    make(this.body, new THREE.MeshLambertMaterial({ ...seen, vertexColors: true, flatShading: true, opacity: 0.95, emissive: 0x8a8f96, emissiveIntensity: 0.6 }), 11);
  }

  set(i: number, matrix: THREE.Matrix4, fat: THREE.Matrix4, color: THREE.Color): void {
    const { corners } = this;
    const from = i * corners.length;
    place(corners, matrix, (this.body.getAttribute('position') as THREE.BufferAttribute).array as Float32Array, from);
    place(corners, fat, (this.rim.getAttribute('position') as THREE.BufferAttribute).array as Float32Array, from);
    const colors = (this.body.getAttribute('color') as THREE.BufferAttribute).array as Float32Array;
    for (let k = from; k < from + corners.length; k += 3) color.toArray(colors, k);
  }

  /** After the first `count` were set. */
  done(count: number): void {
    for (const geometry of [this.body, this.rim]) {
      geometry.setDrawRange(0, (count * this.corners.length) / 3);
      for (const name of ['position', 'color']) {
        const attribute = geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
        if (attribute) attribute.needsUpdate = true;
      }
    }
  }

  free(): void {
    this.group.removeFromParent();
    for (const mesh of this.meshes) mesh.material.dispose();
    this.body.dispose();
    this.rim.dispose();
  }
}

function place(corners: Float32Array, { elements: m }: THREE.Matrix4, into: Float32Array, from: number): void {
  for (let k = 0; k < corners.length; k += 3) {
    const [x, y, z] = [corners[k], corners[k + 1], corners[k + 2]];
    into[from + k] = m[0] * x + m[4] * y + m[8] * z + m[12];
    into[from + k + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
    into[from + k + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
  }
}

export class Bones {
  readonly group = new THREE.Group();
  private bones: Batch | undefined;
  private joints: Batch | undefined;
  private readonly shape = octahedron();
  private readonly dot = new THREE.CircleGeometry(1, 16);
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
      this.bones = new Batch(this.shape, this.capacity, THREE.BackSide);
      this.joints = new Batch(this.dot, this.capacity, THREE.FrontSide);
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
    this.bones.done(count);

    const joints = this.frames.length / 16;
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
      // Discs that face the camera.
      matrix.compose(head, camera.quaternion, side.setScalar(radius * distance));
      const outer = radius === 0 ? 0 : (radius + Math.min(1.4, radius * 0.5)) * distance;
      fat.compose(head, camera.quaternion, side.setScalar(outer));
      this.joints.set(j, matrix, fat, color);
    }
    this.joints.done(joints);
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
