/// What file(1) says of files by docs/formats/identify/effigy.magic, and which signatures of effigy-signatures.xml they have: both
/// must name the format that the file's name ends with. Prints "FORMAT: N files", and what differs.
///
///     node identify.mjs PROGRAM FOLDER

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../docs/formats/identify/', import.meta.url);
const names = { xac: /\(XAC\)/, xsm: /\(XSM\)/, xpm: /\(XPM\)/, xmf: /\(XMF\)/, ani: /\(ANI\)/, x42: /^X42/, jarp: /^ARP/ };

/** A sequence of PRONOM's as a regular expression over bytes as letters: pairs of digits, and ranges in brackets. */
const expression = (sequence) => new RegExp(`^${sequence.replace(/\[([0-9A-F]{2}):([0-9A-F]{2})\]|([0-9A-F]{2})/g,
  (_, first, last, one) => (one ? `\\x${one}` : `[\\x${first}-\\x${last}]`))}`, 's');

const xml = readFileSync(new URL('effigy-signatures.xml', folder), 'utf8');
const signatures = [...xml.matchAll(/<InternalSignature ID="(\d+)"[^]*?SubSeqMinOffset="(\d+)"[^]*?<Sequence>([^<]+)<[^]*?<\/InternalSignature>/g)]
  .map(([, id, offset, sequence]) => ({ id, offset: Number(offset), pattern: expression(sequence) }));
const formats = [...xml.matchAll(/<FileFormat ID="[^]*?<\/FileFormat>/g)].map(([text]) => ({
  ids: [...text.matchAll(/<InternalSignatureID>(\d+)</g)].map(([, id]) => id),
  extensions: [...text.matchAll(/<Extension>([^<]+)</g)].map(([, extension]) => extension),
}));

const files = readdirSync(process.argv[3]).filter((name) => names[name.split('.').pop()]).map((name) => join(process.argv[3], name));
const counts = new Map();
for (let at = 0; at < files.length; at += 200) {
  const some = files.slice(at, at + 200);
  const said = execFileSync('file', ['-b', '-m', fileURLToPath(new URL('effigy.magic', folder)), ...some], { encoding: 'utf8' }).trim().split('\n');
  some.forEach((file, index) => {
    const format = file.split('.').pop();
    const bytes = readFileSync(file).subarray(0, 64).toString('latin1');
    counts.set(format, (counts.get(format) ?? 0) + 1);
    // Without animations there is nothing to be told by.
    if (format === 'ani' && bytes.charCodeAt(0) === 0 && bytes.charCodeAt(1) === 0) return;
    const found = signatures.filter(({ offset, pattern }) => pattern.test(bytes.slice(offset))).map(({ id }) => id);
    const wanted = formats.filter(({ extensions }) => extensions.includes(format)).flatMap(({ ids }) => ids);
    if (!names[format].test(said[index])) fail(`${file}: file says ${said[index]}`);
    if (found.length !== 1 || !wanted.includes(found[0])) fail(`${file}: has the signatures ${found.join(' ') || 'of none'}`);
  });
}
function fail(text) {
  console.log(`differs: ${text}`);
  process.exitCode = 1;
}
for (const [format, count] of counts) console.log(`${format}: ${count} files`);
