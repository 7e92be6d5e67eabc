/// Makes the package as it is published. usage: node packages/three-effigy/build.mjs OUTPUT
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url)), web = path.join(here, '../..');
const output = path.resolve(process.argv[2] ?? path.join(web, '../build/web/three-effigy'));
const entries = ['index', 'viewer-element', 'avatar'];

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
await build({
    entryPoints: entries.map((name) => path.join(here, 'src', `${name}.ts`)), outdir: output, bundle: true, splitting: true, format: 'esm', target: 'es2022',
    platform: 'browser', external: ['three', 'three/*', 'effigy'], chunkNames: 'chunk-[hash]', legalComments: 'none', logLevel: 'warning',
});
execFileSync(path.join(web, 'node_modules/.bin/tsc'), ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly',
    '--rootDir', path.join(here, 'src'), '--outDir', path.join(output, 'types'), '--composite', 'false', '--incremental', 'false', ...typesOnly()], { cwd: web, stdio: 'inherit' });
const description = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
description.sideEffects = ['./viewer-element.js'];
description.types = './types/index.d.ts';
description.exports = Object.fromEntries(entries.map((name) => [name === 'index' ? '.' : `./${name}`, { types: `./types/${name}.d.ts`, default: `./${name}.js` }]));
writeFileSync(path.join(output, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
copyFileSync(path.join(here, 'README.md'), path.join(output, 'README.md'));
copyFileSync(path.join(web, '../LICENSE'), path.join(output, 'LICENSE'));
for (const name of entries) console.log(`${name}.js: ${statSync(path.join(output, `${name}.js`)).size} bytes, brotli ${brotliCompressSync(readFileSync(path.join(output, `${name}.js`))).length}`);

/// The package's own sources only: a configuration beside the output.
function typesOnly() {
    const file = path.join(output, 'tsconfig.json');
    writeFileSync(file, JSON.stringify({ extends: path.join(web, 'tsconfig.json'), include: [path.join(here, 'src')] }));
    process.on('exit', () => rmSync(file, { force: true }));
    return ['-p', file];
}
