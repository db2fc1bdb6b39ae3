// SPDX-License-Identifier: Apache-2.0
// Ties the parts together: the document and the core that has its rig; what is shown, posed and played is in parts of their own.
import { setRig } from './commands/commands';
import { CoreError, type Core, type Job } from './core/client';
import { keysText } from './core/keys';
import type { Catalogue, Derived, Frame, MeshData, RigOperation, SkinData } from './core/protocol';
import type { WeightReport } from './core/reports';
import { Player } from './player';
import { Posing } from './posing';
import { Stage } from './stage';
import { emptyInfo, newDocument, type Document, type RigInfo, type RigRef } from './state/document';
import { firstSession } from './state/session';
import { Signal } from './state/signal';
import { Store } from './state/store';
import { materialsOf } from './view/materials';
import { isLarge } from './view/proxy';
import type { Viewport } from './view/viewport';

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

/** Work that the browser has, and that is not open. */
export interface Kept {
  readonly name: string;
  /** How long ago, in words. */
  readonly age: string;
  restore(): Promise<void>;
}

export class App {
  readonly store = new Store(newDocument('Untitled', { id: 0, info: emptyInfo }), {
    ...firstSession,
    // A sheet would hide the character on a narrow screen.
    inspector: window.innerWidth > 760,
  });
  readonly message = new Signal<Message | undefined>(undefined);
  readonly hint = new Signal('');
  /** A value beside the pointer while something is dragged. */
  readonly tag = new Signal<{ readonly x: number; readonly y: number; readonly text: string } | undefined>(undefined);
  readonly job = new Signal<Running | undefined>(undefined);
  readonly frame = new Signal<Frame | undefined>(undefined);
  /** The report on the weights of a revision. */
  readonly weightReport = new Signal<{ rig: number; report: WeightReport } | undefined>(undefined);
  readonly busy = new Signal(false);
  readonly kept = new Signal<readonly Kept[]>([]);
  /** Of revisions; all of one mesh share it. */
  readonly meshes = new Map<number, MeshData>();
  /** How many documents were opened so far: what was open before is another one. */
  openings = 0;
  readonly posing: Posing;
  readonly stage: Stage;
  readonly player: Player;
  private readonly skins = new Map<number, Promise<SkinData>>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly core: Core,
    readonly catalogue: Catalogue,
    readonly viewport: Viewport,
  ) {
    this.posing = new Posing(this);
    this.stage = new Stage(this);
    this.player = new Player(this);
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
    // What was said was of the one before.
    this.message.value = undefined;
    this.stage.clear();
    ++this.openings;
    this.store.open({ ...newDocument(name, rig), ...rest });
  }

  /** `bound`: false if the weights in the file mean nothing, see pack(). */
  async openBytes(name: string, bytes: Uint8Array, format: string, rest: (info: RigInfo) => Partial<Document> = () => ({}), bound = true): Promise<boolean> {
    this.busy.value = true;
    const opened = await this.inTurn(() =>
      this.attempt(`Opening ${name}`, async () => {
        let rig = await this.core.call('open', bytes, format);
        if (!bound) rig = (await this.core.call('derive', rig.id, { kind: 'unbind' })).rig;
        const mesh = await this.core.call('mesh', rig.id);
        this.show(name, rig, mesh, rest(rig.info));
        return { rig, mesh };
      }),
    );
    this.busy.value = false;
    if (!opened) return false;
    if (format === 'glb' || format === 'gltf') {
      void materialsOf(bytes, opened.mesh.materials).then((materials) => {
        if (materials.length > 0 && this.store.document.rig.id === opened.rig.id) this.viewport.setMaterials(materials);
      });
    }
    const { notes } = opened.rig.info;
    if (isLarge(opened.rig.info) && !this.store.session.proxy) this.offerProxy(opened.rig.info);
    else if (notes.length > 0) this.say(notes[0]);
    return true;
  }

  private offerProxy({ triangles }: RigInfo): void {
    this.say(`${triangles.toLocaleString('en')} triangles: it may move slowly here.`, 'info', {
      label: 'Show fewer while it moves',
      run: () => this.store.set({ proxy: true }),
    });
  }

  async openSample(name: string, vertices = 5000): Promise<boolean> {
    this.busy.value = true;
    const opened = await this.inTurn(() =>
      this.attempt(`Making ${name}`, async () => {
        const rig = await this.core.call('sample', name, vertices);
        this.show(name, rig, await this.core.call('mesh', rig.id));
        return rig;
      }),
    );
    this.busy.value = false;
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
  async derive(operation: RigOperation, from = this.store.document.rig.id): Promise<Derived> {
    const made = await this.core.call('derive', from, operation);
    if (operation.kind === 'layers') this.meshes.set(made.rig.id, await this.core.call('mesh', made.rig.id));
    else this.adopt(made.rig, from);
    return made;
  }

  /**
   * Changes of the rig, one after the other: each goes on from what the one before has made, and no revision that is
   * not yet the document's is forgotten.
   */
  inTurn<T>(body: () => Promise<T>): Promise<T> {
    const result = this.turn.then(body);
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Changes the rig by an operation, as one step of the history; undefined: that failed, which was said. */
  edit(label: string, operation: RigOperation, renamed: Readonly<Record<string, string>> = {}): Promise<Derived | undefined> {
    return this.inTurn(async () => {
      const from = this.store.document.rig.id;
      const made = await this.attempt(label, () => this.derive(operation, from));
      if (!made) return undefined;
      if (this.store.document.rig.id !== from) {
        this.say(`${label}: the rig has changed meanwhile. Please do it again.`, 'bad');
        return undefined;
      }
      this.store.run(setRig(label, made.rig, renamed));
      this.forget();
      return made;
    });
  }

  /** Takes a file that a job made of the document's rig as its next revision. */
  adoptFile(label: string, file: Uint8Array): Promise<boolean> {
    return this.inTurn(async () => {
      const from = this.store.document.rig.id;
      const rig = await this.attempt(label, () => this.core.call('open', file, 'glb'));
      if (!rig) return false;
      this.adopt(rig, from);
      this.store.run(setRig(label, rig));
      this.forget();
      return true;
    });
  }

  /** The document's rig as a file for other programs, with the clips that were made here. */
  file(): Promise<Uint8Array<ArrayBuffer>> {
    const { rig, clips } = this.store.document;
    return this.core.call('write', rig.id, 'glb', clips.filter((clip) => clip.channels.length > 0).map((clip) => keysText(rig.info, clip)));
  }

  /** The document's rig as a file to go on with. */
  pack(): Promise<Uint8Array<ArrayBuffer>> {
    return this.core.call('pack', this.store.document.rig.id);
  }

  /** Whether something long is under way, which is said. */
  isBusy(): boolean {
    if (this.job.value) this.say(`${this.job.value.label} is still under way.`, 'bad');
    return this.job.value !== undefined;
  }

  /** Runs a job, shows its progress and lets it be cancelled. */
  async run<T>(label: string, start: (progress: (stage: string, fraction: number) => void) => Job<T>): Promise<T | undefined> {
    if (this.isBusy()) return undefined;
    const job = start((stage, fraction) => {
      if (this.job.value) this.job.value = { ...this.job.value, stage, fraction };
    });
    this.job.value = { label, stage: '', fraction: 0, cancel: () => job.cancel() };
    const result = await this.attempt(label, () => job.done);
    this.job.value = undefined;
    return result;
  }

  /** What is wrong with what is shown, by methods: bits for each vertex. */
  faults(methods: readonly string[]): Promise<readonly Uint8Array[]> {
    const { clip, time } = this.store.session;
    return this.core.call('faults', this.stage.moment(clip, time), methods);
  }

  /** A revision of the same mesh as another. */
  adopt(rig: RigRef, from: number): void {
    const mesh = this.meshes.get(from);
    if (mesh) this.meshes.set(rig.id, mesh);
  }

  /** Lets go of revisions that nothing leads back to. */
  forget(): void {
    const keep = this.store.revisions();
    for (const id of this.meshes.keys()) if (!keep.has(id)) this.meshes.delete(id);
    void this.core.call('release', [...keep]);
  }
}
