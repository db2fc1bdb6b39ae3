// SPDX-License-Identifier: Apache-2.0
// Painting: dabs along the pointer's way become strokes as the core's files have them. While it lasts, the dabs so far
// are applied to a revision of their own; at the end the whole stroke is applied to the rig as it was before.
import type { App } from '../app';
import { setRig } from '../commands/commands';
import type { Dab, Stroke } from '../core/protocol';
import { boneOfJoint, jointIndex, type RigRef } from '../state/document';
import type { SurfaceHit } from '../view/viewport';
import type { Pointer, Tool } from './tool';

export class PaintTool implements Tool {
  private strokes: Stroke[] = [];
  private fresh: Stroke[] = [];
  private isDown = false;
  private lastDab: readonly [number, number] | undefined;
  private work: RigRef | undefined;
  private isBusy = false;
  private strength: { x: number; value: number } | undefined;
  private under: SurfaceHit | undefined;

  constructor(private readonly app: App) {}

  hover(pointer: Pointer): void {
    const { app } = this;
    const { store, viewport } = app;
    this.under = viewport.pickSurface(pointer.x, pointer.y)[0];
    viewport.setBrush(this.under, this.radius());
    const bone = store.session.selection.at(-1);
    if (!store.document.rig.info.hasWeights) app.hint.value = 'No weights yet: compute them first';
    else if (bone === undefined) app.hint.value = 'Click a bone to paint, or press Q over the skin · right drag: turn';
    else app.hint.value = `Paint ${bone} · [ ] radius · Ctrl drag: strength · X subtract · S smooth · right or Alt drag: turn`;
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
    const hit = viewport.pickSurface(pointer.x, pointer.y)[0];
    if (!hit && pointer.type !== 'touch') {
      const bone = viewport.pickBone(pointer.x, pointer.y, 8);
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
    this.strokes = [];
    this.fresh = [];
    this.work = undefined;
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
    this.under = this.app.viewport.pickSurface(pointer.x, pointer.y)[0];
    this.app.viewport.setBrush(this.under, this.radius());
    this.dab(pointer);
  }

  up(): void {
    this.strength = undefined;
    if (!this.isDown) return;
    this.isDown = false;
    void this.finish();
  }

  cancel(): void {
    this.strength = undefined;
    if (!this.isDown) return;
    this.isDown = false;
    this.strokes = [];
    this.fresh = [];
    this.app.endPreview();
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
    if (bone < 0 && !(mode === 'smooth' && target === 'bone-weights')) return 'Select the bone whose weights are to be painted.';
    if (key !== undefined && document.locks.includes(key) && mode !== 'smooth') return `The weights of ${key} are locked.`;
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
      for (const hit of viewport.pickSurface(x, y, brush.through)) dabs.push({ triangle: hit.triangle, barycentric: hit.barycentric });
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
      ...(bone !== undefined && bone >= 0 && !(brush.mode === 'smooth' && brush.target === 'bone-weights') ? { bone } : {}),
      ...(brush.mode === 'replace' ? { value: brush.value } : {}),
      radius: this.radius(),
      strength: Math.min(1, brush.strength * pressure),
      ...(brush.mirror ? { mirror: true } : {}),
      dabs,
    };
    append(this.strokes, stroke);
    append(this.fresh, stroke);
    void this.pump();
  }

  // Shows the dabs so far, as fast as the core takes them.
  private async pump(): Promise<void> {
    const { app } = this;
    if (this.isBusy || this.fresh.length === 0) return;
    this.isBusy = true;
    const strokes = this.fresh;
    this.fresh = [];
    try {
      const from = this.work?.id ?? app.store.document.rig.id;
      const made = await app.derive({ kind: 'paint', strokes, locks: this.locks() }, from);
      this.work = made.rig;
      if (this.isDown) await app.preview(made.rig);
    } catch (error) {
      app.say((error as Error).message, 'bad');
    }
    this.isBusy = false;
    if (this.isDown) void this.pump();
  }

  private async finish(): Promise<void> {
    const { app, strokes } = this;
    this.strokes = [];
    this.fresh = [];
    if (strokes.length > 0) {
      const { selection, brush } = app.store.session;
      const what = { 'bone-weights': 'weights', endpoints: 'endpoint weights', 'twist-endpoints': 'twist endpoint weights' }[brush.target];
      const label = `Paint ${what}${selection.length > 0 ? ` of ${selection.at(-1)}` : ''}`;
      const made = await app.attempt(label, () => app.derive({ kind: 'paint', strokes, locks: this.locks() }));
      if (made) app.store.run(setRig(label, made.rig));
    }
    app.endPreview();
    app.forget();
  }

  private locks(): string[] {
    const { document } = this.app.store;
    return document.locks.map((key) => document.rig.info.joints[jointIndex(document.rig.info, key)].name);
  }
}

// Dabs of one kind in a row are one stroke.
function append(strokes: Stroke[], stroke: Stroke): void {
  const last = strokes.at(-1);
  if (last && JSON.stringify({ ...last, dabs: [] }) === JSON.stringify({ ...stroke, dabs: [] })) {
    strokes[strokes.length - 1] = { ...last, dabs: [...last.dabs, ...stroke.dabs] };
  } else strokes.push(stroke);
}
