/// One instance of the WebAssembly module: the C interface (effigy.h) as functions that take and give values of
/// JavaScript. Everything here happens at once; index.js and worker.js make it wait for nobody.

import createModule from './module.js';

export const outcome = { ok: 0, failed: 1, usage: 2, unreadable: 3, limit: 4, noMemory: 5 };

const inputSize = 12; // struct effigy_input of three 32-bit members
const pageSize = 65536; // of WebAssembly's memory

class MemoryError extends Error {}

/// What is called for the first time from here on is in the module's second part (web/module/split.mjs).
function placeholders(loadRest) {
  const call = (slot) => (...given) => loadRest().get(slot)(...given);
  return new Proxy({}, { get: (_, name) => call(Number(name)) });
}

const synchronousReader = () => (typeof FileReaderSync === 'undefined' ? null : new FileReaderSync());

/// Bytes of what was handed in; a Blob is read here and now, which only workers of browsers can.
function bytesOf(data) {
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  const reader = synchronousReader();
  if (!reader) throw new TypeError('a Blob cannot be read here: give its bytes');
  return new Uint8Array(reader.readAsArrayBuffer(data));
}

export class Engine {
  #module;
  #memory;
  #loadRest;
  #rest = null;
  #files = new Map();
  #wanted = new Set();
  #progress = null;
  #limit = Infinity; // of the memory, with all that is in it, during a call
  #wasRefused = false; // the last growth was refused by the limit
  #documents = new Map();
  #nextDocument = 1;

  /// `wasm` is a WebAssembly.Module or the bytes of one; `rest` gives the WebAssembly.Module of its second part, and is
  /// asked when that is needed.
  static async create(wasm, rest) {
    const engine = new Engine();
    await engine.#start(wasm, rest);
    return engine;
  }

  async #start(wasm, rest) {
    const module = await new Promise((resolve, reject) => {
      createModule({
        instantiateWasm: (imports, done) => {
          const started = ({ exports }) => {
            const exported = (kind) => Object.values(exports).find((value) => value instanceof kind);
            this.#memory = exported(WebAssembly.Memory);
            this.#boundMemory();
            this.#loadRest = () => {
              this.#rest ??= new WebAssembly.Instance(rest(), { primary: exports });
              return exported(WebAssembly.Table);
            };
            done({ exports });
          };
          const all = { ...imports, placeholder: placeholders(() => this.#loadRest()) };
          WebAssembly.instantiate(wasm, all).then((made) => started(made.instance ?? made), reject);
          return {};
        },
        progress: (what, name, done, total) => this.#progress?.({ what, name, done, total }) ?? true,
        readFile: (name, sink) => this.#putFile(name, sink),
        listFiles: (sink) => this.#listFiles(sink),
        print: () => {},
        printErr: () => {},
      }).then(resolve, reject);
    });
    this.#module = module;
  }

  // ---- memory ----

  /// The module asks for more memory by this function, and takes a refusal for the end of all memory.
  #boundMemory() {
    const memory = this.#memory, grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      this.#wasRefused = memory.buffer.byteLength + pages * pageSize > this.#limit;
      if (this.#wasRefused) throw new RangeError('beyond the limit');
      return grow(pages);
    };
  }

  #copyIn(bytes) {
    const place = this.#module._malloc(Math.max(bytes.length, 1));
    if (place === 0) throw new MemoryError();
    new Uint8Array(this.#memory.buffer).set(bytes, place >>> 0);
    return place >>> 0;
  }

  #copyOut(place, size) {
    return new Uint8Array(this.#memory.buffer).slice(place >>> 0, (place >>> 0) + size);
  }

  #text(place) {
    return this.#module.UTF8ToString(place >>> 0);
  }

  /// Calls with places of texts and bytes in memory, which are given back afterwards.
  #withMemory(function_) {
    const taken = [];
    const keep = (bytes) => {
      const place = this.#copyIn(bytes);
      taken.push(place);
      return place;
    };
    const text = (value) => keep(new TextEncoder().encode(`${value}\0`));
    try {
      return function_({ text, keep });
    } finally {
      for (const place of taken) this.#module._free(place);
    }
  }

  #inputs(inputs, { text, keep }) {
    const array = new Uint32Array(inputs.length * 3);
    inputs.forEach(({ name, data }, index) => {
      const bytes = bytesOf(data);
      array.set([text(name), keep(bytes), bytes.length], index * 3);
    });
    return keep(new Uint8Array(array.buffer));
  }

  // ---- callbacks ----

  /// false: there is no memory for it. Nothing may be thrown through the library.
  #put(sink, bytes) {
    const place = this.#module._malloc(Math.max(bytes.length, 1));
    if (place === 0) return false;
    new Uint8Array(this.#memory.buffer).set(bytes, place >>> 0);
    this.#module._effigy_put(sink, place, bytes.length);
    this.#module._free(place);
    return true;
  }

  #putFile(name, sink) {
    const data = this.#files.get(name);
    if (data !== undefined) return this.#put(sink, bytesOf(data));
    this.#wanted.add(name);
    return false;
  }

  #listFiles(sink) {
    const encoder = new TextEncoder();
    for (const name of this.#files.keys()) this.#put(sink, encoder.encode(name));
  }

  // ---- calls ----

  #size(pointerToSize, call) {
    const place = call(pointerToSize);
    return this.#copyOut(place, new DataView(this.#memory.buffer).getUint32(pointerToSize, true));
  }

  #resultFiles(result, pointerToSize) {
    const module = this.#module;
    return Array.from({ length: module._effigy_file_count(result) }, (_, index) => ({
      name: this.#text(module._effigy_file_name(result, index)),
      data: this.#size(pointerToSize, (size) => module._effigy_file_data(result, index, size)),
    }));
  }

  #take(result) {
    const module = this.#module;
    const pointerToSize = this.#copyIn(new Uint8Array(4));
    try {
      const document = module._effigy_take_document(result);
      return {
        status: module._effigy_status(result),
        error: this.#text(module._effigy_error(result)),
        report: this.#text(module._effigy_findings(result)),
        text: this.#text(module._effigy_text(result)),
        data: this.#size(pointerToSize, (size) => module._effigy_data(result, size)),
        files: this.#resultFiles(result, pointerToSize),
        ...(document && { document: this.#keepDocument(document) }),
      };
    } finally {
      module._free(pointerToSize);
      module._effigy_free(result);
    }
  }

  #keepDocument(place) {
    const handle = this.#nextDocument++;
    this.#documents.set(handle, place);
    return handle;
  }

  #document(handle) {
    const place = this.#documents.get(handle);
    if (place === undefined) throw new Error('this document was closed');
    return place;
  }

  /// `call` gets the settings' place and the helpers for memory; its result is read and freed.
  #call({ options = {}, files = [], onProgress = null, limitMemory = Infinity } = {}, call) {
    this.#files = new Map(files.map(({ name, data }) => [name, data]));
    this.#wanted = new Set();
    this.#progress = onProgress;
    this.#limit = limitMemory;
    this.#wasRefused = false;
    try {
      return this.#withMemory((memory) => {
        const settings = this.#module._effigy_web_settings(memory.text(JSON.stringify(options)));
        return this.#explained({ ...this.#take(call(settings, memory)), wanted: [...this.#wanted] });
      });
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      return this.#explained({ status: outcome.noMemory, error: '', report: '', text: '', data: new Uint8Array(), files: [], wanted: [] });
    } finally {
      this.#files = new Map();
      this.#progress = null;
      this.#limit = Infinity;
    }
  }

  /// What memory has ended, if any: the library knows only that there is no more.
  #explained(answer) {
    const hasEnded = answer.status === outcome.noMemory;
    if (!hasEnded && !this.#wasRefused) return answer;
    const report = JSON.parse(answer.report || '{"effigy_report":1,"findings":[],"suppressed":{}}');
    const code = this.#wasRefused ? 'limit-memory' : 'out-of-memory';
    const message = this.#wasRefused
      ? `The memory of the module would be larger than the limit of ${this.#limit} bytes; raise limitMemory.`
      : 'The memory that WebAssembly can have is full.';
    if (!report.findings.some((finding) => finding.code === code)) {
      report.findings.push({ code, severity: answer.status === outcome.ok ? 'warning' : 'error', message });
    }
    const status = hasEnded && this.#wasRefused ? outcome.limit : answer.status;
    return { ...answer, status, error: hasEnded ? message : answer.error, report: JSON.stringify(report) };
  }

  get version() {
    return this.#text(this.#module._effigy_version());
  }

  formats() {
    return this.#take(this.#module._effigy_formats());
  }

  recognize(head, name = '') {
    return this.#withMemory(({ text, keep }) =>
      this.#take(this.#module._effigy_recognize(keep(head), head.length, text(name))),
    );
  }

  open(input, settings) {
    const answer = this.#call(settings, (place, memory) =>
      this.#module._effigy_open(this.#inputs([input], memory), place),
    );
    if (answer.document) answer.format = this.#text(this.#module._effigy_document_format(this.#document(answer.document)));
    return answer;
  }

  build(dump, settings) {
    const answer = this.#call(settings, (place, { text }) => this.#module._effigy_build(text(dump), place));
    if (answer.document) answer.format = this.#text(this.#module._effigy_document_format(this.#document(answer.document)));
    return answer;
  }

  info(document, settings) {
    return this.#call(settings, (place) => this.#module._effigy_info(this.#document(document), place));
  }

  check(document, model, settings) {
    const against = model ? this.#document(model) : 0;
    return this.#call(settings, (place) => this.#module._effigy_check(this.#document(document), against, place));
  }

  dump(document, settings) {
    return this.#call(settings, (place) => this.#module._effigy_dump(this.#document(document), place));
  }

  write(document, settings) {
    return this.#call(settings, (place) => this.#module._effigy_write(this.#document(document), place));
  }

  convert(inputs, to, settings) {
    return this.#call(settings, (place, memory) =>
      this.#module._effigy_convert(this.#inputs(inputs, memory), inputs.length, memory.text(to), place),
    );
  }

  diff(a, b, settings) {
    return this.#call(settings, (place, memory) => {
      const pair = this.#inputs([a, b], memory);
      return this.#module._effigy_diff(pair, pair + inputSize, place);
    });
  }

  match(models, motions, settings) {
    return this.#call(settings, (place, memory) =>
      this.#module._effigy_match(
        this.#inputs(models, memory), models.length, this.#inputs(motions, memory), motions.length, place),
    );
  }

  close(document) {
    this.#module._effigy_free(this.#document(document));
    this.#documents.delete(document);
  }
}
