// SPDX-License-Identifier: Apache-2.0
// Painting: dabs along the pointer's way go to the core's painter as fast as it takes them, and what changed is shown.
// The strokes of one drag become one revision of the rig.
import type { App } from '../app';
import { setRig } from '../commands/commands';
import type { Dab, Stroke } from '../core/protocol';
import { append, paintsAllBones } from '../core/strokes';
import { boneOfJoint, jointIndex } from '../state/document';
import type { SurfaceHit } from '../view/picking';
import type { Pointer, Tool } from './tool';

/** From one press of the pointer to its release. */
interface Drag {
  /** What is not yet sent to the painter. */
  fresh: Stroke[];
  hasPainted: boolean;
  /** What was sent last, while it is under way. */
  sent?: Promise<void>;
  /** The end of the drag before, whose revision this one goes on from. */
  readonly after: Promise<void>;
}

export class PaintTool implements Tool {
  private drag: Drag = { fresh: [], hasPainted: false, after: Promise.resolve() };
  private ended: Promise<void> = Promise.resolve();
  private isDown = false;
  private lastDab: readonly [number, number] | undefined;
  private strength: { x: number; value: number } | undefined;
  private under: SurfaceHit | undefined;

  constructor(private readonly app: App) {}

  hover(pointer: Pointer): void {
    const { app } = this;
    const { store, viewport } = app;
    this.under = viewport.pick.surface(pointer.x, pointer.y)[0];
    viewport.setBrush(this.under, this.radius());
    const bone = store.session.selection.at(-1);
    if (!store.document.rig.info.hasWeights) app.hint.value = 'No weights yet: compute them first';
    else if (bone === undefined) app.hint.value = 'Click a bone to paint, or press Q over the skin · right drag: turn';
    else app.hint.value = `Paint ${bone} · [ ] radius · Ctrl drag: strength · X subtract · S smooth, Shift S sharpen · right or Alt drag: turn`;
    viewport.canvas.style.cursor = this.under ? 'none' : '';
  }

  down(pointer: Pointer): boolean {
    const { app } = this;
    const { store, viewport } = app;
    const { info } = store.document.rig;
    if (pointer.alt) return false;
    if (pointer.ctrl) {
      this.strength = { x: pointer.x, value: store.session.brush.strength };
      return true;
    }
    const hit = viewport.pick.surface(pointer.x, pointer.y)[0];
    if (!hit && pointer.type !== 'touch') {
      const bone = viewport.pick.bone(pointer.x, pointer.y, 8);
      if (bone >= 0) {
        store.set({ selection: [info.joints[info.bones[bone].joint].key] });
        return true;
      }
    }
    const why = this.whyNot();
    if (why) {
      if (!hit) return false;
      if (store.session.selection.length === 0) this.pick();
      else app.say(why, 'bad');
      return true;
    }
    // A touch that starts beside the character turns the camera; a pen or mouse may start a stroke there.
    if (!hit && pointer.type === 'touch') return false;
    this.isDown = true;
    this.drag = { fresh: [], hasPainted: false, after: this.ended };
    this.lastDab = undefined;
    this.dab(pointer);
    return true;
  }

  move(pointer: Pointer): void {
    if (this.strength) {
      const { brush } = this.app.store.session;
      const strength = Math.min(1, Math.max(0.01, this.strength.value + (pointer.x - this.strength.x) / 200));
      this.app.store.set({ brush: { ...brush, strength } });
      this.app.hint.value = `Strength ${Math.round(strength * 100)}%`;
      return;
    }
    if (!this.isDown) return;
    this.under = this.app.viewport.pick.surface(pointer.x, pointer.y)[0];
    this.app.viewport.setBrush(this.under, this.radius());
    this.dab(pointer);
  }

  up(): void {
    this.strength = undefined;
    if (!this.isDown) return;
    this.isDown = false;
    const { drag } = this;
    this.ended = this.app.inTurn(() => this.finish(drag));
  }

  cancel(): void {
    this.strength = undefined;
    if (!this.isDown) return;
    this.isDown = false;
    this.drag.fresh = [];
    this.ended = this.drop(this.drag);
  }

  leave(): void {
    this.app.viewport.setBrush(undefined, 0);
    this.app.hint.value = '';
  }

  /** Selects the bone that moves the skin under the pointer most. */
  async pick(): Promise<void> {
    const { app } = this;
    const { store } = app;
    const mesh = app.mesh();
    if (!this.under || !mesh || !store.document.rig.info.hasWeights) return;
    const { triangle, barycentric } = this.under;
    const corner = barycentric.indexOf(Math.max(...barycentric));
    const vertex = mesh.triangles[3 * triangle + corner];
    const skin = await app.skin();
    let best = -1;
    let most = 0;
    for (let i = skin.offsets[vertex]; i < skin.offsets[vertex + 1]; ++i) {
      if (skin.weights[i] > most) [best, most] = [skin.bones[i], skin.weights[i]];
    }
    const { info } = store.document.rig;
    if (best >= 0) store.set({ selection: [info.joints[info.bones[best].joint].key] });
  }

  private whyNot(): string | undefined {
    const { document, session } = this.app.store;
    const { info } = document.rig;
    if (!info.hasWeights) return 'There are no weights to paint: compute them first.';
    const { target, mode } = session.brush;
    if (target !== 'bone-weights' && !info.hasEndpoints) return 'There are no endpoint weights: compute them first.';
    if (target === 'twist-endpoints' && !info.hasTwistEndpoints) return 'There are no endpoint weights of their own for the twist: make them first.';
    const key = session.selection.at(-1);
    const bone = key === undefined ? -1 : boneOfJoint(info, jointIndex(info, key));
    if (bone < 0 && !paintsAllBones(target, mode)) return 'Select the bone whose weights are to be painted.';
    if (key !== undefined && document.locks.includes(key) && !paintsAllBones(target, mode)) return `The weights of ${key} are locked.`;
    return undefined;
  }

  private radius(): number {
    return this.app.store.session.brush.radius * this.app.viewport.modelSize * 0.5;
  }

  private dab(pointer: Pointer): void {
    const { store, viewport } = this.app;
    const { brush, selection } = store.session;
    // As close as a quarter of the brush, however fast the pointer goes.
    const from = this.lastDab ?? [pointer.x, pointer.y];
    const distance = Math.hypot(pointer.x - from[0], pointer.y - from[1]);
    const spacing = 8;
    if (this.lastDab && distance < spacing) return;
    const count = this.lastDab ? Math.min(24, Math.floor(distance / spacing)) : 1;
    const dabs: Dab[] = [];
    for (let k = 1; k <= count; ++k) {
      const x = from[0] + ((pointer.x - from[0]) * k) / count;
      const y = from[1] + ((pointer.y - from[1]) * k) / count;
      for (const hit of viewport.pick.surface(x, y, brush.through)) dabs.push({ triangle: hit.triangle, barycentric: hit.barycentric });
    }
    this.lastDab = [pointer.x, pointer.y];
    if (dabs.length === 0) return;
    const { info } = store.document.rig;
    const key = selection.at(-1);
    const bone = key === undefined ? undefined : boneOfJoint(info, jointIndex(info, key));
    // A pen's pressure in eight steps: a stroke of the file has one strength.
    const pressure = pointer.type === 'pen' ? Math.max(1, Math.round(pointer.pressure * 8)) / 8 : 1;
    const stroke: Stroke = {
      target: brush.target,
      mode: brush.mode,
      ...(bone !== undefined && bone >= 0 && !paintsAllBones(brush.target, brush.mode) ? { bone } : {}),
      ...(brush.mode === 'replace' ? { value: brush.value } : {}),
      radius: this.radius(),
      strength: Math.min(1, brush.strength * pressure),
      ...(brush.mirror ? { mirror: true } : {}),
      dabs,
    };
    append(this.drag.fresh, stroke);
    this.send(this.drag);
  }

  // As fast as the core takes them: what comes meanwhile goes together.
  private send(drag: Drag): void {
    if (drag.sent || drag.fresh.length === 0) return;
    const strokes = drag.fresh;
    drag.fresh = [];
    drag.sent = this.paint(drag, strokes).finally(() => {
      drag.sent = undefined;
      if (this.isDown && drag === this.drag) this.send(drag);
    });
  }

  private async paint(drag: Drag, strokes: readonly Stroke[]): Promise<void> {
    const { app } = this;
    try {
      await drag.after;
      const rows = await app.core.call('paint', { rig: app.store.document.rig.id, locks: this.locks(), strokes });
      if (rows.vertices.length === 0) return;
      drag.hasPainted = true;
      if (this.isDown && drag === this.drag) await app.stage.previewPaint(rows);
    } catch (error) {
      app.say((error as Error).message, 'bad');
    }
  }

  private async finish(drag: Drag): Promise<void> {
    const { app } = this;
    await drag.sent;
    this.send(drag);
    await drag.sent;
    if (drag.hasPainted) {
      const { selection, brush } = app.store.session;
      const from = app.store.document.rig.id;
      const what = { 'bone-weights': 'weights', endpoints: 'endpoint weights', 'twist-endpoints': 'twist endpoint weights' }[brush.target];
      const ofBone = paintsAllBones(brush.target, brush.mode) ? undefined : selection.at(-1);
      const label = `Paint ${what}${ofBone === undefined ? '' : ` of ${ofBone}`}`;
      const rig = await app.attempt(label, () => app.core.call('painted', from, true));
      if (rig) {
        app.adopt(rig, from);
        app.store.run(setRig(label, rig));
      }
    } else await this.drop(drag);
    app.stage.endPreview();
    app.forget();
  }

  private async drop(drag: Drag): Promise<void> {
    await drag.after;
    await drag.sent;
    await this.app.core.call('painted', this.app.store.document.rig.id, false);
    this.app.stage.endPreview();
  }

  private locks(): string[] {
    const { document } = this.app.store;
    return document.locks.map((key) => document.rig.info.joints[jointIndex(document.rig.info, key)].name);
  }
}
