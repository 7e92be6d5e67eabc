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

async function compile(wasm) {
  const loaded = await load(wasm);
  return loaded instanceof WebAssembly.Module ? loaded : WebAssembly.compile(loaded);
}

const isAddress = (wasm) => typeof wasm === 'string' || wasm instanceof URL;

/// The second part, for a worker that reads it when it is needed, or for here: on a page nothing can be read or
/// compiled while somebody waits.
function second(rest, isForWorker) {
  if (rest === null) return null;
  if (isForWorker) return isAddress(rest) ? String(rest) : load(rest);
  return typeof window === 'undefined' ? load(rest) : compile(rest);
}

/// Both parts of the module (web/module/split.mjs); the first is compiled once for all workers that follow.
export async function loadParts({ wasm, rest, isForWorker }) {
  const restOf = rest ?? (wasm ? null : new URL('./effigy-rest.wasm', import.meta.url));
  return Promise.all([compile(wasm ?? new URL('./effigy.wasm', import.meta.url)), second(restOf, isForWorker)]);
}

/// Gives the second part at once; `read` gives the bytes at an address.
export function restNow(rest, read) {
  if (rest === null) throw new Error('this needs the second part of the module: give `rest`');
  if (rest instanceof WebAssembly.Module) return rest;
  return new WebAssembly.Module(typeof rest === 'string' ? read(rest) : rest);
}

export class Here {
  #engine;

  async start(module, rest) {
    this.#engine = await Engine.create(module, () => restNow(rest));
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

  async start(module, rest) {
    this.#worker = await makeWorker(this.#make);
    const on = (name, handle) =>
      this.#worker.addEventListener ? this.#worker.addEventListener(name, handle) : this.#worker.on(name, handle);
    on('message', (event) => this.#receive(event.data ?? event));
    on('error', (event) => this.#fail(new Error(event.message ?? String(event))));
    return this.call('start', [module, rest]);
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
