// SPDX-License-Identifier: Apache-2.0
// What watches state in a part of the window ends with that part.

let current: (() => void)[] | undefined;

/** Runs `body`; `end` ends all that began to watch in it. */
export function scoped<T>(body: () => T): { value: T; end(): void } {
  const before = current;
  const ends: (() => void)[] = [];
  current = ends;
  try {
    const value = body();
    return {
      value,
      end() {
        for (const end of ends.splice(0)) end();
      },
    };
  } finally {
    current = before;
  }
}

/** Lets something end with the scope that is being made, if there is one. */
export function endsWithScope(end: () => void): void {
  current?.push(end);
}
