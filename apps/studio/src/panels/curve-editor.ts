// SPDX-License-Identifier: Apache-2.0
// A curve over the unit square, dragged by its points.
import { tidy, type Point } from '../core/filter-curve';
import { h } from '../ui/dom';

export interface Curve {
  readonly points: readonly Point[];
  /** What points are there to begin with if the curve has none. */
  readonly first: readonly Point[];
  /** What is drawn: the curve through these points. */
  at(points: readonly Point[], x: number): number;
  readonly label: string;
  readonly axes: readonly [string, string];
  /** Whether a curve that changes nothing is the diagonal. */
  readonly hasDiagonal: boolean;
}

export interface CurveEvents {
  drag(points: Point[]): void;
  done(points: readonly Point[]): void;
}

// As wide and high as the style sheet has it, so that a point is where the pointer is.
const width = 250;
const height = 200;
const margin = 12;
const toX = (x: number): number => margin + x * (width - 2 * margin);
const toY = (y: number): number => height - margin - y * (height - 2 * margin);
const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const nudges: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-0.02, 0], ArrowRight: [0.02, 0], ArrowUp: [0, 0.02], ArrowDown: [0, -0.02] };

export function curveEditor(curve: Curve, events: CurveEvents): HTMLElement {
  let points: Point[] = [...(curve.points.length > 0 ? curve.points : curve.first)];
  let isTouched = curve.points.length > 0;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('class', 'curve');
  svg.setAttribute('role', 'group');
  svg.setAttribute('aria-label', `${curve.label}. Double-click adds a point, Delete removes it, arrow keys move it.`);
  const make = (tag: string, attributes: Record<string, string | number>): SVGElement => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    svg.append(element);
    return element;
  };
  const changed = (): void => {
    isTouched = true;
    draw();
  };
  const draw = (): void => {
    const focus = svg.contains(document.activeElement) ? document.activeElement?.getAttribute('data-point') : undefined;
    svg.replaceChildren();
    for (let k = 0; k <= 4; ++k) {
      make('path', { class: 'grid', d: `M${toX(k / 4)} ${toY(0)}V${toY(1)}M${toX(0)} ${toY(k / 4)}H${toX(1)}` });
    }
    if (curve.hasDiagonal) make('path', { class: 'diagonal', d: `M${toX(0)} ${toY(0)}L${toX(1)} ${toY(1)}` });
    const clean = isTouched ? tidy(points) : curve.points;
    const places = Array.from({ length: 81 }, (_, k): string => `${toX(k / 80).toFixed(1)} ${toY(curve.at(clean, k / 80)).toFixed(1)}`);
    if (!curve.hasDiagonal) make('path', { class: 'area', d: `M${toX(0)} ${toY(0)}L${places.join('L')}L${toX(1)} ${toY(0)}Z` });
    make('path', { class: 'line', d: `M${places.join('L')}` });
    points.forEach(([x, y], i) => {
      const dot = make('circle', { class: 'point', cx: toX(x), cy: toY(y), r: 6, tabindex: 0, role: 'slider', 'aria-label': `Point ${i + 1} at ${x.toFixed(2)}`, 'aria-valuenow': y.toFixed(2), 'aria-valuemin': 0, 'aria-valuemax': 1, 'data-point': i });
      dot.addEventListener('pointerdown', (event) => grab(event as PointerEvent, i));
      dot.addEventListener('keydown', (event) => {
        const { key } = event as KeyboardEvent;
        const by = nudges[key];
        if (key === 'Delete' && points.length > 2) points.splice(i, 1);
        else if (by) points[i] = [points[i][0] + by[0], points[i][1] + by[1]];
        else return;
        event.preventDefault();
        event.stopPropagation();
        points = tidy(points);
        changed();
        events.done(points);
      });
      if (focus === String(i)) (dot as unknown as HTMLElement).focus();
    });
  };
  const at = (event: PointerEvent | MouseEvent): Point => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width;
    const y = ((event.clientY - box.top) / box.height) * height;
    return [clamp((x - margin) / (width - 2 * margin)), clamp((height - margin - y) / (height - 2 * margin))];
  };
  const grab = (event: PointerEvent, i: number): void => {
    event.preventDefault();
    let hasMoved = false;
    const move = (next: PointerEvent): void => {
      const [x, y] = at(next);
      const least = i > 0 ? points[i - 1][0] + 0.01 : 0;
      const most = i + 1 < points.length ? points[i + 1][0] - 0.01 : 1;
      points[i] = [Math.min(most, Math.max(least, x)), y];
      hasMoved = true;
      changed();
      events.drag([...points]);
    };
    const up = (): void => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointercancel', up);
      if (hasMoved) events.done(points);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up, { once: true });
    window.addEventListener('pointercancel', up, { once: true });
  };
  svg.addEventListener('dblclick', (event) => {
    const [x, y] = at(event);
    points = tidy([...points, [x, y]]);
    changed();
    events.done(points);
  });
  draw();
  return h('div', { class: 'curve-box' }, svg as unknown as HTMLElement, h('span', { class: 'axis x' }, curve.axes[0]), h('span', { class: 'axis y' }, curve.axes[1]));
}
