// SPDX-License-Identifier: Apache-2.0
// Arrays of numbers as the core takes and gives them.
import * as abi from './abi.js';
import { usageError } from './errors.js';

/** What C calls the arrays of JavaScript. */
export const TYPES = new Map([
  [Float32Array, abi.SINEW_FLOAT32],
  [Float64Array, abi.SINEW_FLOAT64],
  [Int8Array, abi.SINEW_INT8],
  [Uint8Array, abi.SINEW_UINT8],
  [Uint8ClampedArray, abi.SINEW_UINT8],
  [Int16Array, abi.SINEW_INT16],
  [Uint16Array, abi.SINEW_UINT16],
  [Int32Array, abi.SINEW_INT32],
  [Uint32Array, abi.SINEW_UINT32],
]);

export function checkedNumber(value, what) {
  if (typeof value !== 'number') throw new TypeError(`${what} must be a number`);
  return value;
}

export function checkedInteger(value, what) {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (!Number.isInteger(checkedNumber(value, what)) || value < -0x80000000 || value > 0xffffffff) {
    throw usageError(`${what} must be a whole number, not ${value}`);
  }
  return value;
}

/** An array as Memory takes it: flat, with so many columns. `expected`: how many there may be; none: any. */
export function numbers(values, what, expected = [1]) {
  let data = values;
  let columns;
  if (!ArrayBuffer.isView(values)) {
    if (!Array.isArray(values)) throw new TypeError(`${what} must be an array`);
    const rows = values.length > 0 && typeof values[0] !== 'number';
    if (rows) {
      columns = values[0].length;
      data = new Float64Array(values.length * columns);
      values.forEach((row, i) => {
        if (row.length !== columns) {
          throw usageError(`${what}: row ${i} has ${row.length} numbers, not ${columns}`);
        }
        data.set(row, i * columns);
      });
    } else {
      data = Float64Array.from(values, (one) => checkedNumber(one, what));
    }
  } else if (!TYPES.has(values.constructor)) {
    throw new TypeError(`${what} must be an array of numbers`);
  }
  if (columns === undefined || (expected && expected.length === 1 && expected[0] === 1)) {
    columns = expected ? expected.find((one) => data.length % one === 0) : 1;
    if (columns === undefined) {
      throw usageError(`${what}: ${data.length} numbers are not ${expected.join(' or ')} each`);
    }
  } else if (expected && !expected.includes(columns)) {
    throw usageError(`${what}: rows of ${columns} numbers, not ${expected.join(' or ')}`);
  }
  return { data, columns };
}

/** The same for indices: lists of whole numbers become an array of them. */
export function indices(values, what, expected) {
  const { data, columns } = numbers(values, what, expected);
  if (ArrayBuffer.isView(values)) return { data, columns };
  const wrong = data.find((one) => !Number.isInteger(one) || Math.abs(one) > 0x7fffffff);
  if (wrong !== undefined) throw usageError(`${what}: whole numbers expected, not ${wrong}`);
  return { data: Int32Array.from(data), columns };
}

export const optionalIndices = (values, what, expected) =>
  values === undefined || values === null ? undefined : indices(values, what, expected);

/** The same, or nothing where there is nothing. */
export const optionalNumbers = (values, what, expected) =>
  values === undefined || values === null ? undefined : numbers(values, what, expected);

/** Twelve numbers of each frame as the sixteen of a matrix, column by column. */
export function matrices(frames) {
  const count = frames.length / 12;
  const result = new Float64Array(16 * count);
  for (let i = 0; i < count; ++i) {
    for (let column = 0; column < 4; ++column) {
      for (let row = 0; row < 3; ++row) {
        result[16 * i + 4 * column + row] = frames[12 * i + 3 * column + row];
      }
    }
    result[16 * i + 15] = 1;
  }
  return result;
}

/** The other way. */
export function framesOf(given, what) {
  const { data } = numbers(given, what, [16]);
  const count = data.length / 16;
  const result = new Float64Array(12 * count);
  for (let i = 0; i < count; ++i) {
    for (let column = 0; column < 4; ++column) {
      for (let row = 0; row < 3; ++row) {
        result[12 * i + 3 * column + row] = data[16 * i + 4 * column + row];
      }
    }
  }
  return { data: result, columns: 12 };
}
