// SPDX-License-Identifier: Apache-2.0
// A drag becomes a motion, in real time.
import type { App } from '../app';
import { setChannels } from '../commands/clips';
import { channelsOfPoses, sameValue, type PoseKey } from '../state/channels';
import { button, row } from '../ui/dom';

export function recordRow(app: App): HTMLElement {
  const { recording } = app.store.session;
  return row(
    button({
      label: recording ? 'Stop recording' : 'Record a drag',
      icon: 'record',
      primary: recording,
      pressed: recording,
      id: 'record',
      hint: 'What is dragged becomes a motion, in real time',
      onClick: () => (recording ? stopRecording(app) : startRecording(app)),
    }),
  );
}

interface Recording {
  readonly poses: PoseKey[];
  /** As it was, and is again afterwards. */
  readonly autoKey: boolean;
  readonly clip: string | undefined;
  stop(): void;
}
let current: Recording | undefined;

function startRecording(app: App): void {
  const { store, openings } = app;
  const { autoKey, clip } = store.session;
  store.set({ recording: true, clip: undefined, autoKey: false, playing: false });
  app.say('Recording: drag the character; stop when it is done.', 'info', { label: 'Stop', run: () => stopRecording(app) });
  const poses: PoseKey[] = [];
  let start = -1;
  let last = -1;
  const stop = app.frame.watch((frame) => {
    // Another character: what was recorded is not of its joints.
    if (app.openings !== openings) endRecording(app);
    if (!frame || !store.isDragging) return;
    const now = performance.now() / 1000;
    if (start < 0) start = now;
    if (now - last < 1 / 30) return;
    last = now;
    poses.push({ time: now - start, pose: frame.pose, ease: 'linear' });
  });
  current = { poses, autoKey, clip, stop };
}

function endRecording(app: App): Recording | undefined {
  const made = current;
  current = undefined;
  made?.stop();
  app.message.value = undefined;
  app.store.set({ recording: false, autoKey: made?.autoKey ?? true });
  return made;
}

function stopRecording(app: App): void {
  const { store } = app;
  const made = endRecording(app);
  if (!made || made.poses.length < 2) {
    store.set({ clip: made?.clip });
    app.say('Nothing was dragged, so nothing was recorded.');
    return;
  }
  // What did not move needs one key.
  const channels = channelsOfPoses(store.document.rig.info, made.poses).map((channel) => {
    const [first] = channel.keys;
    return channel.keys.every((key) => sameValue(key.value, first.value)) ? { ...channel, keys: [first] } : channel;
  });
  store.run(setChannels(app.posing.addClip('recorded'), channels));
  store.set({ time: 0, playing: true });
}
