// SPDX-License-Identifier: Apache-2.0
// The viewport only draws what it is told to show. One, two or four views show the same pose by a method each, with one
// camera. Picking says what is under a point.
import * as THREE from 'three';
import { vecAt } from '../core/math';
import type { Frame, GpuData, MeshData, Surface } from '../core/protocol';
import type { BoneInfo, Vec3 } from '../state/document';
import { Bones, type BoneLook } from './bones';
import { OrbitCamera } from './camera';
import { Gizmo, type GizmoPlace } from './gizmo';
import { GpuRig } from './gpu-skin';
import { placeViews, type ViewPlace } from './layout';
import { Lights } from './lights';
import { Picking } from './picking';
import { Signs } from './signs';
import { Skin, clay, drawnMesh, withProxy, type DrawnMesh } from './skin';

export class Viewport {
  readonly orbit = new OrbitCamera();
  readonly canvas: HTMLCanvasElement;
  readonly gizmo = new Gizmo();
  readonly pick = new Picking(this);
  /** Where the views are on the canvas. */
  places: readonly ViewPlace[] = [];
  boneList: readonly BoneInfo[] = [];
  /** Whether the mesh has next to no depth: a picture. */
  isFlat = false;
  /** A skeleton that is not there yet, and the knob to scale it by. */
  ghost: { readonly segments: readonly (readonly [Vec3, Vec3])[]; readonly knob?: Vec3 } = { segments: [] };
  /** Joints that are not drawn. */
  hidden: ReadonlySet<number> = new Set();
  /** How many frames were drawn, for the status line. */
  drawn = 0;
  onDraw: (() => void) | undefined;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly bones = new Bones();
  private readonly lights = new Lights(this.scene);
  private readonly signs = new Signs();
  private skins: Skin[] = [];
  private mesh: MeshData | undefined;
  private drawnMesh: DrawnMesh | undefined;
  private hasWire = false;
  private hasProxy = false;
  private readonly moving = new Set<string>();
  private materials: readonly THREE.Material[] = [];
  private gpu: { readonly rig: number; readonly is: GpuRig } | undefined;
  private frame: Frame | undefined;
  private viewCount = 1;
  private swipe: number | undefined;
  private width = 1;
  private height = 1;
  private asked = false;

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
    this.scene.add(this.bones.group, this.gizmo.group, this.signs.group);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  // ---- What is shown ----

  /** `isNew`: of another character, with materials of its own. */
  setMesh(mesh: MeshData, bones: readonly BoneInfo[], isNew: boolean): void {
    this.mesh = mesh;
    this.boneList = bones;
    if (isNew) this.materials = [];
    const size = new THREE.Box3().setFromArray(mesh.positions).getSize(new THREE.Vector3());
    this.isFlat = size.z < 0.02 * size.length();
    this.frame = undefined;
    this.setGpu(0, undefined);
    this.makeSkins();
  }

  setBones(bones: readonly BoneInfo[]): void {
    this.boneList = bones;
  }

  setMaterials(materials: readonly THREE.Material[]): void {
    this.materials = materials;
    // What is in one plane is drawn in its order.
    if (this.isFlat) for (const material of materials) material.depthWrite = false;
    for (const skin of this.skins) skin.dress(materials);
    this.draw();
  }

  /** What the GPU needs of a revision of the rig. */
  setGpu(rig: number, data: GpuData | undefined): void {
    const old = this.gpu;
    this.gpu = data && { rig, is: new GpuRig(data) };
    for (const skin of this.skins) {
      skin.bind(this.gpu?.is);
      skin.simplify(this.moving.size > 0);
    }
    old?.is.free();
  }

  /** The revision that the GPU deforms; 0: none. */
  get gpuRig(): number {
    return this.gpu?.rig ?? 0;
  }

  setViews(count: number): void {
    if (count === this.viewCount) return;
    this.viewCount = count;
    this.layout();
    this.fitSkins();
    this.draw();
  }

  /** Where the line between two views over each other is, as a share of the width; undefined: they are beside each other. */
  setSwipe(at: number | undefined): void {
    this.swipe = at;
    this.layout();
    this.draw();
  }

  setFrame(frame: Frame): void {
    this.frame = frame;
    this.skins.forEach((skin, v) => {
      const surface = frame.surfaces[v] ?? frame.surfaces[0];
      const pose = frame.poses[v] ?? frame.poses[0];
      if (pose && frame.rig === this.gpuRig && skin.pose(pose.texels, pose.blend)) {
        if (surface) skin.posed = surface.positions;
      } else if (surface) skin.show(surface);
    });
    this.bones.place(frame.boneHeads, frame.boneTails, frame.jointFrames);
    this.signs.placeMarks(this.skins.map(({ posed }) => posed));
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
    this.hasWire = visible;
    for (const skin of this.skins) skin.showWire(visible);
    this.draw();
  }

  /** Whether there is a proxy of the mesh to be shown while it moves. */
  setProxy(on: boolean): void {
    if (on === this.hasProxy) return;
    this.hasProxy = on;
    this.makeSkins();
    this.draw();
  }

  /** What moves: while something does, the proxy is shown if there is one. */
  setMoving(what: 'pose' | 'camera' | 'clip', moving: boolean): void {
    const before = this.moving.size;
    if (moving) this.moving.add(what);
    else this.moving.delete(what);
    if (before > 0 === this.moving.size > 0) return;
    for (const skin of this.skins) skin.simplify(moving);
    if (this.hasProxy) this.draw();
  }

  /** Handles on a bone, and where it is at rest if it is elsewhere now. */
  setGizmo(place: GizmoPlace | undefined, rest?: GizmoPlace): void {
    this.gizmo.show(place);
    this.signs.setRest(place && rest);
    this.draw();
  }

  setBrush(hit: { point: Vec3; normal: Vec3 } | undefined, radius: number): void {
    this.signs.setBrush(hit, radius);
    this.draw();
  }

  setMarks(vertices: readonly number[]): void {
    this.signs.setMarks(vertices, this.skins.map(({ posed }) => posed));
    this.draw();
  }

  setOnions(surfaces: readonly (Surface & { readonly color: number })[]): void {
    this.signs.setOnions(this.mesh?.triangles ?? new Uint32Array(0), surfaces);
    this.draw();
  }

  setGhost(segments: readonly (readonly [Vec3, Vec3])[], knob?: Vec3): void {
    this.ghost = { segments, knob };
    this.signs.setGhost(segments, knob);
    this.draw();
  }

  // ---- What there is ----

  get lastFrame(): Frame | undefined {
    return this.frame;
  }

  skinAt(view: number): Skin | undefined {
    return this.skins[view];
  }

  /** The positions of the surface when it last came to rest, 3 numbers per vertex of the rig. */
  positions(view = 0): Float32Array | undefined {
    return this.skins[view]?.posed;
  }

  /** Whether a texture is on it. */
  get hasTexture(): boolean {
    return this.materials.some((material) => 'map' in material && material.map !== null);
  }

  /** How large the model is, in world units. */
  get modelSize(): number {
    return this.bounds().getSize(new THREE.Vector3()).length() || 1;
  }

  bounds(): THREE.Box3 {
    const box = new THREE.Box3();
    const positions = this.positions() ?? this.mesh?.positions;
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
    this.lights.fit(box);
    this.draw();
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

  /** Compiles the shaders that any character needs, by drawing one of a single triangle without size. */
  warm(): void {
    const nothing = (size: number): Float32Array<ArrayBuffer> => new Float32Array(size);
    const rig = new GpuRig({ positions: nothing(9), normals: nothing(9), vertices: nothing(12), influences: nothing(8), gradients: nothing(4), deltaRanges: null, deltas: null });
    const groups = [{ start: 0, count: 3, materialIndex: 0 }];
    // It is kept: programs that nothing uses are thrown away.
    const skin = new Skin({ source: null, index: Uint32Array.from([0, 1, 2]), uvs: null, count: 3, groups, proxy: null }, [clay()], 1);
    skin.bind(rig);
    skin.pose(nothing(4), 0);
    this.scene.add(skin.object);
    this.render();
    skin.object.removeFromParent();
  }

  /** Draws now, so that the canvas can be read. */
  render(): void {
    const { renderer, scene, orbit } = this;
    renderer.setScissorTest(true);
    renderer.setClearColor(0x000000, 0);
    renderer.setViewport(0, 0, this.width, this.height);
    renderer.setScissor(0, 0, this.width, this.height);
    renderer.clear();
    this.places.forEach(({ rect, seen }, v) => {
      if (seen.width <= 0 || seen.height <= 0) return;
      renderer.setViewport(rect.x, this.height - rect.y - rect.height, rect.width, rect.height);
      renderer.setScissor(seen.x, this.height - seen.y - seen.height, seen.width, seen.height);
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

  /** The character alone while `body` runs, without bones, handles, dots and itself at other times. */
  async plain<T>(body: () => Promise<T>): Promise<T> {
    const extras = [this.bones.group, this.gizmo.group, this.signs.group];
    const shown = extras.map((extra) => extra.visible);
    for (const extra of extras) extra.visible = false;
    try {
      return await body();
    } finally {
      extras.forEach((extra, i) => (extra.visible = shown[i]));
      this.draw();
    }
  }

  private makeSkins(): void {
    for (const skin of this.skins) skin.free();
    this.skins = [];
    const drawn = this.mesh && drawnMesh(this.mesh);
    this.drawnMesh = drawn && this.mesh && this.hasProxy ? withProxy(drawn, this.mesh) : drawn;
    this.fitSkins();
  }

  // One for each view; those that are there stay.
  private fitSkins(): void {
    const { drawnMesh: drawn } = this;
    if (!drawn) return;
    for (const skin of this.skins.splice(this.viewCount)) skin.free();
    const materials = this.materials.length > 0 ? this.materials : [clay()];
    while (this.skins.length < this.viewCount) {
      const skin = new Skin(drawn, materials, this.skins.length + 1);
      skin.bind(this.gpu?.is);
      skin.showWire(this.hasWire);
      skin.simplify(this.moving.size > 0);
      this.skins.push(skin);
      this.scene.add(skin.object);
    }
    if (this.frame) this.setFrame(this.frame);
  }

  private resize(): void {
    this.width = Math.max(1, this.host.clientWidth);
    this.height = Math.max(1, this.host.clientHeight);
    this.renderer.setSize(this.width, this.height);
    this.layout();
    this.draw();
  }

  private layout(): void {
    this.places = placeViews(this.width, this.height, this.viewCount, this.swipe);
    const { rect } = this.places[0];
    this.orbit.reshape(rect.width / rect.height);
  }
}
