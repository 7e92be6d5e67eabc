/** A Blob is read when it is asked for, in a browser's worker; everywhere else it is read at once. */
export type Bytes = Uint8Array | ArrayBuffer | Blob;

/** With an ArrayBuffer of its own, which TypeScript 5.7 and later tell from a shared one. */
export type OwnBytes = ReturnType<Uint8Array['slice']>;

/** The name may contain slashes: a path below what was dropped. */
export interface NamedFile {
  name: string;
  data: Bytes;
}

export type Severity = 'error' | 'warning' | 'info';

/** As docs/json.md has it. */
export interface Finding {
  code: string;
  severity: Severity;
  message: string;
  file?: string;
  path?: string;
  offset?: number;
  length?: number;
  found?: string;
  expected?: string;
}

export interface Progress {
  what: string;
  name: string;
  done: number;
  total: number;
}

export interface Settings {
  /** Switches by name: docs/options.md. */
  options?: Record<string, unknown>;
  /** Everything that may be asked for by name: side files, textures, meshes. */
  files?: NamedFile[];
  /** What it throws is what the call fails with. */
  onProgress?(progress: Progress): void;
  /** Cancels this call: if it has begun, the worker is ended, and another one begins. */
  signal?: AbortSignal;
  /** Bytes that the memory of the module may have in this call, with all that is in it: the files, open documents, the result. */
  limitMemory?: number;
}

export interface Conversion {
  files: { name: string; data: OwnBytes }[];
  findings: Finding[];
  /** Names that were asked for and are not among `files`. */
  wanted: string[];
}

export interface Recognition {
  format: string | null;
  foreign?: string;
}

export interface OptionAnswer {
  name: string;
  type: string;
  help: string;
  repeats: boolean;
  min?: number;
  max?: number;
  choices?: string[];
}

export interface FormatAnswer {
  id: string;
  name: string;
  family: string;
  role: string;
  extensions: string[];
  versions: string;
  read: boolean;
  write: boolean;
  to_scene: boolean;
  from_scene: boolean;
  options: { read: OptionAnswer[]; write: OptionAnswer[] };
}

export interface MotionAnswer {
  file: string;
  nodes: number;
  nodes_with_track: number;
  tracks: number;
  tracks_found: number;
  moving_tracks: number;
  moving_tracks_found: number;
  bind_distance: number;
  other_skeleton: boolean;
  likeness: number;
  weak: boolean;
}

export interface MatchAnswer {
  motions: number;
  models: { file: string; motions: MotionAnswer[] }[];
  findings: Finding[];
}

export interface Difference {
  identical: boolean;
  findings: Finding[];
}

export class EffigyError extends Error {
  status: number;
  findings: Finding[];
  /** Names that were asked for and not given. */
  wanted: string[];
}

/** A Worker: a browser's, or one of node:worker_threads. */
export interface AnyWorker {
  postMessage(message: any): void;
  terminate(): unknown;
}

/** WebAssembly.Module, where that has a type: only the library "DOM" of TypeScript gives it one. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;

export interface CreateSettings {
  /** false: on the calling thread. A URL or a function where the worker's file is not beside this one. */
  worker?: boolean | URL | (() => AnyWorker);
  wasm?: Uint8Array | ArrayBuffer | URL | Response | WasmModule;
  /** The module's second part, which is loaded when it is first needed: `effigy-rest.wasm`, if it lies elsewhere. */
  rest?: Uint8Array | ArrayBuffer | URL | Response | WasmModule;
  /** For each call that has none of its own. */
  limitMemory?: number;
}

export class Effigy {
  static create(settings?: CreateSettings): Promise<Effigy>;
  readonly version: string;
  formats(): Promise<FormatAnswer[]>;
  recognize(head: Bytes, name?: string): Promise<Recognition>;
  /** A text is a path, in Node, and a URL that of a file. */
  open(input: NamedFile | Bytes | string | URL, settings?: Settings): Promise<Document>;
  /** The extension of `to` is the format. */
  convert(inputs: NamedFile[], to: string, settings?: Settings): Promise<Conversion>;
  match(models: NamedFile[], motions: NamedFile[], settings?: Settings): Promise<MatchAnswer>;
  diff(a: NamedFile, b: NamedFile, settings?: Settings): Promise<Difference>;
  close(): void;
}

export class Document {
  readonly name: string;
  readonly format: string;
  /** What was found when it was opened. */
  readonly findings: Finding[];
  info(options?: { encoding?: string }): Promise<Record<string, unknown>>;
  /** With `findings`. The model is opened on the same Effigy. */
  check(model?: Document): Promise<Finding[]>;
  dump(options?: { hex?: false; expand?: boolean }): Promise<Record<string, unknown>>;
  dump(options: { hex: true }): Promise<string>;
  bytes(options?: { normalize?: boolean }): Promise<OwnBytes>;
  convert(to: string, settings?: Settings): Promise<Conversion>;
  diff(other: Document, settings?: Settings): Promise<Difference>;
  close(): void;
}

/** On an Effigy that all share. */
export function open(input: NamedFile | Bytes | string | URL, settings?: Settings): Promise<Document>;
