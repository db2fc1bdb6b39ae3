// SPDX-License-Identifier: Apache-2.0
import * as abi from './abi.js';
import { usageError } from './errors.js';
import { TYPES, checkedInteger, checkedNumber } from './numbers.js';

const encoder = new TextEncoder();
const ARRAY = abi.STRUCTS.sinew_array;

/** What one call needs in memory. */
export class Memory {
  #core;
  #pointers = [];

  constructor(core) {
    this.#core = core;
  }

  release() {
    for (const pointer of this.#pointers) this.#core.c._free(pointer);
  }

  /** Memory that outlives the call: the caller frees it. */
  kept(pointer) {
    this.#pointers.splice(this.#pointers.indexOf(pointer), 1);
    return pointer;
  }

  space(size) {
    const pointer = this.#core.allocate(size);
    this.#pointers.push(pointer);
    return pointer;
  }

  /** Null where there is none. */
  text(value, what = 'a name') {
    if (value === undefined || value === null) return 0;
    if (typeof value !== 'string') throw new TypeError(`${what} must be a string`);
    if (value.includes('\0')) throw usageError(`${what} has a zero byte`);
    return this.bytes(encoder.encode(`${value}\0`));
  }

  bytes(values) {
    const pointer = this.space(values.byteLength);
    const { buffer, byteOffset, byteLength } = values;
    this.#core.heap.set(new Uint8Array(buffer, byteOffset, byteLength), pointer);
    return pointer;
  }

  /** A struct with its members; those left out are 0. */
  struct(name, members) {
    const pointer = this.space(abi.STRUCTS[name].size);
    this.#write(pointer, name, members);
    return pointer;
  }

  structs(name, list) {
    const { size } = abi.STRUCTS[name];
    const pointer = this.space(size * list.length);
    list.forEach((members, i) => this.#write(pointer + i * size, name, members));
    return pointer;
  }

  texts(list, what) {
    const pointers = list.map((one) => this.text(one, what));
    return this.bytes(Uint32Array.from(pointers));
  }

  #write(pointer, name, members) {
    const { size, fields } = abi.STRUCTS[name];
    const values = {};
    // Whatever allocates comes first: memory must not grow under what is written below.
    for (const [member, value] of Object.entries(members)) {
      if (value === undefined || value === null) continue;
      const [, type] = fields[member];
      if (type === 'string') values[member] = this.text(value, member);
      else if (type === 'sinew_array') values[member] = { ...value, data: this.bytes(value.data), given: value.data };
      else values[member] = value;
    }
    const data = this.#core.data;
    this.#core.heap.fill(0, pointer, pointer + size);
    if (fields.struct_size) data.setUint32(pointer + fields.struct_size[0], size, true);
    for (const [member, value] of Object.entries(values)) {
      const [offset, type, count] = fields[member];
      const at = pointer + offset;
      if (type === 'sinew_array') this.#writeArray(data, at, value);
      else if (count) Array.from(value).forEach((one, i) => data.setFloat64(at + 8 * i, one, true));
      else if (type === 'f64') data.setFloat64(at, checkedNumber(value, member), true);
      else data.setUint32(at, checkedInteger(value, member), true);
    }
  }

  #writeArray(data, at, { data: pointer, given, columns }) {
    const set = (name, value) => data.setUint32(at + ARRAY.fields[name][0], value, true);
    set('data', pointer);
    set('count', given.length / columns);
    set('components', columns);
    set('type', TYPES.get(given.constructor));
  }

  /** A sinew_array on its own. */
  array(value) {
    const pointer = this.space(ARRAY.size);
    const data = this.bytes(value.data);
    this.#core.heap.fill(0, pointer, pointer + ARRAY.size);
    this.#writeArray(this.#core.data, pointer, { ...value, data, given: value.data });
    return pointer;
  }
}
