// SPDX-License-Identifier: Apache-2.0
import type { App } from '../app';
import { resetPose, setValue, togglePins, withJoint } from '../commands/commands';
import { degrees } from '../core/math';
import { mirrorPose, twistAxis } from '../core/mirror';
import { boneOfJoint, jointIndex, type Bend, type JointPose, type Pose, type RigInfo } from '../state/document';
import { endsWithScope } from '../state/scope';
import { button, h, note, numberField, row, section, segmented, slider, toggle } from '../ui/dom';
import { correctiveSection } from './correctives';
import { layerSection } from './layers';
import { loadPose, savePose } from './pose-files';
import { jointTree } from './tree';

/** The selected joint, in numbers; of the shown pose, which may be that of a clip. */
export function jointFields(app: App): HTMLElement {
  const { store } = app;
  const selected = h('div', { class: 'live' });
  // A label that is being dragged stays under the pointer.
  let isHeld = false;
  selected.addEventListener('pointerdown', (event) => (isHeld = (event.target as HTMLElement).classList.contains('scrub')));
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    queueMicrotask(render);
  };
  window.addEventListener('pointerup', release);
  endsWithScope(() => window.removeEventListener('pointerup', release));
  const render = (): void => {
    if (isHeld) return;
    const focus = document.activeElement;
    // A field that is being typed into is not replaced under the fingers.
    if (focus instanceof HTMLInputElement && focus.type === 'text' && selected.contains(focus)) {
      // Not before the next one has the focus.
      focus.addEventListener('blur', () => setTimeout(render), { once: true });
      return;
    }
    selected.replaceChildren(...selectedJoint(app));
  };
  store.watch(({ document, session }) => [document.rig, document.pose, document.clips, document.pins, session.selection, session.clip], render);
  // The twist of the bone is known with the frame; while a pose is dragged the document changes with each.
  app.frame.watch(() => {
    if (!store.session.playing && (store.session.clip !== undefined || !store.isDragging)) render();
  });
  return selected;
}

/** Sliders of blend shapes and controls. */
export function valueSliders(app: App): HTMLElement {
  const { store } = app;
  const values = h('div', {});
  let isHeld = false;
  values.addEventListener('pointerdown', () => (isHeld = true));
  const letGo = (): void => void (isHeld = false);
  window.addEventListener('pointerup', letGo);
  endsWithScope(() => window.removeEventListener('pointerup', letGo));
  const render = (): void => {
    if (!isHeld && !store.session.playing) values.replaceChildren(...shapesAndControls(app));
  };
  store.watch(({ document, session }) => [document.rig.info, document.pose, document.clips, session.clip], render);
  app.frame.watch(() => {
    if (store.session.clip !== undefined) render();
  });
  return values;
}

export function posePanel(app: App): HTMLElement {
  const { store } = app;
  const ways = h('div', {});
  store.watch(({ session }) => [session.lengths, session.mirror], () => {
    ways.replaceChildren(
      segmented(
        'Dragging',
        [
          { value: 'free', label: 'Stretch', keys: '1', hint: 'Bones next to the joint turn and stretch' },
          { value: 'kept', label: 'Keep', keys: '2', hint: 'Lengths are kept: inverse kinematics' },
          { value: 'beyond-reach', label: 'Beyond reach', keys: '3', hint: 'Bones stretch only where the joint could not get there otherwise' },
        ],
        store.session.lengths,
        (lengths) => store.set({ lengths }),
      ),
      toggle('Both sides', store.session.mirror, (mirror) => store.set({ mirror }), 'Alt while dragging does the same (M)'),
    );
  });

  return h(
    'div',
    { class: 'panel' },
    jointFields(app),
    section('Dragging', ways),
    valueSliders(app),
    layerSection(app),
    section(
      'Whole pose',
      row(
        button({ label: 'Left to right', icon: 'mirror', hint: 'The right side becomes the mirror image of the left', onClick: () => mirrorSide(app, 'L') }),
        button({ label: 'Right to left', icon: 'mirror', hint: 'The left side becomes the mirror image of the right', onClick: () => mirrorSide(app, 'R') }),
      ),
      row(
        button({ label: 'Load pose', icon: 'open', onClick: () => loadPose(app) }),
        button({ label: 'Save pose', icon: 'save', id: 'save-pose', onClick: () => void savePose(app) }),
      ),
      row(
        button({ label: 'Reset', icon: 'reset', id: 'reset-pose', onClick: () => {
          store.set({ clip: undefined, playing: false });
          store.run(resetPose());
        } }),
      ),
    ),
    correctiveSection(app),
    section('Joints', jointTree(app)),
  );
}

function selectedJoint(app: App): HTMLElement[] {
  const { store } = app;
  const { document: doc, session } = store;
  const { info } = doc.rig;
  const key = session.selection.at(-1);
  if (info.joints.length === 0) {
    return [
      h('div', { class: 'empty' }, h('b', {}, 'No skeleton yet'), h('p', {}, 'Add joints or a template in the Rig workspace, then bind the skin to them.')),
      row(button({ label: 'Go to Rig', icon: 'rig', primary: true, onClick: () => store.set({ workspace: 'rig' }) })),
    ];
  }
  if (key === undefined) {
    return [h('div', { class: 'empty' }, h('b', {}, 'Drag any joint'), h('p', {}, 'The skin follows. Select a joint to twist, stretch and bend it by numbers.'))];
  }
  const joint = jointIndex(info, key);
  const { name, driven } = info.joints[joint];
  const bone = boneOfJoint(info, joint);
  const said: JointPose = app.posing.shown().joints[key] ?? {};
  // What is typed is for all that are selected.
  const change = (label: 'Twist' | 'Stretch' | 'Bend', part: (before: JointPose) => Partial<JointPose>): void => {
    const chosen = session.selection.filter((one) => takes(info, one, label));
    const pose = (before: Pose): Pose => chosen.reduce((result, one) => withJoint(result, one, { ...result.joints[one], ...part(result.joints[one] ?? {}) }), before);
    app.posing.change(chosen.length > 1 ? `${label} ${chosen.length} joints` : `${label} ${key}`, pose, `${label}:${chosen.join()}`);
  };
  const bendAt = (axis: 'x' | 'y' | 'z'): number => said.bend?.find(([, about]) => about === axis)?.[0] ?? 0;
  const setBend = (axis: 'x' | 'y' | 'z', angle: number): void =>
    change('Bend', ({ bend = [] }) => {
      // In its place: the order of bends counts.
      const isThere = bend.some(([, about]) => about === axis);
      const changed: Bend[] = bend.map((one) => (one[1] === axis ? [angle, axis] : one));
      return { bend: isThere ? changed : [...changed, [angle, axis]] };
    });
  const frame = app.frame.value;
  const twists = frame && bone >= 0 && frame.rig === doc.rig.id ? [frame.boneTwists[2 * bone], frame.boneTwists[2 * bone + 1]] : undefined;
  const isPinned = doc.pins.includes(key);
  const head = h(
    'header',
    { class: 'subject' },
    h('div', {}, h('b', {}, name || key), session.selection.length > 1 && h('span', { class: 'muted' }, ` and ${session.selection.length - 1} more`)),
    h(
      'div',
      { class: 'subject-actions' },
      button({ label: isPinned ? 'Unpin' : 'Pin', icon: 'pin', bare: true, keys: 'P', pressed: isPinned, id: 'pin', onClick: () => store.run(togglePins(session.selection)) }),
      button({ label: 'Reset joint', icon: 'reset', bare: true, keys: 'R', id: 'reset-joint', onClick: () => {
        if (session.clip === undefined) store.run(resetPose(session.selection));
        else app.posing.change('Reset joints', (pose) => session.selection.reduce((result, one) => withJoint(result, one, undefined), pose));
      } }),
      button({ label: 'Mirror to the other side', icon: 'mirror', bare: true, id: 'mirror-joint', onClick: () => {
        app.posing.change('Mirror joints', (pose) => mirrorPose(info, pose, session.selection));
      } }),
    ),
  );
  if (driven) return [head, note('This joint is computed from others or from a control, and cannot be posed.')];
  return [
    head,
    h(
      'div',
      { class: 'fields' },
      numberField({ label: 'Twist', value: said.twist ?? 0, unit: '°', step: 1, digits: 1, min: -36000, max: 36000, id: 'twist', live: true, disabled: !takes(info, key, 'Twist'), onChange: (twist) => change('Twist', () => ({ twist })) }),
      numberField({ label: 'Stretch', value: said.stretch ?? 1, unit: '× rest', step: 0.01, digits: 3, min: 0.01, max: 100, id: 'stretch', live: true, disabled: !takes(info, key, 'Stretch'), onChange: (stretch) => change('Stretch', () => ({ stretch })) }),
      h('div', { class: 'triple', role: 'group', 'aria-label': 'Bend' },
        (['x', 'y', 'z'] as const).map((axis) =>
          numberField({ label: `Bend ${axis}`, value: bendAt(axis), unit: '°', step: 1, digits: 1, id: `bend-${axis}`, live: true, onChange: (angle) => setBend(axis, angle) }),
        ),
      ),
    ),
    ...(twists && (Math.abs(twists[0]) > 1e-3 || Math.abs(twists[1]) > 1e-3)
      ? [h('p', { class: 'muted small' }, `The bone is twisted by ${degrees(twists[0]).toFixed(0)}° at its head and ${degrees(twists[1]).toFixed(0)}° at its tail.`)]
      : []),
  ];
}

/** Whether a joint can be posed so: only what has a bone is stretched, and only what has or ends one is twisted. */
function takes(info: RigInfo, key: string, how: 'Twist' | 'Stretch' | 'Bend'): boolean {
  const joint = jointIndex(info, key);
  if (joint < 0 || info.joints[joint].driven) return false;
  if (how === 'Twist') return twistAxis(info, joint) !== undefined;
  return how === 'Bend' || boneOfJoint(info, joint) >= 0;
}

function shapesAndControls(app: App): HTMLElement[] {
  const { store } = app;
  const { info } = store.document.rig;
  const made: HTMLElement[] = [];
  for (const [kind, title] of [['controls', 'Controls'], ['shapes', 'Shapes']] as const) {
    const items = kind === 'shapes' ? info.shapes.filter((shape) => !shape.driven) : info.controls;
    if (items.length === 0) continue;
    made.push(
      section(
        title,
        items.map((item) =>
          slider({
            label: item.name,
            value: app.posing.shown()[kind]?.[item.name] ?? item.rest,
            min: 0,
            max: 1,
            step: 0.01,
            onInput: (value) => {
              if (store.session.clip === undefined) store.run(setValue(kind, item.name, value));
              else app.posing.change(item.name, (pose) => ({ ...pose, [kind]: { ...pose[kind], [item.name]: value } }), `${kind}:${item.name}`);
            },
          }),
        ),
      ),
    );
  }
  return made;
}

function mirrorSide(app: App, from: 'L' | 'R'): void {
  const { info } = app.store.document.rig;
  const side = from === 'L' ? /(^|[._\- ])l($|[._\- ])|left/i : /(^|[._\- ])r($|[._\- ])|right/i;
  const keys = info.joints.filter((joint) => side.test(joint.name)).map((joint) => joint.key);
  if (keys.length === 0) {
    app.say('No joint has a side in its name, as in hand.L or LeftHand.', 'bad');
    return;
  }
  app.posing.change('Mirror pose', (pose) => mirrorPose(info, pose, keys));
}
