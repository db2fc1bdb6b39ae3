// SPDX-License-Identifier: Apache-2.0
// The page's side of the Workers.
import wasmUrl from 'sinew/wasm/sinew.wasm?url';
import type { Calls, Frame, FrameRequest, Jobs, Reply } from './protocol';

type Result<F> = F extends (...args: never[]) => infer R ? Awaited<R> : never;
type Args<F> = F extends (...args: infer A) => unknown ? A : never;

/** What went wrong in the core; the message says where and what to do. */
export class CoreError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  progress?: (stage: string, fraction: number) => void;
}

/** A Worker and the calls that wait for its answer. */
class Line {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private readonly ready: Promise<void>;
  private next = 1;

  /** The Worker starts while the module is still on its way. */
  constructor(module: Promise<WebAssembly.Module>, role: 'engine' | 'jobs') {
    this.worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: `sinew ${role}` });
    this.ready = module.then((made) => this.worker.postMessage({ module: made, role }));
    this.worker.addEventListener('message', (event: MessageEvent<Reply>) => this.take(event.data));
    this.worker.addEventListener('error', (event) => this.fail(new CoreError(event.message || 'The core stopped', '')));
  }

  call(name: string, args: readonly unknown[], progress?: Waiting['progress']): Promise<unknown> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, progress });
      this.ready.then(() => this.worker.postMessage({ id, call: name, args }), reject);
    });
  }

  end(reason: string): void {
    this.worker.terminate();
    this.fail(new CoreError(reason, 'SINEW_CANCELLED'));
  }

  private take(reply: Reply): void {
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
  private readonly engine: Line;
  private spare: Line | undefined;
  private pending: { request: FrameRequest; waiting: Waiting[] } | undefined;
  private busy = false;

  private readonly module: Promise<WebAssembly.Module>;

  constructor() {
    this.module = loadModule();
    this.engine = new Line(this.module, 'engine');
  }

  call<K extends keyof Calls>(name: K, ...args: Args<Calls[K]>): Promise<Result<Calls[K]>> {
    return this.engine.call(name, args) as Promise<Result<Calls[K]>>;
  }

  /** The latest frame that was asked for: one that is overtaken before it begins resolves to undefined. */
  frame(request: FrameRequest): Promise<Frame | undefined> {
    return new Promise((resolve, reject) => {
      for (const old of this.pending?.waiting ?? []) old.resolve(undefined);
      this.pending = { request, waiting: [{ resolve: resolve as (value: unknown) => void, reject }] };
      void this.pump();
    });
  }

  /** Runs a job in a Worker of its own, which cancelling ends. */
  start<K extends keyof Jobs>(
    name: K,
    args: Args<Jobs[K]>,
    progress?: (stage: string, fraction: number) => void,
  ): Job<Result<Jobs[K]>> {
    const line = this.spare ?? new Line(this.module, 'jobs');
    this.spare = undefined;
    const done = line.call(name, args, progress) as Promise<Result<Jobs[K]>>;
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
