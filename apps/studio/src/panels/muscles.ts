// SPDX-License-Identifier: Apache-2.0
// The muscle of a bone: what tenses it, on which side, and the same on the other side of the body.
import type { App } from '../app';
import type { Point } from '../core/filter-curve';
import { firstMuscle, mirroredMuscle, sideName, sides } from '../core/muscles';
import type { RigOperation } from '../core/protocol';
import type { Muscle, MuscleAngle } from '../state/document';
import { button, h, note, numberField, row, select, slider } from '../ui/dom';
import type { RigDraft } from './filters';

export const musclePresets: readonly { name: string; points: readonly Point[]; hint: string }[] = [
  { name: 'Belly', points: [], hint: 'Most in the middle' },
  { name: 'Near the head', points: [[0, 0], [0.3, 1], [0.7, 0.25], [1, 0]], hint: 'As a calf swells' },
  { name: 'Near the tail', points: [[0, 0], [0.3, 0.25], [0.7, 1], [1, 0]], hint: 'Most near the tail' },
  { name: 'Two heads', points: [[0, 0], [0.25, 1], [0.5, 0.45], [0.75, 1], [1, 0]], hint: 'Less in the middle' },
];

interface MuscleEvents {
  /** Gives the selected bones this muscle. */
  set(muscle: Muscle | null): void;
  /** Something is dragged: the panel stays as it is. */
  hold(): void;
  operation(muscle: Muscle): RigOperation;
}

/** Where there is none yet: two ways to begin. */
export function noMuscle(app: App, bone: number, set: MuscleEvents['set']): HTMLElement[] {
  const { info } = app.store.document.rig;
  const bent = firstMuscle(info, bone);
  return [
    h('div', { class: 'empty' }, h('b', {}, 'No muscle yet'), h('p', {}, 'The skin around this bone can swell, as a biceps does. What should tense it?')),
    row(
      bent.angle && button({ label: `${bent.angle.joint} bends`, icon: 'ring', primary: true, id: 'muscle-by-angle', onClick: () => set(bent) }),
      button({ label: 'It gets shorter', icon: 'stretch', primary: !bent.angle, id: 'muscle-by-stretch', hint: 'The volume is kept: shorter is thicker, longer is thinner', onClick: () => set({ profile: [], stretch: 1 }) }),
    ),
  ];
}

export function muscleFields(app: App, bone: number, muscle: Muscle, draft: RigDraft, events: MuscleEvents): HTMLElement[] {
  const { info } = app.store.document.rig;
  const { angle } = muscle;
  const percent = (value: number): string => `${Math.round(100 * value)}%`;
  // Seen while it is dragged, kept when it is let go.
  const amount = (label: string, id: string, value: number, most: number, change: (value: number) => Muscle): HTMLElement => {
    const element = slider({ label, value, min: 0, max: most, step: 0.01, id, show: percent, onInput: (next) => {
      events.hold();
      void draft.show(events.operation(change(next)));
    } });
    element.querySelector('input')?.addEventListener('change', (event) => events.set(change(Number((event.target as HTMLInputElement).value))));
    return element;
  };
  const withAngle = (change: Partial<MuscleAngle>): Muscle => ({ ...muscle, angle: { joint: '', range: [0, 120], gain: 0.4, ...angle, ...change } });
  const degrees = (label: string, end: 0 | 1): HTMLElement =>
    numberField({ label, value: angle?.range[end] ?? 0, unit: '°', step: 5, digits: 0, min: angle?.axis ? -180 : 0, max: 180, id: `muscle-${end === 0 ? 'from' : 'to'}`, onChange: (value) => {
      const range: [number, number] = [...(angle?.range ?? [0, 120])];
      range[end] = value;
      if (range[0] === range[1]) app.say('A muscle is tensed between two different angles.', 'bad');
      else events.set(withAngle({ range }));
    } });
  const joints = info.joints.filter((joint) => !joint.isNode);
  const sideChoices = sides.map(({ name }) => ({ value: name, label: name }));
  const side = sideName(muscle.side);
  if (!sideChoices.some(({ value }) => value === side)) sideChoices.push({ value: side, label: side });
  const mirrored = mirroredMuscle(info, bone, muscle);
  return [
    select('Tensed by', [{ value: '', label: 'its length' }, ...joints.map((joint) => ({ value: joint.key, label: joint.name || joint.key }))], angle?.joint ?? '', (key) => {
      // Without anything that drives it, it would be none.
      if (key === '') events.set({ profile: muscle.profile, stretch: muscle.stretch || 1, side: muscle.side });
      else events.set(withAngle({ joint: key, axis: undefined }));
    }, 'muscle-joint'),
    ...(angle ? [degrees('From', 0), degrees('To', 1), amount('Swells by', 'muscle-gain', angle.gain, 1.5, (gain) => withAngle({ gain }))] : []),
    amount('By its length', 'muscle-stretch', muscle.stretch, 2, (stretch) => ({ ...muscle, stretch })),
    select('Side', sideChoices, side, (name) => events.set({ ...muscle, side: sides.find((known) => known.name === name)?.direction }), 'muscle-side'),
    ...(angle?.axis ? [note('It follows the bend about one axis, as its file says.')] : []),
    row(
      mirrored && button({ label: 'To the other side', icon: 'mirror', id: 'muscle-mirror', onClick: () => {
        const { joint } = info.bones[mirrored.bone];
        void draft.commit(`Muscle of ${info.joints[joint].name}`, { kind: 'muscle', bones: [mirrored.bone], muscle: mirrored.muscle });
      } }),
      button({ label: 'No muscle', icon: 'trash', danger: true, id: 'no-muscle', onClick: () => events.set(null) }),
    ),
  ];
}
