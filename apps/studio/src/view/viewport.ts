// SPDX-License-Identifier: Apache-2.0
// The viewport only draws: it is told what to show, and says what is under a point. One, two or four views show the
// same pose by a method each, with one camera.
import * as THREE from 'three';
import { originAt, vecAt } from '../core/math';
import type { Dab, Frame, MeshData } from '../core/protocol';
import type { BoneInfo, Vec3 } from '../state/document';
import { Bones, type BoneLook } from './bones';
import { OrbitCamera } from './camera';
import { Gizmo, type GizmoPlace, type Handle } from './gizmo';
import { Skin, clay, drawnMesh } from './skin';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface SurfaceHit extends Dab {
  readonly point: Vec3;
  readonly normal: Vec3;
  readonly view: number;
}

export class Viewport {
  readonly orbit = new OrbitCamera();
  readonly canvas: HTMLCanvasElement;
  readonly gizmo = new Gizmo();
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly bones = new Bones();
  private readonly ghost = new THREE.Group();
  private readonly brush: THREE.LineLoop;
  private readonly marks: THREE.Points;
  private readonly ground: THREE.Mesh;
  private readonly key = new THREE.DirectionalLight(0xfff1e0, 2.0);
  private skins: Skin[] = [];
  private mesh: MeshData | undefined;
  private materials: readonly THREE.Material[] = [];
  private frame: Frame | undefined;
  private boneList: readonly BoneInfo[] = [];
  private viewCount = 1;
  private width = 1;
  private height = 1;
  private asked = false;
  private onions: THREE.Mesh[] = [];
  private layoutRects: Rect[] = [];
  private hidden: ReadonlySet<number> = new Set();
  /** How many frames were drawn, for the status line. */
  drawn = 0;
  onDraw: (() => void) | undefined;

  constructor(private readonly host: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: false });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    this.canvas.className = 'canvas';
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', 'Character. Drag a joint to pose it, drag the background to turn.');
    host.append(this.canvas);

    const sky = new THREE.HemisphereLight(0xf4f7ff, 0xa09286, 1.15);
    const rim = new THREE.DirectionalLight(0xdde8ff, 0.9);
    rim.position.set(-2, 2.2, -3);
    this.key.position.set(1.6, 3.4, 2.6);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 5;
    this.key.shadow.normalBias = 0.02;
    this.ground = new THREE.Mesh(new THREE.CircleGeometry(1, 64), new THREE.ShadowMaterial({ opacity: 0.16 }));
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.receiveShadow = true;
    for (const light of [sky, rim, this.key]) {
      light.layers.enableAll();
      this.scene.add(light);
    }
    this.scene.add(this.key.target, this.ground, this.bones.group, this.gizmo.group, this.ghost);

    const circle = new THREE.BufferGeometry().setFromPoints(
      Array.from({ length: 64 }, (_, k) => {
        const a = (k / 64) * 2 * Math.PI;
        return new THREE.Vector3(Math.cos(a), Math.sin(a), 0);
      }),
    );
    this.brush = new THREE.LineLoop(circle, new THREE.LineBasicMaterial({ color: 0x2e7cf6, depthTest: false }));
    this.brush.renderOrder = 30;
    this.brush.visible = false;
    this.marks = new THREE.Points(
      new THREE.BufferGeometry(),
      new THREE.PointsMaterial({ color: 0xe5484d, size: 7, sizeAttenuation: false, depthTest: false, transparent: true }),
    );
    this.marks.renderOrder = 25;
    this.marks.frustumCulled = false;
    this.scene.add(this.brush, this.marks);

    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  // ---- What is shown ----

  setMesh(mesh: MeshData, bones: readonly BoneInfo[]): void {
    this.mesh = mesh;
    this.boneList = bones;
    this.materials = [];
    this.frame = undefined;
    this.makeSkins();
  }

  setBones(bones: readonly BoneInfo[]): void {
    this.boneList = bones;
  }

  setMaterials(materials: readonly THREE.Material[]): void {
    this.materials = materials;
    for (const skin of this.skins) skin.dress(materials);
    this.draw();
  }

  setViews(count: number): void {
    if (count === this.viewCount) return;
    this.viewCount = count;
    this.layout();
    this.makeSkins();
    this.orbit.fit(this.bounds());
    this.draw();
  }

  setFrame(frame: Frame): void {
    this.frame = frame;
    this.skins.forEach((skin, v) => {
      const surface = frame.surfaces[v] ?? frame.surfaces[0];
      if (surface) skin.show(surface);
    });
    this.bones.place(frame.boneHeads, frame.boneTails, frame.jointFrames);
    this.placeMarks();
    this.draw();
  }

  /** Colours for each view; the first where there are fewer. */
  setColors(colors: readonly (Float32Array | null)[]): void {
    this.skins.forEach((skin, v) => skin.color((v < colors.length ? colors[v] : colors[0]) ?? null));
    this.draw();
  }

  setLook(look: BoneLook, visible: boolean): void {
    this.bones.style(look);
    this.hidden = look.hidden;
    this.bones.group.visible = visible;
    this.draw();
  }

  setWire(visible: boolean): void {
    for (const skin of this.skins) skin.showWire(visible);
    this.draw();
  }

  setGizmo(place: GizmoPlace | undefined): void {
    this.gizmo.show(place);
    this.draw();
  }

  /** The brush on the surface, or nothing. */
  setBrush(hit: { point: Vec3; normal: Vec3 } | undefined, radius: number): void {
    this.brush.visible = hit !== undefined;
    if (hit) {
      this.brush.position.set(...hit.point);
      this.brush.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...hit.normal));
      this.brush.scale.setScalar(radius);
    }
    this.draw();
  }

  /** Dots on vertices that a report speaks of. */
  setMarks(vertices: readonly number[]): void {
    this.marks.userData.vertices = vertices;
    this.placeMarks();
    this.draw();
  }

  /** The character at other times, faintly. */
  setOnions(surfaces: readonly { positions: Float32Array; normals: Float32Array; color: number }[]): void {
    for (const old of this.onions) {
      old.removeFromParent();
      old.geometry.dispose();
    }
    this.onions = surfaces.map((surface) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setIndex(new THREE.BufferAttribute(this.mesh?.triangles ?? new Uint32Array(0), 1));
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
      this.scene.add(mesh);
      return mesh;
    });
    this.draw();
  }

  /** Lines of a skeleton that is not there yet: a template before it is taken. */
  setGhost(segments: readonly (readonly [Vec3, Vec3])[]): void {
    for (const child of [...this.ghost.children]) {
      child.removeFromParent();
      (child as THREE.LineSegments).geometry.dispose();
    }
    if (segments.length > 0) {
      const points = segments.flatMap(([a, b]) => [new THREE.Vector3(...a), new THREE.Vector3(...b)]);
      const lines = new THREE.LineSegments(
        new THREE.BufferGeometry().setFromPoints(points),
        new THREE.LineBasicMaterial({ color: 0x19a974, depthTest: false, transparent: true }),
      );
      lines.renderOrder = 28;
      this.ghost.add(lines);
    }
    this.draw();
  }

  bounds(): THREE.Box3 {
    const box = new THREE.Box3();
    const positions = this.frame?.surfaces[0]?.positions ?? this.mesh?.positions;
    if (positions && positions.length > 0) box.setFromArray(positions);
    for (const list of [this.frame?.boneHeads, this.frame?.boneTails]) {
      for (let b = 0; list && b < list.length / 3; ++b) box.expandByPoint(new THREE.Vector3(...vecAt(list, b)));
    }
    return box;
  }

  fit(direction?: readonly [number, number]): void {
    const box = this.bounds();
    this.orbit.fit(box, direction);
    if (box.isEmpty()) return;
    const size = box.getSize(new THREE.Vector3()).length();
    const center = box.getCenter(new THREE.Vector3());
    this.ground.scale.setScalar(size * 2.5);
    this.ground.position.set(center.x, box.min.y - size * 0.001, center.z);
    this.key.position.set(center.x + size * 0.45, box.max.y + size * 0.6, center.z + size * 0.75);
    this.key.target.position.copy(center);
    const shadow = this.key.shadow.camera;
    shadow.left = shadow.bottom = -size;
    shadow.right = shadow.top = size;
    shadow.near = size * 0.05;
    shadow.far = size * 3.5;
    shadow.updateProjectionMatrix();
    this.draw();
  }

  // ---- What is where ----

  get rects(): readonly Rect[] {
    return this.layoutRects;
  }

  get lastFrame(): Frame | undefined {
    return this.frame;
  }

  /** Whether a texture is on it. */
  get hasTexture(): boolean {
    return this.materials.some((material) => 'map' in material && material.map !== null);
  }

  /** Whether the mesh has next to no depth: a picture. */
  get isFlat(): boolean {
    const box = new THREE.Box3().setFromArray(this.mesh?.positions ?? []);
    const size = box.getSize(new THREE.Vector3());
    return size.z < 0.02 * size.length();
  }

  /** How large the model is, in world units. */
  get modelSize(): number {
    return this.bounds().getSize(new THREE.Vector3()).length() || 1;
  }

  viewAt(x: number, y: number): number {
    const found = this.layoutRects.findIndex((r) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);
    return Math.max(0, found);
  }

  /** Where a point of the world is, in pixels of the host. */
  project(point: THREE.Vector3 | Vec3, view: number): [number, number] {
    const rect = this.layoutRects[view];
    const p = (point instanceof THREE.Vector3 ? point.clone() : new THREE.Vector3(...point)).project(this.orbit.camera);
    return [rect.x + ((p.x + 1) / 2) * rect.width, rect.y + ((1 - p.y) / 2) * rect.height];
  }

  ray(x: number, y: number): THREE.Ray {
    const rect = this.layoutRects[this.viewAt(x, y)];
    const caster = new THREE.Raycaster();
    const ndc = new THREE.Vector2(((x - rect.x) / rect.width) * 2 - 1, 1 - ((y - rect.y) / rect.height) * 2);
    caster.setFromCamera(ndc, this.orbit.camera);
    return caster.ray;
  }

  /** The point under the pointer in the plane through `through` that faces the camera. */
  inViewPlane(x: number, y: number, through: Vec3): Vec3 {
    const normal = this.orbit.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...through));
    const hit = this.ray(x, y).intersectPlane(plane, new THREE.Vector3());
    return hit ? (hit.toArray() as unknown as Vec3) : through;
  }

  /** The joint nearest to a point of the picture; -1: none within reach. */
  pickJoint(x: number, y: number, reach: number): number {
    const frames = this.frame?.jointFrames;
    if (!frames) return -1;
    const view = this.viewAt(x, y);
    let best = -1;
    let least = reach;
    for (let j = 0; j < frames.length / 16; ++j) {
      if (this.hidden.has(j)) continue;
      const [px, py] = this.project(originAt(frames, j), view);
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) [best, least] = [j, distance];
    }
    return best;
  }

  /** The tail that is at no joint nearest to a point; -1: none. */
  pickTail(x: number, y: number, reach: number): number {
    const tails = this.frame?.boneTails;
    if (!tails) return -1;
    const view = this.viewAt(x, y);
    let best = -1;
    let least = reach;
    this.boneList.forEach((bone, b) => {
      if (bone.tailJoint >= 0) return;
      const [px, py] = this.project(vecAt(tails, b), view);
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) [best, least] = [b, distance];
    });
    return best;
  }

  /** The bone nearest to a point; -1: none within reach. */
  pickBone(x: number, y: number, reach: number): number {
    if (!this.frame) return -1;
    const view = this.viewAt(x, y);
    const { boneHeads, boneTails } = this.frame;
    let best = -1;
    let least = reach;
    for (let b = 0; b < boneHeads.length / 3; ++b) {
      const [ax, ay] = this.project(vecAt(boneHeads, b), view);
      const [bx, by] = this.project(vecAt(boneTails, b), view);
      const dx = bx - ax;
      const dy = by - ay;
      const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      const distance = Math.hypot(ax + t * dx - x, ay + t * dy - y);
      if (distance < least) [best, least] = [b, distance];
    }
    return best;
  }

  pickHandle(x: number, y: number, reach: number): Handle | undefined {
    const view = this.viewAt(x, y);
    const project = (point: THREE.Vector3): readonly [number, number] => this.project(point, view);
    return this.gizmo.pick(x, y, reach, project, this.orbit.camera, this.layoutRects[view].height);
  }

  /** Where a ray through a point of the picture meets the surface; all places if `through`. */
  pickSurface(x: number, y: number, through = false): SurfaceHit[] {
    const view = this.viewAt(x, y);
    const skin = this.skins[view];
    if (!skin) return [];
    const caster = new THREE.Raycaster();
    caster.ray.copy(this.ray(x, y));
    caster.layers.enableAll();
    const hits = caster.intersectObject(skin.object, false);
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

  /** The middle of the volume under a point of the picture: between where the ray goes in and comes out first. */
  midVolume(x: number, y: number): Vec3 | undefined {
    const hits = this.pickSurface(x, y, true);
    if (hits.length < 2) return undefined;
    const [a, b] = [hits[0].point, hits.find((hit) => distance(hit.point, hits[0].point) > 1e-5)?.point];
    return b && [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
  }

  // ---- Drawing ----

  draw(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.render();
    });
  }

  /** Draws now, so that the canvas can be read. */
  render(): void {
    const { renderer, scene, orbit } = this;
    renderer.setScissorTest(true);
    renderer.setClearColor(0x000000, 0);
    renderer.setViewport(0, 0, this.width, this.height);
    renderer.setScissor(0, 0, this.width, this.height);
    renderer.clear();
    this.layoutRects.forEach((rect, v) => {
      const bottom = this.height - rect.y - rect.height;
      renderer.setViewport(rect.x, bottom, rect.width, rect.height);
      renderer.setScissor(rect.x, bottom, rect.width, rect.height);
      orbit.camera.aspect = rect.width / rect.height;
      orbit.project();
      orbit.camera.layers.set(0);
      orbit.camera.layers.enable(v + 1);
      this.bones.update(orbit.camera, rect.height);
      this.gizmo.update(orbit.camera, rect.height);
      renderer.render(scene, orbit.camera);
    });
    ++this.drawn;
    this.onDraw?.();
  }

  /** A picture of the views as they are, in pixels of the screen times `scale`. */
  async picture(scale: number, background: string | null): Promise<Blob> {
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(scale);
    this.render();
    const copy = document.createElement('canvas');
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    const context = copy.getContext('2d');
    if (!context) throw new Error('The browser has no canvas to draw on');
    if (background) {
      context.fillStyle = background;
      context.fillRect(0, 0, copy.width, copy.height);
    }
    context.drawImage(this.canvas, 0, 0);
    this.renderer.setPixelRatio(ratio);
    this.draw();
    return new Promise((resolve, reject) => {
      copy.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made'))), 'image/png');
    });
  }

  /** Pixels of the views, for films. */
  pixels(into: CanvasRenderingContext2D, background: string): void {
    this.render();
    const { width, height } = into.canvas;
    into.fillStyle = background;
    into.fillRect(0, 0, width, height);
    const scale = Math.min(width / this.canvas.width, height / this.canvas.height);
    const [w, h] = [this.canvas.width * scale, this.canvas.height * scale];
    into.drawImage(this.canvas, (width - w) / 2, (height - h) / 2, w, h);
  }

  /** Without bones and handles while `body` runs. */
  async plain<T>(body: () => Promise<T>): Promise<T> {
    const shown = [this.bones.group.visible, this.gizmo.group.visible] as const;
    this.bones.group.visible = false;
    this.gizmo.group.visible = false;
    try {
      return await body();
    } finally {
      [this.bones.group.visible, this.gizmo.group.visible] = shown;
      this.draw();
    }
  }

  private makeSkins(): void {
    for (const skin of this.skins) skin.free();
    this.skins = [];
    const { mesh } = this;
    if (!mesh) return;
    const drawn = drawnMesh(mesh);
    const materials = this.materials.length > 0 ? this.materials : [clay()];
    for (let v = 0; v < this.viewCount; ++v) {
      const skin = new Skin(drawn, mesh, materials, v + 1);
      this.skins.push(skin);
      this.scene.add(skin.object);
    }
    if (this.frame) this.setFrame(this.frame);
  }

  private placeMarks(): void {
    const vertices = (this.marks.userData.vertices as readonly number[] | undefined) ?? [];
    const positions = this.frame?.surfaces[0]?.positions;
    const points = positions
      ? vertices.filter((v) => 3 * v < positions.length).flatMap((v) => [...vecAt(positions, v)])
      : [];
    this.marks.geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    this.marks.visible = points.length > 0;
  }

  private resize(): void {
    this.width = Math.max(1, this.host.clientWidth);
    this.height = Math.max(1, this.host.clientHeight);
    this.renderer.setSize(this.width, this.height);
    this.layout();
    this.draw();
  }

  private layout(): void {
    const { width, height, viewCount } = this;
    const isTall = height > width;
    const columns = viewCount === 4 ? 2 : viewCount === 2 && !isTall ? 2 : 1;
    const rows = viewCount / columns;
    this.layoutRects = Array.from({ length: viewCount }, (_, v) => ({
      x: Math.round(((v % columns) * width) / columns),
      y: Math.round((Math.floor(v / columns) * height) / rows),
      width: Math.round(width / columns),
      height: Math.round(height / rows),
    }));
    this.orbit.camera.aspect = this.layoutRects[0].width / this.layoutRects[0].height;
    this.orbit.project();
  }
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
