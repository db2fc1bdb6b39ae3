// SPDX-License-Identifier: Apache-2.0
// Ties the parts together: state that changed goes to the core, what the core answers goes to the viewport.
import { setKey, setPose, setRig, addClip as addClipCommand } from './commands/commands';
import { CoreError, type Core, type Job } from './core/client';
import type { Catalogue, Drag, Frame, FrameRequest, MeshData, Report, RigOperation, SkinData, TailDrag } from './core/protocol';
import {
  boneOfJoint,
  clipDuration,
  emptyInfo,
  jointIndex,
  newDocument,
  restPose,
  type Document,
  type KeyClip,
  type Pose,
  type RigRef,
} from './state/document';
import { firstSession } from './state/session';
import { Signal } from './state/signal';
import { Store } from './state/store';
import { endpointColors, hotSpots, strain, strainColors, weightColors } from './view/colors';
import { materialsOf } from './view/materials';
import { Viewport } from './view/viewport';

export interface Message {
  readonly text: string;
  readonly kind: 'info' | 'good' | 'bad';
  readonly action?: { readonly label: string; run(): void };
}

export interface Running {
  readonly label: string;
  readonly stage: string;
  readonly fraction: number;
  cancel(): void;
}

export class App {
  readonly store = new Store(newDocument('Untitled', { id: 0, info: emptyInfo }), {
    ...firstSession,
    // A sheet would hide the character on a narrow screen.
    inspector: window.innerWidth > 760,
  });
  readonly viewport: Viewport;
  readonly message = new Signal<Message | undefined>(undefined);
  readonly hint = new Signal('');
  /** A value beside the pointer while something is dragged. */
  readonly tag = new Signal<{ readonly x: number; readonly y: number; readonly text: string } | undefined>(undefined);
  readonly job = new Signal<Running | undefined>(undefined);
  readonly frame = new Signal<Frame | undefined>(undefined);
  /** The report on the weights of a revision. */
  readonly weightReport = new Signal<{ rig: number; report: Report } | undefined>(undefined);
  readonly busy = new Signal(false);
  /** Where a character was opened from, to go on with it: what the first screen and recovery need. */
  private readonly meshes = new Map<number, MeshData>();
  private readonly skins = new Map<number, Promise<SkinData>>();
  private shownRig = -1;
  private isLive = false;
  private firstLook: readonly number[] | undefined;
  private playedFrom = 0;
  private playedAt = 0;

  constructor(
    readonly core: Core,
    readonly catalogue: Catalogue,
    host: HTMLElement,
  ) {
    this.viewport = new Viewport(host);
    const { store } = this;
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
      ({ document, session }) => [document.rig, document.pins, session.selection, session.hover, session.showBones, session.workspace],
      () => this.showLook(),
    );
    store.watch(
      ({ document, session }) => [document.rig, session.overlay, session.selection, session.workspace, session.brush.target, session.compared.length],
      () => void this.showColors(),
    );
    store.watch(({ session }) => session.showWire, (wire) => this.viewport.setWire(wire));
    store.watch(({ session }) => session.marked, (marked) => this.viewport.setMarks(marked));
    store.watch(({ session }) => session.playing, (playing) => this.setPlaying(playing));
  }

  // ---- Saying things ----

  say(text: string, kind: Message['kind'] = 'info', action?: Message['action']): void {
    this.message.value = { text, kind, action };
  }

  /** Runs something that may fail; what went wrong is said, and the document is as it was. */
  async attempt<T>(what: string, body: () => Promise<T>): Promise<T | undefined> {
    try {
      return await body();
    } catch (error) {
      if (error instanceof CoreError && error.code === 'SINEW_CANCELLED') {
        this.say(`${what}: cancelled. Nothing has changed.`);
      } else {
        this.say(`${what} failed: ${(error as Error).message}. Nothing has changed.`, 'bad');
      }
      return undefined;
    }
  }

  // ---- Documents ----

  /** Opens a rig as a new document. */
  show(name: string, rig: RigRef, mesh: MeshData, rest: Partial<Document> = {}): void {
    this.meshes.clear();
    this.skins.clear();
    this.meshes.set(rig.id, mesh);
    this.weightReport.value = undefined;
    this.shownRig = -1;
    this.store.open({ ...newDocument(name, rig), ...rest });
  }

  /** `bound`: false if the weights in the file mean nothing, see pack(). */
  async openBytes(name: string, bytes: Uint8Array, format: string, rest: Partial<Document> = {}, bound = true): Promise<boolean> {
    this.busy.value = true;
    const opened = await this.attempt(`Opening ${name}`, async () => {
      let rig = await this.core.call('open', bytes, format);
      if (!bound) rig = (await this.core.call('derive', rig.id, { kind: 'unbind' })).rig;
      return { rig, mesh: await this.core.call('mesh', rig.id) };
    });
    this.busy.value = false;
    if (!opened) return false;
    this.show(name, opened.rig, opened.mesh, rest);
    const isGltf = format === 'glb';
    if (isGltf) {
      void materialsOf(bytes, opened.mesh.materials).then((materials) => {
        if (materials.length > 0 && this.store.document.rig.id === opened.rig.id) this.viewport.setMaterials(materials);
      });
    }
    if (opened.rig.info.notes.length > 0) this.say(opened.rig.info.notes[0]);
    return true;
  }

  async openSample(name: string, vertices = 5000): Promise<boolean> {
    this.busy.value = true;
    const opened = await this.attempt(`Making ${name}`, async () => {
      const rig = await this.core.call('sample', name, vertices);
      return { rig, mesh: await this.core.call('mesh', rig.id) };
    });
    this.busy.value = false;
    if (opened) this.show(name, opened.rig, opened.mesh);
    return opened !== undefined;
  }

  // ---- The rig ----

  mesh(): MeshData | undefined {
    return this.meshes.get(this.store.document.rig.id);
  }

  skin(): Promise<SkinData> {
    const { id } = this.store.document.rig;
    let skin = this.skins.get(id);
    if (!skin) {
      skin = this.core.call('skin', id);
      this.skins.set(id, skin);
      for (const old of this.skins.keys()) if (this.skins.size > 4 && old !== id) this.skins.delete(old);
    }
    return skin;
  }

  /** A revision made from the document's by an operation; the document does not change yet. */
  async derive(operation: RigOperation, from = this.store.document.rig.id): Promise<{ rig: RigRef; report: Report | null }> {
    const made = await this.core.call('derive', from, operation);
    this.adopt(made.rig, from);
    return made;
  }

  /** Changes the rig by an operation, as one step of the history. */
  async edit(label: string, operation: RigOperation, renamed: Readonly<Record<string, string>> = {}): Promise<Report | undefined> {
    const from = this.store.document.rig.id;
    const made = await this.attempt(label, () => this.derive(operation, from));
    if (!made) return undefined;
    if (this.store.document.rig.id !== from) {
      this.say(`${label}: the rig has changed meanwhile. Please do it again.`, 'bad');
      return undefined;
    }
    this.store.run(setRig(label, made.rig, renamed));
    this.forget();
    return made.report ?? {};
  }

  /** Takes a file that a job made of the document's rig as its next revision. */
  async adoptFile(label: string, file: Uint8Array): Promise<boolean> {
    const from = this.store.document.rig.id;
    const rig = await this.attempt(label, () => this.core.call('open', file, 'glb'));
    if (!rig) return false;
    this.adopt(rig, from);
    this.store.run(setRig(label, rig));
    this.forget();
    return true;
  }

  /** The document's rig as a file for other programs, with the clips that were made here. */
  file(): Promise<Uint8Array<ArrayBuffer>> {
    const { rig, clips } = this.store.document;
    return this.core.call('write', rig.id, 'glb', clips.filter((clip) => clip.keys.length > 0).map(keysText));
  }

  /** The document's rig as a file to go on with. */
  pack(): Promise<Uint8Array<ArrayBuffer>> {
    return this.core.call('pack', this.store.document.rig.id);
  }

  /** Runs a job, shows its progress and lets it be cancelled. */
  async run<T>(label: string, start: (progress: (stage: string, fraction: number) => void) => Job<T>): Promise<T | undefined> {
    if (this.job.value) {
      this.say(`${this.job.value.label} is still under way.`, 'bad');
      return undefined;
    }
    const job = start((stage, fraction) => {
      if (this.job.value) this.job.value = { ...this.job.value, stage, fraction };
    });
    this.job.value = { label, stage: '', fraction: 0, cancel: () => job.cancel() };
    const result = await this.attempt(label, () => job.done);
    this.job.value = undefined;
    return result;
  }

  // ---- Posing ----

  /** The clip made here that is on the timeline. */
  keyClip(): KeyClip | undefined {
    const { clip } = this.store.session;
    return this.store.document.clips.find((other) => other.name === clip);
  }

  /** The pose that is shown, from which a drag goes on. */
  shownPose(): Pose {
    if (this.store.session.clip === undefined) return this.store.document.pose;
    return this.frame.value?.pose ?? this.store.document.pose;
  }

  /** What a document becomes when its shown pose becomes another: a key of the clip, or the pose. */
  withPose(before: Document, label: string, pose: Pose): Document {
    const { clip, time, autoKey } = this.store.session;
    const keys = before.clips.find((other) => other.name === clip);
    if (keys && autoKey) return setKey(keys.name, time, pose).apply(before);
    return setPose(label, pose).apply(before);
  }

  /** Changes the shown pose by one step of the history. */
  pose(label: string, change: (pose: Pose) => Pose, merge?: string): void {
    const pose = change(this.shownPose());
    this.prepareToPose();
    this.store.run({ label, merge, apply: (document) => this.withPose(document, label, pose) });
  }

  /** Before a drag: what is posed has to be the pose or a clip of keys. */
  prepareToPose(): void {
    const { session, document } = this.store;
    if (session.playing) this.store.set({ playing: false });
    if (session.workspace === 'animate' && session.autoKey && !this.keyClip()) {
      const before = document.clips.length;
      this.store.run(addClipCommand('motion'));
      this.store.set({ clip: this.store.document.clips[before].name });
    } else if (session.clip !== undefined && (!this.keyClip() || !session.autoKey)) {
      this.store.set({ clip: undefined });
    }
  }

  /** While something is dragged, frames are asked for here, and the document follows what comes back. */
  beginDrag(label: string): void {
    this.prepareToPose();
    this.store.begin(label);
    this.isLive = true;
  }

  async drag(base: Pose, label: string, how: { drag?: Drag; tail?: TailDrag; pose?: Pose }): Promise<void> {
    const { document } = this.store;
    const frame = await this.ask({ rig: document.rig.id, pose: how.pose ?? base, drag: how.drag, tail: how.tail, methods: this.methods() });
    if (!frame?.pose || !this.isLive) return;
    const { pose } = frame;
    this.store.update((before) => this.withPose(before, label, pose));
    this.take(frame);
  }

  endDrag(keep: boolean): void {
    if (!this.isLive) return;
    this.isLive = false;
    if (keep) this.store.end();
    else this.store.cancel();
    void this.refresh();
  }

  methods(): string[] {
    return [this.store.document.method, ...this.store.session.compared];
  }

  // ---- Showing ----

  fit(): void {
    this.viewport.fit();
  }

  /** Goes to a vertex and marks it with others. */
  goTo(vertices: readonly number[]): void {
    this.store.set({ marked: vertices.slice(0, 2000) });
    const positions = this.frame.value?.surfaces[0]?.positions;
    if (!positions || vertices.length === 0) return;
    const v = vertices[0];
    const point = this.viewport.orbit.target.clone().fromArray(positions, 3 * v);
    this.viewport.orbit.focus(point, this.viewport.modelSize * 0.08);
    this.viewport.draw();
  }

  /** Asks for what the state says should be seen. */
  async refresh(): Promise<void> {
    const { document, session } = this.store;
    if (document.rig.id === 0 || this.isLive) return;
    if (this.shownRig !== document.rig.id) this.showRig(document.rig);
    const moment = this.moment(session.clip, session.time);
    const frame = await this.ask({ ...moment, methods: this.methods(), told: !session.playing });
    if (frame && frame.rig === this.store.document.rig.id && !this.isLive) this.take(frame);
  }

  /** A moment of a clip, or the pose. */
  moment(clip: string | undefined, time: number): Omit<FrameRequest, 'methods'> {
    const { document, session } = this.store;
    // Skeletons are made in the rest pose.
    if (session.workspace === 'rig') return { rig: document.rig.id, pose: restPose };
    const keys = document.clips.find((other) => other.name === clip);
    if (keys && keys.keys.length > 0) return { rig: document.rig.id, keys: keysText(keys), time };
    const index = document.rig.info.clips.findIndex((other) => other.name === clip);
    if (!keys && index >= 0) return { rig: document.rig.id, clip: index, time };
    return { rig: document.rig.id, pose: document.pose };
  }

  /** How long the clip on the timeline is, in seconds. */
  duration(): number {
    const { session, document } = this.store;
    const keys = this.keyClip();
    if (keys) return clipDuration(keys);
    return document.rig.info.clips.find((clip) => clip.name === session.clip)?.duration ?? 0;
  }

  private async ask(request: FrameRequest): Promise<Frame | undefined> {
    try {
      return await this.core.frame(request);
    } catch (error) {
      this.say((error as Error).message, 'bad');
      return undefined;
    }
  }

  private take(frame: Frame): void {
    this.viewport.setFrame(frame);
    this.frame.value = frame;
    if (this.store.session.overlay === 'strain') void this.showColors();
    this.showGizmo();
  }

  /** A camera of another time, once the character that it looked at is there. */
  lookFrom(camera: readonly number[]): void {
    this.firstLook = camera;
  }

  private showRig(rig: RigRef): void {
    const mesh = this.meshes.get(rig.id);
    if (!mesh) return;
    const isNew = this.shownRig < 0 || this.meshes.get(this.shownRig) !== mesh;
    this.shownRig = rig.id;
    if (isNew) {
      this.viewport.setMesh(mesh, rig.info.bones);
      this.frame.value = undefined;
      const off = this.frame.watch((frame) => {
        if (!frame) return;
        queueMicrotask(() => off());
        // Pictures are looked at from the front.
        this.viewport.fit(this.viewport.isFlat ? [0, 0] : [0.45, 0.12]);
        if (this.firstLook) this.viewport.orbit.state = this.firstLook;
        this.firstLook = undefined;
      });
      void this.showColors();
    } else {
      this.viewport.setBones(rig.info.bones);
    }
  }

  private adopt(rig: RigRef, from: number): void {
    const mesh = this.meshes.get(from);
    if (mesh) this.meshes.set(rig.id, mesh);
  }

  /** Lets go of revisions that nothing leads back to. */
  forget(): void {
    const keep = this.store.revisions();
    for (const id of this.meshes.keys()) if (!keep.has(id)) this.meshes.delete(id);
    void this.core.call('release', [...keep]);
  }

  private showLook(): void {
    const { document, session } = this.store;
    const { info } = document.rig;
    const joints = session.selection.map((key) => jointIndex(info, key));
    this.viewport.setLook(
      {
        selectedJoints: new Set(joints),
        selectedBones: new Set(info.bones.flatMap((bone, b) => (joints.includes(bone.joint) ? [b] : []))),
        hoverJoint: session.hover === undefined ? -1 : jointIndex(info, session.hover),
        pins: new Set(document.pins.map((key) => jointIndex(info, key))),
        driven: new Set(info.joints.flatMap((joint, j) => (joint.driven ? [j] : []))),
        hidden: new Set(info.joints.flatMap((joint, j) => (joint.isNode ? [j] : []))),
      },
      session.showBones,
    );
    this.showGizmo();
  }

  private showGizmo(): void {
    const { document, session } = this.store;
    const frame = this.frame.value;
    const key = session.selection.at(-1);
    const joint = key === undefined ? -1 : jointIndex(document.rig.info, key);
    const bone = joint < 0 ? -1 : boneOfJoint(document.rig.info, joint);
    const isPosing = session.workspace === 'pose' || session.workspace === 'animate';
    if (!frame || frame.rig !== document.rig.id || bone < 0 || !isPosing || !session.showBones || session.playing) {
      this.viewport.setGizmo(undefined);
      return;
    }
    const at = (list: Float64Array): readonly [number, number, number] => [list[3 * bone], list[3 * bone + 1], list[3 * bone + 2]];
    this.viewport.setGizmo({ head: at(frame.boneHeads), tail: at(frame.boneTails) });
  }

  private async showColors(): Promise<void> {
    const { document, session } = this.store;
    const { info } = document.rig;
    if (document.rig.id === 0) return;
    if (session.overlay === 'strain') {
      const mesh = this.mesh();
      const frame = this.frame.value;
      if (!mesh || !frame || frame.rig !== document.rig.id) return;
      const values = frame.surfaces.map((surface) => strain(mesh.triangles, mesh.positions, surface.positions));
      this.viewport.setColors(values.map(strainColors));
      return;
    }
    if (session.workspace !== 'paint' || !info.hasWeights) {
      this.viewport.setColors([null]);
      return;
    }
    const skin = await this.attempt('Reading the weights', () => this.skin());
    if (skin && document.rig.id === this.store.document.rig.id) this.showWeights(skin);
  }

  // Those of the selected bone, of the kind that is painted; plain skin in the views beside the first.
  private showWeights(skin: SkinData): void {
    const { document, session } = this.store;
    const { info } = document.rig;
    const key = session.selection.at(-1);
    const bone = key === undefined ? -1 : boneOfJoint(info, jointIndex(info, key));
    const { target } = session.brush;
    const values = target === 'twist-endpoints' ? (skin.twistEndpoints ?? skin.endpoints) : skin.endpoints;
    const colors = target === 'bone-weights' ? weightColors(skin, bone) : endpointColors(skin, values, bone);
    this.viewport.setColors([colors, ...session.compared.map(() => null)]);
  }

  /** Shows a revision that is not the document's yet, while a brush or a curve is dragged. */
  async preview(rig: RigRef): Promise<void> {
    const { session } = this.store;
    this.isLive = true;
    const frame = await this.ask({ ...this.moment(session.clip, session.time), rig: rig.id, methods: this.methods() });
    if (!frame) return;
    this.viewport.setFrame(frame);
    if (session.workspace === 'paint' && session.overlay === 'none') this.showWeights(await this.core.call('skin', rig.id));
  }

  endPreview(): void {
    this.isLive = false;
    void this.refresh();
    void this.showColors();
  }

  /** The worst places of a view's surface. */
  worst(view: number): number[] {
    const mesh = this.mesh();
    const surface = this.frame.value?.surfaces[view];
    if (!mesh || !surface) return [];
    const values = strain(mesh.triangles, mesh.positions, surface.positions);
    return hotSpots(values, surface, this.viewport.modelSize * 0.04, 8);
  }

  private setPlaying(playing: boolean): void {
    if (!playing) {
      void this.refresh();
      return;
    }
    if (this.store.session.clip === undefined || this.duration() <= 0) {
      this.store.set({ playing: false });
      return;
    }
    this.playedFrom = this.store.session.time >= this.duration() ? 0 : this.store.session.time;
    this.playedAt = performance.now();
    const step = (now: number): void => {
      const { session } = this.store;
      if (!session.playing) return;
      const duration = this.duration();
      const time = this.playedFrom + Math.max(0, now - this.playedAt) / 1000;
      const loops = this.keyClip()?.loop ?? true;
      if (duration <= 0 || (!loops && time >= duration)) {
        this.store.set({ playing: false, time: duration });
        return;
      }
      this.store.set({ time: time % duration });
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}

export function keysText(clip: KeyClip): string {
  return JSON.stringify({ name: clip.name, loop: clip.loop, keys: clip.keys });
}
