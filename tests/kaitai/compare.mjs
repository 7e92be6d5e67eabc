/// Reads files with the descriptions for Kaitai Struct and compares every field, its place and its value, with effigy's
/// dump of the same file. Prints "FORMAT files N fields N", one line a format, and what differs.
///
///     node compare.mjs PROGRAM FILE-OR-FOLDER...

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';

const root = new URL('../../', import.meta.url);
const require = createRequire(new URL('tests/tools/package.json', root));
const compiler = require('kaitai-struct-compiler');
const { KaitaiStream } = require('kaitai-struct');
const { parse } = require('yaml');

const extensions = { jarp: 'arp' };
const notes = new Set();

/** The reader of a format, which notes the place of every field. */
async function compile(format) {
  const description = parse(readFileSync(new URL(`docs/formats/kaitai/${format}.ksy`, root), 'utf8'));
  const files = await compiler.compile('javascript', description, { importYaml() { throw new Error('imports nothing'); } }, true);
  const [name] = Object.keys(files);
  const module = { exports: {} };
  // As a module of Node: with exports and require.
  const find = (path) => (path.endsWith('KaitaiStream') ? KaitaiStream : require(path));
  vm.runInThisContext(`(function (module, exports, require) {${files[name]}\n})`)(module, module.exports, find);
  return Object.values(module.exports)[0] ?? module.exports;
}

const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** Where a field of a structure of Kaitai's stands: its value, and its place or those of its elements. */
function member(object, name) {
  for (const key of [name, `${name}_2`, `${name}_3`].map(camel)) {
    if (object[key] !== undefined && object._debug[key] !== undefined) return { value: object[key], place: object._debug[key] };
  }
  return undefined;
}

const isStructure = (value) => value !== null && typeof value === 'object' && value._debug !== undefined;

/** The numbers and bytes that a value of Kaitai's consists of, in their order. */
function leaves(value, found = []) {
  if (typeof value === 'number') found.push(value);
  else if (value instanceof Uint8Array || Array.isArray(value)) for (const one of value) leaves(one, found);
  else if (isStructure(value)) for (const key of Object.keys(value._debug)) { if (!key.startsWith('_')) leaves(value[key], found); }
  else if (typeof value === 'string') leaves(Buffer.from(value, 'latin1'), found);
  return found;
}

/** The number that these bits are, of a float or a double: what JSON has no number for. */
function number(bits) {
  const bytes = Buffer.from(bits.slice(2), 'hex');
  return bytes.length === 4 ? bytes.readFloatBE() : bytes.length === 8 ? bytes.readDoubleBE() : NaN;
}

/** The same of a value in a dump. */
function dumped(value, found = []) {
  if (typeof value === 'number') found.push(value);
  else if (typeof value === 'string') for (const byte of Buffer.from(value)) found.push(byte);
  else if (Array.isArray(value)) for (const one of value) dumped(one, found);
  else if (value && value.bits !== undefined) found.push(number(value.bits));
  else if (value && value.bytes !== undefined) for (const byte of Buffer.from(value.bytes, 'base64')) found.push(byte);
  else if (value) for (const one of Object.values(value)) dumped(one, found);
  return found;
}

/** What a node holds: blocks are base64 or lists, in which a letter that is zero is an empty text. */
function valuesOf(node) {
  if (!node.type.endsWith('[]')) return dumped(node.value);
  if (typeof node.value === 'string') return dumped({ bytes: node.value });
  if (node.type === 'char[]') return node.value.map((letter) => dumped(letter)[0] ?? 0);
  return dumped(node.value);
}

function equal(left, right) {
  if (left === right) return true;
  if (Number.isNaN(left)) return Number.isNaN(right);
  return Number.isFinite(left) && Math.fround(right) === left;
}

/** Compares the nodes of a dump with the fields of a structure. */
class Comparison {
  fields = 0;
  constructor(file, bytes) { this.file = file; this.bytes = bytes; }

  fail(path, what) { throw new Error(`${this.file}: ${path}: ${what}`); }

  nodes(list, object, path, base) {
    const places = new Map();  // how many records of a name there were
    for (const node of list) {
      if (node.type === 'note') { notes.add(node.name); continue; }
      this.node(node, object, path, base, places);
    }
  }

  node(node, object, path, base, places) {
    const [, name, index, kind] = /^([a-z0-9_]+)(?:\[(\d+)\])?(?: ([a-z0-9_]+))?$/.exec(node.name) ?? this.fail(path, node.name);
    const here = `${path} / ${node.name}`;
    if (node.type.startsWith('derived')) return this.derived(node, object, here);
    if (name === 'chunk' && index !== undefined) return this.chunk(node, object.chunk[Number(index)], here, base);
    let found = member(object, name);
    if (name === 'actor') return this.actor(node, object, here, base);
    if (name === 'header' && !found) found = { value: object, place: undefined };
    if (!found && object.header && member(object.header, name)) found = member(object.header, name);  // XMF's stands at the top
    if (!found) {
      if (node.size === 0) return;
      this.fail(here, 'is not read');
    }
    let { value, place } = found;
    // One value of several that the dump lists by themselves.
    if (Array.isArray(value) && (index !== undefined || (node.type === 'string' && place.arr))) {
      const at = index !== undefined ? Number(index) : (places.set(name, (places.get(name) ?? -1) + 1), places.get(name));
      place = place.arr?.[at];
      value = value[at];
      if (value === undefined) this.fail(here, 'is not read');
    } else if (Array.isArray(value) && node.type === 'record') {
      value = value[0];
      place = undefined;
    }
    this.fields += 1;
    if (node.type === 'record') return this.nodes(node.value, value, here, this.baseOf(value, base, node));
    this.place(node, place, here, base);
    if (isStructure(value) && value.bytes !== undefined && node.type === 'string') value = value.bytes;
    this.value(node, value, here);
  }

  /** Structures in streams of their own count their places from there. */
  baseOf(value, base, node) {
    const start = Object.values(value._debug ?? {}).map((place) => place?.start).filter((start) => start !== undefined);
    if (start.length === 0) return base;
    return Math.min(...start) + base === node.offset ? base : node.offset - Math.min(...start);
  }

  place(node, place, here, base) {
    if (!place) return;
    const start = (place.start ?? 0) + base;
    const end = (place.end ?? 0) + base;
    if (node.size !== 0 && (start !== node.offset || end !== node.offset + node.size))
      this.fail(here, `stands at ${start} to ${end}, by the dump at ${node.offset} to ${node.offset + node.size}`);
  }

  value(node, value, here) {
    const right = valuesOf(node);
    const left = value instanceof Uint8Array && node.type === 'u32[]' ? this.words(value) : leaves(value);
    const isText = node.type.startsWith('char');
    const length = isText ? right.length : left.length;
    if (isText ? left.slice(length).some((byte) => byte !== 0) && node.type === 'char[4]' : left.length !== right.length) {
      // Padding is not shown where it is zero.
      this.fail(here, `has ${left.length} values, by the dump ${right.length}: ${JSON.stringify(node.value).slice(0, 80)}`);
    }
    for (let at = 0; at < length; ++at) {
      if (!equal(left[at], right[at])) this.fail(here, `is ${left[at]} at ${at}, by the dump ${right[at]}`);
    }
  }

  /** What is bytes to a description and words to effigy: layers of an unusual size in XAC. */
  words(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(4 * index, this.bytes[6] === 0));
  }

  derived(node, object, here) {
    this.fields += 1;
    const bytes = object.compressed !== 0 ? Buffer.from(object.content) : Buffer.from(object.stored);
    const expected = Buffer.from(node.value, 'base64');
    if (!bytes.equals(expected)) this.fail(here, `holds other bytes than the dump: ${bytes.length} and ${expected.length}`);
  }

  chunk(node, chunk, here, base) {
    if (!chunk) this.fail(here, 'is not read');
    const head = node.value.slice(0, 3);
    this.fields += 1;
    this.nodes(head, chunk, here, base);
    if (isStructure(chunk.content)) this.nodes(node.value.slice(3), chunk.content, here, base);
  }

  actor(node, object, here) {
    this.fields += 1;
    this.nodes(node.value, object.bytes, here, node.offset);
  }
}

function dumpOf(program, file, format) {
  const options = format === 'xmf' ? [] : ['--expand'];
  const text = execFileSync(program, ['dump', file, '--json', '--limit-memory', '8G', ...options], { maxBuffer: 2 ** 31 });
  return JSON.parse(text);
}

const [program, ...paths] = process.argv.slice(2);
const isDescribed = (name) => /\.(xac|xsm|xpm|xmf|ani|x42|arp|jarp)$/i.test(name);
const files = paths.flatMap((path) => (statSync(path).isDirectory() ? readdirSync(path).filter(isDescribed).map((name) => join(path, name)) : [path]));
const readers = new Map();
const counts = new Map();
let failed = false;
for (const file of files) {
  const extension = file.split('.').pop().toLowerCase();
  const format = extensions[extension] ?? extension;
  try {
    if (!readers.has(format)) readers.set(format, await compile(format));
    const Reader = readers.get(format);
    const bytes = readFileSync(file);
    const stream = new KaitaiStream(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const object = new Reader(stream);
    object._read();
    if (!stream.isEof()) throw new Error(`${stream.size - stream.pos} bytes are left`);
    const comparison = new Comparison(file, bytes);
    const dump = dumpOf(program, file, format);
    const isRest = (node) => node.name === 'trailing';
    if (object.trailing?.length > 0 && !dump.value.some(isRest)) throw new Error(`${object.trailing.length} bytes are left`);
    comparison.nodes(dump.value, object, '', 0);
    const count = counts.get(extension) ?? { files: 0, fields: 0 };
    count.files += 1;
    count.fields += comparison.fields;
    counts.set(extension, count);
  } catch (error) {
    failed = true;
    console.log(`differs: ${String(error.message ?? error).slice(0, 400)}${error.message?.includes(file) ? '' : ` (${file})`}`);
    if (process.env.EFFIGY_STACK) console.log(error.stack);
  }
}
for (const [extension, count] of counts) console.log(`${extension}: ${count.files} files, ${count.fields} fields`);
process.exitCode = failed ? 1 : 0;
