// SPDX-License-Identifier: Apache-2.0
// How to go from a key to the next, as a curve with two handles: time to the right, the way that is done upwards.
import { eased } from '../state/channels';
import type { EaseCurve } from '../state/document';
import { h } from '../ui/dom';

const width = 200;
const height = 180;
// Room above and below for what overshoots.
const margin = { x: 14, y: 50 };
const most = 1.5;
const toX = (x: number): number => margin.x + x * (width - 2 * margin.x);
const toY = (y: number): number => height - margin.y - y * (height - 2 * margin.y);

export function easeCurve(start: EaseCurve, done: (curve: EaseCurve) => void): HTMLElement {
  const curve: [number, number, number, number] = [...start];
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('class', 'curve ease-editor');
  svg.setAttribute('role', 'group');
  svg.setAttribute('aria-label', 'Easing curve with two handles; arrow keys move them');
  const make = (tag: string, attributes: Record<string, string | number>): SVGElement => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
  };
  const set = (handle: number, x: number, y: number): void => {
    curve[2 * handle] = Math.min(1, Math.max(0, Math.round(x * 100) / 100));
    curve[2 * handle + 1] = Math.min(most, Math.max(1 - most, Math.round(y * 100) / 100));
  };
  const handles = [0, 1].map((handle) => {
    const dot = make('circle', { class: 'point', r: 7, tabindex: 0, role: 'slider', 'aria-label': handle === 0 ? 'Leaving this key' : 'Arriving at the next', 'data-handle': handle });
    dot.addEventListener('pointerdown', (event) => grab(event as PointerEvent, handle));
    dot.addEventListener('keydown', (event) => {
      const by = ({ ArrowLeft: [-0.05, 0], ArrowRight: [0.05, 0], ArrowUp: [0, 0.05], ArrowDown: [0, -0.05] } as Record<string, [number, number]>)[(event as KeyboardEvent).key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      set(handle, curve[2 * handle] + by[0], curve[2 * handle + 1] + by[1]);
      done([...curve]);
    });
    return dot;
  });
  const line = make('path', { class: 'line' });
  const arms = make('path', { class: 'arm' });
  const draw = (): void => {
    line.setAttribute('d', Array.from({ length: 61 }, (_, k) => `${k === 0 ? 'M' : 'L'}${toX(k / 60).toFixed(1)} ${toY(eased(curve, k / 60)).toFixed(1)}`).join(''));
    arms.setAttribute('d', `M${toX(0)} ${toY(0)}L${toX(curve[0])} ${toY(curve[1])}M${toX(1)} ${toY(1)}L${toX(curve[2])} ${toY(curve[3])}`);
    handles.forEach((dot, handle) => {
      dot.setAttribute('cx', String(toX(curve[2 * handle])));
      dot.setAttribute('cy', String(toY(curve[2 * handle + 1])));
      dot.setAttribute('aria-valuenow', curve[2 * handle + 1].toFixed(2));
      dot.setAttribute('aria-valuetext', `${curve[2 * handle].toFixed(2)} of the time, ${curve[2 * handle + 1].toFixed(2)} of the way`);
    });
  };
  const grab = (event: PointerEvent, handle: number): void => {
    event.preventDefault();
    svg.classList.add('held');
    const move = (next: PointerEvent): void => {
      const box = svg.getBoundingClientRect();
      const x = ((next.clientX - box.left) / box.width) * width;
      const y = ((next.clientY - box.top) / box.height) * height;
      set(handle, (x - margin.x) / (width - 2 * margin.x), (height - margin.y - y) / (height - 2 * margin.y));
      draw();
    };
    const up = (): void => {
      window.removeEventListener('pointermove', move);
      svg.classList.remove('held');
      done([...curve]);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up, { once: true });
  };
  svg.append(
    make('path', { class: 'grid', d: `M${toX(0)} ${toY(0)}H${toX(1)}M${toX(0)} ${toY(1)}H${toX(1)}M${toX(0)} ${toY(0)}V${toY(1)}M${toX(1)} ${toY(0)}V${toY(1)}` }),
    make('path', { class: 'diagonal', d: `M${toX(0)} ${toY(0)}L${toX(1)} ${toY(1)}` }),
    arms,
    line,
    ...handles,
  );
  draw();
  return h('div', { class: 'curve-box' }, svg as unknown as HTMLElement);
}
