// SPDX-License-Identifier: Apache-2.0
// Answers calls of the page, one after the other.
import createSinew from 'sinew';
import { Engine } from './engine';
import { JobRunner } from './jobs';
import type { Reply, Request } from './protocol';

const scope = self as unknown as DedicatedWorkerGlobalScope;
let current = 0;
let lastProgress = 0;

const ready = new Promise<Record<string, (...args: unknown[]) => unknown>>((resolve, reject) => {
  scope.addEventListener(
    'message',
    (event: MessageEvent<{ module: WebAssembly.Module; role: 'engine' | 'jobs' }>) => {
      const { module, role } = event.data;
      createSinew({ wasmBinary: module }).then((sinew) => {
        const side = role === 'engine' ? new Engine(sinew) : new JobRunner(sinew, progress);
        resolve(side as unknown as Record<string, (...args: unknown[]) => unknown>);
      }, reject);
      scope.addEventListener('message', (next: MessageEvent<Request>) => void answer(next.data));
    },
    { once: true },
  );
});

let queue: Promise<void> = Promise.resolve();

function answer(request: Request): void {
  queue = queue.then(async () => {
    current = request.id;
    try {
      const side = await ready;
      const result = await side[request.call](...request.args);
      const buffers = new Set<ArrayBuffer>();
      collect(result, buffers);
      post({ id: request.id, result }, [...buffers]);
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      post({ id: request.id, error: message ?? String(error), code: code ?? '' });
    }
  });
}

function progress(stage: string, fraction: number): void {
  const now = performance.now();
  if (now - lastProgress < 50) return;
  lastProgress = now;
  post({ id: current, stage, fraction });
}

function post(reply: Reply, transfer: Transferable[] = []): void {
  scope.postMessage(reply, transfer);
}

// Results are made for the page alone: their memory goes over instead of being copied.
function collect(value: unknown, into: Set<ArrayBuffer>): void {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength) into.add(value.buffer);
  } else if (Array.isArray(value)) {
    if (typeof value[0] === 'object') for (const item of value) collect(item, into);
  } else if (value && typeof value === 'object') {
    for (const item of Object.values(value)) collect(item, into);
  }
}
