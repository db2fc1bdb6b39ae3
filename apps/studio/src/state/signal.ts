// SPDX-License-Identifier: Apache-2.0

import { endsWithScope } from './scope';

/** A value that can be watched: what comes from the core and is in no document. */
export class Signal<T> {
  private readonly watchers = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(value: T) {
    if (Object.is(value, this.current)) return;
    this.current = value;
    for (const watcher of [...this.watchers]) watcher(value);
  }

  /** Calls `render` now and after every change. */
  watch(render: (value: T) => void): () => void {
    render(this.current);
    this.watchers.add(render);
    const end = (): void => void this.watchers.delete(render);
    endsWithScope(end);
    return end;
  }
}
