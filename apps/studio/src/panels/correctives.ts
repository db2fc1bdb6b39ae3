// SPDX-License-Identifier: Apache-2.0
// Correctives: the mesh of a pose goes out, is sculpted in another program, and comes back as a shape that this pose turns on.
import type { App } from '../app';
import type { CorrectiveReport } from '../core/reports';
import { jointIndex, shapeName } from '../state/document';
import { button, closedSection, h, note, numberField, row, select } from '../ui/dom';
import { bytesOf, chooseFiles, download, endingOf, fileName, stemOf } from './files';

const sculpted = ['obj', 'ply', 'off', 'glb', 'gltf'];

/** How the next one is made. */
interface Choices {
  readonly follows: 'turned' | 'selected';
  /** In degrees; 0: everywhere. */
  readonly radius: number;
}

export function correctiveSection(app: App): HTMLElement {
  const { store } = app;
  let choices: Choices = { follows: 'turned', radius: 0 };
  const body = h('div', {});
  const list = h('ul', { class: 'correctives', 'aria-label': 'Correctives' });
  const render = (): void => {
    const { info } = store.document.rig;
    if (!info.hasWeights) {
      body.replaceChildren(note('Bind the skin first.'));
      return;
    }
    const choose = (change: Partial<Choices>): void => {
      choices = { ...choices, ...change };
      render();
    };
    body.replaceChildren(
      ...(info.correctives.length > 0 ? [list] : [note('Does the skin look wrong in this pose? Save its mesh, sculpt it in another program, and take it back: it is then on in this pose and off at rest.')]),
      row(
        button({ label: 'Save mesh', icon: 'save', id: 'save-sculpt', hint: `What is shown now, by ${store.document.method}, as .obj`, onClick: () => void saveMesh(app) }),
        button({ label: 'Take sculpted', icon: 'open', id: 'take-sculpt', hint: 'A mesh with the same vertices: .obj .ply .off .glb', onClick: () => void chooseSculpted(app, choices) }),
      ),
      select('Follows', [{ value: 'turned', label: 'turned joints' }, { value: 'selected', label: 'selected joints' }], choices.follows, (follows) => choose({ follows }), 'corrective-joints'),
      numberField({ label: 'Only within', value: choices.radius, unit: choices.radius === 0 ? '= anywhere' : '°', step: 5, digits: 0, min: 0, max: 180, id: 'corrective-radius', onChange: (radius) => choose({ radius }) }),
    );
    showList();
  };
  // How much of each is on follows the pose.
  const showList = (): void => {
    const weights = app.frame.value?.shapes;
    list.replaceChildren(
      ...store.document.rig.info.correctives.map(({ name, shape, joints }) => {
        const on = Math.round(100 * (weights?.[shape] ?? 0));
        return h(
          'li',
          { title: `Follows ${joints.join(', ')}`, style: `--at:${on}%` },
          h('span', { class: 'corrective-name' }, name || `shape ${shape}`),
          h('span', { class: 'unit', 'data-corrective': name }, `${on}%`),
          button({ label: `Let go of ${name}`, icon: 'unlink', bare: true, hint: 'It follows the pose no longer, and becomes a shape with a slider', onClick: () => void app.edit(`Let go of ${name}`, { kind: 'release', shape }) }),
          button({ label: `Delete ${name}`, icon: 'trash', bare: true, danger: true, hint: 'The corrective and its shape', onClick: () => void app.edit(`Delete ${name}`, { kind: 'edit', steps: [{ 'remove-shape': shapeName(store.document.rig.info, shape) }] }) }),
        );
      }),
    );
  };
  store.watch(({ document }) => [document.rig, document.method], render);
  app.frame.watch(showList);
  return closedSection('Correctives', body);
}

async function saveMesh(app: App): Promise<void> {
  await app.attempt('Saving the mesh', async () => {
    const { clip, time } = app.store.session;
    const { name, method } = app.store.document;
    const file = await app.core.call('posed', app.stage.moment(clip, time), method);
    download(file, fileName(`${name} pose`, 'obj'));
    app.say('Sculpt it, keep all vertices, and take it back in this pose.', 'good');
  });
}

async function chooseSculpted(app: App, choices: Choices): Promise<void> {
  const [file] = await chooseFiles(sculpted.map((ending) => `.${ending}`).join(','));
  if (file) await takeSculpted(app, file, choices);
}

/** Makes a corrective of a sculpted mesh, for the pose that is shown. */
export async function takeSculpted(app: App, file: File, choices: Choices = { follows: 'turned', radius: 0 }): Promise<void> {
  const { store } = app;
  const { rig, method } = store.document;
  const label = `Corrective ${stemOf(file.name)}`;
  const format = endingOf(file.name);
  if (!sculpted.includes(format)) {
    app.say(`${file.name}: a sculpted mesh is one of ${sculpted.map((ending) => `.${ending}`).join(', ')}.`, 'bad');
    return;
  }
  const joints = choices.follows === 'selected' ? store.session.selection.map((key) => rig.info.joints[jointIndex(rig.info, key)].name) : undefined;
  if (joints?.length === 0) {
    app.say('Select the joints that the corrective should follow, or let it follow all that this pose turns.', 'bad');
    return;
  }
  const pose = app.posing.shown();
  const input = await app.attempt(label, async () => [await app.pack(), await bytesOf(file)] as const);
  if (!input) return;
  const request = { name: stemOf(file.name), pose, sculpted: input[1], format, method, joints, radius: choices.radius || undefined };
  const made = await app.run(label, (progress) => app.core.start('correct', [input[0], request], progress));
  if (!made) return;
  if (store.document.rig.id !== rig.id) {
    app.say(`${label}: the rig has changed meanwhile, so the result was not taken.`, 'bad');
    return;
  }
  if (await app.adoptFile(label, made.file)) sayReport(app, made.report);
}

function sayReport(app: App, one: CorrectiveReport): void {
  if (one.off.length === 0) {
    app.say(`${one.name} follows ${one.joints.join(', ')}: ${one.moved.toLocaleString('en')} vertices are where you have put them.`, 'good');
    return;
  }
  app.say(`${one.name}: ${one.off.length} of ${one.moved.toLocaleString('en')} vertices cannot get to where you have put them by this method; they are as near as they get.`, 'bad', {
    label: 'Show them',
    run: () => app.stage.goTo(one.off),
  });
}
