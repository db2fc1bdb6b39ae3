// SPDX-License-Identifier: Apache-2.0
// Saves the document a moment after each change, and offers what was saved when the studio starts again.
import type { App } from '../app';
import { forget, load, save, type Saved } from './autosave';
import { contentsOf, parseContents } from './project';

const quiet = 800;

export class Keeper {
  private timer = 0;
  private lock: (() => void) | undefined;
  private isOwner = false;

  constructor(private readonly app: App) {}

  async start(): Promise<void> {
    const { app } = this;
    this.isOwner = await this.own();
    if (!this.isOwner) {
      app.say('The studio is open in another tab, which saves its work as it goes; this one does not. Save a project to keep what you do here.');
    } else await this.offer();
    // What was there at the start is not worth keeping: only what was changed or opened.
    let first = app.store.document;
    app.store.watch(({ document }) => document, (document) => {
      if (document === first || document.rig.id === 0 || !this.isOwner) return;
      first = document;
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.keep(), quiet);
    });
    window.addEventListener('pagehide', () => this.lock?.());
  }

  // One tab saves; the others are told.
  private own(): Promise<boolean> {
    if (!('locks' in navigator)) return Promise.resolve(true);
    return new Promise((resolve) => {
      void navigator.locks.request('sinew-studio', { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>((release) => (this.lock = release));
      });
    });
  }

  private async keep(): Promise<void> {
    const { app } = this;
    if (app.store.isDragging) {
      this.timer = window.setTimeout(() => void this.keep(), quiet);
      return;
    }
    try {
      const { document } = app.store;
      const rig = await app.pack();
      if (document !== app.store.document) return;
      await save({ time: Date.now(), rig, contents: contentsOf(document, app.viewport.orbit.state) });
      window.document.documentElement.dataset.saved = String(app.store.past.length);
    } catch (error) {
      const isFull = (error as Error).name === 'QuotaExceededError';
      app.say(isFull ? 'The browser’s storage is full: the work is not saved here. Save a project instead.' : `The work could not be saved in the browser: ${(error as Error).message}`, 'bad');
    }
  }

  private async offer(): Promise<void> {
    const { app } = this;
    let saved: Saved | undefined;
    try {
      saved = await load();
    } catch {
      return;
    }
    if (!saved) return;
    const { time, rig, contents } = saved;
    const restore = async (): Promise<void> => {
      const project = await app.attempt('Restoring', async () => parseContents(contents));
      if (!project) {
        await forget();
        return;
      }
      if (await app.openBytes(project.name, rig, 'glb', project.document, project.bound)) {
        app.store.set({ welcome: false });
        if (project.camera) app.stage.lookFrom(project.camera);
      }
    };
    const name = (contents as { name?: string }).name ?? 'your work';
    const minutes = Math.round((Date.now() - time) / 60000);
    app.say(`“${name}” from ${minutes < 1 ? 'a moment' : minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`} ago is still here.`, 'info', { label: 'Go on with it', run: () => void restore() });
  }
}
