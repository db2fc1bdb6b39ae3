// SPDX-License-Identifier: Apache-2.0
// Pointers of all kinds over the viewport: to the tool of the workspace first, to the camera otherwise.
import type { App } from '../app';
import type { Workspace } from '../state/session';
import type { Pointer, Tool } from './tool';

export class PointerDesk {
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private mode: 'none' | 'tool' | 'orbit' | 'pan' = 'none';
  private last = { x: 0, y: 0 };
  private down = { x: 0, y: 0 };
  private tapped = { time: 0, x: 0, y: 0 };

  constructor(
    private readonly app: App,
    private readonly tools: Readonly<Record<Workspace, Tool>>,
  ) {
    const { canvas } = app.viewport;
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.release(event));
    canvas.addEventListener('pointercancel', (event) => this.lose(event));
    canvas.addEventListener('pointerleave', () => {
      if (this.mode === 'none') this.tool.leave();
    });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        app.viewport.orbit.zoom(Math.exp(event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0012)));
        app.viewport.draw();
      },
      { passive: false },
    );
    let before: Tool | undefined;
    app.store.watch(({ session }) => session.workspace, () => {
      before?.cancel();
      before?.leave();
      before = this.tool;
    });
  }

  get tool(): Tool {
    return this.tools[this.app.store.session.workspace];
  }

  /** Ends what is under way without keeping it; false if there was nothing. */
  cancel(): boolean {
    if (this.mode !== 'tool') return false;
    this.tool.cancel();
    this.mode = 'none';
    return true;
  }

  private at(event: PointerEvent): Pointer {
    const box = this.app.viewport.canvas.getBoundingClientRect();
    const { session } = this.app.store;
    return {
      x: event.clientX - box.left,
      y: event.clientY - box.top,
      shift: event.shiftKey,
      alt: event.altKey,
      ctrl: event.ctrlKey || event.metaKey || (session.ctrl && session.workspace !== 'paint'),
      pressure: event.pressure,
      type: event.pointerType,
    };
  }

  private press(event: PointerEvent): void {
    const { canvas } = this.app.viewport;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.last = this.center();
    this.down = { ...this.last };
    if (this.fingers.size === 2) {
      // A second finger: the camera takes over from the tool.
      if (this.mode === 'tool') this.tool.cancel();
      this.mode = 'pan';
      return;
    }
    if (this.app.store.session.welcome) this.app.store.set({ welcome: false });
    const pointer = this.at(event);
    if (event.button === 0 && event.isPrimary) {
      const now = performance.now();
      const isDouble = now - this.tapped.time < 350 && Math.hypot(event.clientX - this.tapped.x, event.clientY - this.tapped.y) < 8;
      this.tapped = { time: isDouble ? 0 : now, x: event.clientX, y: event.clientY };
      if (isDouble && this.tool.double) {
        this.tool.double(pointer);
        this.mode = 'none';
        return;
      }
      this.mode = this.tool.down(pointer) ? 'tool' : 'orbit';
    } else this.mode = event.button === 1 || event.shiftKey ? 'pan' : 'orbit';
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) {
      this.tool.hover(this.at(event));
      return;
    }
    const spread = this.spread();
    finger.x = event.clientX;
    finger.y = event.clientY;
    const center = this.center();
    const dx = center.x - this.last.x;
    const dy = center.y - this.last.y;
    this.last = center;
    const { orbit } = this.app.viewport;
    if (this.mode === 'tool') {
      // A hand is never quite still: a click is no drag.
      const isStill = Math.hypot(center.x - this.down.x, center.y - this.down.y) < 3;
      if (isStill && this.down.x >= 0) return;
      this.down = { x: -1e6, y: 0 };
      for (const one of event.getCoalescedEvents?.().slice(-4, -1) ?? []) {
        if (this.app.store.session.workspace === 'paint') this.tool.move(this.at(one));
      }
      this.tool.move(this.at(event));
      return;
    }
    if (this.mode !== 'none') this.app.viewport.setMoving('camera', true);
    if (this.mode === 'orbit') orbit.orbit(dx, dy);
    if (this.mode === 'pan') {
      orbit.pan(dx, dy, this.app.viewport.canvas.clientHeight);
      if (this.fingers.size === 2 && spread > 0) orbit.zoom(spread / (this.spread() || spread));
    }
    this.app.viewport.draw();
  }

  private release(event: PointerEvent): void {
    const wasHeld = this.fingers.delete(event.pointerId);
    if (!wasHeld) return;
    this.last = this.center();
    if (this.fingers.size > 0) return;
    const { mode } = this;
    this.mode = 'none';
    this.app.viewport.setMoving('camera', false);
    if (mode === 'tool') this.tool.up(this.at(event));
    else if (mode === 'orbit' && event.button === 0 && Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) < 3) this.clicked(event);
    if (event.pointerType === 'mouse') this.tool.hover(this.at(event));
  }

  // A click on nothing selects nothing.
  private clicked(event: PointerEvent): void {
    const { viewport, store } = this.app;
    const { x, y } = this.at(event);
    if (viewport.pick.bone(x, y, 10) < 0 && viewport.pick.joint(x, y, 13) < 0 && store.session.workspace !== 'paint') store.set({ selection: [] });
  }

  private lose(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.mode === 'tool') this.tool.cancel();
    this.mode = 'none';
    this.app.viewport.setMoving('camera', false);
  }

  private center(): { x: number; y: number } {
    const list = [...this.fingers.values()];
    const count = Math.max(1, list.length);
    return { x: list.reduce((sum, f) => sum + f.x, 0) / count, y: list.reduce((sum, f) => sum + f.y, 0) / count };
  }

  private spread(): number {
    const [a, b] = [...this.fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }
}
