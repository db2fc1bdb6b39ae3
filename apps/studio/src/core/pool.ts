// SPDX-License-Identifier: Apache-2.0

/** Things by name, of which the longest unused are freed. */
export class Pool<T extends { free(): void }> {
  private readonly items = new Map<string, T>();

  constructor(private readonly size: number) {}

  get(key: string, make: () => T): T {
    const found = this.items.get(key) ?? make();
    this.items.delete(key);
    this.items.set(key, found);
    for (const [old, item] of this.items) {
      if (this.items.size <= this.size) break;
      this.items.delete(old);
      item.free();
    }
    return found;
  }

  peek(key: string): T | undefined {
    return this.items.get(key);
  }

  drop(belongs: (key: string) => boolean): void {
    for (const [key, item] of this.items) {
      if (!belongs(key)) continue;
      this.items.delete(key);
      item.free();
    }
  }
}
