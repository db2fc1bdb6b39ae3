// SPDX-License-Identifier: Apache-2.0
// The page's side of the Workers.
import wasmUrl from 'sinew/wasm/sinew.wasm?url';
import type { Args, Calls, Frame, FrameRequest, Jobs, Reply, Request, Result, Role, Roles, Start } from './protocol';

/** What went wrong in the core; the message says where and what to do. */
export class CoreError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

type Progress = (stage: string, fraction: number) => void;

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
  readonly progress?: Progress;
}

/** A Worker and the calls that wait for its answer. */
class Line<R extends Role> {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting<Result<R, keyof Roles[R]>>>();
  private readonly ready: Promise<void>;
  private next = 1;

  /** The Worker starts while the module is still on its way. */
  constructor(module: Promise<WebAssembly.Module>, role: R) {
    this.worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: `sinew ${role}` });
    this.ready = module.then((made) => this.worker.postMessage({ module: made, role } satisfies Start));
    this.worker.addEventListener('message', (event: MessageEvent<Reply<R>>) => this.take(event.data));
    this.worker.addEventListener('error', (event) => this.fail(new CoreError(event.message || 'The core stopped', '')));
  }

  call<K extends keyof Roles[R]>(call: K, args: Args<R, K>, progress?: Progress): Promise<Result<R, K>> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      // The answer to this call has its number, and its type.
      this.waiting.set(id, { resolve: (result) => resolve(result as Result<R, K>), reject, progress });
      const request: Request<R, K> = { id, call, args };
      this.ready.then(() => this.worker.postMessage(request), reject);
    });
  }

  end(reason: string): void {
    this.worker.terminate();
    this.fail(new CoreError(reason, 'SINEW_CANCELLED'));
  }

  private take(reply: Reply<R>): void {
    const waiting = this.waiting.get(reply.id);
    if (!waiting) return;
    if ('stage' in reply) {
      waiting.progress?.(reply.stage, reply.fraction);
      return;
    }
    this.waiting.delete(reply.id);
    if ('error' in reply) waiting.reject(new CoreError(reply.error, reply.code));
    else waiting.resolve(reply.result);
  }

  private fail(error: CoreError): void {
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}

/** Something long that is under way. */
export interface Job<T> {
  readonly done: Promise<T>;
  cancel(): void;
}

async function loadModule(): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(fetch(wasmUrl, { credentials: 'same-origin' }));
  } catch {
    // A host that does not know the type of .wasm files.
    return WebAssembly.compile(await (await fetch(wasmUrl)).arrayBuffer());
  }
}

export class Core {
  private readonly engine: Line<'engine'>;
  private spare: Line<'jobs'> | undefined;
  private pending: { request: FrameRequest; waiting: Waiting<Frame | undefined>[] } | undefined;
  private busy = false;

  private readonly module: Promise<WebAssembly.Module>;

  constructor() {
    this.module = loadModule();
    this.engine = new Line(this.module, 'engine');
  }

  call<K extends keyof Calls>(name: K, ...args: Args<'engine', K>): Promise<Result<'engine', K>> {
    return this.engine.call(name, args);
  }

  /** The latest frame that was asked for: one that is overtaken before it begins resolves to undefined. */
  frame(request: FrameRequest): Promise<Frame | undefined> {
    return new Promise((resolve, reject) => {
      for (const old of this.pending?.waiting ?? []) old.resolve(undefined);
      this.pending = { request, waiting: [{ resolve, reject }] };
      void this.pump();
    });
  }

  /** Runs a job in a Worker of its own, which cancelling ends. */
  start<K extends keyof Jobs>(name: K, args: Args<'jobs', K>, progress?: Progress): Job<Result<'jobs', K>> {
    const line = this.spare ?? new Line(this.module, 'jobs');
    this.spare = undefined;
    const done = line.call(name, args, progress);
    let over = false;
    const finish = (): void => {
      if (over) return;
      over = true;
      if (this.spare) line.end('no longer needed');
      else this.spare = line;
    };
    done.then(finish, finish);
    return {
      done,
      cancel() {
        if (over) return;
        over = true;
        line.end('Cancelled');
      },
    };
  }

  private async pump(): Promise<void> {
    if (this.busy || !this.pending) return;
    this.busy = true;
    const { request, waiting } = this.pending;
    this.pending = undefined;
    try {
      const frame = await this.engine.call('frame', [request]);
      for (const one of waiting) one.resolve(frame);
    } catch (error) {
      for (const one of waiting) one.reject(error);
    }
    this.busy = false;
    void this.pump();
  }
}
