// SPDX-License-Identifier: Apache-2.0
// What must hold; each returns what it found.

/** Throws unless the number is at most `bound`; NaN is not. */
export function atMost(bound, found, what) {
  if (!(found <= bound)) throw new Error(`${what}: ${found} is more than ${bound}`);
  return found;
}

/** Throws unless the number is more than `bound`. */
export function moreThan(bound, found, what) {
  if (!(found > bound)) throw new Error(`${what}: ${found} is not more than ${bound}`);
  return found;
}

/** Throws unless both are the same. */
export function same(expected, found, what) {
  if (!Object.is(expected, found)) throw new Error(`${what}: ${found} is not ${expected}`);
  return found;
}
