// SPDX-License-Identifier: Apache-2.0
// The one place where state lives. Panels read it, watch parts of it and run commands; nothing else
// changes a document.
import { History, type Command } from '../commands/history';
import { jointIndex, type Document } from './document';
import { endsWithScope } from './scope';
import { firstSession, type Session } from './session';

export class Store {
  private history: History;
  private current: Session;
  private readonly watchers = new Set<() => void>();
  private scheduled = false;

  constructor(document: Document, session: Session = firstSession) {
    this.history = new History(document);
    this.current = session;
  }

  get document(): Document {
    return this.history.current;
  }

  get session(): Session {
    return this.current;
  }

  get past(): ReturnType<() => History['past']> {
    return this.history.past;
  }

  get future(): ReturnType<() => History['future']> {
    return this.history.future;
  }

  get isDragging(): boolean {
    return this.history.isOpen;
  }

  run(command: Command): boolean {
    const changed = this.history.run(command);
    if (changed) this.changed();
    return changed;
  }

  begin(label: string): void {
    this.history.begin(label);
  }

  update(change: (before: Document) => Document): void {
    this.history.update(change);
    this.changed();
  }

  end(): void {
    this.history.end();
    this.changed();
  }

  cancel(): void {
    this.history.cancel();
    this.changed();
  }

  undo(): string | undefined {
    const entry = this.history.undo();
    if (entry) this.changed();
    return entry?.label;
  }

  redo(): string | undefined {
    const entry = this.history.redo();
    if (entry) this.changed();
    return entry?.label;
  }

  goTo(count: number): void {
    this.history.goTo(count);
    this.changed();
  }

  revisions(): Set<number> {
    return this.history.revisions();
  }

  /** Another document, with a history of its own. */
  open(document: Document): void {
    this.history = new History(document);
    this.set({ selection: [], hover: undefined, clip: undefined, time: 0, playing: false, selectedKeys: [], marked: [], ghost: undefined });
    this.changed();
  }

  set(change: Partial<Session>): void {
    const names = Object.keys(change) as (keyof Session)[];
    if (names.every((name) => this.current[name] === change[name])) return;
    this.current = { ...this.current, ...change };
    this.notify();
  }

  /** Calls `render` with a part of the state: now, and whenever that part is another. Returns how to stop. */
  watch<T>(part: (store: Store) => T, render: (value: T, before: T | undefined) => void): () => void {
    let last: T | undefined;
    let first = true;
    const check = (): void => {
      const value = part(this);
      if (!first && same(value, last)) return;
      const before = last;
      last = value;
      first = false;
      render(value, before);
    };
    check();
    this.watchers.add(check);
    const end = (): void => void this.watchers.delete(check);
    endsWithScope(end);
    return end;
  }

  private changed(): void {
    const { info } = this.document.rig;
    const left = this.current.selection.filter((key) => jointIndex(info, key) >= 0);
    if (left.length !== this.current.selection.length) this.current = { ...this.current, selection: left };
    if (this.current.hover !== undefined && jointIndex(info, this.current.hover) < 0) {
      this.current = { ...this.current, hover: undefined };
    }
    this.notify();
  }

  // Once per turn of the event loop, however much has changed in it.
  private notify(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      for (const check of [...this.watchers]) check();
    });
  }
}

// Lists and tuples made anew by a selector are the same if their members are.
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((item, i) => Object.is(item, b[i]));
}
