// SPDX-License-Identifier: Apache-2.0
// Answers calls of the page, one after the other.
import createSinew from 'sinew';
import { Engine } from './engine';
import { JobRunner } from './jobs';
import type { Args, Reply, Request, Result, Role, Roles, Start } from './protocol';

const scope = self as unknown as DedicatedWorkerGlobalScope;
let current = 0;
let lastProgress = 0;

type Side<R extends Role> = { readonly [K in keyof Roles[R]]: (...args: Args<R, K>) => Result<R, K> | Promise<Result<R, K>> };

scope.addEventListener(
  'message',
  ({ data: { module, role } }: MessageEvent<Start>) => {
    const sinew = createSinew({ wasmBinary: module });
    if (role === 'engine') listen<'engine'>(sinew.then((made) => new Engine(made)));
    else listen<'jobs'>(sinew.then((made) => new JobRunner(made, progress)));
  },
  { once: true },
);

function listen<R extends Role>(side: Promise<Side<R>>): void {
  let queue: Promise<void> = Promise.resolve();
  scope.addEventListener('message', ({ data }: MessageEvent<Request<R>>) => {
    queue = queue.then(() => answer(side, data));
  });
}

async function answer<R extends Role, K extends keyof Roles[R]>(side: Promise<Side<R>>, { id, call, args }: Request<R, K>): Promise<void> {
  current = id;
  try {
    const result = await (await side)[call](...args);
    const buffers = new Set<ArrayBuffer>();
    collect(result, buffers);
    post<R>({ id, result }, [...buffers]);
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    post<R>({ id, error: message ?? String(error), code: code ?? '' });
  }
}

function progress(stage: string, fraction: number): void {
  const now = performance.now();
  if (now - lastProgress < 50) return;
  lastProgress = now;
  post<'jobs'>({ id: current, stage, fraction });
}

function post<R extends Role>(reply: Reply<R>, transfer: Transferable[] = []): void {
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
