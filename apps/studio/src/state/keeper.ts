// SPDX-License-Identifier: Apache-2.0
// Saves the document a moment after each change, and offers what was saved when the studio starts again. Work that another
// document takes the place of stays beside it, so that opening a file by mistake loses nothing.
import type { App, Kept } from '../app';
import { forget, load, save, type Saved } from './autosave';
import { contentsOf, parseContents } from './project';

const quiet = 800;
const lockName = 'sinew-studio';

export class Keeper {
  private timer = 0;
  private lock: (() => void) | undefined;
  private isOwner = false;
  /** What is in the browser's storage, and of which opening in this tab it is; 0: of a time before. */
  private last: Saved | undefined;
  private lastOpening = 0;
  private before: Saved | undefined;
  /** The opening in this tab that began with such work. */
  private restored = 0;

  constructor(private readonly app: App) {}

  async start(): Promise<void> {
    const { app } = this;
    this.isOwner = await this.own();
    if (this.isOwner) await this.offer();
    else {
      app.say('The studio is open in another tab, which saves its work as it goes; this one does not. Save a project to keep what you do here.');
      this.waitForOther();
    }
    // What was there at the start is not worth keeping: only what was changed or opened.
    let first = app.store.document;
    app.store.watch(({ document }) => document, (document) => {
      if (document === first || document.rig.id === 0) return;
      first = document;
      this.keepSoon();
    });
    app.store.watch(() => app.openings, () => this.tell());
    window.addEventListener('pagehide', () => this.lock?.());
  }

  // One tab saves; the others are told.
  private own(): Promise<boolean> {
    if (!('locks' in navigator)) return Promise.resolve(true);
    return new Promise((resolve) => {
      void navigator.locks.request(lockName, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : this.hold();
      });
    });
  }

  // Once the other tab is closed, this one saves.
  private waitForOther(): void {
    void navigator.locks.request(lockName, async () => {
      [this.last, this.before] = await Promise.all([load('last'), load('before')]).catch(() => []);
      this.isOwner = true;
      this.tell();
      this.app.say('The other tab is closed: this one saves its work now.');
      if (this.app.store.past.length > 0) this.keepSoon();
      return this.hold();
    });
  }

  private hold(): Promise<void> {
    return new Promise((release) => (this.lock = release));
  }

  private keepSoon(): void {
    if (!this.isOwner) return;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.keep(), quiet);
  }

  private async keep(): Promise<void> {
    const { app } = this;
    if (app.store.isDragging) {
      this.keepSoon();
      return;
    }
    try {
      const { document, past } = app.store;
      const opening = app.openings;
      const rig = await app.pack();
      if (document !== app.store.document) return;
      if (this.last?.isWork && this.lastOpening !== opening) {
        await save('before', this.last);
        this.before = this.last;
      }
      const isWork = past.length > 0 || this.restored === opening;
      const saved: Saved = { time: Date.now(), isWork, rig, contents: contentsOf(document, app.viewport.orbit.state) };
      await save('last', saved);
      this.last = saved;
      this.lastOpening = opening;
      this.tell();
      window.document.documentElement.dataset.saved = String(past.length);
    } catch (error) {
      const isFull = (error as Error).name === 'QuotaExceededError';
      app.say(isFull ? 'The browser’s storage is full: the work is not saved here. Save a project instead.' : `The work could not be saved in the browser: ${(error as Error).message}`, 'bad');
    }
  }

  private async offer(): Promise<void> {
    try {
      [this.last, this.before] = await Promise.all([load('last'), load('before')]);
    } catch {
      return;
    }
    this.tell();
    const newest = this.last && this.keptOf(this.last);
    // The first screen has it, too.
    if (newest && !this.app.store.session.welcome) this.app.say(`“${newest.name}” from ${newest.age} is still here.`, 'info', { label: 'Go on with it', run: () => void newest.restore() });
  }

  private tell(): void {
    const list = [this.lastOpening === this.app.openings ? undefined : this.last, this.before];
    this.app.kept.value = list.filter((saved) => saved !== undefined).map((saved) => this.keptOf(saved));
  }

  private keptOf(saved: Saved): Kept {
    const { time, contents } = saved;
    const minutes = Math.round((Date.now() - time) / 60000);
    const age = minutes < 1 ? 'a moment ago' : minutes < 120 ? `${minutes} minutes ago` : `${Math.round(minutes / 60)} hours ago`;
    return { name: (contents as { name?: string }).name ?? 'your work', age, restore: () => this.restore(saved) };
  }

  private async restore(saved: Saved): Promise<void> {
    const { app } = this;
    const project = await app.attempt('Restoring', async () => parseContents(saved.contents));
    if (!project) {
      await forget(saved === this.last ? 'last' : 'before');
      return;
    }
    if (!(await app.openBytes(project.name, saved.rig, 'glb', project.document, project.bound))) return;
    app.store.set({ welcome: false });
    if (project.camera) app.stage.lookFrom(project.camera);
    // It is what was saved last: it goes on there.
    this.restored = app.openings;
    if (saved === this.last) this.lastOpening = app.openings;
    this.tell();
  }
}
