// SPDX-License-Identifier: Apache-2.0
import type { App } from '../app';
import { fitPose } from '../commands/commands';
import type { Pose } from '../state/document';
import { chooseFiles, download, fileName } from './files';

/** The pose that is shown, as a pose file. */
export async function savePose(app: App): Promise<void> {
  const pose = app.posing.shown();
  const text = JSON.stringify(pose, null, 1);
  download(text, fileName(`${app.store.document.name} pose`, 'json'), 'application/json');
}

export async function loadPose(app: App): Promise<void> {
  const [file] = await chooseFiles('.json,application/json');
  if (file) await openPose(app, file);
}

/** A pose file on the character that is open. The core checks it: what is wrong is said, and nothing changes. */
export async function openPose(app: App, file: File): Promise<void> {
  await app.attempt(`Reading ${file.name}`, async () => {
    let json: unknown;
    try {
      json = JSON.parse(await file.text());
    } catch {
      throw new Error('it is not JSON');
    }
    const { rig, method } = app.store.document;
    const pose = json as Pose;
    if (!pose || typeof pose !== 'object' || typeof pose.joints !== 'object') throw new Error('it has no "joints": it is not a pose by joints');
    // Throws with the place of what is wrong.
    await app.core.call('frame', { rig: rig.id, pose, methods: [method] });
    app.posing.change(`Load ${file.name}`, () => fitPose(pose, rig.info));
  });
}
