// SPDX-License-Identifier: Apache-2.0
// Undo and redo. A command is a function from document to document and a name for people.
import type { Document } from '../state/document';

export interface Command {
  readonly label: string;
  /** Commands with the same key that follow each other at once count as one: typing, nudging. */
  readonly merge?: string;
  /** A document that is the same object means that there is nothing to do. */
  apply(document: Document): Document;
}

export const command = (label: string, apply: (document: Document) => Document, merge?: string): Command => ({
  label,
  apply,
  merge,
});

export interface Entry {
  readonly label: string;
  readonly merge?: string;
  readonly before: Document;
  readonly after: Document;
}

/** The past and the future of one document. Documents never change, so to undo is to go back to one. */
export class History {
  private entries: Entry[] = [];
  private done = 0;
  private open: { before: Document; label: string } | undefined;

  constructor(
    private document: Document,
    private readonly limit = 1000,
  ) {}

  get current(): Document {
    return this.document;
  }

  get past(): readonly Entry[] {
    return this.entries.slice(0, this.done);
  }

  get future(): readonly Entry[] {
    return this.entries.slice(this.done);
  }

  /** Whether a drag is under way, of which nothing is in the history yet. */
  get isOpen(): boolean {
    return this.open !== undefined;
  }

  run(command: Command): boolean {
    this.end();
    const before = this.document;
    const after = command.apply(before);
    if (after === before) return false;
    const last = this.entries[this.done - 1];
    this.entries.length = this.done;
    if (command.merge !== undefined && last?.merge === command.merge) {
      this.entries[this.done - 1] = { ...last, after };
    } else {
      this.push({ label: command.label, merge: command.merge, before, after });
    }
    this.document = after;
    return true;
  }

  /** Begins a drag: what `update` does until `end` is one entry, and `cancel` takes it back. */
  begin(label: string): void {
    this.end();
    this.open = { before: this.document, label };
  }

  update(change: (before: Document) => Document): void {
    if (!this.open) throw new Error('there is no drag to go on with');
    this.document = change(this.open.before);
  }

  end(): void {
    if (!this.open) return;
    const { before, label } = this.open;
    this.open = undefined;
    if (this.document === before) return;
    this.entries.length = this.done;
    this.push({ label, before, after: this.document });
  }

  cancel(): void {
    if (!this.open) return;
    this.document = this.open.before;
    this.open = undefined;
  }

  undo(): Entry | undefined {
    this.end();
    if (this.done === 0) return undefined;
    const entry = this.entries[--this.done];
    this.document = entry.before;
    return entry;
  }

  redo(): Entry | undefined {
    this.end();
    if (this.done === this.entries.length) return undefined;
    const entry = this.entries[this.done++];
    this.document = entry.after;
    return entry;
  }

  /** Goes to the state after so many entries of the past. */
  goTo(count: number): void {
    while (this.done > count) this.undo();
    while (this.done < Math.min(count, this.entries.length)) this.redo();
  }

  /** Numbers of all revisions of the rig that undo or redo can reach. */
  revisions(): Set<number> {
    const ids = new Set([this.document.rig.id]);
    for (const entry of this.entries) ids.add(entry.before.rig.id).add(entry.after.rig.id);
    if (this.open) ids.add(this.open.before.rig.id);
    return ids;
  }

  private push(entry: Entry): void {
    this.entries.push(entry);
    if (this.entries.length > this.limit) this.entries.shift();
    this.done = this.entries.length;
  }
}
