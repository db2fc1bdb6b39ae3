// SPDX-License-Identifier: Apache-2.0
// What is seen: state that changed goes to the core as a question, and what it answers goes to the viewport.
import type { App } from './app';
import { length, sub } from './core/math';
import { boneAtRest } from './core/rest';
import { fitTemplate, handlesOf, placed, segmentsOf, templates } from './core/templates';
import type { Frame, FrameRequest, Moment, PaintedRows, SkeletonEdit, SkinData } from './core/protocol';
import { boneOfJoint, jointIndex, restPose, type RigRef } from './state/document';
import { endpointColors, faultColors, faultPlaces, weightColors } from './view/colors';
import { keysText } from './core/keys';
import { isLarge } from './view/proxy';

export class Stage {
  /** While something is dragged, frames come from there, and state that changes asks for none. */
  isHeld = false;
  private readonly gpuMethods: ReadonlySet<string>;
  private shownRig = -1;
  /** Until the GPU has what it needs of the rig that is shown. */
  private gpuLoad: Promise<void> = Promise.resolve();
  private firstLook: readonly number[] | undefined;
  /** As they are shown where weights are. */
  private shownColors: Float32Array | undefined;
  /** What is wrong with what is shown, by method. */
  private faults = new Map<string, Uint8Array>();
  private faultTimer = 0;

  constructor(private readonly app: App) {
    const { store, viewport, catalogue } = app;
    this.gpuMethods = new Set(catalogue.methods.filter((method) => method.isOnGpu).map((method) => method.name));
    store.watch(
      ({ document, session }) => [
        document.rig,
        document.pose,
        document.method,
        document.clips,
        session.compared,
        session.clip,
        session.time,
        session.workspace === 'rig',
      ],
      () => void this.refresh(),
    );
    store.watch(
      ({ document, session }) => [document.rig, document.pins, document.clips, session.clip, session.selection, session.hover, session.showBones, session.workspace],
      () => this.showLook(),
    );
    store.watch(
      ({ document, session }) => [document.rig, session.overlay, session.selection, session.workspace, session.brush.target, session.compared.length],
      () => void this.showColors(),
    );
    store.watch(({ document, session }) => [document.rig, session.ghost, session.workspace], () => this.showGhost());
    store.watch(({ session }) => session.showWire, (wire) => viewport.setWire(wire));
    store.watch(({ document, session }) => session.proxy && isLarge(document.rig.info), (proxy) => {
      viewport.setProxy(proxy);
      void this.showColors();
    });
    store.watch(({ session }) => session.playing, (playing) => viewport.setMoving('clip', playing));
    store.watch(({ session }) => session.marked, (marked) => viewport.setMarks(marked));
  }

  methods(): string[] {
    return [this.app.store.document.method, ...this.app.store.session.compared];
  }

  /** Another document: nothing of the one before is shown. */
  clear(): void {
    this.shownRig = -1;
  }

  /** A camera of another time, once the character that it looked at is there. */
  lookFrom(camera: readonly number[]): void {
    this.firstLook = camera;
  }

  /** Goes to a vertex of a view's surface and marks it with others. */
  goTo(vertices: readonly number[], view = 0): void {
    const { store, viewport } = this.app;
    store.set({ marked: vertices.slice(0, 2000) });
    const positions = viewport.positions(view);
    if (!positions || vertices.length === 0) return;
    const point = viewport.orbit.target.clone().fromArray(positions, 3 * vertices[0]);
    viewport.orbit.focus(point, viewport.modelSize * 0.08);
    viewport.draw();
  }

  /** Asks for what the state says should be seen. */
  async refresh(): Promise<void> {
    const { store } = this.app;
    const { rig } = store.document;
    if (rig.id === 0 || this.isHeld) return;
    if (this.shownRig !== rig.id) this.showRig(rig);
    // Without it, vertices would be computed and shaders compiled for one frame only.
    await this.gpuLoad;
    if (store.document.rig.id !== rig.id || this.isHeld) return;
    const { session } = store;
    const frame = await this.ask(this.moment(session.clip, session.time), !session.playing);
    if (frame && frame.rig === store.document.rig.id && !this.isHeld) this.take(frame);
  }

  /** A moment of a clip, or the pose. */
  moment(clip: string | undefined, time: number): Moment {
    const { document, session } = this.app.store;
    // Skeletons are made in the rest pose.
    if (session.workspace === 'rig') return { rig: document.rig.id, pose: restPose };
    const keys = document.clips.find((other) => other.name === clip);
    if (keys && keys.channels.length > 0) return { rig: document.rig.id, keys: { name: keys.name, text: keysText(document.rig.info, keys) }, time };
    const index = document.rig.info.clips.findIndex((other) => other.name === clip);
    if (!keys && index >= 0) return { rig: document.rig.id, clip: index, time };
    return { rig: document.rig.id, pose: document.pose };
  }

  /**
   * A frame by the methods that are shown. The core deforms vertices only where they are picked (`atRest`), or where the
   * GPU does not know the method.
   */
  async ask(request: Omit<FrameRequest, 'methods'>, atRest = false): Promise<Frame | undefined> {
    const { core, viewport } = this.app;
    const methods = this.methods();
    const isOnGpu = !request.isPainted && viewport.gpuRig === request.rig && methods.every((method) => this.gpuMethods.has(method));
    try {
      return await core.frame({ ...request, methods, forGpu: isOnGpu, noSurfaces: isOnGpu && !atRest });
    } catch (error) {
      // A revision that was shown before it was the document's may be gone by now.
      if (request.rig === this.app.store.document.rig.id) this.app.say((error as Error).message, 'bad');
      return undefined;
    }
  }

  take(frame: Frame): void {
    this.app.viewport.setFrame(frame);
    this.app.frame.value = frame;
    if (this.app.store.session.overlay === 'faults') this.findFaults();
    this.showGizmo();
  }

  private showRig(rig: RigRef): void {
    const { viewport, frame, meshes } = this.app;
    const mesh = meshes.get(rig.id);
    if (!mesh) return;
    const isNew = this.shownRig < 0;
    // The layers of a picture are the order of its triangles.
    const isOther = isNew || meshes.get(this.shownRig) !== mesh;
    this.shownRig = rig.id;
    if (isOther) viewport.setMesh(mesh, rig.info.bones, isNew);
    if (isNew) {
      frame.value = undefined;
      const off = frame.watch((first) => {
        if (!first) return;
        queueMicrotask(() => off());
        // Pictures are looked at from the front.
        viewport.fit(viewport.isFlat ? [0, 0] : [0.45, 0.12]);
        if (this.firstLook) viewport.orbit.state = this.firstLook;
        this.firstLook = undefined;
      });
    } else viewport.setBones(rig.info.bones);
    if (isOther) void this.showColors();
    this.gpuLoad = rig.info.hasWeights ? this.loadGpu(rig) : Promise.resolve();
  }

  private async loadGpu(rig: RigRef): Promise<void> {
    const data = await this.app.core.call('gpu', rig.id).catch(() => undefined);
    if (data && this.app.store.document.rig.id === rig.id) this.app.viewport.setGpu(rig.id, data);
  }


  private showLook(): void {
    const { document, session } = this.app.store;
    const { info } = document.rig;
    const joints = session.selection.map((key) => jointIndex(info, key));
    const targets = (this.app.posing.keyClip()?.channels ?? []).filter(({ kind }) => kind === 'target').map(({ name }) => name);
    this.app.viewport.setLook(
      {
        selectedJoints: new Set(joints),
        selectedBones: new Set(info.bones.flatMap((bone, b) => (joints.includes(bone.joint) ? [b] : []))),
        hoverJoint: session.hover === undefined ? -1 : jointIndex(info, session.hover),
        pins: new Set([...document.pins, ...targets].map((key) => jointIndex(info, key))),
        driven: new Set(info.joints.flatMap((joint, j) => (joint.driven ? [j] : []))),
        hidden: new Set(info.joints.flatMap((joint, j) => (joint.isNode ? [j] : []))),
      },
      session.showBones,
    );
    this.showGizmo();
  }

  /** The template that is held over the mesh, where it is held. */
  ghostSkeleton(): SkeletonEdit | undefined {
    const { ghost, workspace } = this.app.store.session;
    const template = templates.find(({ name }) => name === ghost?.template);
    const mesh = this.app.mesh();
    return ghost && template && mesh && workspace === 'rig' ? placed(fitTemplate(template, mesh.positions), ghost.size, ghost.offset) : undefined;
  }

  private showGhost(): void {
    const skeleton = this.ghostSkeleton();
    if (skeleton) this.app.viewport.setGhost(segmentsOf(skeleton), handlesOf(skeleton).head);
    else this.app.viewport.setGhost([]);
  }

  private showGizmo(): void {
    const { document, session } = this.app.store;
    const frame = this.app.frame.value;
    const key = session.selection.at(-1);
    const joint = key === undefined ? -1 : jointIndex(document.rig.info, key);
    const bone = joint < 0 ? -1 : boneOfJoint(document.rig.info, joint);
    const isPosing = session.workspace === 'pose' || session.workspace === 'animate';
    if (!frame || frame.rig !== document.rig.id || bone < 0 || !isPosing || !session.showBones || session.playing) {
      this.app.viewport.setGizmo(undefined);
      return;
    }
    const at = (list: Float64Array): readonly [number, number, number] => [list[3 * bone], list[3 * bone + 1], list[3 * bone + 2]];
    const place = { head: at(frame.boneHeads), tail: at(frame.boneTails) };
    const rest = boneAtRest(document.rig.info, frame.jointFrames, bone);
    const far = length(sub(rest.tail, rest.head)) * 0.05;
    const isElsewhere = length(sub(place.head, rest.head)) > far || length(sub(place.tail, rest.tail)) > far;
    this.app.viewport.setGizmo(place, isElsewhere ? rest : undefined);
  }

  // ---- Colours ----

  private async showColors(): Promise<void> {
    const { app } = this;
    const { document, session } = app.store;
    const { info } = document.rig;
    if (document.rig.id === 0) return;
    if (session.overlay === 'faults') {
      this.findFaults();
      return;
    }
    if (session.workspace !== 'paint' || !info.hasWeights) {
      app.viewport.setColors([null]);
      return;
    }
    const skin = await app.attempt('Reading the weights', () => app.skin());
    if (skin && document.rig.id === app.store.document.rig.id) this.showWeights(skin);
  }

  // Those of the selected bone, of the kind that is painted; plain skin in the views beside the first.
  private showWeights(skin: SkinData): void {
    this.shownColors = this.colorsOf(skin);
    this.app.viewport.setColors([this.shownColors, ...this.app.store.session.compared.map(() => null)]);
  }

  private colorsOf(skin: SkinData): Float32Array {
    const { document, session } = this.app.store;
    const { info } = document.rig;
    const key = session.selection.at(-1);
    const bone = key === undefined ? -1 : boneOfJoint(info, jointIndex(info, key));
    const { target } = session.brush;
    const values = target === 'twist-endpoints' ? (skin.twistEndpoints ?? skin.endpoints) : skin.endpoints;
    return target === 'bone-weights' ? weightColors(skin, bone) : endpointColors(skin, values, bone);
  }

  // It takes longer than a frame: when what is shown has come to rest.
  private findFaults(): void {
    window.clearTimeout(this.faultTimer);
    if (this.isHeld || this.app.store.session.playing) return;
    this.faultTimer = window.setTimeout(() => void this.showFaults(), 120);
  }

  private async showFaults(): Promise<void> {
    const { store, viewport } = this.app;
    const { document, session } = store;
    const methods = this.methods();
    const found = await this.app.faults(methods).catch(() => undefined);
    if (!found || store.document !== document || store.session.time !== session.time || store.session.overlay !== 'faults') return;
    this.faults = new Map(methods.map((method, m) => [method, found[m]]));
    viewport.setColors(found.map(faultColors));
  }

  /** Places of a view's surface where something is wrong, apart from each other. */
  async worst(view: number): Promise<number[]> {
    const method = this.methods()[view];
    const faults = this.faults.get(method) ?? (await this.app.faults([method]))[0];
    const positions = this.app.viewport.positions(view);
    return positions ? faultPlaces(faults, positions, this.app.viewport.modelSize * 0.04, 8) : [];
  }

  // ---- Before it is the document's ----

  /** Shows a revision that is not the document's yet, while a curve is dragged. */
  async preview(rig: RigRef): Promise<void> {
    const { core, store, viewport } = this.app;
    const { session } = store;
    this.isHeld = true;
    const frame = await this.ask({ ...this.moment(session.clip, session.time), rig: rig.id });
    if (!frame) return;
    viewport.setFrame(frame);
    if (session.workspace === 'paint' && session.overlay === 'none') this.showWeights(await core.call('skin', rig.id));
  }

  /** Shows weights that are being painted: rows in their colours at once, and the skin that they move. */
  async previewPaint(rows: PaintedRows): Promise<void> {
    const { store, viewport } = this.app;
    const { document, session } = store;
    this.isHeld = true;
    const { shownColors } = this;
    if (shownColors && session.overlay === 'none') {
      const colors = this.colorsOf(rows);
      rows.vertices.forEach((vertex, r) => shownColors.set(colors.subarray(3 * r, 3 * r + 3), 3 * vertex));
      viewport.setColors([shownColors, ...session.compared.map(() => null)]);
    }
    const frame = await this.ask({ ...this.moment(session.clip, session.time), rig: document.rig.id, isPainted: true });
    if (frame) viewport.setFrame(frame);
  }

  endPreview(): void {
    this.isHeld = false;
    void this.refresh();
    void this.showColors();
  }
}
