// SPDX-License-Identifier: Apache-2.0
import type { App } from '../app';
import type { SkeletonEdit } from '../core/protocol';
import { connect, deleteJoints, editOf, moveJoint, partnerOf, renameJoint, splitBone } from '../core/skeleton-edit';
import { templates } from '../core/templates';
import { mirroredVec } from '../core/math';
import { jointIndex, jointKeys, mirroredName, type Vec3 } from '../state/document';
import type { Ghost } from '../state/session';
import { button, h, note, numberField, row, section, toggle } from '../ui/dom';
import { jointTree } from './tree';
import { bindSection } from './weights';

export function rigPanel(app: App): HTMLElement {
  const { store } = app;
  const joint = h('div', { class: 'live' });
  const render = (): void => joint.replaceChildren(...jointPart(app));
  store.watch(({ document, session }) => [document.rig, session.selection], render);
  // Places are known once the rest pose of the new skeleton is.
  app.frame.watch((frame) => {
    if (store.session.workspace === 'rig' && frame?.rig === store.document.rig.id && !joint.contains(document.activeElement)) render();
  });
  const options = h('div', {});
  store.watch(({ session }) => session.mirror, (mirror) => {
    options.replaceChildren(toggle('Both sides', mirror, (on) => store.set({ mirror: on }), 'What is done on one side is done on the other (M)'));
  });
  const start = h('div', {});
  store.watch(({ document }) => [document.rig.info.joints.length === 0], () => start.replaceChildren(templatePart(app)));
  return h(
    'div',
    { class: 'panel' },
    joint,
    section(
      'Tools',
      row(
        button({ label: 'Add joints', icon: 'plus', id: 'panel-add', onClick: () => store.set({ rigTool: store.session.rigTool === 'add' ? 'select' : 'add' }) }),
        button({ label: 'Split bone', icon: 'split', id: 'split', onClick: () => void split(app) }),
      ),
      row(
        button({ label: 'Connect', icon: 'link', id: 'connect', hint: 'Hang the other selected joints below the last one', onClick: () => void connectSelected(app) }),
        button({ label: 'Delete', icon: 'trash', danger: true, keys: 'Del', id: 'delete-joint', onClick: () => void deleteSelected(app) }),
      ),
      options,
    ),
    start,
    bindSection(app),
    section('Joints', jointTree(app)),
  );
}

function jointPart(app: App): HTMLElement[] {
  const { store } = app;
  const { info } = store.document.rig;
  const key = store.session.selection.at(-1);
  const joint = key === undefined ? -1 : jointIndex(info, key);
  if (joint < 0) {
    return [
      h('div', { class: 'empty' },
        h('b', {}, info.joints.length === 0 ? 'Give it a skeleton' : 'Click a joint'),
        h('p', {}, info.joints.length === 0 ? 'Take a template below, or choose “Add joints” and click inside the mesh.' : 'Drag it to move it, or pull new joints out of it.')),
    ];
  }
  const name = h('input', { class: 'text', value: info.joints[joint].name, 'aria-label': 'Name of the joint', maxlength: 80, 'data-id': 'joint-name' });
  name.addEventListener('change', () => void rename(app, joint, name.value.trim()));
  name.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Enter') name.blur();
  });
  const parent = info.joints[joint].parent;
  const edit = current(app);
  const place = edit?.joints[joint]?.position ?? [0, 0, 0];
  const move = (axis: number, value: number): void => {
    if (!edit) return;
    const to = place.map((old, k) => (k === axis ? value : old)) as unknown as Vec3;
    let made = moveJoint(edit, joint, to, false);
    const partner = otherSide(app, edit, joint);
    if (partner >= 0) made = moveJoint(made, partner, mirroredVec(to), false);
    void apply(app, `Move ${info.joints[joint].name}`, made);
  };
  return [
    h('header', { class: 'subject' }, h('div', {}, h('b', {}, info.joints[joint].name || `joint ${joint}`))),
    h('label', { class: 'field' }, h('span', { class: 'field-label' }, 'Name'), name),
    ...['x', 'y', 'z'].map((axis, k) => numberField({ label: axis, value: place[k], step: 0.01, digits: 4, id: `place-${axis}`, onChange: (value) => move(k, value) })),
    h('p', { class: 'muted small' }, parent < 0 ? 'A root: nothing is above it.' : `Below ${info.joints[parent].name || parent}.`),
  ];
}

/** The skeleton as it is, in the rest pose. */
function current(app: App): SkeletonEdit | undefined {
  const frame = app.frame.value;
  const { rig } = app.store.document;
  return frame && frame.rig === rig.id ? editOf(rig.info, frame) : undefined;
}

/** In mirror mode, the joint on the other side; -1: none goes along. */
function otherSide(app: App, edit: SkeletonEdit, joint: number): number {
  return app.store.session.mirror ? partnerOf(edit, joint, app.viewport.modelSize * 0.01) : -1;
}

async function apply(app: App, label: string, skeleton: SkeletonEdit, renamed: Record<string, string> = {}): Promise<boolean> {
  const made = await app.edit(label, { kind: 'skeleton', skeleton }, renamed);
  const dropped = made?.report?.kind === 'skeleton' ? made.report.dropped : [];
  if (dropped.length > 0) app.say(`${label}. Could not be kept: ${dropped.join('; ')}.`, 'info', { label: 'Undo', run: () => app.store.undo() });
  return made !== undefined;
}

async function rename(app: App, joint: number, name: string): Promise<void> {
  const edit = current(app);
  const { info } = app.store.document.rig;
  if (!edit || name === '' || name === info.joints[joint].name) return;
  const isTaken = (wanted: string): boolean => info.joints.some((other) => other.name === wanted);
  if (isTaken(name)) {
    app.say(`There is a joint called ${name} already.`, 'bad');
    return;
  }
  let made = renameJoint(edit, joint, name);
  const changed = [joint];
  const partner = otherSide(app, edit, joint);
  const mirrored = mirroredName(name);
  if (partner >= 0 && mirrored !== undefined && !isTaken(mirrored)) {
    made = renameJoint(made, partner, mirrored);
    changed.push(partner);
  }
  const keys = jointKeys(made.joints.map((one) => one.name));
  const renamed = Object.fromEntries(changed.map((one) => [info.joints[one].key, keys[one]]));
  if (await apply(app, `Rename ${info.joints[joint].key}`, made, renamed)) app.store.set({ selection: [keys[joint]] });
}

async function split(app: App): Promise<void> {
  const edit = current(app);
  const { info } = app.store.document.rig;
  const joint = jointIndex(info, app.store.session.selection.at(-1) ?? '');
  if (!edit || joint < 0) {
    app.say('Select the joint where the bone starts.', 'bad');
    return;
  }
  const childOf = (j: number): number => info.bones.find((bone) => bone.joint === j)?.tailJoint ?? -1;
  let made = splitBone(edit, joint, childOf(joint));
  const partner = otherSide(app, edit, joint);
  if (partner >= 0) made = splitBone(made, partner, childOf(partner));
  await apply(app, 'Split bone', made);
}

async function connectSelected(app: App): Promise<void> {
  const { info } = app.store.document.rig;
  const joints = app.store.session.selection.map((key) => jointIndex(info, key));
  let edit = current(app);
  const parent = joints.pop();
  if (!edit || parent === undefined || joints.length === 0) {
    app.say('Select joints, and last the one that they should hang from (Ctrl click).', 'bad');
    return;
  }
  const links = joints.map((joint) => [joint, parent]);
  for (const joint of joints) {
    const other = otherSide(app, edit, joint);
    const above = otherSide(app, edit, parent);
    if (other >= 0 && other !== parent && !joints.includes(other)) links.push([other, above < 0 ? parent : above]);
  }
  for (const [joint, above] of links) {
    const made: SkeletonEdit | undefined = connect(edit, joint, above);
    if (!made) {
      app.say('A joint cannot hang from one of its own children.', 'bad');
      return;
    }
    edit = made;
  }
  await apply(app, 'Connect joints', edit);
}

export async function deleteSelected(app: App): Promise<void> {
  const { info } = app.store.document.rig;
  const edit = current(app);
  const joints = app.store.session.selection.map((key) => jointIndex(info, key)).filter((joint) => joint >= 0);
  if (!edit || joints.length === 0) return;
  for (const joint of [...joints]) {
    const partner = otherSide(app, edit, joint);
    if (partner >= 0 && !joints.includes(partner)) joints.push(partner);
  }
  if (joints.length === info.joints.length) {
    app.say('One joint at least has to stay.', 'bad');
    return;
  }
  await apply(app, joints.length === 1 ? 'Delete joint' : 'Delete joints', deleteJoints(edit, joints));
}

function templatePart(app: App): HTMLElement {
  const { store } = app;
  const isEmpty = store.document.rig.info.joints.length === 0;
  const chips = h('div', { class: 'chips' });
  const held = h('div', {});
  const set = (change: Partial<Ghost>): void => {
    const { ghost } = store.session;
    if (ghost) store.set({ ghost: { ...ghost, ...change } });
  };
  store.watch(({ session }) => session.ghost, (ghost) => {
    chips.replaceChildren(
      ...templates.map(({ name, what }) =>
        h('button', {
          type: 'button',
          class: 'chip',
          title: what,
          'data-template': name,
          'aria-pressed': String(name === ghost?.template),
          onClick: () => {
            store.set({ ghost: name === store.session.ghost?.template ? undefined : { template: name, size: 1, offset: [0, 0, 0] } });
            // How to take it is below, out of sight where the panel is low.
            requestAnimationFrame(() => held.scrollIntoView({ block: 'nearest' }));
          },
        }, name),
      ),
    );
    if (!ghost) {
      held.replaceChildren();
      return;
    }
    held.replaceChildren(
      note('Drag it to its place, and the knob on top of it to its size.'),
      numberField({ label: 'Size', value: 100 * ghost.size, unit: '%', step: 1, digits: 1, min: 1, max: 10000, id: 'ghost-size', onChange: (value) => set({ size: value / 100 }) }),
      ...['x', 'y', 'z'].map((axis, k) =>
        numberField({ label: `Move ${axis}`, value: ghost.offset[k], step: app.viewport.modelSize * 0.005, digits: 4, id: `ghost-${axis}`, onChange: (value) => set({ offset: ghost.offset.map((old, i) => (i === k ? value : old)) as unknown as Vec3 }) }),
      ),
      row(
        button({ label: 'Take this skeleton', icon: 'rig', primary: true, keys: 'Enter', id: 'take-template', onClick: () => void takeTemplate(app) }),
        button({ label: 'Not this one', icon: 'close', bare: true, keys: 'Esc', id: 'drop-template', onClick: () => store.set({ ghost: undefined }) }),
      ),
    );
  });
  return section(
    'Templates',
    note(isEmpty ? 'Scaled to the mesh; place it, and move its joints afterwards.' : 'A template takes the place of the skeleton; weights are then computed anew.'),
    chips,
    held,
  );
}

/** Makes the template that is held over the mesh its skeleton. */
export async function takeTemplate(app: App): Promise<void> {
  const { ghost } = app.store.session;
  const skeleton = app.stage.ghostSkeleton();
  if (!ghost || !skeleton) return;
  app.store.set({ ghost: undefined });
  await apply(app, `Template ${ghost.template}`, skeleton);
}
