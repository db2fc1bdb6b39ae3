// SPDX-License-Identifier: Apache-2.0
// Plays the clip on the timeline: the session's time goes on.
import type { App } from './app';
import { clipDuration } from './state/channels';

export class Player {
  private from = 0;
  private at = 0;

  constructor(private readonly app: App) {
    app.store.watch(({ session }) => session.playing, (playing) => this.set(playing));
  }

  /** How long the clip on the timeline is, in seconds. */
  duration(): number {
    const { session, document } = this.app.store;
    const keys = this.app.posing.keyClip();
    if (keys) return clipDuration(keys);
    return document.rig.info.clips.find((clip) => clip.name === session.clip)?.duration ?? 0;
  }

  private set(playing: boolean): void {
    const { store } = this.app;
    if (!playing) {
      void this.app.stage.refresh();
      return;
    }
    if (store.session.clip === undefined || this.duration() <= 0) {
      store.set({ playing: false });
      return;
    }
    this.from = store.session.time >= this.duration() ? 0 : store.session.time;
    this.at = performance.now();
    requestAnimationFrame((now) => this.step(now));
  }

  private step(now: number): void {
    const { store } = this.app;
    if (!store.session.playing) return;
    const duration = this.duration();
    const time = this.from + Math.max(0, now - this.at) / 1000;
    const loops = this.app.posing.keyClip()?.loop ?? true;
    if (duration <= 0 || (!loops && time >= duration)) {
      store.set({ playing: false, time: duration });
      return;
    }
    store.set({ time: time % duration });
    requestAnimationFrame((next) => this.step(next));
  }
}
