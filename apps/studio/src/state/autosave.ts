// SPDX-License-Identifier: Apache-2.0
// The document in the browser's own storage, so that a tab that dies loses nothing but the last moment.

const database = 'sinew-studio';
const table = 'saved';

export interface Saved {
  readonly time: number;
  /** Whether somebody has changed it since it was opened. */
  readonly isWork: boolean;
  readonly rig: Uint8Array<ArrayBuffer>;
  /** As project.json has it. */
  readonly contents: unknown;
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(table));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser has no storage')));
  });
}

async function transact<T>(mode: IDBTransactionMode, body: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = db.transaction(table, mode);
      const request = body(transaction.objectStore(table));
      transaction.addEventListener('complete', () => resolve(request.result));
      const fail = (): void => reject(transaction.error ?? request.error ?? new Error('The browser could not store it'));
      transaction.addEventListener('error', fail);
      transaction.addEventListener('abort', fail);
    });
  } finally {
    db.close();
  }
}

/** What was saved last, and the work of a document that was open before. */
export type Place = 'last' | 'before';

export async function save(place: Place, saved: Saved): Promise<void> {
  await transact('readwrite', (store) => store.put(saved, place));
}

export function load(place: Place): Promise<Saved | undefined> {
  return transact('readonly', (store) => store.get(place) as IDBRequest<Saved | undefined>);
}

export async function forget(place: Place): Promise<void> {
  await transact('readwrite', (store) => store.delete(place));
}
