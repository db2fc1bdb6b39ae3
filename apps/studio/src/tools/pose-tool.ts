// SPDX-License-Identifier: Apache-2.0
// Posing: joints, tails and handles are dragged.
import * as THREE from 'three';
import type { App } from '../app';
import { withJoint, resetPose } from '../commands/commands';
import { aboutAxis, add, conjugate, degrees, length, mirroredVec, multiply, originAt, rotationAt, sub, unit, vecAt } from '../core/math';
import { mirrorPose, twistAxis } from '../core/mirror';
import { boneOfJoint, jointIndex, mirroredKey, type Pose, type Vec3 } from '../state/document';
import type { Handle } from '../view/gizmo';
import { reachOf, type Pointer, type Tool } from './tool';

type Grab =
  | { readonly kind: 'joints'; readonly keys: readonly string[]; readonly starts: readonly Vec3[]; readonly from: Vec3 }
  | { readonly kind: 'tail'; readonly bone: number; readonly from: Vec3 }
  | { readonly kind: 'handle'; readonly handle: Handle; readonly key: string; readonly beyond: number; angle: number; total: number };

const words = {
  free: 'Drag: stretch · Shift: keep lengths · Alt: both sides',
  kept: 'Drag: turn, lengths kept · Alt: both sides',
  'beyond-reach': 'Drag: turn, stretch out of reach · Alt: both sides',
} as const;

const handleWords: Record<Handle, string> = {
  twist: 'Drag round the ring: twist the bone',
  turn: 'Drag round the ring: turn the joint in the view',
  stretch: 'Drag: stretch the bone along itself',
};

export class PoseTool implements Tool {
  private grab: Grab | undefined;
  private base: Pose = { joints: {} };
  private label = '';
  private last: Pointer | undefined;
  private moved = false;

  constructor(private readonly app: App) {}

  hover(pointer: Pointer): void {
    const { app } = this;
    const { store, viewport } = app;
    const reach = reachOf(pointer);
    const handle = this.handle(pointer, reach);
    viewport.gizmo.highlight(handle);
    const joint = handle ? -1 : this.joint(pointer, reach);
    const key = joint < 0 ? undefined : store.document.rig.info.joints[joint].key;
    store.set({ hover: key });
    viewport.draw();
    if (handle) this.app.hint.value = handleWords[handle];
    else if (joint >= 0) {
      const info = store.document.rig.info.joints[joint];
      app.hint.value = `${info.name || info.key} — ${info.driven ? 'computed from other joints' : words[this.lengths(pointer)]}`;
    } else if (viewport.pick.tail(pointer.x, pointer.y, reach) >= 0) app.hint.value = 'Drag the tail: turn and stretch the bone';
    else if (viewport.pick.bone(pointer.x, pointer.y, reach * 0.7) >= 0) app.hint.value = 'Click: select the bone';
    else app.hint.value = 'Drag a joint to pose · drag the background to turn · wheel to zoom';
    viewport.canvas.style.cursor = handle || joint >= 0 ? 'grab' : '';
  }

  down(pointer: Pointer): boolean {
    const { app } = this;
    const { store, viewport } = app;
    const { info } = store.document.rig;
    const frame = app.frame.value;
    if (!frame) return false;
    const reach = reachOf(pointer);
    this.moved = false;
    const handle = this.handle(pointer, reach);
    const selected = store.session.selection.at(-1);
    if (handle && selected !== undefined) {
      // The knob is beyond the tail, and by other drags the bone may be longer than its stretch says.
      const beyond = handle === 'stretch' ? this.alongBone(pointer, selected) - (app.posing.shown().joints[selected]?.stretch ?? 1) : 0;
      this.grab = { kind: 'handle', handle, key: selected, beyond, angle: this.angleAt(pointer, selected, handle), total: 0 };
      const several = handle === 'stretch' ? 1 : this.ringed(selected).length;
      this.start(pointer, `${{ twist: 'Twist', turn: 'Turn', stretch: 'Stretch' }[handle]} ${several > 1 ? `${several} joints` : selected}`);
      return true;
    }
    const joint = this.joint(pointer, reach);
    if (joint >= 0) {
      const { key } = info.joints[joint];
      const isSelected = store.session.selection.includes(key);
      if (pointer.ctrl) {
        const others = store.session.selection.filter((other) => other !== key);
        store.set({ selection: isSelected ? others : [...others, key] });
        return true;
      }
      if (!isSelected) store.set({ selection: [key] });
      if (info.joints[joint].driven) return true;
      const keys = isSelected ? topmost(store.session.selection.filter((other) => !isDriven(app, other)), app) : [key];
      const starts = keys.map((other) => originAt(frame.jointFrames, jointIndex(info, other)));
      this.grab = { kind: 'joints', keys, starts, from: viewport.pick.inViewPlane(pointer.x, pointer.y, originAt(frame.jointFrames, joint)) };
      this.start(pointer, keys.length > 1 ? `Drag ${keys.length} joints` : `Drag ${key}`);
      return true;
    }
    const tail = viewport.pick.tail(pointer.x, pointer.y, reach);
    if (tail >= 0 && !info.joints[info.bones[tail].joint].driven) {
      const { key } = info.joints[info.bones[tail].joint];
      store.set({ selection: [key] });
      this.grab = { kind: 'tail', bone: tail, from: vecAt(frame.boneTails, tail) };
      this.start(pointer, `Drag the tail of ${key}`);
      return true;
    }
    const bone = viewport.pick.bone(pointer.x, pointer.y, reach * 0.7);
    if (bone >= 0) {
      const { key } = info.joints[info.bones[bone].joint];
      const others = store.session.selection.filter((other) => other !== key);
      store.set({ selection: pointer.ctrl ? [...others, key] : [key] });
    }
    return false;
  }

  move(pointer: Pointer): void {
    this.last = pointer;
    if (!this.grab) return;
    if (!this.moved) {
      this.moved = true;
      this.base = this.app.posing.begin(this.label);
    }
    this.send(pointer);
  }

  up(pointer: Pointer): void {
    void pointer;
    if (this.grab && this.moved) this.app.posing.end(true);
    this.grab = undefined;
    this.app.tag.value = undefined;
    this.app.viewport.canvas.style.cursor = '';
  }

  cancel(): void {
    if (this.grab && this.moved) this.app.posing.end(false);
    this.grab = undefined;
    this.app.tag.value = undefined;
  }

  double(pointer: Pointer): void {
    const joint = this.joint(pointer, reachOf(pointer));
    if (joint < 0) return;
    const { key } = this.app.store.document.rig.info.joints[joint];
    if (this.app.store.session.clip === undefined) this.app.store.run(resetPose([key]));
    else this.app.posing.change(`Reset ${key}`, (pose) => withJoint(pose, key, undefined));
  }

  leave(): void {
    this.app.store.set({ hover: undefined });
    this.app.viewport.gizmo.highlight(undefined);
    this.app.hint.value = '';
  }

  /** The three ways to drag take effect at once, also in the middle of a drag. */
  again(): void {
    if (this.last && this.grab && this.moved) this.send(this.last);
  }

  private start(pointer: Pointer, label: string): void {
    this.label = label;
    this.last = pointer;
    this.app.posing.hold();
    this.app.viewport.canvas.style.cursor = 'grabbing';
  }

  private lengths(pointer: Pointer): 'free' | 'kept' | 'beyond-reach' {
    return pointer.shift ? 'kept' : this.app.store.session.lengths;
  }

  // A joint right under the pointer comes before the handles around it, which cover it where bones are short.
  private handle(pointer: Pointer, reach: number): Handle | undefined {
    if (this.joint(pointer, reach * 0.5) >= 0) return undefined;
    return this.app.viewport.pick.handle(pointer.x, pointer.y, reach);
  }

  private joint(pointer: Pointer, reach: number): number {
    return this.app.viewport.pick.joint(pointer.x, pointer.y, reach);
  }

  private send(pointer: Pointer): void {
    const { app, grab, base, label } = this;
    if (!grab) return;
    const { store, viewport } = app;
    const { document, session } = store;
    const { info } = document.rig;
    const lengths = this.lengths(pointer);
    const both = pointer.alt || session.mirror;
    if (grab.kind === 'tail') {
      const position = viewport.pick.inViewPlane(pointer.x, pointer.y, grab.from);
      void app.posing.drag(base, label, { tail: { bone: grab.bone, position, lengths, both } });
      return;
    }
    if (grab.kind === 'joints') {
      const by = sub(viewport.pick.inViewPlane(pointer.x, pointer.y, grab.from), grab.from);
      const goals = grab.keys.map((joint, k) => ({ joint, position: add(grab.starts[k], by) }));
      if (both) {
        for (const goal of [...goals]) {
          const partner = mirroredKey(info, goal.joint);
          if (partner === undefined || goals.some((other) => other.joint === partner)) continue;
          goals.push({ joint: partner, position: mirroredVec(goal.position) });
        }
      }
      app.tag.value = { x: pointer.x, y: pointer.y, text: { free: 'stretch', kept: 'keep', 'beyond-reach': 'beyond reach' }[lengths] };
      void app.posing.drag(base, label, { drag: { goals, lengths, pins: document.pins } });
      return;
    }
    const { key, handle } = grab;
    if (handle === 'stretch') {
      const pose = this.stretched(pointer, key, grab.beyond, both);
      app.tag.value = { x: pointer.x, y: pointer.y, text: `${(pose.joints[key]?.stretch ?? 1).toFixed(2)}×` };
      void app.posing.drag(base, label, { pose });
      return;
    }
    const angle = this.angleAt(pointer, key, handle);
    let step = angle - grab.angle;
    step -= 2 * Math.PI * Math.round(step / (2 * Math.PI));
    grab.total += step;
    grab.angle = angle;
    const turn = pointer.ctrl ? Math.round(degrees(grab.total) / 15) * 15 : degrees(grab.total);
    const pose = handle === 'twist' ? this.twisted(key, turn, both) : this.turned(key, turn, both);
    const shown = handle === 'twist' ? (pose.joints[key]?.twist ?? 0) : turn;
    app.tag.value = { x: pointer.x, y: pointer.y, text: `${shown.toFixed(0)}°` };
    void app.posing.drag(base, label, { pose });
  }

  // What a ring on one of the selected joints turns: all of them, each about itself, which curls a chain.
  private ringed(key: string): string[] {
    const { selection } = this.app.store.session;
    return (selection.includes(key) ? selection : [key]).filter((one) => !isDriven(this.app, one));
  }

  // The joints whose other side goes along: not those that are turned themselves.
  private paired(keys: readonly string[], both: boolean): string[] {
    const { info } = this.app.store.document.rig;
    return both ? keys.filter((key) => !keys.includes(mirroredKey(info, key) ?? key)) : [];
  }

  private twisted(key: string, by: number, both: boolean): Pose {
    const { info } = this.app.store.document.rig;
    const limit = (value: number): number => Math.min(36000, Math.max(-36000, value));
    const twist = (pose: Pose, joint: string, angle: number): Pose =>
      withJoint(pose, joint, { ...pose.joints[joint], twist: limit((pose.joints[joint]?.twist ?? 0) + angle) });
    const keys = this.ringed(key).filter((one) => twistAxis(info, jointIndex(info, one)));
    const pose = keys.reduce((result, one) => twist(result, one, by), this.base);
    return this.paired(keys, both).reduce((result, one) => twist(result, mirroredKey(info, one) ?? one, -by), pose);
  }

  // About the line of sight: the joints' world rotations turn, and their told rotations with them.
  private turned(key: string, by: number, both: boolean): Pose {
    const { info } = this.app.store.document.rig;
    const frame = this.app.frame.value;
    if (!frame || jointIndex(info, key) < 0) return this.base;
    const sight = this.app.viewport.orbit.camera.getWorldDirection(new THREE.Vector3()).negate();
    const turn = aboutAxis(sight.toArray() as unknown as Vec3, (by * Math.PI) / 180);
    const keys = this.ringed(key);
    const pose = keys.reduce((result, one) => {
      const { parent, rest } = info.joints[jointIndex(info, one)];
      const up = parent < 0 ? ([0, 0, 0, 1] as const) : rotationAt(frame.jointFrames, parent);
      const local = multiply(multiply(conjugate(up), turn), up);
      const said = result.joints[one] ?? {};
      return withJoint(result, one, { ...said, rotation: unit(multiply(local, said.rotation ?? rest.rotation)) });
    }, this.base);
    const pairs = this.paired(keys, both);
    return pairs.length > 0 ? mirrorPose(info, pose, pairs) : pose;
  }

  // How far along a bone the pointer is, in lengths at rest.
  private alongBone(pointer: Pointer, key: string): number {
    const { app } = this;
    const { info } = app.store.document.rig;
    const frame = app.frame.value;
    const bone = boneOfJoint(info, jointIndex(info, key));
    if (!frame || bone < 0) return 0;
    const [head, tail] = [vecAt(frame.boneHeads, bone), vecAt(frame.boneTails, bone)];
    const line = new THREE.Vector3(...sub(tail, head)).normalize();
    const along = app.viewport.pick.alongLine(pointer.x, pointer.y, head, line) ?? length(sub(tail, head));
    return along / (length(sub(info.bones[bone].tail, info.bones[bone].head)) || 1);
  }

  private stretched(pointer: Pointer, key: string, beyond: number, both: boolean): Pose {
    const { info } = this.app.store.document.rig;
    const stretch = Math.min(20, Math.max(0.05, Math.round((this.alongBone(pointer, key) - beyond) * 100) / 100));
    let pose = withJoint(this.base, key, { ...this.base.joints[key], stretch });
    const partner = both ? mirroredKey(info, key) : undefined;
    if (partner !== undefined) pose = withJoint(pose, partner, { ...pose.joints[partner], stretch });
    return pose;
  }

  // The angle of the pointer round a ring, as seen along its axis towards the camera.
  private angleAt(pointer: Pointer, key: string, handle: Handle): number {
    const { app } = this;
    const { info } = app.store.document.rig;
    const frame = app.frame.value;
    const bone = boneOfJoint(info, jointIndex(info, key));
    if (!frame || bone < 0) return 0;
    const head = vecAt(frame.boneHeads, bone);
    const tail = vecAt(frame.boneTails, bone);
    const center = handle === 'turn' ? head : add(head, scaledTo(sub(tail, head), 0.55));
    const view = app.viewport.pick.viewAt(pointer.x, pointer.y);
    const [cx, cy] = app.viewport.pick.project(center, view);
    if (handle === 'turn') return Math.atan2(-(pointer.y - cy), pointer.x - cx);
    const along = new THREE.Vector3(...sub(tail, head)).normalize();
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(along, new THREE.Vector3(...center));
    // Not by the pointer's own ray: which of the two it is must not change while the ring is dragged.
    const facing = Math.abs(app.viewport.pick.ray(cx, cy).direction.dot(along));
    if (facing < 0.25) {
      // Seen from the side the ring is a line: going along it turns, a hand's width is half a turn.
      const across = new THREE.Vector3().crossVectors(along, app.viewport.orbit.camera.getWorldDirection(new THREE.Vector3()));
      const [ax, ay] = app.viewport.pick.project(new THREE.Vector3(...center).add(across.normalize()), view);
      const dx = ax - cx;
      const dy = ay - cy;
      const l = Math.hypot(dx, dy) || 1;
      return -(((pointer.x - cx) * dx + (pointer.y - cy) * dy) / l / 60) * (Math.PI / 2);
    }
    const hit = app.viewport.pick.ray(pointer.x, pointer.y).intersectPlane(plane, new THREE.Vector3());
    if (!hit) return 0;
    const u = new THREE.Vector3(Math.abs(along.y) < 0.9 ? 0 : 1, Math.abs(along.y) < 0.9 ? 1 : 0, 0).cross(along).normalize();
    const v = new THREE.Vector3().crossVectors(along, u);
    const arm = hit.sub(new THREE.Vector3(...center));
    return Math.atan2(arm.dot(v), arm.dot(u));
  }
}

const scaledTo = (v: Vec3, s: number): Vec3 => [v[0] * s, v[1] * s, v[2] * s];

const isDriven = (app: App, key: string): boolean => {
  const { info } = app.store.document.rig;
  return info.joints[jointIndex(info, key)]?.driven ?? true;
};

/** Joints of a selection with none of it above them: those below go along. */
function topmost(keys: readonly string[], app: App): string[] {
  const { info } = app.store.document.rig;
  const chosen = new Set(keys.map((key) => jointIndex(info, key)));
  return keys.filter((key) => {
    for (let j = info.joints[jointIndex(info, key)].parent; j >= 0; j = info.joints[j].parent) if (chosen.has(j)) return false;
    return true;
  });
}
