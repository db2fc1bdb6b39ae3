// SPDX-License-Identifier: Apache-2.0
// The C interface from JavaScript: the memory, calls and results of one module.
import * as abi from './abi.js';
import { SinewError } from './errors.js';
import { Memory } from './memory.js';

const decoder = new TextDecoder();
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

  /** `module` has the functions, `memory` is the WebAssembly.Memory that they work on. */
  constructor(module, memory) {
    this.c = module;
    this.memory = memory;
    module.sinewProgress = (user, stage, fraction) => this.#report(user, stage, fraction);
    this.progressFunction = module._sinew_wasm_progress();
    this.scratch = module._malloc(SCRATCH_SIZE) >>> 0;
    this.#freed = new FinalizationRegistry((release) => release());
  }

  // Memory. Views end when the memory grows, which any call can make it do.

  #views() {
    const { buffer } = this.memory;
    if (this.#held?.data.buffer !== buffer) {
      this.#held = { data: new DataView(buffer), heap: new Uint8Array(buffer) };
    }
    return this.#held;
  }

  get data() {
    return this.#views().data;
  }

  get heap() {
    return this.#views().heap;
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
    return new Float32Array(this.memory.buffer, pointer, count);
  }

  doubles(pointer, count) {
    return new Float64Array(this.memory.buffer, pointer, count);
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
    const bytes = this.heap;
    let end = pointer;
    while (bytes[end] !== 0) ++end;
    // Shared memory cannot be decoded as it lies there.
    return decoder.decode(bytes.slice(pointer, end));
  }

  bytes(pointer, size) {
    return this.heap.slice(pointer, pointer + size);
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
    const { buffer } = this.memory;
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
