/// effigy for JavaScript: any format in, any format out, in browsers and in Node. Types: index.d.ts.

import { Here, InWorker, isNode, loadParts } from './backend.js';

const cancelled = (signal) => signal.reason ?? new DOMException('the call was cancelled', 'AbortError');

export class EffigyError extends Error {
  constructor(message, status, findings) {
    super(message);
    this.name = 'EffigyError';
    this.status = status;
    this.findings = findings;
  }
}

const findingsOf = ({ report }) => (report ? JSON.parse(report).findings : []);

/// Throws what a call failed with.
function checked(answer) {
  if (answer.status === 0) return answer;
  throw new EffigyError(answer.error || 'memory has ended', answer.status, findingsOf(answer));
}

async function readPath(path) {
  const { readFile } = await import('node:fs/promises');
  return { name: String(path), data: await readFile(path) };
}

function asNamed(input) {
  if (typeof input === 'string' || (input instanceof URL && input.protocol === 'file:')) return readPath(input);
  const isFile = input && typeof input === 'object' && 'data' in input;
  if (isFile) return input;
  return { name: input?.name ?? '', data: input };
}

/// Workers of browsers read a Blob when it is asked for, be this one of them or the engine's; all others get its bytes.
async function readable({ name, data }, canWait) {
  if (typeof Blob === 'undefined' || !(data instanceof Blob) || canWait) return { name, data };
  return { name, data: new Uint8Array(await data.arrayBuffer()) };
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
    this.#backend = this.#makeBackend();
    this.generation++;
    this.#ready = this.#backend.start(...this.#parts);
    this.version = await this.#ready;
  }

  async #asData({ options = {}, files = [], limitMemory = this.#limitMemory } = {}, inputs = []) {
    const all = await Promise.all([...inputs, ...files].map((file) => readable(file, this.#canReadBlobs)));
    return { options: { ...options, ...(limitMemory && { 'limit-memory': limitMemory }) }, files: all, limitMemory };
  }

  /// One call after the other; `make` gives the parameters when it is its turn. For Document.
  async _call(method, make, settings = {}) {
    const turn = this.#queue.then(() => this.#callNow(method, make, settings));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #callNow(method, make, { signal, onProgress }) {
    if (signal?.aborted) throw cancelled(signal);
    if (!this.#backend) throw new Error('this Effigy was closed');
    const parameters = await make();
    const stop = () => this.#restart(cancelled(signal));
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await this.#ready;
      return await this.#backend.call(method, parameters, onProgress);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  #restart(error) {
    this.#backend.end(error);
    this.#start().catch(() => {});
  }

  async formats() {
    return JSON.parse(checked(await this._call('formats', () => [])).text);
  }

  async recognize(head, name = '') {
    return JSON.parse(checked(await this._call('recognize', () => [head, name])).text);
  }

  async open(input, settings) {
    const named = await asNamed(input);
    const document = new Document(this, named, settings);
    await document._open();
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

  constructor(effigy, named, settings = {}) {
    this.#effigy = effigy;
    this.#named = named;
    this.#settings = settings;
  }

  get name() {
    return this.#named.name;
  }

  async _open() {
    const make = () => this.#effigy._openParameters(this.#named, this.#settings);
    const answer = checked(await this.#effigy._call('open', make, this.#settings));
    this.#generation = this.#effigy.generation;
    this.#handle = answer.document;
    this.format = answer.format;
    this.findings = findingsOf(answer);
  }

  /// A worker that was ended has forgotten its documents.
  async _handle() {
    if (this.#closed) throw new Error('this document was closed');
    if (this.#generation !== this.#effigy.generation) await this._open();
    return this.#handle;
  }

  get #limits() {
    return { limitMemory: this.#settings.limitMemory ?? this.#effigy._limitMemory };
  }

  async #ask(method, options) {
    await this._handle();
    return checked(await this.#effigy._call(method, () => [this.#handle, { options, ...this.#limits }]));
  }

  async info(options = {}) {
    return JSON.parse((await this.#ask('info', options)).text);
  }

  async check(model) {
    await this._handle();
    const other = model ? await model._handle() : 0;
    return findingsOf(checked(await this.#effigy._call('check', () => [this.#handle, other, this.#limits])));
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

  diff(other, settings) {
    return this.#effigy.diff(this.#named, other.#named, settings);
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#generation === this.#effigy.generation)
      this.#effigy._call('close', () => [this.#handle]).catch(() => {});
  }
}

let shared = null;

/// On an Effigy that all share.
export async function open(input, settings) {
  shared ??= Effigy.create();
  return (await shared).open(input, settings);
}
