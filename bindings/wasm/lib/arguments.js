// SPDX-License-Identifier: Apache-2.0
// What callers may say in more than one way.
import { usageError } from './errors.js';
import { Handle } from './handle.js';

/** For JSON: typed arrays as lists, rigs as the numbers that C knows them by. */
export function jsonText(value) {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_, one) => {
    if (one instanceof Handle) return { rig: one.pointer };
    return ArrayBuffer.isView(one) ? Array.from(one) : one;
  });
}

/** The bytes of an ArrayBuffer or a view of one. */
export function bytesOf(source, what = 'bytes') {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  }
  throw new TypeError(`${what} must be an ArrayBuffer or a view of one`);
}

/** What is something by its name or number. */
export function indexIn(names, key, what) {
  if (typeof key === 'string') {
    const found = names.indexOf(key);
    if (found >= 0) return found;
    const known = names.slice(0, 10).map((name) => `'${name}'`);
    throw usageError(`there is no ${what} '${key}'${known.length ? `; there are ${known.join(', ')}` : ''}`);
  }
  if (!Number.isInteger(key) || key < 0 || key >= names.length) {
    throw usageError(`there is no ${what} ${key}; they count from 0, and there are ${names.length}`);
  }
  return key;
}

/** The number behind a word. */
export function choice(table, name, what) {
  if (!Object.hasOwn(table, name)) {
    throw usageError(`there is no ${what} '${name}'; there are ${Object.keys(table).join(', ')}`);
  }
  return table[name];
}
