/// Makes patterns for ImHex of the descriptions for Kaitai Struct, whose types are made of the layouts: docs/formats/imhex/*.hexpat.
/// With `--check` it says which of them are not what it makes.
///
///     node imhex.mjs [--check]

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const { parse } = createRequire(new URL('tests/tools/package.json', root))('yaml');

const magics = { xac: '58 41 43 20', xsm: '58 53 4D 20', xpm: '58 50 4D 20', xmf: '58 55 4D 46', x42: null, ani: null, arp: '03 00 00 00' };
const scalars = { u1: 'u8', u2: 'u16', u4: 'u32', s1: 's8', s2: 's16', s4: 's32', f4: 'float', f8: 'double', bool: 'bool' };
// Words of the pattern language, which fields may not be called.
const reserved = new Set(['padding', 'parent', 'this', 'bool', 'float', 'double', 'char', 'str', 'string', 'match', 'in', 'out', 'ref', 'auto']);
// Instances that are asked for often become variables, behind the field that they are made of.
const variables = new Map([['version_number', 'version']]);
const fieldName = (name) => (reserved.has(name) ? `${name}_` : name);
const structName = (name) => name.split('_').map((word) => word[0].toUpperCase() + word.slice(1)).join('');

class Pattern {
  constructor(format, description) {
    Object.assign(this, { format, description, types: description.types ?? {}, sized: this.sizedTypes(description) });
  }

  /** Types whose structure has a stream of its own: they get its size as a parameter. */
  sizedTypes(description) {
    const all = [description, ...Object.values(description.types ?? {})];
    return new Set(all.flatMap((type) => (type.seq ?? []).filter((field) => field.size !== undefined && typeof field.type === 'string' && description.types?.[field.type]).map((field) => field.type)));
  }

  /** An expression in the pattern language; instances are put in where they are used. */
  expression(text, type, depth = 0) {
    let result = String(text).trim().replace(/\s+/g, ' ');
    result = result.replace(/\.as<\w+>/g, '').replace(/_parent\./g, 'parent.').replace(/_root\./g, '');
    for (const [name, instance] of Object.entries(type.instances ?? {})) {
      if (instance.value === undefined || depth > 4 || variables.has(name)) continue;
      result = result.replace(new RegExp(`(?<![.\\w])${name}(?!\\w)`, 'g'), `(${this.expression(instance.value, type, depth + 1)})`);
    }
    result = result.replace(/\band\b/g, '&&').replace(/\bor\b/g, '||').replace(/\bnot\b ?/g, '!');
    result = result.replace(/_io\.pos/g, '($ - origin)').replace(/_io\.size/g, type.isSized ? 'stream' : '(std::mem::size() - origin)').replace(/_io\.eof/g, 'std::mem::eof()');
    result = result.replace(/(?<![.\w])_index(?!\w)/g, 'std::core::array_index()');
    return result.replace(/(?<![\w])(padding|float|bool|char)(?!\w)/g, '$1_');
  }

  typeOf(text, type, field) {
    const [, name, parameters] = /^(\w+)(?:\((.*)\))?$/.exec(text);
    if (scalars[name]) return scalars[name];
    if (name === this.format) return 'Actor<($ + size)>';  // an actor in an actor
    const values = (parameters ? parameters.split(/,\s*/) : []).filter((value) => !/\[_index\]/.test(value)).map((value) => this.expression(value, type).replace('($ - origin)', '$'));
    if (this.sized.has(name)) values.push(this.expression(field.size, type));
    return structName(name) + (values.length ? `<${values.map((value) => (/^[\w.]+$/.test(value) ? value : `(${value})`)).join(', ')}>` : '');
  }

  field(field, type) {
    const name = fieldName(field.id);
    const count = field.repeat === 'expr' ? `[${this.expression(field['repeat-expr'], type)}]` : field.repeat === 'eos' ? '[while(!std::mem::eof())]' : field.repeat === 'until' ? '[while(std::mem::size() - $ >= 12)]' : '';
    let text;
    if (field['size-eos']) text = `u8 ${name}[${type.isSized ? 'stream - ($ - origin)' : 'std::mem::size() - $'}];`;
    else if (field.type === undefined) text = `u8 ${name}[${this.expression(field.size, type)}];`;
    else if (typeof field.type === 'object' && field.size !== undefined) text = `u8 ${name}[${this.expression(field.size, type)}];`;
    else if (typeof field.type === 'object') {
      const cases = Object.entries(field.type.cases);
      const on = this.expression(field.type['switch-on'], type);
      if (cases.every(([value]) => /^(true|false)$/.test(value))) {
        const of = (value) => `${this.typeOf(cases.find(([one]) => one === value)[1], type, field)} ${name}${count};`;
        return `if (${on}) ${of('true')} else ${of('false')}`;
      }
      text = `match (${on}) {\n${cases.map(([value, to]) => `    (${value}): ${this.typeOf(to, type, field)} ${name}${count};`).join('\n')}\n}`;
    } else text = `${this.typeOf(field.type, type, field)} ${name}${count};`;
    if (field.if === undefined) return text;
    return `if (${this.expression(field.if, type)}) ${text.includes('\n') ? `{\n${text.replace(/^/gm, '    ')}\n}` : text}`;
  }

  struct(name, type, isTop = false) {
    const lines = [];
    const uses = (what) => JSON.stringify(type).includes(what);
    const parameters = (type.params ?? []).filter(({ type: of }) => scalars[of]).map(({ id }) => `auto ${id}`);
    if (type.isSized) parameters.push('auto stream');
    if (isTop || type.isSized || uses('_io.')) lines.push(isTop || type.isSized ? 'u64 origin = $;' : 'u64 origin = 0;');
    for (const [id, instance] of Object.entries(type.instances ?? {})) {
      if (instance.pos !== undefined && instance.type !== undefined)
        lines.push(`${scalars[instance.type]} ${id} @ ${isTop ? 'origin + ' : ''}${this.expression(instance.pos, type)} [[hidden]];`);
    }
    const endian = type.meta?.endian;
    if (endian?.['switch-on']) {
      const little = Object.keys(endian.cases).find((value) => endian.cases[value] === 'le');
      lines.push(`if (${endian['switch-on']} == ${little}) std::core::set_endian(std::mem::Endian::Little);`, 'else std::core::set_endian(std::mem::Endian::Big);');
    }
    for (const field of type.seq ?? []) {
      lines.push(this.field(field, type));
      for (const [id, behind] of variables) {
        if (type.instances?.[id] && field.id === behind) lines.push(`u32 ${id} = ${this.expression(type.instances[id].value, type)};`);
      }
    }
    // What Kaitai's groups find by asking the one before.
    if (this.format === 'x42' && name === 'group') lines.push('blend_total = blend_total + (vertex_influences == 0 ? 0 : (2 * vertex_influences - 1) * vertex_count);');
    if (isTop && name === 'Actor') parameters.push('auto end');
    const head = parameters.length ? `<${parameters.join(', ')}>` : '';
    return `struct ${isTop ? name : structName(name)}${head} {\n${lines.map((line) => line.replace(/^/gm, '    ')).join('\n')}\n};\n`;
  }

  /** The types, each behind those that it names. */
  order() {
    const done = [];
    const visit = (name) => {
      if (done.includes(name) || !this.types[name]) return;
      for (const other of Object.keys(this.types)) if (other !== name && new RegExp(`["(:\\s]${other}["(,]`).test(JSON.stringify(this.types[name].seq ?? []))) visit(other);
      if (!done.includes(name)) done.push(name);
    };
    for (const name of Object.keys(this.types)) visit(name);
    return done.filter((name) => !name.endsWith('_list'));
  }

  toString() {
    const { meta, doc } = this.description;
    for (const name of this.sized) this.types[name].isSized = true;
    const isChunked = this.types.mesh_lod !== undefined;
    const magic = magics[this.format] ? `#pragma magic [ ${magics[this.format]} ] @ 0x00\n` : '';
    const structs = this.order().map((name) => this.struct(name, this.types[name])).join('\n');
    let text = `#pragma description ${meta.title}\n${magic}#pragma endian little\n#pragma pattern_limit 10000000\n#pragma array_limit 10000000\n\n`
      + `// ${doc.trim().replace(/\n/g, '\n// ')}\n// Made by tests/kaitai/imhex.mjs of ${this.format}.ksy: change that.\n\nimport std.core;\nimport std.mem;\n\n`;
    if (this.format === 'x42') text += 'u64 blend_total = 0;\n\n';
    if (isChunked) text += 'using Actor<auto end>;\n\n';
    const top = this.struct(isChunked ? 'Actor' : 'File', { ...this.description, types: undefined }, true);
    text += `${structs}\n${isChunked ? top.replaceAll('std::mem::size()', 'end') : top}\n${isChunked ? 'Actor<(std::mem::size())>' : 'File'} file @ 0x00;\n`;
    if (this.format === 'x42') text = text.replace(/\[header\.group_count == 0 \? 0 : group\.last\.blend_end\]/, '[blend_total]');
    return text;
  }
}

const check = process.argv[2] === '--check';
const from = new URL('docs/formats/kaitai/', root), to = new URL('docs/formats/imhex/', root);
mkdirSync(to, { recursive: true });
for (const name of readdirSync(from).filter((file) => file.endsWith('.ksy'))) {
  const format = name.replace('.ksy', '');
  const text = String(new Pattern(format, parse(readFileSync(new URL(name, from), 'utf8'))));
  const file = new URL(`${format}.hexpat`, to);
  if (!check) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.log(`${fileURLToPath(file)} is not what tests/kaitai/imhex.mjs makes`);
    process.exitCode = 1;
  }
}
