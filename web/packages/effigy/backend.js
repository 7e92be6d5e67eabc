/// Where an engine runs: in a worker, which can be ended at any time, or right here.

import { Engine } from './engine.js';
import { restNow } from './rest.js';

export const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node) && typeof window === 'undefined';

/// Some bundlers give addresses that are relative to the page.
const absolute = (address) => new URL(String(address), globalThis.location?.href);

/// The bytes of the module, or the module itself.
async function load(wasm) {
  if (wasm instanceof Uint8Array || wasm instanceof ArrayBuffer || wasm instanceof WebAssembly.Module) return wasm;
  if (typeof Response !== 'undefined' && wasm instanceof Response) return wasm.arrayBuffer();
  const url = absolute(wasm);
  if (url.protocol === 'file:' && isNode) return (await import('#node')).readFile(url);
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
  if (isForWorker) return isAddress(rest) ? absolute(rest).href : load(rest);
  return typeof window === 'undefined' ? load(rest) : compile(rest);
}

/// Both parts of the module (web/module/split.mjs); the first is compiled once for all workers that follow.
export async function loadParts({ wasm, rest, isForWorker }) {
  const restOf = rest ?? (wasm ? null : new URL('./effigy-rest.wasm', import.meta.url));
  return Promise.all([compile(wasm ?? new URL('./effigy.wasm', import.meta.url)), second(restOf, isForWorker)]);
}

/// `ended` has the error that ended a backend; what it is asked afterwards, or is in the middle of, fails with that.
export class Here {
  ended = null;
  #engine;

  async start(module, rest) {
    this.#engine = await Engine.create(module, () => restNow(rest));
    return this.#engine.version;
  }

  async call(method, parameters, onProgress) {
    if (this.ended) throw this.ended.error;
    const step = (progress) => onProgress(progress) !== false && !this.ended;
    const given = onProgress ? [...parameters.slice(0, -1), { ...parameters.at(-1), onProgress: step }] : parameters;
    const answer = this.#engine[method](...given);
    if (this.ended) throw this.ended.error; // by what was told of the progress
    return answer;
  }

  end(error) {
    this.ended ??= { error };
    this.#engine = null;
  }
}

async function makeWorker(worker) {
  if (typeof worker === 'function') return worker();
  const url = worker instanceof URL ? worker : undefined;
  if (isNode) return (await import('#thread')).makeThread(url);
  if (url) return new Worker(url, { type: 'module' });
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }); // in one piece: bundlers look for this
}

/// Browsers do not say why a worker's file is not loaded.
const whyFailed = ({ message }) =>
  `the worker failed: ${message || 'its file, or one that it imports, cannot be loaded or may not be; `worker` of Effigy.create says where it is'}`;

export class InWorker {
  ended = null;
  #worker;
  #make;
  #waiting = new Map();
  #next = 1;

  constructor(worker) {
    this.#make = worker;
  }

  async start(module, rest) {
    const worker = await makeWorker(this.#make);
    this.#worker = worker;
    if (this.ended) worker.terminate(); // meanwhile
    const on = (name, handle) => (worker.addEventListener ? worker.addEventListener(name, handle) : worker.on(name, handle));
    on('message', (event) => this.#receive(event.data ?? event));
    on('error', (event) => this.end(new Error(whyFailed(event), { cause: event })));
    on('exit', (code) => this.end(new Error(`the worker has ended (exit code ${code})`))); // Node's
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

  async call(method, parameters, onProgress) {
    if (this.ended) throw this.ended.error;
    const id = this.#next++;
    const settings = parameters.at(-1);
    const given = onProgress ? [...parameters.slice(0, -1), { ...settings, wantsProgress: true }] : parameters;
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ id, method, parameters: given }); // first: it throws what cannot be copied
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#worker.ref?.();
    });
  }

  end(error) {
    if (this.ended) return;
    this.ended = { error };
    this.#worker?.terminate();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
