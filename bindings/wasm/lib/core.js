// SPDX-License-Identifier: Apache-2.0
// The C interface from JavaScript: memory, strings, structs, statuses and handles of one module.
import * as abi from './abi.js';

/** Everything that Sinew throws, with the message of the core. */
export class SinewError extends Error {
  constructor(message, status, code) {
    super(message);
    this.name = 'SinewError';
    this.status = status;
    this.code = code;
  }
}

export const usageError = (message) =>
  new SinewError(message, abi.SINEW_ERROR_USAGE, 'SINEW_ERROR_USAGE');

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const TYPES = new Map([
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
const ARRAYS = {
  [abi.SINEW_FLOAT32]: Float32Array,
  [abi.SINEW_FLOAT64]: Float64Array,
  [abi.SINEW_INT32]: Int32Array,
  [abi.SINEW_UINT32]: Uint32Array,
};
const ARRAY = abi.STRUCTS.sinew_array;

/** Bytes for whatever takes a few of them, such as results that are written through pointers. */
const SCRATCH_SIZE = 256;

/** One module of WebAssembly. */
export class Core {
  #freed;
  #watches = new Map();
  #lastWatch = 0;
  #held = null;

  constructor(module) {
    this.c = module;
    module.sinewProgress = (user, stage, fraction) => this.#report(user, stage, fraction);
    this.progressFunction = module._sinew_wasm_progress();
    this.scratch = module._malloc(SCRATCH_SIZE) >>> 0;
    this.#freed = new FinalizationRegistry((release) => release());
  }

  // Memory. Views end when the memory grows, which any call can make it do.

  get data() {
    const { buffer } = this.c.HEAPU8;
    if (this.#held?.buffer !== buffer) this.#held = new DataView(buffer);
    return this.#held;
  }

  u32(pointer) {
    return this.data.getUint32(pointer, true);
  }

  i32(pointer) {
    return this.data.getInt32(pointer, true);
  }

  f64(pointer) {
    return this.data.getFloat64(pointer, true);
  }

  floats(pointer, count) {
    return new Float32Array(this.c.HEAPU8.buffer, pointer, count);
  }

  doubles(pointer, count) {
    return new Float64Array(this.c.HEAPU8.buffer, pointer, count);
  }

  /** Memory that the caller frees. */
  allocate(size) {
    const pointer = this.c._malloc(Math.max(size, 1)) >>> 0;
    if (pointer === 0) {
      throw new SinewError(
        `there is no memory for ${size} bytes`,
        abi.SINEW_ERROR_MEMORY,
        'SINEW_ERROR_MEMORY',
      );
    }
    return pointer;
  }

  string(pointer) {
    if (pointer === 0) return '';
    const bytes = this.c.HEAPU8;
    let end = pointer;
    while (bytes[end] !== 0) ++end;
    // Shared memory cannot be decoded as it lies there.
    return decoder.decode(bytes.slice(pointer, end));
  }

  bytes(pointer, size) {
    return this.c.HEAPU8.slice(pointer, pointer + size);
  }

  // Calls

  check(status) {
    if (status === abi.SINEW_OK) return;
    const message = this.string(this.c._sinew_last_error() >>> 0);
    throw new SinewError(message, status, this.string(this.c._sinew_status_name(status) >>> 0));
  }

  /** Runs a call whose arguments need memory, which is given back afterwards. */
  within(body) {
    const memory = new Memory(this);
    try {
      return body(memory);
    } finally {
      memory.release();
    }
  }

  /** The handle that `call` writes to the pointer that it is given. */
  made(call) {
    this.data.setUint32(this.scratch, 0, true);
    this.check(call(this.scratch));
    return this.u32(this.scratch);
  }

  count(call) {
    this.check(call(this.scratch));
    return this.u32(this.scratch);
  }

  /** `call` is given pointers to that many strings. */
  strings(number, call) {
    const places = Array.from({ length: number }, (_, i) => this.scratch + 4 * i);
    this.check(call(...places));
    return places.map((place) => this.string(this.u32(place)));
  }

  /** The bytes of a buffer of the library, which is freed. */
  taken(buffer) {
    try {
      this.check(this.c._sinew_buffer_data(buffer, this.scratch, this.scratch + 4));
      return this.bytes(this.u32(this.scratch), this.u32(this.scratch + 4));
    } finally {
      this.c._sinew_buffer_free(buffer);
    }
  }

  takenJson(buffer) {
    return JSON.parse(decoder.decode(this.taken(buffer)));
  }

  /** A copy of an array that the library described at `pointer`; null if it is not there. */
  array(pointer) {
    const view = this.data;
    const at = (name) => view.getUint32(pointer + ARRAY.fields[name][0], true);
    const type = at('type');
    if (type === abi.SINEW_NONE) return null;
    const [data, count, components] = [at('data'), at('count'), at('components')];
    const Kind = ARRAYS[type];
    const size = Kind.BYTES_PER_ELEMENT;
    const stride = at('stride') / size;
    const { buffer } = this.c.HEAPU8;
    if (stride === components) return new Kind(buffer, data, count * components).slice();
    const result = new Kind(count * components);
    const spread = new Kind(buffer, data, count > 0 ? (count - 1) * stride + components : 0);
    for (let i = 0; i < count; ++i) {
      for (let k = 0; k < components; ++k) result[i * components + k] = spread[i * stride + k];
    }
    return result;
  }

  // Progress

  /** `call` is given the callback and its number, and returns a status. */
  watched(progress, call) {
    if (!progress) return this.check(call(0, 0));
    const number = ++this.#lastWatch;
    const watch = { progress, failure: null };
    this.#watches.set(number, watch);
    try {
      const status = call(this.progressFunction, number);
      if (watch.failure) throw watch.failure.thrown;
      this.check(status);
    } finally {
      this.#watches.delete(number);
    }
  }

  #report(user, stage, fraction) {
    const watch = this.#watches.get(user);
    try {
      return watch.progress(this.string(stage), fraction) === false ? 1 : 0;
    } catch (thrown) {
      watch.failure = { thrown };
      return 1;
    }
  }

  // Handles

  /** Calls `release` once nobody can reach `object` any more, unless it is forgotten first. */
  track(object, release) {
    this.#freed.register(object, release, object);
  }

  forget(object) {
    this.#freed.unregister(object);
  }
}

/** What one call needs in memory. */
class Memory {
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
    this.#core.c.HEAPU8.set(new Uint8Array(buffer, byteOffset, byteLength), pointer);
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
    this.#core.c.HEAPU8.fill(0, pointer, pointer + size);
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
    this.#core.c.HEAPU8.fill(0, pointer, pointer + ARRAY.size);
    this.#writeArray(this.#core.data, pointer, { ...value, data, given: value.data });
    return pointer;
  }
}

function checkedNumber(value, what) {
  if (typeof value !== 'number') throw new TypeError(`${what} must be a number`);
  return value;
}

function checkedInteger(value, what) {
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

/** What all objects have. `free` names the function that frees them; `more` gives back what else they hold. */
export class Handle {
  #core;
  #pointer;
  #release;

  constructor(core, free, pointer, more = null) {
    this.#core = core;
    this.#pointer = pointer;
    // It must not hold the object itself.
    this.#release = () => {
      core.c[free](pointer);
      more?.();
    };
    core.track(this, this.#release);
  }

  get isFree() {
    return this.#pointer === 0;
  }

  free() {
    if (this.#pointer === 0) return;
    this.#core.forget(this);
    this.#pointer = 0;
    this.#release();
  }

  /** The number that C knows an object of this module by. */
  static pointerOf(core, object, what) {
    if (!(object instanceof Handle)) throw new TypeError(`${what} expected`);
    if (object.#core !== core) throw usageError(`${what} of another module`);
    if (object.#pointer === 0) {
      throw new SinewError(`${what} that was freed`, abi.SINEW_ERROR_HANDLE, 'SINEW_ERROR_HANDLE');
    }
    return object.#pointer;
  }
}
// Where the language has `using`.
if (Symbol.dispose) {
  Handle.prototype[Symbol.dispose] = function dispose() {
    this.free();
  };
}
