// SPDX-License-Identifier: Apache-2.0
// A recorded motion onto the character that is open: by the names of joints, or as people say which moves which.
import type { App } from '../app';
import { setRig } from '../commands/commands';
import type { MotionMap } from '../core/protocol';
import { button, h, note, row, select } from '../ui/dom';
import { dialog } from '../ui/popover';

export async function addMotion(app: App, name: string, bytes: Uint8Array, map?: MotionMap): Promise<void> {
  const { store } = app;
  const action = (known: MotionMap): { label: string; run(): void } => ({ label: 'Change what moves what', run: () => void mapJoints(app, name, bytes, known) });
  try {
    const report = await app.inTurn(async () => {
      const made = await app.derive({ kind: 'motion', name, file: bytes, map });
      store.run(setRig(`Motion ${name}`, made.rig));
      return made.report;
    });
    store.set({ welcome: false, clip: name, time: 0, playing: true });
    if (report?.kind !== 'motion') return;
    app.say(`${name}: ${report.mapped} joints of the motion move the character, ${report.left} do not.`, 'good', action(report.map));
  } catch (error) {
    app.say(`${name} could not be laid onto this character: ${(error as Error).message}`, 'bad', action(map ?? {}));
  }
}

/** A list of the motion's joints, with the joint that each moves. */
async function mapJoints(app: App, name: string, bytes: Uint8Array, known: MotionMap): Promise<void> {
  const motion = await app.inTurn(async () => {
    const opened = await app.attempt(`Reading ${name}`, () => app.core.call('open', bytes, 'bvh'));
    app.forget();
    return opened;
  });
  if (!motion) return;
  const sources = motion.info.joints.filter((joint) => joint.name !== '').map((joint) => joint.name);
  const targets = app.store.document.rig.info.joints.filter((joint) => joint.name !== '' && !joint.isNode && !joint.driven).map((joint) => joint.name);
  const map: Record<string, string | readonly string[] | null> = Object.fromEntries(sources.map((source) => [source, known[source] ?? null]));
  const fields = sources.map((source) => {
    const told = map[source];
    const several = Array.isArray(told) ? (told as readonly string[]).join(' + ') : undefined;
    const choices = [{ value: '', label: '— nothing' }, ...(several === undefined ? [] : [{ value: several, label: several }]), ...targets.map((target) => ({ value: target, label: target }))];
    return select(source, choices, several ?? (told as string | null) ?? '', (value) => {
      map[source] = value === several ? (told as readonly string[]) : value === '' ? null : value;
    });
  });
  const close = (): void => window.document.querySelector<HTMLDialogElement>('dialog.dialog')?.close();
  await dialog(
    `What ${name} moves`,
    h('div', { class: 'mapping' },
      note('Joints of the motion on the left, those of the character that they turn on the right.'),
      h('div', { class: 'mapping-list', 'data-id': 'motion-map' }, fields),
      row(
        button({ label: 'Lay it onto the character', primary: true, id: 'apply-map', onClick: () => {
          close();
          void addMotion(app, name, bytes, map);
        } }),
        button({ label: 'Open it on its own', onClick: () => {
          close();
          void app.openBytes(name, bytes, 'bvh');
        } }),
      ),
    ),
  );
}
