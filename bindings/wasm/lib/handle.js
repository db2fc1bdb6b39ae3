// SPDX-License-Identifier: Apache-2.0
import * as abi from './abi.js';
import { SinewError, usageError } from './errors.js';

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
