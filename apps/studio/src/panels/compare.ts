// SPDX-License-Identifier: Apache-2.0
// What stands over each view when methods are compared: the method, its numbers, its worst places.
import type { App } from '../app';
import { setMethod } from '../commands/commands';
import { length, sub, vecAt } from '../core/math';
import type { MethodMeasures } from '../core/reports';
import type { BoneInfo } from '../state/document';
import { h } from '../ui/dom';

interface Measure {
  readonly label: string;
  readonly text: string;
  /** How bad, to say which methods differ and who is best. */
  readonly badness: number;
  readonly hint: string;
}

/**
 * The numbers of one method of a report, as people read them: what is wrong, not what was asked for. The volume of a
 * character whose bones have other lengths is another one rightly.
 */
export function measuresOf(method: MethodMeasures, isStretched: boolean): Measure[] {
  const percent = (value: number, digits = 1): string => `${(value * 100).toFixed(digits)}%`;
  const { distortedArea, newCrossings, smallestRadius, twistNearJoints, volumeChange } = method;
  const list: (Measure | false)[] = [
    {
      label: 'distorted',
      text: percent(distortedArea, 2),
      badness: Math.min(1, 20 * distortedArea),
      hint: 'How much of the surface is torn or crushed beyond what bones stretch and joints bend, or bent where it should be rigid',
    },
    {
      label: 'crossings',
      text: String(newCrossings),
      badness: Math.min(1, newCrossings / 100),
      hint: 'Pairs of triangles that cross each other and do not at rest',
    },
    smallestRadius !== null && {
      label: 'thinnest',
      text: percent(smallestRadius),
      badness: Math.max(0, 1 - smallestRadius),
      hint: 'The smallest cross-section of a twisted limb, against rest: candy wrappers are near 0',
    },
    twistNearJoints !== null && {
      label: 'twist at joints',
      text: percent(twistNearJoints, 0),
      badness: twistNearJoints,
      hint: 'How much of the twist is next to joints instead of along the bones',
    },
    !isStretched &&
      volumeChange !== null && {
        label: 'volume',
        text: `${volumeChange >= 0 ? '+' : ''}${percent(volumeChange)}`,
        badness: Math.abs(volumeChange),
        hint: 'Change of the volume against rest',
      },
  ];
  return list.filter((measure) => measure !== false);
}

/** Whether a bone is longer or shorter than at rest by more than a hundredth. */
export function hasStretch(bones: readonly BoneInfo[], heads: Float64Array, tails: Float64Array): boolean {
  return bones.some((bone, b) => {
    const rest = length(sub(bone.tail, bone.head));
    return rest > 0 && Math.abs(length(sub(vecAt(tails, b), vecAt(heads, b))) / rest - 1) > 0.01;
  });
}

export function compareLabels(app: App): HTMLElement {
  const { store, viewport } = app;
  const element = h('div', { class: 'view-labels' });
  let report: Record<string, Measure[]> = {};
  let timer = 0;
  let cancel: (() => void) | undefined;

  const render = (): void => {
    const methods = app.stage.methods();
    element.hidden = methods.length < 2;
    element.replaceChildren(
      ...(methods.length < 2 ? [] : methods).map((name, v) => {
        const rect = viewport.places[v]?.seen;
        if (!rect) return h('div', {});
        const choose = h('select', { 'aria-label': `Method of view ${v + 1}`, 'data-id': `view-method-${v}` });
        choose.append(...app.catalogue.methods.map((method) => h('option', { value: method.name, title: method.summary }, method.name)));
        choose.value = name;
        choose.addEventListener('change', () => {
          if (v === 0) store.run(setMethod(choose.value));
          else store.set({ compared: store.session.compared.map((old, c) => (c === v - 1 ? choose.value : old)) });
        });
        const all = report[name];
        const shown = all ? mostDifferent(all, Object.values(report)) : undefined;
        return h(
          'div',
          { class: 'view-label', style: `left:${rect.x}px;top:${rect.y}px;width:${rect.width}px;height:${rect.height}px` },
          choose,
          h(
            'dl',
            { class: 'measures', 'data-id': `measures-${v}` },
            shown
              ? shown.map((measure) => {
                  const best = Math.min(...Object.values(report).map((one) => one.find((m) => m.label === measure.label)?.badness ?? Infinity));
                  const isBest = measure.badness <= best + 1e-9;
                  return h('div', { class: isBest ? 'best' : '', title: measure.hint }, h('dt', {}, measure.label), h('dd', {}, measure.text));
                })
              : h('div', {}, h('dt', {}, 'measuring …')),
          ),
          h('button', { type: 'button', class: 'link worst', title: 'Mark the places where the surface is torn, crushed or goes through itself', onClick: () => {
            store.set({ overlay: 'faults' });
            void app.stage.worst(v).then((worst) => (worst.length > 0 ? app.stage.goTo(worst, v) : app.say(`${name}: nothing is wrong in this pose.`, 'good')));
          } }, 'worst places'),
        );
      }),
    );
  };

  const measure = (): void => {
    window.clearTimeout(timer);
    cancel?.();
    if (store.session.compared.length === 0 || !store.document.rig.info.hasWeights || store.session.playing) return;
    timer = window.setTimeout(async () => {
      const methods = [...new Set(app.stage.methods())];
      const pose = app.posing.shown();
      const frame = app.frame.value;
      const isStretched = frame !== undefined && hasStretch(store.document.rig.info.bones, frame.boneHeads, frame.boneTails);
      try {
        const file = await app.pack();
        const job = app.core.start('measure', [file, pose, methods]);
        cancel = () => job.cancel();
        const result = await job.done;
        report = Object.fromEntries(result.map((method) => [method.method, measuresOf(method, isStretched)]));
      } catch {
        // Overtaken by another pose; or a mesh that cannot be measured, which has no numbers then.
        return;
      }
      render();
    }, 350);
  };
  store.watch(({ document, session }) => [document.rig, document.pose, document.method, document.clips, session.compared, session.clip, session.time, session.playing], () => {
    if (store.session.compared.length === 0 && element.hidden) return;
    report = {};
    render();
    measure();
  });
  store.watch(({ session }) => session.swipe, render);
  new ResizeObserver(render).observe(viewport.canvas);
  return h('div', {}, element, swipeLine(app));
}

/** The line between two views that lie over each other; it is dragged, or moved by arrow keys. */
function swipeLine(app: App): HTMLElement {
  const { store, viewport } = app;
  const line = h('div', { class: 'swipe', role: 'slider', tabindex: 0, 'aria-label': 'Line between the two methods', 'aria-valuemin': 0, 'aria-valuemax': 100, 'data-id': 'swipe', title: 'Drag: more of the one or of the other method' }, h('i', {}));
  const to = (at: number): void => store.set({ swipe: Math.min(0.98, Math.max(0.02, at)) });
  line.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    line.setPointerCapture(event.pointerId);
    line.focus();
  });
  line.addEventListener('pointermove', (event) => {
    if (!line.hasPointerCapture(event.pointerId)) return;
    const box = viewport.canvas.getBoundingClientRect();
    to((event.clientX - box.left) / box.width);
  });
  line.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
    if (by === undefined || store.session.swipe === undefined) return;
    event.preventDefault();
    to(store.session.swipe + by);
  });
  store.watch(({ session }) => [session.swipe, session.compared.length], () => {
    const { swipe, compared } = store.session;
    const isSeen = swipe !== undefined && compared.length === 1;
    line.hidden = !isSeen;
    viewport.setSwipe(isSeen ? swipe : undefined);
    if (!isSeen) return;
    line.style.left = `${swipe * 100}%`;
    line.setAttribute('aria-valuenow', String(Math.round(swipe * 100)));
  });
  return line;
}

// The three in which methods differ most, in the order in which they always stand.
function mostDifferent(measures: readonly Measure[], all: readonly Measure[][]): Measure[] {
  const spread = (label: string): number => {
    const values = all.map((one) => one.find((measure) => measure.label === label)?.badness ?? 0);
    return Math.max(...values) - Math.min(...values);
  };
  const chosen = new Set([...measures].sort((a, b) => spread(b.label) - spread(a.label)).slice(0, 3));
  return measures.filter((measure) => chosen.has(measure));
}
