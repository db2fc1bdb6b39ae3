// SPDX-License-Identifier: Apache-2.0
// Making skeletons: joints are added and moved in the rest pose.
import type { App } from '../app';
import { length, mirroredVec, sub } from '../core/math';
import type { Frame, SkeletonEdit } from '../core/protocol';
import { addJoint, editOf, moveJoint, partnerOf } from '../core/skeleton-edit';
import { handlesOf } from '../core/templates';
import { jointKeys, mirroredName, type Vec3 } from '../state/document';
import type { Ghost } from '../state/session';
import { reachOf, type Pointer, type Tool } from './tool';

/** A template that is moved or scaled: where its foot is, and how it was. */
type Hold = { readonly part: 'size' | 'place'; readonly at: Pointer; readonly foot: Vec3; readonly ghost: Ghost };

type Grab = { readonly joint: number; readonly from: Vec3; readonly edit: SkeletonEdit; readonly makes: boolean };

export class RigTool implements Tool {
  private grab: Grab | undefined;
  private hold: Hold | undefined;
  private result: SkeletonEdit | undefined;
  /** The world axis that a joint is moved along. */
  private axis: 0 | 1 | 2 | undefined;
  private last: Pointer | undefined;

  constructor(private readonly app: App) {}

  hover(pointer: Pointer): void {
    const { app } = this;
    const { store, viewport } = app;
    const part = viewport.pick.ghost(pointer.x, pointer.y, reachOf(pointer));
    if (store.session.ghost) {
      app.hint.value = part === 'size' ? 'Drag: larger or smaller' : part ? 'Drag: move the template' : 'Enter: take this skeleton · Esc: not this one · drag the background to turn';
      viewport.canvas.style.cursor = part === 'size' ? 'ns-resize' : part ? 'move' : '';
      return;
    }
    const joint = viewport.pick.joint(pointer.x, pointer.y, reachOf(pointer));
    store.set({ hover: joint < 0 ? undefined : store.document.rig.info.joints[joint].key });
    const isAdding = store.session.rigTool === 'add';
    if (joint >= 0) {
      app.hint.value = isAdding ? 'Drag: pull a child out of this joint' : 'Drag: move the joint · Ctrl: to the middle of the volume · Shift: with its children · X Y Z: along an axis';
    } else app.hint.value = isAdding ? 'Click the mesh: a joint in the middle of the volume, below the selected one' : 'Click a joint · drag the background to turn';
    viewport.canvas.style.cursor = joint >= 0 ? 'grab' : isAdding ? 'crosshair' : '';
  }

  down(pointer: Pointer): boolean {
    const { app } = this;
    const { store, viewport } = app;
    const { info } = store.document.rig;
    const frame = app.frame.value;
    if (!frame) return false;
    const { ghost } = store.session;
    if (ghost) {
      const part = viewport.pick.ghost(pointer.x, pointer.y, reachOf(pointer));
      const skeleton = app.stage.ghostSkeleton();
      if (part && skeleton) this.hold = { part, at: pointer, foot: handlesOf(skeleton).foot, ghost };
      return this.hold !== undefined;
    }
    const edit = editOf(info, frame);
    const joint = viewport.pick.joint(pointer.x, pointer.y, reachOf(pointer));
    const isAdding = store.session.rigTool === 'add';
    if (joint >= 0) {
      const { key } = info.joints[joint];
      if (pointer.ctrl && !isAdding) {
        const others = store.session.selection.filter((other) => other !== key);
        store.set({ selection: [...others, key] });
      } else if (!store.session.selection.includes(key)) store.set({ selection: [key] });
      this.grab = { joint, from: edit.joints[joint].position, edit, makes: isAdding };
      this.result = undefined;
      return true;
    }
    if (!isAdding) {
      const bone = viewport.pick.bone(pointer.x, pointer.y, reachOf(pointer) * 0.7);
      if (bone >= 0) store.set({ selection: [info.joints[info.bones[bone].joint].key] });
      return false;
    }
    const place = viewport.pick.midVolume(pointer.x, pointer.y);
    if (!place) return false;
    void this.addAt(edit, this.parent(), place);
    return true;
  }

  move(pointer: Pointer): void {
    const { app, grab } = this;
    if (this.hold) this.moveGhost(pointer, this.hold);
    if (!grab) return;
    this.last = pointer;
    const { viewport, store } = app;
    const { axis } = this;
    let to = axis === undefined ? viewport.pick.inViewPlane(pointer.x, pointer.y, grab.from) : viewport.pick.onAxis(pointer.x, pointer.y, grab.from, axis);
    app.tag.value = axis === undefined ? undefined : { x: pointer.x, y: pointer.y, text: `along ${'xyz'[axis]}` };
    const snaps = axis === undefined && (pointer.ctrl || grab.makes);
    const middle = snaps ? viewport.pick.midVolume(pointer.x, pointer.y) : undefined;
    if (middle) to = middle;
    if (store.session.mirror && Math.abs(to[0]) < viewport.modelSize * 0.012) to = [0, to[1], to[2]];
    if (grab.makes) {
      this.result = addJoint(grab.edit, grab.joint, to, 'joint');
      viewport.setGhost([[grab.from, to]]);
      return;
    }
    let edit = moveJoint(grab.edit, grab.joint, to, pointer.shift);
    const partner = store.session.mirror ? partnerOf(grab.edit, grab.joint, viewport.modelSize * 0.01) : -1;
    if (partner >= 0) edit = moveJoint(edit, partner, mirroredVec(to), pointer.shift);
    this.result = edit;
    const frame = app.frame.value;
    if (frame) viewport.setFrame(movedFrame(frame, edit, store.document.rig.info));
  }

  private moveGhost(pointer: Pointer, { part, at, foot, ghost }: Hold): void {
    const { store, viewport } = this.app;
    if (part === 'size') {
      const [x, y] = viewport.pick.project(foot, viewport.pick.viewAt(at.x, at.y));
      const by = Math.hypot(pointer.x - x, pointer.y - y) / Math.max(1, Math.hypot(at.x - x, at.y - y));
      const size = Math.min(100, Math.max(0.01, ghost.size * by));
      store.set({ ghost: { ...ghost, size } });
      this.app.tag.value = { x: pointer.x, y: pointer.y, text: `${Math.round(100 * size)} %` };
      return;
    }
    const by = sub(viewport.pick.inViewPlane(pointer.x, pointer.y, foot), viewport.pick.inViewPlane(at.x, at.y, foot));
    const offset = ghost.offset.map((old, k) => old + by[k]) as unknown as Vec3;
    // In mirror mode it stays in the middle.
    store.set({ ghost: { ...ghost, offset: store.session.mirror ? [ghost.offset[0], offset[1], offset[2]] : offset } });
  }

  /** Moves what is dragged along a world axis; the same axis again: freely. */
  along(axis: 0 | 1 | 2): void {
    if (!this.grab) return;
    this.axis = this.axis === axis ? undefined : axis;
    if (this.last) this.move(this.last);
  }

  up(): void {
    const { app, grab, result } = this;
    this.letGo();
    if (!grab || !result) return;
    app.viewport.setGhost([]);
    if (grab.makes) {
      const to = result.joints[result.joints.length - 1].position;
      if (length(sub(to, grab.from)) > app.viewport.modelSize * 0.005) void this.addAt(grab.edit, grab.joint, to);
      return;
    }
    void app.edit('Move joint', { kind: 'skeleton', skeleton: result });
  }

  cancel(): void {
    if (this.hold) this.app.store.set({ ghost: this.hold.ghost });
    else if (this.grab) this.app.viewport.setGhost([]);
    this.letGo();
    void this.app.stage.refresh();
  }

  leave(): void {
    this.app.store.set({ hover: undefined });
    this.app.hint.value = '';
  }

  private letGo(): void {
    this.grab = undefined;
    this.hold = undefined;
    this.result = undefined;
    this.axis = undefined;
    this.last = undefined;
    this.app.tag.value = undefined;
  }

  private parent(): number {
    const { selection } = this.app.store.session;
    const key = selection.at(-1);
    return this.app.store.document.rig.info.joints.findIndex((joint) => joint.key === key);
  }

  private async addAt(edit: SkeletonEdit, parent: number, place: Vec3): Promise<void> {
    const { app } = this;
    const { store, viewport } = app;
    const size = viewport.modelSize;
    const isMirrored = store.session.mirror;
    const isMiddle = Math.abs(place[0]) < size * 0.012;
    const at: Vec3 = isMirrored && isMiddle ? [0, place[1], place[2]] : place;
    const parentName = parent >= 0 ? edit.joints[parent].name : '';
    const base = parent < 0 ? 'root' : parentName.replace(/_?\d*([._][LR])?$/, '') || 'joint';
    const side = isMirrored && !isMiddle ? (at[0] > 0 ? '.L' : '.R') : (/[._][LR]$/.exec(parentName)?.[0] ?? '');
    let made = addJoint(edit, parent, at, parent < 0 ? 'root' : `${base}_1${side}`);
    const joint = made.joints.length - 1;
    if (isMirrored && !isMiddle) {
      const otherParent = parent < 0 ? -1 : partnerOf(edit, parent, size * 0.01);
      const name = mirroredName(made.joints[joint].name) ?? 'joint';
      made = addJoint(made, otherParent >= 0 ? otherParent : parent, mirroredVec(at), name);
    }
    const done = await app.edit('Add joint', { kind: 'skeleton', skeleton: made });
    if (done) store.set({ selection: [jointKeys(made.joints.map((one) => one.name))[joint]] });
  }
}

/** A frame with the bones of an edited skeleton and the surface as it was. */
function movedFrame(frame: Frame, edit: SkeletonEdit, info: { bones: readonly { joint: number; tailJoint: number }[] }): Frame {
  const jointFrames = frame.jointFrames.slice();
  const boneHeads = frame.boneHeads.slice();
  const boneTails = frame.boneTails.slice();
  edit.joints.forEach((joint, j) => jointFrames.set(joint.position, 16 * j + 12));
  info.bones.forEach((bone, b) => {
    boneHeads.set(edit.joints[bone.joint].position, 3 * b);
    const tail = bone.tailJoint >= 0 ? edit.joints[bone.tailJoint].position : edit.joints[bone.joint].tail;
    if (tail) boneTails.set(tail, 3 * b);
  });
  return { ...frame, jointFrames, boneHeads, boneTails };
}
