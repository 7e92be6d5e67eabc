/// The library's reference as Markdown, a page for each header: made of Doxygen's XML, so that it is searched and read like all pages.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const entities = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const decode = (text) => text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name) =>
  name[0] === '#' ? String.fromCodePoint(name[1] === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1))) : entities[name] ?? whole);

/** A tree of {name, attributes, children}; text is a string. Doxygen's XML is well-formed. */
function parse(xml) {
  const top = { name: '', attributes: {}, children: [] };
  const open = [top];
  for (const [, comment, tag, text] of xml.matchAll(/(<\?[^]*?\?>|<!--[^]*?-->)|<([^>]+)>|([^<]+)/g)) {
    if (comment) continue;
    if (text !== undefined) open.at(-1).children.push(decode(text));
    else if (tag[0] === '/') open.pop();
    else {
      const [, name, rest] = /^([\w:.-]+)([^]*)$/.exec(tag);
      const attributes = Object.fromEntries([...rest.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, key, value]) => [key, decode(value)]));
      const node = { name, attributes, children: [] };
      open.at(-1).children.push(node);
      if (!rest.endsWith('/')) open.push(node);
    }
  }
  return top;
}

const children = (node, name) => node.children.filter((child) => child.name === name);
const child = (node, name) => children(node, name)[0];
const textOf = (node) => (node === undefined ? '' : typeof node === 'string' ? node : node.children.map(textOf).join(''));

const escape = (text) => text.replace(/[\\`*_{}[\]<>|]/g, (letter) => (letter === '<' ? '&lt;' : letter === '>' ? '&gt;' : `\\${letter}`));
const code = (text) => (text.includes('`') ? escape(text) : `\`${text.replaceAll('|', '\\|')}\``);

/** A description as Markdown. */
function prose(node) {
  if (node === undefined) return '';
  if (typeof node === 'string') return escape(node.replace(/\s+/g, ' '));
  const inner = () => node.children.map(prose).join('');
  switch (node.name) {
    case 'para': return `${inner().trim()}\n\n`;
    case 'computeroutput': return code(textOf(node));
    case 'itemizedlist': case 'orderedlist': return `\n\n${children(node, 'listitem').map((item) => `- ${prose(item).trim().replace(/\n+/g, ' ')}`).join('\n')}\n\n`;
    case 'programlisting': case 'verbatim': return `\n\n\`\`\`cpp\n${node.name === 'verbatim' ? textOf(node) : children(node, 'codeline').map(textOf).join('\n')}\n\`\`\`\n\n`;
    case 'linebreak': return ' ';
    case 'ulink': return `[${inner()}](${node.attributes.url})`;
    case 'simplesect': case 'parameterlist': return inner();
    default: return inner();
  }
}

const described = (node) => `${prose(child(node, 'briefdescription'))}${prose(child(node, 'detaileddescription'))}`.replace(/\n[ ]+/g, '\n').trim();
const inLine = (node) => described(node).replace(/\s*\n+\s*/g, ' ');

const tidy = (text) => text.replace(/\s+/g, ' ').replace(/< /g, '<').replace(/ >/g, '>').replace(/ ([&*])(?=\w|$)/g, '$1 ').trim();

function declaration(member) {
  const text = (name) => textOf(child(member, name));
  const type = tidy(text('type'));
  const fixed = ['static', 'constexpr'].filter((word) => member.attributes[word] === 'yes' && !type.includes(word));
  if (member.attributes.kind === 'function') return `${[...fixed, type].filter(Boolean).join(' ')} ${text('name')}${tidy(text('argsstring'))}`.trim();
  if (member.attributes.kind === 'typedef') return tidy(text('definition'));
  return `${type} ${text('name')}${text('argsstring')} ${tidy(text('initializer'))}`.trim();
}

const membersOf = (compound) => children(compound, 'sectiondef').flatMap((section) => children(section, 'memberdef'))
  .filter((member) => member.attributes.prot === 'public' && !/^(~|operator)/.test(textOf(child(member, 'name'))));

function enumeration(member, level) {
  const name = textOf(child(member, 'name')) || 'values';
  const rows = children(member, 'enumvalue').map((value) => `| ${code(textOf(child(value, 'name')))} | ${inLine(value)} |`);
  return `${level} ${escape(name)}\n\n${described(member)}\n\n| value | meaning |\n|---|---|\n${rows.join('\n')}\n`;
}

const isFunction = (member) => member.attributes.kind === 'function';

function functions(members, level) {
  const named = Map.groupBy ? Map.groupBy(members, (member) => textOf(child(member, 'name'))) : members.reduce((all, member) => {
    const name = textOf(child(member, 'name'));
    return all.set(name, [...(all.get(name) ?? []), member]);
  }, new Map());
  return [...named].map(([name, several]) => `${level} ${escape(name)}\n\n${several.map((member) =>
    `\`\`\`cpp\n${declaration(member)}\n\`\`\`\n\n${described(member)}`).join('\n\n')}\n`).join('\n');
}

function record(compound, name) {
  const members = membersOf(compound);
  const short = name.split('::').at(-1);
  const fields = members.filter((member) => member.attributes.kind === 'variable' && !short.startsWith('@'));
  const methods = members.filter((member) => isFunction(member) && textOf(child(member, 'name')) !== short);
  let text = `## ${escape(name)}\n\n${described(compound)}\n\n`;
  if (fields.length) text += `| member | meaning |\n|---|---|\n${fields.map((field) => `| ${code(declaration(field))} | ${inLine(field)} |`).join('\n')}\n\n`;
  for (const kind of members.filter((member) => member.attributes.kind === 'enum')) text += `${enumeration(kind, '###')}\n`;
  return text + functions(methods, '###');
}

/** Writes the pages. */
export function reference(xml, out) {
  mkdirSync(out, { recursive: true });
  const read = (file) => child(child(parse(readFileSync(join(xml, file), 'utf8')), 'doxygen'), 'compounddef');
  const files = readdirSync(xml);
  const pages = new Map();
  const page = (header) => {
    if (!pages.has(header)) pages.set(header, { about: '', records: [], enums: [], functions: [], values: [] });
    return pages.get(header);
  };
  for (const file of files.filter((name) => /_8h(pp)?\.xml$/.test(name))) {
    const compound = read(file);
    page(child(compound, 'location').attributes.file).about = described(compound);
    if (/_8h\.xml$/.test(file)) sort(membersOf(compound));
  }
  for (const file of files.filter((name) => name.startsWith('namespace'))) sort(membersOf(read(file)));
  for (const file of files.filter((name) => /^(struct|class)/.test(name))) {
    const compound = read(file);
    const name = textOf(child(compound, 'compoundname')).replace(/^effigy::/, '');
    if (/detail|@|<|hash$/.test(name)) continue;
    page(child(compound, 'location').attributes.file).records.push({ name, compound, line: Number(child(compound, 'location').attributes.line) });
  }
  function sort(members) {
    for (const member of members) {
      const target = page(child(member, 'location').attributes.file);
      const list = { enum: target.enums, function: target.functions }[member.attributes.kind] ?? target.values;
      if (!list.some((known) => known.attributes.id === member.attributes.id)) list.push(member);
    }
  }
  const items = [];
  const names = [...pages.keys()].filter((name) => /^effigy\/.*\.hp?p?$/.test(name)).sort();
  for (const header of names) {
    const { about, records, enums, functions: free, values } = pages.get(header);
    const title = header.replace('effigy/', '');
    // Comments before the first namespace are the file's own.
    const first = about || headerComment(header);
    let text = `---\ntitle: ${title}\n---\n\n# ${title}\n\n${first}\n\n\`\`\`cpp\n#include "${header}"\n\`\`\`\n\n`;
    for (const { compound, name } of records.sort((left, right) => left.line - right.line)) text += `${record(compound, name)}\n`;
    for (const kind of enums) text += `${enumeration(kind, '##')}\n`;
    if (free.length) text += functions(free, '##');
    if (values.length) text += `\n## Constants, types and codes\n\n| declaration | meaning |\n|---|---|\n${values.map((value) => `| ${code(declaration(value))} | ${inLine(value)} |`).join('\n')}\n`;
    const stem = title.replace('.', '_');
    writeFileSync(join(out, `${stem}.md`), text);
    items.push({ text: title, link: `/reference/${stem}`, about: first });
  }
  const rows = items.map(({ text, link, about }) => `| [${text}](.${link.replace('/reference', '')}.md) | ${about.split(/\n\n/)[0].replace(/\n/g, ' ')} |`);
  writeFileSync(join(out, 'index.md'), `# The library's headers\n\nMade of the comments in \`include/effigy\`. A first user needs [effigy.hpp](./effigy_hpp.md), or [effigy.h](./effigy_h.md) from C.\n\n| header | what it has |\n|---|---|\n${rows.join('\n')}\n`);
}

/** The `///` lines at the top of a header. */
function headerComment(header) {
  const lines = readFileSync(new URL(`../include/${header}`, import.meta.url), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith('///'));
  if (start === -1 || start > 3) return '';
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('///'));
  return escape(lines.slice(start, end).map((line) => line.slice(3).trim()).join(' '));
}
