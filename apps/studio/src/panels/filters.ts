// SPDX-License-Identifier: Apache-2.0
// Curves of a bone: how stretch and twist spread along it, and where its muscle swells.
import type { App } from '../app';
import { evaluate, filterStep, tidy, type Point } from '../core/filter-curve';
import { bumpPoints, isIdle, profileAt } from '../core/muscles';
import type { RigOperation } from '../core/protocol';
import { boneOfJoint, jointIndex, type Muscle } from '../state/document';
import { button, h, note, row, section, segmented } from '../ui/dom';
import { curveEditor } from './curve-editor';
import { muscleFields, musclePresets, noMuscle } from './muscles';

type Kind = 'stretch' | 'twist' | 'bulge';

const presets: readonly { name: string; points: readonly Point[]; hint: string }[] = [
  { name: 'Even', points: [], hint: 'As the endpoint weights are' },
  { name: 'Ease', points: [[0, 0], [0.25, 0.08], [0.75, 0.92], [1, 1]], hint: 'Stiff at both ends' },
  { name: 'At the head', points: [[0, 0], [0.3, 0.75], [1, 1]], hint: 'Most of it happens near the head' },
  { name: 'At the tail', points: [[0, 0], [0.7, 0.25], [1, 1]], hint: 'Most of it happens near the tail' },
  { name: 'In the middle', points: [[0, 0], [0.35, 0], [0.65, 1], [1, 1]], hint: 'Both ends stay as they are' },
];

const titles: Readonly<Record<Kind, string>> = { stretch: 'Stretch filter', twist: 'Twist filter', bulge: 'Muscle' };

/** What a change of the shown curve does to the rig, and how the panel says it. */
export interface RigDraft {
  /** Shows it, as fast as the core can; the document stays as it is. */
  show(operation: RigOperation): Promise<void>;
  /** Makes it a step of the history. */
  commit(label: string, operation: RigOperation): Promise<void>;
}

function rigDraft(app: App, done: () => void): RigDraft {
  const { store } = app;
  let work: { base: number; busy: boolean; next: RigOperation | undefined } | undefined;
  return {
    async show(operation) {
      work ??= { base: store.document.rig.id, busy: false, next: undefined };
      work.next = operation;
      if (work.busy) return;
      work.busy = true;
      while (work?.next) {
        const { next, base }: { next: RigOperation | undefined; base: number } = work;
        work.next = undefined;
        try {
          const { rig } = await app.derive(next, base);
          if (work) await app.stage.preview(rig);
        } catch (error) {
          app.say((error as Error).message, 'bad');
        }
      }
      if (work) work.busy = false;
    },
    async commit(label, operation) {
      work = undefined;
      await app.edit(label, operation);
      app.stage.endPreview();
      done();
    },
  };
}

export function filterSection(app: App): HTMLElement {
  const { store } = app;
  let kind: Kind = 'stretch';
  let isHeld = false;
  const body = h('div', {});
  const readout = h('div', {});

  // Of the selected joints, those with a bone; the curve that is shown is that of the last one.
  const bones = (): number[] => {
    const { info } = store.document.rig;
    return store.session.selection.map((key) => boneOfJoint(info, jointIndex(info, key))).filter((bone) => bone >= 0);
  };
  const names = (): string[] => {
    const { info } = store.document.rig;
    return bones().map((bone) => info.joints[info.bones[bone].joint].name);
  };
  const draft = rigDraft(app, () => {
    isHeld = false;
    render();
  });
  const setMuscle = (muscle: Muscle | null): void => {
    const gone = muscle === null || isIdle(muscle);
    void draft.commit(`${gone ? 'No muscle for' : 'Muscle of'} ${names().join(', ')}`, { kind: 'muscle', bones: bones(), muscle });
  };

  const render = (): void => {
    const { info } = store.document.rig;
    const chosen = bones();
    const bone = info.bones[chosen.at(-1) ?? -1];
    if (!bone || !info.hasEndpoints) {
      body.replaceChildren(note(info.hasEndpoints ? 'Select a bone to see how it spreads stretch and twist, and where it swells.' : 'Filters and muscles need endpoint weights: compute them below.'));
      return;
    }
    const tabs = segmented<Kind>(
      'Curve',
      [
        { value: 'stretch', label: 'Stretch', hint: 'How stretch spreads from head to tail' },
        { value: 'twist', label: 'Twist', hint: 'How twist spreads from head to tail' },
        { value: 'bulge', label: 'Bulge', hint: 'A muscle: where the skin swells across the bone' },
      ],
      kind,
      (value) => {
        kind = value;
        render();
      },
    );
    body.replaceChildren(tabs, ...(kind === 'bulge' ? muscleParts(bone.muscle) : filterParts(kind, kind === 'stretch' ? bone.stretchFilter : bone.twistFilter)));
  };

  const filterParts = (which: 'stretch' | 'twist', points: readonly Point[]): HTMLElement[] => {
    const operation = (next: readonly Point[]): RigOperation => ({ kind: 'edit', steps: [filterStep(which, names(), tidy(next))] });
    const commit = (next: readonly Point[]): void => void draft.commit(`${titles[which]} of ${names().join(', ')}`, operation(next));
    return [
      curveEditor(
        { points, first: [[0, 0], [1, 1]], at: evaluate, label: `${titles[which]}: endpoint weight in, endpoint weight out`, axes: ['head → tail', 'share'], hasDiagonal: true },
        {
          drag(next) {
            isHeld = true;
            void draft.show(operation(next));
          },
          done: commit,
        },
      ),
      h('div', { class: 'chips' }, presets.map((preset) => h('button', { type: 'button', class: 'chip', title: preset.hint, onClick: () => commit(preset.points) }, preset.name))),
      row(button({ label: 'No filter', icon: 'reset', id: 'no-filter', disabled: points.length === 0, onClick: () => commit([]) })),
    ];
  };

  const muscleParts = (muscle: Muscle | undefined): HTMLElement[] => {
    if (!muscle) return noMuscle(app, bones()[bones().length - 1], setMuscle);
    const withProfile = (profile: readonly Point[]): Muscle => ({ ...muscle, profile: tidy(profile) });
    return [
      curveEditor(
        { points: muscle.profile, first: bumpPoints, at: profileAt, label: 'Profile of the muscle: how much the skin swells from head to tail', axes: ['head → tail', 'bulge'], hasDiagonal: false },
        {
          drag(next) {
            isHeld = true;
            void draft.show({ kind: 'muscle', bones: bones(), muscle: withProfile(next) });
          },
          done: (next) => setMuscle(withProfile(next)),
        },
      ),
      h('div', { class: 'chips' }, musclePresets.map((preset) => h('button', { type: 'button', class: 'chip', title: preset.hint, onClick: () => setMuscle(withProfile(preset.points)) }, preset.name))),
      readout,
      ...muscleFields(app, bones()[bones().length - 1], muscle, draft, {
        set: setMuscle,
        hold: () => (isHeld = true),
        operation: (next) => ({ kind: 'muscle', bones: bones(), muscle: next }),
      }),
    ];
  };

  store.watch(({ document, session }) => [document.rig, session.selection], () => {
    if (!isHeld) render();
  });
  app.frame.watch((frame) => {
    const bone = bones().at(-1) ?? -1;
    const drive = frame?.bulges[bone] ?? 0;
    readout.replaceChildren(
      h('p', { class: 'muted small', 'data-id': 'muscle-now' }, Math.abs(drive) < 0.001 ? 'At rest in this pose: bend or shorten it to see it swell.' : `In this pose it swells by ${(100 * drive).toFixed(0)}%.`),
    );
  });
  return section('Filters and muscle', body);
}
