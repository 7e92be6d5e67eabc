/// effigy for JavaScript: any format in, any format out, in browsers and in Node. Types: index.d.ts.

import { Here, InWorker, isNode, loadParts } from './backend.js';

const cancelled = (signal) => signal.reason ?? new DOMException('the call was cancelled', 'AbortError');

/// Waits for a call's turn; one that is cancelled meanwhile fails at once.
function unlessCancelled(turn, signal) {
  if (!signal) return turn;
  return new Promise((resolve, reject) => {
    const stop = () => reject(cancelled(signal));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    turn.then(resolve).finally(() => signal.removeEventListener('abort', stop));
  });
}

export class EffigyError extends Error {
  constructor(message, status, findings, wanted = []) {
    super(message);
    this.name = 'EffigyError';
    this.status = status;
    this.findings = findings;
    this.wanted = wanted;
  }
}

const findingsOf = ({ report }) => (report ? JSON.parse(report).findings : []);

/// Throws what a call failed with.
function checked(answer) {
  if (answer.status === 0) return answer;
  throw new EffigyError(answer.error || 'memory has ended', answer.status, findingsOf(answer), answer.wanted);
}

async function readPath(path) {
  if (!isNode) throw new TypeError('a path can be read in Node only: give { name, data }');
  const { readFile } = await import('#node');
  return { name: String(path), data: await readFile(path) };
}

function asNamed(input) {
  if (typeof input === 'string' || (input instanceof URL && input.protocol === 'file:')) return readPath(input);
  const isFile = input && typeof input === 'object' && 'data' in input;
  if (isFile) return input;
  return { name: input?.name ?? '', data: input };
}

function throwIfNoDocument(value, what) {
  if (!(value instanceof Document)) throw new TypeError(`${what} is ${typeOf(value)}: a Document is wanted, as open() gives it`);
}

const typeOf = (value) => (value == null ? String(value) : `of type ${value.constructor?.name ?? typeof value}`);

/// Workers of browsers read a Blob when it is asked for, be this one of them or the engine's; all others get its bytes.
async function readable({ name, data }, canWait) {
  if (data instanceof Uint8Array || data instanceof ArrayBuffer) return { name, data };
  if (typeof Blob === 'undefined' || !(data instanceof Blob))
    throw new TypeError(`the data of ${name ? `"${name}"` : 'a file'} is ${typeOf(data)}: a Uint8Array, an ArrayBuffer or a Blob is wanted`);
  return { name, data: canWait ? data : new Uint8Array(await data.arrayBuffer()) };
}

export class Effigy {
  #backend;
  #parts;
  #makeBackend;
  #canReadBlobs;
  #limitMemory;
  #queue = Promise.resolve();
  #ready;
  /// Counts the workers: a document of an ended one is opened again.
  generation = 0;
  version = '';

  static async create({ worker = true, wasm, rest, limitMemory } = {}) {
    const effigy = new Effigy();
    effigy.#makeBackend = () => (worker === false ? new Here() : new InWorker(worker));
    effigy.#canReadBlobs = typeof FileReaderSync !== 'undefined' || (worker !== false && !isNode);
    effigy.#limitMemory = limitMemory;
    effigy.#parts = await loadParts({ wasm, rest, isForWorker: worker !== false });
    await effigy.#start();
    return effigy;
  }

  async #start() {
    const backend = this.#makeBackend();
    this.#backend = backend;
    this.generation++;
    this.#ready = backend.start(...this.#parts);
    try {
      this.version = await this.#ready;
    } catch (error) {
      backend.end(error);
      throw error;
    }
  }

  /// What calls go to: another one where the worker has ended, or could not start.
  async #running() {
    if (!this.#backend) throw new Error('this Effigy was closed');
    if (this.#backend.ended) this.#start().catch(() => {});
    const backend = this.#backend;
    await this.#ready;
    return backend;
  }

  async #asData({ options = {}, files = [], limitMemory = this.#limitMemory } = {}, inputs = []) {
    const all = await Promise.all([...inputs, ...files].map((file) => readable(file, this.#canReadBlobs)));
    const isLimited = limitMemory && limitMemory !== Infinity;
    return { options: { ...options, ...(isLimited && { 'limit-memory': limitMemory }) }, files: all, limitMemory };
  }

  /// One call after the other; `make` gives the parameters when it is its turn. For Document.
  async _call(method, make, settings) {
    const before = this.#queue, call = before.then(() => this._callNow(method, make, settings));
    this.#queue = call.catch(() => {});
    await unlessCancelled(before, settings?.signal);
    return call;
  }

  /// What is part of a call whose turn it is. For Document.
  async _callNow(method, make, { signal, onProgress } = {}) {
    if (signal?.aborted) throw cancelled(signal);
    const stop = () => this.#restart(cancelled(signal));
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const backend = await this.#running();
      const parameters = await make();
      return await backend.call(method, parameters, onProgress && this.#guarded(onProgress));
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /// What it throws is what the call fails with.
  #guarded(onProgress) {
    return (progress) => {
      try {
        return onProgress(progress);
      } catch (error) {
        this.#restart(error);
        return false;
      }
    };
  }

  #restart(error) {
    if (!this.#backend) return;
    this.#backend.end(error);
    this.#start().catch(() => {});
  }

  async formats() {
    return JSON.parse(checked(await this._call('formats', () => [])).text);
  }

  async recognize(head, name = '') {
    const { data } = await readable({ name, data: head }, false);
    const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
    return JSON.parse(checked(await this._call('recognize', () => [bytes, name])).text);
  }

  async open(input, settings) {
    const named = await asNamed(input);
    const document = new Document(this, named, settings);
    await document._open(settings?.signal);
    return document;
  }

  async convert(inputs, to, settings) {
    const named = await Promise.all(inputs.map(asNamed));
    const answer = checked(
      await this._call('convert', async () => {
        const data = await this.#asData(settings, named);
        return [data.files.slice(0, named.length), to, data];
      }, settings),
    );
    return { files: answer.files, findings: findingsOf(answer), wanted: answer.wanted };
  }

  async match(models, motions, settings) {
    const named = await Promise.all([...models, ...motions].map(asNamed));
    const answer = checked(
      await this._call('match', async () => {
        const data = await this.#asData(settings, named);
        return [data.files.slice(0, models.length), data.files.slice(models.length, named.length), data];
      }, settings),
    );
    return { ...JSON.parse(answer.text), findings: findingsOf(answer) };
  }

  async diff(a, b, settings) {
    const named = await Promise.all([a, b].map(asNamed));
    const answer = checked(
      await this._call('diff', async () => {
        const data = await this.#asData(settings, named);
        return [data.files[0], data.files[1], data];
      }, settings),
    );
    return { ...JSON.parse(answer.text), findings: findingsOf(answer) };
  }

  /// For Document.
  get _limitMemory() {
    return this.#limitMemory;
  }

  /// For Document.
  async _openParameters(named, settings) {
    const data = await this.#asData(settings, [named]);
    return [data.files[0], data];
  }

  close() {
    this.#backend?.end(new Error('this Effigy was closed'));
    this.#backend = null;
  }
}

/// A file as it stands, in the memory of an Effigy.
export class Document {
  #effigy;
  #named;
  #settings;
  #handle = 0;
  #generation = 0;
  #closed = false;
  format = '';
  findings = [];

  constructor(effigy, named, { signal, ...settings } = {}) {
    this.#effigy = effigy;
    this.#named = named;
    this.#settings = settings; // without the signal, which is for the first opening only
  }

  get name() {
    return this.#named.name;
  }

  async _open(signal) {
    await this.#take((...call) => this.#effigy._call(...call), { ...this.#settings, signal });
  }

  async #take(call, settings) {
    let generation;
    const make = () => {
      ({ generation } = this.#effigy);
      return this.#effigy._openParameters(this.#named, settings);
    };
    const answer = checked(await call('open', make, settings));
    this.#generation = generation;
    this.#handle = answer.document;
    this.format = answer.format;
    this.findings = findingsOf(answer);
  }

  get #isHeld() {
    return this.#generation === this.#effigy.generation;
  }

  /// A worker that has ended has forgotten its documents. Only in the turn of a call: another one may end the worker.
  async #handleNow() {
    if (!this.#isHeld) await this.#take((...call) => this.#effigy._callNow(...call), this.#settings);
    return this.#handle;
  }

  #throwIfClosed() {
    if (this.#closed) throw new Error('this document was closed');
  }

  get #limits() {
    return { limitMemory: this.#settings.limitMemory ?? this.#effigy._limitMemory };
  }

  async #ask(method, options) {
    this.#throwIfClosed();
    return checked(await this.#effigy._call(method, async () => [await this.#handleNow(), { options, ...this.#limits }]));
  }

  async info(options = {}) {
    return JSON.parse((await this.#ask('info', options)).text);
  }

  /// With what was found when it was opened, as the program's `check` has it.
  async check(model) {
    this.#throwIfClosed();
    if (model) throwIfNoDocument(model, 'the model');
    model?.#throwIfClosed();
    if (model && model.#effigy !== this.#effigy) throw new Error('both documents have to be of the same Effigy');
    const make = async () => [await this.#handleNow(), model ? await model.#handleNow() : 0, this.#limits];
    const answer = checked(await this.#effigy._call('check', make));
    return [...this.findings, ...findingsOf(answer)];
  }

  /// With `hex` the annotated hex map, which is text; otherwise the tree of all fields.
  async dump(options = {}) {
    const { text } = await this.#ask('dump', options);
    return options.hex ? text : JSON.parse(text);
  }

  async bytes(options = {}) {
    return (await this.#ask('write', options)).data;
  }

  convert(to, settings) {
    return this.#effigy.convert([this.#named], to, { ...this.#settings, ...settings });
  }

  async diff(other, settings) {
    throwIfNoDocument(other, 'what a Document is compared with');
    return this.#effigy.diff(this.#named, other.#named, settings);
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    const make = () => {
      if (!this.#isHeld) throw new Error('it is forgotten already');
      return [this.#handle];
    };
    this.#effigy._call('close', make).catch(() => {});
  }
}

let shared = null;

/// On an Effigy that all share; one that could not start is not kept.
export async function open(input, settings) {
  shared ??= Effigy.create().catch((error) => {
    shared = null;
    throw error;
  });
  return (await shared).open(input, settings);
}
