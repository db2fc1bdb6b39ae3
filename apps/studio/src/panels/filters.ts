// SPDX-License-Identifier: Apache-2.0
// Filters of endpoint weights: a curve for each bone, for stretch and for twist, dragged by its points.
import type { App } from '../app';
import { setRig } from '../commands/commands';
import { evaluate, filterStep, tidy, type Point } from '../core/filter-curve';
import { boneOfJoint, jointIndex, type RigRef } from '../state/document';
import { button, h, note, row, section, segmented } from '../ui/dom';

const presets: readonly { name: string; points: readonly Point[]; hint: string }[] = [
  { name: 'Even', points: [], hint: 'As the endpoint weights are' },
  { name: 'Ease', points: [[0, 0], [0.25, 0.08], [0.75, 0.92], [1, 1]], hint: 'Stiff at both ends' },
  { name: 'At the head', points: [[0, 0], [0.3, 0.75], [1, 1]], hint: 'Most of it happens near the head' },
  { name: 'At the tail', points: [[0, 0], [0.7, 0.25], [1, 1]], hint: 'Most of it happens near the tail' },
  { name: 'In the middle', points: [[0, 0], [0.35, 0], [0.65, 1], [1, 1]], hint: 'Both ends stay as they are' },
];

export function filterSection(app: App): HTMLElement {
  const { store } = app;
  let kind: 'stretch' | 'twist' = 'stretch';
  let held: { points: Point[] } | undefined;
  const body = h('div', {});

  const names = (): string[] => {
    const { info } = store.document.rig;
    return store.session.selection
      .map((key) => jointIndex(info, key))
      .filter((joint) => boneOfJoint(info, joint) >= 0)
      .map((joint) => info.joints[joint].name);
  };
  const points = (): Point[] => {
    if (held) return held.points;
    const { info } = store.document.rig;
    const bone = info.bones[boneOfJoint(info, jointIndex(info, store.session.selection.at(-1) ?? ''))];
    const list = kind === 'stretch' ? bone?.stretchFilter : bone?.twistFilter;
    return (list ?? []).map(([x, y]): Point => [x, y]);
  };

  // While a point is dragged the character follows, as fast as it can.
  let work: { base: number; busy: boolean; next: Point[] | undefined } | undefined;
  const show = async (next: Point[]): Promise<void> => {
    work ??= { base: store.document.rig.id, busy: false, next: undefined };
    work.next = next;
    if (work.busy) return;
    work.busy = true;
    while (work?.next) {
      const now: Point[] = work.next;
      work.next = undefined;
      try {
        const { rig } = await app.derive({ kind: 'edit', steps: [filterStep(kind, names(), tidy(now))] }, work.base);
        if (work) await app.stage.preview(rig);
      } catch (error) {
        app.say((error as Error).message, 'bad');
      }
    }
    if (work) work.busy = false;
  };
  const commit = async (next: readonly Point[]): Promise<void> => {
    work = undefined;
    const label = `${kind === 'stretch' ? 'Stretch' : 'Twist'} filter of ${names().join(', ')}`;
    const made: { rig: RigRef } | undefined = await app.attempt(label, () => app.derive({ kind: 'edit', steps: [filterStep(kind, names(), tidy(next))] }));
    held = undefined;
    if (made) store.run(setRig(label, made.rig));
    app.stage.endPreview();
    app.forget();
    render();
  };

  const render = (): void => {
    const { info } = store.document.rig;
    const chosen = names();
    if (chosen.length === 0 || !info.hasEndpoints) {
      body.replaceChildren(note(info.hasEndpoints ? 'Select a bone to see how it spreads stretch and twist.' : 'Filters need endpoint weights: compute them below.'));
      return;
    }
    body.replaceChildren(
      segmented('Filter', [{ value: 'stretch', label: 'Stretch' }, { value: 'twist', label: 'Twist' }], kind, (value) => {
        kind = value;
        render();
      }),
      curveEditor(points(), {
        drag(next) {
          held = { points: next };
          void show(next);
        },
        done: (next) => void commit(next),
      }),
      h('div', { class: 'chips' }, presets.map((preset) => h('button', { type: 'button', class: 'chip', title: preset.hint, onClick: () => void commit(preset.points) }, preset.name))),
      row(button({ label: 'No filter', icon: 'reset', id: 'no-filter', disabled: points().length === 0, onClick: () => void commit([]) })),
    );
  };
  store.watch(({ document, session }) => [document.rig, session.selection], () => {
    if (!held) render();
  });
  return section('Filters', body);
}

interface CurveEvents {
  drag(points: Point[]): void;
  done(points: readonly Point[]): void;
}

const size = 200;
const toX = (x: number): number => 10 + x * (size - 20);
const toY = (y: number): number => size - 10 - y * (size - 20);

function curveEditor(start: readonly Point[], events: CurveEvents): HTMLElement {
  let points: Point[] = start.length > 0 ? [...start] : [[0, 0], [1, 1]];
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('class', 'curve');
  svg.setAttribute('role', 'application');
  svg.setAttribute('aria-label', 'Filter curve: endpoint weight in, endpoint weight out. Double-click adds a point, Delete removes it.');
  const draw = (): void => {
    svg.replaceChildren();
    const make = (tag: string, attributes: Record<string, string | number>): SVGElement => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
      svg.append(element);
      return element;
    };
    for (let k = 0; k <= 4; ++k) {
      make('path', { class: 'grid', d: `M${toX(k / 4)} ${toY(0)}V${toY(1)}M${toX(0)} ${toY(k / 4)}H${toX(1)}` });
    }
    make('path', { class: 'diagonal', d: `M${toX(0)} ${toY(0)}L${toX(1)} ${toY(1)}` });
    const clean = tidy(points);
    const line = Array.from({ length: 81 }, (_, k) => `${k === 0 ? 'M' : 'L'}${toX(k / 80).toFixed(1)} ${toY(evaluate(clean, k / 80)).toFixed(1)}`).join('');
    make('path', { class: 'line', d: line });
    points.forEach(([x, y], i) => {
      const dot = make('circle', { class: 'point', cx: toX(x), cy: toY(y), r: 6, tabindex: 0, role: 'slider', 'aria-label': `Point ${i + 1}`, 'aria-valuenow': y.toFixed(2), 'data-point': i });
      dot.addEventListener('pointerdown', (event) => grab(event as PointerEvent, i));
      dot.addEventListener('keydown', (event) => {
        const { key } = event as KeyboardEvent;
        const by = ({ ArrowLeft: [-0.02, 0], ArrowRight: [0.02, 0], ArrowUp: [0, 0.02], ArrowDown: [0, -0.02] } as Record<string, [number, number]>)[key];
        if (key === 'Delete' && points.length > 2) points.splice(i, 1);
        else if (by) points[i] = [points[i][0] + by[0], points[i][1] + by[1]];
        else return;
        event.preventDefault();
        event.stopPropagation();
        points = tidy(points);
        draw();
        events.done(points);
      });
    });
  };
  const at = (event: PointerEvent | MouseEvent): Point => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * size;
    const y = ((event.clientY - box.top) / box.height) * size;
    return [Math.min(1, Math.max(0, (x - 10) / (size - 20))), Math.min(1, Math.max(0, (size - 10 - y) / (size - 20)))];
  };
  const grab = (event: PointerEvent, i: number): void => {
    event.preventDefault();
    const move = (next: PointerEvent): void => {
      const [x, y] = at(next);
      const least = i > 0 ? points[i - 1][0] + 0.01 : 0;
      const most = i + 1 < points.length ? points[i + 1][0] - 0.01 : 1;
      points[i] = [Math.min(most, Math.max(least, x)), y];
      draw();
      events.drag([...points]);
    };
    const up = (): void => {
      window.removeEventListener('pointermove', move);
      events.done(points);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up, { once: true });
  };
  svg.addEventListener('dblclick', (event) => {
    const [x, y] = at(event);
    points = tidy([...points, [x, y]]);
    draw();
    events.done(points);
  });
  draw();
  return h('div', { class: 'curve-box' }, svg as unknown as HTMLElement, h('span', { class: 'axis x' }, 'head → tail'), h('span', { class: 'axis y' }, 'share'));
}
