// SPDX-License-Identifier: Apache-2.0
// Elements without a framework.
import { icon, type IconName } from './icons';

type Child = Node | string | undefined | false;
type Attributes = Readonly<Record<string, unknown>>;

/** An element. Attributes: `class`, `on...` for listeners, properties of inputs, all else as it is; false: not there. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on') && typeof value === 'function') {
      element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
    } else if (name === 'value' || name === 'checked' || name === 'disabled' || name === 'indeterminate') {
      (element as unknown as Record<string, unknown>)[name] = value;
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...children.flat().filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

export interface ButtonOptions {
  readonly label: string;
  readonly icon?: IconName;
  /** Shows the icon alone; the label is for those who cannot see it. */
  readonly bare?: boolean;
  readonly keys?: string;
  readonly pressed?: boolean;
  readonly primary?: boolean;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly id?: string;
  readonly hint?: string;
  onClick(event: MouseEvent): void;
}

export function button(options: ButtonOptions): HTMLButtonElement {
  const { label, bare, keys, pressed, primary, danger, disabled, id, hint } = options;
  const names = ['button'];
  if (bare) names.push('bare');
  if (primary) names.push('primary');
  if (danger) names.push('danger');
  const tip = [hint ?? (bare ? label : undefined), keys && `(${keys})`].filter(Boolean).join(' ');
  return h(
    'button',
    {
      type: 'button',
      class: names.join(' '),
      'aria-label': bare ? label : undefined,
      'aria-pressed': pressed === undefined ? undefined : String(pressed),
      title: tip || undefined,
      'data-id': id,
      disabled,
      onClick: options.onClick,
    },
    options.icon && icon(options.icon),
    !bare && h('span', {}, label),
    !bare && keys ? h('kbd', {}, keys) : undefined,
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly keys?: string;
  readonly hint?: string;
  readonly icon?: IconName;
}

/** One of a few: a row of buttons that look like one. */
export function segmented<T extends string>(
  label: string,
  choices: readonly Choice<T>[],
  current: T,
  choose: (value: T) => void,
): HTMLElement {
  // The arrow keys go from one to the next.
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=radio]')];
    const next = all[(all.indexOf(event.target as HTMLElement) + by + all.length) % all.length];
    event.preventDefault();
    event.stopPropagation();
    next.focus();
    next.click();
  };
  return h(
    'div',
    { class: 'segmented', role: 'radiogroup', 'aria-label': label, onKeydown: step },
    choices.map((choice) =>
      h(
        'button',
        {
          type: 'button',
          role: 'radio',
          'aria-checked': String(choice.value === current),
          'data-value': choice.value,
          title: [choice.hint, choice.keys && `(${choice.keys})`].filter(Boolean).join(' ') || undefined,
          onClick: () => choose(choice.value),
        },
        choice.icon && icon(choice.icon),
        choice.label !== '' && h('span', {}, choice.label),
      ),
    ),
  );
}

export interface NumberOptions {
  readonly label: string;
  readonly value: number;
  readonly unit?: string;
  readonly step?: number;
  readonly digits?: number;
  readonly min?: number;
  readonly max?: number;
  readonly disabled?: boolean;
  readonly id?: string;
  /** Whether dragging the label changes the value all the time; missing: when it ends. */
  readonly live?: boolean;
  onChange(value: number): void;
}

/** A number that can be typed, or dragged by its label. */
export function numberField(options: NumberOptions): HTMLElement {
  const { label, unit = '', step = 1, digits = 1, min = -Infinity, max = Infinity } = options;
  const show = (value: number): string => String(Number(value.toFixed(digits)));
  const input = h('input', {
    type: 'text',
    inputmode: 'decimal',
    class: 'number',
    value: show(options.value),
    'aria-label': unit ? `${label}, ${unit}` : label,
    'data-id': options.id,
    disabled: options.disabled,
    autocomplete: 'off',
  });
  let current = options.value;
  const commit = (value: number): void => {
    if (Number.isFinite(value)) {
      current = Math.min(max, Math.max(min, value));
      options.onChange(current);
    }
    input.value = show(current);
  };
  const typed = (): number => Number(input.value.replace(',', '.').replace(/[^\d.eE+-]/g, ''));
  // Not before the next field has the focus: what is made anew now would be where it goes to.
  input.addEventListener('change', () => setTimeout(() => commit(input.value.trim() === '' ? Number.NaN : typed())));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') input.blur();
    if (event.key === 'Escape') {
      input.value = show(current);
      input.blur();
    }
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      const by = (event.key === 'ArrowUp' ? 1 : -1) * step * (event.shiftKey ? 10 : 1);
      commit(typed() + by);
    }
  });
  input.addEventListener('focus', () => input.select());
  const name = h('span', { class: 'field-label scrub', title: 'Drag to change' }, label);
  name.addEventListener('pointerdown', (event) => {
    if (options.disabled) return;
    event.preventDefault();
    name.setPointerCapture(event.pointerId);
    const from = event.clientX;
    const start = current;
    let value = start;
    const move = (next: PointerEvent): void => {
      value = Math.min(max, Math.max(min, start + Math.round((next.clientX - from) / 2) * step * (next.shiftKey ? 0.1 : 1)));
      input.value = show(value);
      if (options.live) commit(value);
    };
    const up = (): void => {
      name.removeEventListener('pointermove', move);
      if (!options.live && value !== start) commit(value);
    };
    name.addEventListener('pointermove', move);
    name.addEventListener('pointerup', up, { once: true });
    name.addEventListener('pointercancel', up, { once: true });
  });
  return h('label', { class: 'field' }, name, h('span', { class: 'box' }, input, unit && h('span', { class: 'unit' }, unit)));
}

export interface SliderOptions {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly show?: (value: number) => string;
  readonly id?: string;
  onInput(value: number): void;
}

export function slider(options: SliderOptions): HTMLElement {
  const { label, value, min, max, step = (max - min) / 200, show = (v) => v.toFixed(2) } = options;
  const text = h('output', { class: 'unit' }, show(value));
  const input = h('input', { type: 'range', min, max, step, value: String(value), 'aria-label': label, 'data-id': options.id });
  const paint = (): void => input.style.setProperty('--at', `${((Number(input.value) - min) / (max - min)) * 100}%`);
  paint();
  input.addEventListener('input', () => {
    text.textContent = show(Number(input.value));
    paint();
    options.onInput(Number(input.value));
  });
  return h('label', { class: 'field slider' }, h('span', { class: 'field-label' }, label), input, text);
}

export function toggle(label: string, checked: boolean, change: (on: boolean) => void, hint?: string): HTMLElement {
  const input = h('input', { type: 'checkbox', checked, role: 'switch' });
  input.addEventListener('change', () => change(input.checked));
  return h('label', { class: 'field toggle', title: hint }, h('span', { class: 'field-label' }, label), input);
}

export function select<T extends string>(
  label: string,
  choices: readonly { value: T; label: string }[],
  current: T,
  choose: (value: T) => void,
  id?: string,
): HTMLElement {
  const element = h(
    'select',
    { 'aria-label': label, 'data-id': id },
    choices.map((choice) => h('option', { value: choice.value, selected: choice.value === current }, choice.label)),
  );
  element.value = current;
  element.addEventListener('change', () => choose(element.value as T));
  return h('label', { class: 'field' }, h('span', { class: 'field-label' }, label), element);
}

/** A part of the inspector with a heading. Whether it is open is remembered by its title. */
export function section(title: string, ...children: readonly (Child | readonly Child[])[]): HTMLElement {
  return foldable(title, true, children);
}

/** The same, closed until it is opened: for what is seldom needed. */
export function closedSection(title: string, ...children: readonly (Child | readonly Child[])[]): HTMLElement {
  return foldable(title, false, children);
}

function foldable(title: string, isOpen: boolean, children: readonly (Child | readonly Child[])[]): HTMLElement {
  const key = `section:${title}`;
  const known = sessionStorage.getItem(key);
  const details = h(
    'details',
    { class: 'section', open: known === null ? isOpen : known === 'open' },
    h('summary', {}, icon('chevron'), title),
    h('div', { class: 'section-body' }, ...children),
  );
  details.addEventListener('toggle', () => sessionStorage.setItem(key, details.open ? 'open' : 'closed'));
  return details;
}

export function row(...children: readonly (Child | readonly Child[])[]): HTMLElement {
  return h('div', { class: 'row' }, ...children);
}

export function note(text: string, kind: 'info' | 'warn' | 'bad' = 'info'): HTMLElement {
  return h('p', { class: `note ${kind}` }, text);
}
