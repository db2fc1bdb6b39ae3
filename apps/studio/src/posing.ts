// SPDX-License-Identifier: Apache-2.0
// From hands to poses: a change of what is shown becomes the document's pose, or keys of the clip on the timeline for
// what has changed.
import type { App } from './app';
import { addClip, setKeys, type KeyedValue } from './commands/clips';
import { setPose } from './commands/commands';
import { originAt } from './core/math';
import type { Drag, TailDrag } from './core/protocol';
import { poseAt, valueAt } from './core/sampling';
import { changedChannels, closedChannels, jointKinds, partOf, type ChannelRef } from './state/channels';
import { channelId, jointIndex, restPose, type Document, type KeyClip, type Pose, type Target } from './state/document';

export class Posing {
  /** Whether something is being dragged, of which frames are asked for here. */
  private isDragging = false;
  private dragged: Pose | undefined;
  /** The frame that was asked for last, until it is here. */
  private asked: Promise<void> = Promise.resolve();

  constructor(private readonly app: App) {}

  /** The clip made here that is on the timeline. */
  keyClip(): KeyClip | undefined {
    const { session, document } = this.app.store;
    return document.clips.find((other) => other.name === session.clip);
  }

  /** The pose that is shown, from which a drag goes on. */
  shown(): Pose {
    const { session, document } = this.app.store;
    if (session.clip === undefined) return document.pose;
    const clip = this.keyClip();
    // As it was told: a twist of two turns is two turns. What targets make of it is known to the core alone.
    if (clip && clip.channels.length > 0 && !clip.channels.some(({ kind }) => kind === 'target')) {
      return poseAt(document.rig.info, { channels: closedChannels(clip) }, session.time);
    }
    return this.app.frame.value?.pose ?? document.pose;
  }

  /** Changes the shown pose by one step of the history. */
  change(label: string, change: (pose: Pose) => Pose, merge?: string): void {
    const base = this.prepare();
    const pose = change(base);
    this.app.store.run({ label, merge, apply: (document) => this.with(document, label, base, pose) });
    this.tellTurns(pose);
  }

  /** What plays stops at what is seen: the time may be ahead of it. */
  hold(): void {
    const { store, frame } = this.app;
    if (store.session.playing) store.set({ playing: false, time: frame.value?.time ?? store.session.time });
  }

  // What is posed has to be the pose or a clip of keys. Returns the pose that was shown, to go on from.
  private prepare(): Pose {
    this.hold();
    const { store } = this.app;
    const { session } = store;
    const base = this.shown();
    if (session.workspace === 'animate' && session.autoKey && !this.keyClip()) {
      this.addClip();
    } else if (session.clip !== undefined && (!this.keyClip() || !session.autoKey)) {
      store.set({ clip: undefined });
    }
    return base;
  }

  /** A new clip, on the timeline. */
  addClip(name = 'motion'): string {
    const { store } = this.app;
    const before = store.document.clips.length;
    store.run(addClip(name));
    const made = store.document.clips[before].name;
    store.set({ clip: made, selectedKeys: [] });
    return made;
  }

  /** From here to end(), the document follows what drag() asks for. Returns the pose to go on from. */
  begin(label: string): Pose {
    // The drag before may still wait for its last frame.
    this.finish(true);
    const base = this.prepare();
    this.app.store.begin(label);
    this.app.stage.isHeld = true;
    this.isDragging = true;
    this.app.viewport.setMoving('pose', true);
    return base;
  }

  drag(base: Pose, label: string, how: { drag?: Drag; tail?: TailDrag; pose?: Pose }): Promise<void> {
    this.asked = this.follow(base, label, how);
    return this.asked;
  }

  private async follow(base: Pose, label: string, how: { drag?: Drag; tail?: TailDrag; pose?: Pose }): Promise<void> {
    const { store, stage } = this.app;
    const frame = await stage.ask({ rig: store.document.rig.id, pose: how.pose ?? base, drag: how.drag, tail: how.tail });
    // Undo ends a drag, too.
    if (!frame || !this.isDragging || !store.isDragging) return;
    const { pose } = frame;
    this.dragged = pose;
    store.update((before) => this.with(before, label, base, pose, how.drag?.goals));
    stage.take(frame);
  }

  /** A drag that is kept ends where the pointer was let go, once that is here. */
  end(keep: boolean): void {
    const { asked } = this;
    if (!keep) this.finish(false);
    else void asked.then(() => asked === this.asked && this.finish(true));
  }

  private finish(keep: boolean): void {
    if (!this.isDragging) return;
    const { store, stage, viewport } = this.app;
    this.isDragging = false;
    stage.isHeld = false;
    viewport.setMoving('pose', false);
    if (keep) store.end();
    else store.cancel();
    if (keep && this.dragged) this.tellTurns(this.dragged);
    this.dragged = undefined;
    void stage.refresh();
  }

  // A clip begins within half a turn: what was twisted by more at its beginning is not as people left it.
  private tellTurns(wanted: Pose): void {
    if (!this.keyClip()) return;
    const { joints } = this.shown();
    const key = Object.keys(wanted.joints).find((one) => Math.abs((wanted.joints[one].twist ?? 0) - (joints[one]?.twist ?? 0)) > 359);
    if (key !== undefined) this.app.say(`A clip begins within half a turn, so ${key} lost the whole turns. Twist it further at a later time.`);
  }

  // ---- Keys ----

  /** Keys at the time that is shown: for the selected joints, or for all that moves or is posed if there are none. */
  setKeys(): void {
    this.hold();
    const { store } = this.app;
    const base = this.shown();
    const { info } = store.document.rig;
    const { selection, time } = store.session;
    const posed = changedChannels(info, restPose, base);
    const clip = this.keyClip();
    const isKnown = (ref: ChannelRef): boolean => [...posed, ...(clip?.channels ?? [])].some((other) => channelId(other) === channelId(ref));
    const chosen = selection.filter((name) => !info.joints[jointIndex(info, name)]?.driven);
    const refs: ChannelRef[] =
      chosen.length > 0
        ? chosen.flatMap((name) => [...jointKinds, 'target' as const].map((kind) => ({ kind, name }))).filter((ref) => ref.kind === 'rotation' || isKnown(ref))
        : [...(clip?.channels ?? []), ...posed.filter((ref) => !clip?.channels.some((other) => channelId(other) === channelId(ref)))];
    if (refs.length === 0) {
      this.app.say('Select a joint to set a key for it, or drag one.');
      return;
    }
    const values = refs.map((ref): KeyedValue => {
      const target = ref.kind === 'target' ? clip?.channels.find((other) => channelId(other) === channelId(ref)) : undefined;
      return { kind: ref.kind, name: ref.name, value: target ? valueAt(info, target, time) : partOf(info, base, ref) };
    });
    store.run(setKeys(clip?.name ?? this.addClip(), time, values));
  }

  /** From here on inverse kinematics brings the selected joints to where they are now. */
  setTargets(): void {
    const { store, frame } = this.app;
    const { info } = store.document.rig;
    const { selection, time, lengths } = store.session;
    const frames = frame.value?.jointFrames;
    if (!frames || selection.length === 0) return;
    const values = selection.map((name): KeyedValue => {
      const value: Target = { position: originAt(frames, jointIndex(info, name)), weight: 1, lengths };
      return { kind: 'target', name, value };
    });
    store.run(setKeys(this.keyClip()?.name ?? this.addClip(), time, values));
  }

  // What a document becomes when its shown pose becomes another: keys of the clip, or the pose.
  private with(before: Document, label: string, base: Pose, pose: Pose, goals: Drag['goals'] = []): Document {
    const { clip, time, autoKey } = this.app.store.session;
    const keys = before.clips.find((other) => other.name === clip);
    if (!keys || !autoKey) return setPose(label, pose).apply(before);
    const { info } = before.rig;
    const targets = goals.flatMap(({ joint, position }): KeyedValue[] => {
      const channel = keys.channels.find(({ kind, name }) => kind === 'target' && name === joint);
      return channel ? [{ kind: 'target', name: joint, value: { ...(valueAt(info, channel, time) as Target), position } }] : [];
    });
    // The core brings the bones along with a target.
    if (goals.length > 0 && targets.length === goals.length) return setKeys(keys.name, time, targets).apply(before);
    const changed = changedChannels(info, base, pose).map((ref): KeyedValue => ({ ...ref, value: partOf(info, pose, ref), before: partOf(info, base, ref) }));
    // The first keys of a clip hold the pose that it begins with.
    const others = keys.channels.length > 0 ? [] : changedChannels(info, restPose, pose).filter((ref) => !changed.some((one) => channelId(one) === channelId(ref)));
    return setKeys(keys.name, time, [...targets, ...changed, ...others.map((ref): KeyedValue => ({ ...ref, value: partOf(info, pose, ref) }))]).apply(before);
  }
}
