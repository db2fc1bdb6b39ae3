// SPDX-License-Identifier: Apache-2.0
// Loads a module of WebAssembly in pages, workers and node.
import { VERSION } from './abi.js';
import { Core } from './core.js';
import { methodsOf } from './deformer.js';
import { SinewError, usageError } from './errors.js';

/** The bytes at an address; node has no fetch for files. */
async function compiledFrom(url) {
  if (url.protocol === 'file:' && typeof process === 'object' && process.versions?.node) {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // Compiling while it arrives takes a server that says what it is.
  if (response.headers.get('Content-Type') === 'application/wasm') {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

function compiled({ wasmBinary, wasmUrl }, url) {
  if (wasmBinary instanceof WebAssembly.Module) return wasmBinary;
  if (wasmBinary) return WebAssembly.compile(wasmBinary);
  return compiledFrom(wasmUrl ? new URL(wasmUrl, globalThis.location?.href ?? url) : url);
}

/** Starts a module. `glue` is what Emscripten made beside it; `url` is where it lies unless the options say else. */
export async function load(glue, url, options, more = {}) {
  const program = await compiled(options, url);
  let memory = null;
  const module = await new Promise((resolve, reject) => {
    glue({
      ...more,
      instantiateWasm(imports, done) {
        const finish = (instance) => {
          // Made by the module, or given to it where threads share it.
          const given = Object.values(imports).flatMap((names) => Object.values(names));
          memory = [...Object.values(instance.exports), ...given].find(
            (one) => one instanceof WebAssembly.Memory,
          );
          done(instance, program);
        };
        WebAssembly.instantiate(program, imports).then(finish).catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
  const core = new Core(module, memory);
  const version = core.string(module._sinew_version() >>> 0);
  if (version !== VERSION) {
    throw usageError(`sinew ${VERSION}: the .wasm file is of version ${version}`);
  }
  return core;
}

/** What both modules have. */
export function base(core) {
  return {
    version: VERSION,
    SinewError,
    methods: () => methodsOf(core),
    setThreadCount(count) {
      core.check(core.c._sinew_set_thread_count(count));
    },
    threadCount: () => core.count((out) => core.c._sinew_get_thread_count(out)),
    handleCount: () => core.count((out) => core.c._sinew_handle_count(out)),
    memorySize: () => core.memory.buffer.byteLength,
  };
}
