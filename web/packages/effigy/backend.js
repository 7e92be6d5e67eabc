/// Where an engine runs: in a worker, which can be ended at any time, or right here.

import { Engine } from './engine.js';

export const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node) && typeof window === 'undefined';

/// The bytes of the module, or the module itself.
async function load(wasm) {
  if (wasm instanceof Uint8Array || wasm instanceof ArrayBuffer || wasm instanceof WebAssembly.Module) return wasm;
  if (typeof Response !== 'undefined' && wasm instanceof Response) return wasm.arrayBuffer();
  const url = new URL(wasm);
  if (url.protocol === 'file:' && isNode) return (await import('node:fs/promises')).readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be loaded: ${response.status}`);
  return response.arrayBuffer();
}

/// Compiled once for all workers that follow.
export async function compile(wasm) {
  const loaded = await load(wasm ?? new URL('./effigy.wasm', import.meta.url));
  return loaded instanceof WebAssembly.Module ? loaded : WebAssembly.compile(loaded);
}

export class Here {
  #engine;

  async start(module) {
    this.#engine = await Engine.create(module);
    return this.#engine.version;
  }

  async call(method, parameters, onProgress) {
    const settings = parameters.at(-1);
    const given = onProgress ? [...parameters.slice(0, -1), { ...settings, onProgress: (step) => onProgress(step) !== false }] : parameters;
    return this.#engine[method](...given);
  }

  end() {
    this.#engine = null;
  }
}

async function makeWorker(worker) {
  if (typeof worker === 'function') return worker();
  const url = worker instanceof URL ? worker : new URL('./worker.js', import.meta.url);
  if (!isNode) return new Worker(url, { type: 'module' });
  const { Worker: Thread } = await import('node:worker_threads');
  const thread = new Thread(url);
  thread.unref();
  return thread;
}

export class InWorker {
  #worker;
  #make;
  #waiting = new Map();
  #next = 1;

  constructor(worker) {
    this.#make = worker;
  }

  async start(module) {
    this.#worker = await makeWorker(this.#make);
    const on = (name, handle) =>
      this.#worker.addEventListener ? this.#worker.addEventListener(name, handle) : this.#worker.on(name, handle);
    on('message', (event) => this.#receive(event.data ?? event));
    on('error', (event) => this.#fail(new Error(event.message ?? String(event))));
    return this.call('start', [module]);
  }

  #receive({ id, answer, problem, progress }) {
    const call = this.#waiting.get(id);
    if (!call) return;
    if (progress) {
      call.onProgress?.(progress);
      return;
    }
    this.#waiting.delete(id);
    this.#rest();
    if (problem === undefined) call.resolve(answer);
    else call.reject(new Error(problem));
  }

  /// Node's process ends where nothing is waited for.
  #rest() {
    if (this.#waiting.size === 0) this.#worker?.unref?.();
  }

  #fail(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  call(method, parameters, onProgress) {
    const id = this.#next++;
    const settings = parameters.at(-1);
    const given = onProgress ? [...parameters.slice(0, -1), { ...settings, wantsProgress: true }] : parameters;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#worker.ref?.();
      this.#worker.postMessage({ id, method, parameters: given });
    });
  }

  end(error = new Error('the worker was ended')) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#fail(error);
  }
}
