/// Makes the page: one file with everything in it. usage: node page/build.mjs OUTPUT [FOLDER-OF-EXAMPLES]
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const [output = path.join(here, '../../build/web/effigy.html'), examples] = process.argv.slice(2);
const library = path.join(here, '../../build/web/effigy'); // the package, with its module

const read = (name) => readFileSync(path.join(here, name), 'utf8');
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/// Of scripts in HTML only their own end tag ends them.
const inScript = (text) => text.replaceAll(/<(\/script|!--)/gi, '\\x3C$1');

/// The light of a room is smooth: a sixteenth of the samples looks the same, and costs seconds less without a GPU.
const fewerSamples = {
    name: 'fewer samples',
    setup(building) {
        building.onLoad({ filter: /three\.module\.js$/ }, ({ path: file }) => {
            const source = readFileSync(file, 'utf8'), wanted = 'const GGX_SAMPLES = 256;';
            if (!source.includes(wanted)) throw new Error(`${file} has no ${wanted}`);
            return { contents: source.replace(wanted, 'const GGX_SAMPLES = 16;'), loader: 'js' };
        });
    },
};

async function bundle(entry, format) {
    const made = await build({
        entryPoints: [path.join(here, entry)], bundle: true, minify: true, write: false, format, target: 'es2022', legalComments: 'none',
        platform: 'browser', plugins: [fewerSamples], external: ['node:*'], logLevel: 'warning', logOverride: { 'empty-import-meta': 'silent' },
        alias: { effigy: path.join(library, 'index.js'), 'three-effigy': path.join(here, '../packages/three-effigy/src/index.ts') },
    });
    return inScript(made.outputFiles[0].text);
}

function wasm(name) {
    return gzipSync(readFileSync(path.join(library, name)), { level: 9 }).toString('base64');
}

/// The files of a folder of the examples.
function below(name) {
    if (!name.endsWith('/')) return [name];
    return readdirSync(path.join(examples, name), { withFileTypes: true })
        .flatMap((entry) => below(`${name}${entry.name}${entry.isDirectory() ? '/' : ''}`)).sort();
}

function exampleFiles() {
    if (!examples) return '';
    const list = JSON.parse(read('examples.json')).map(({ title, text, picture, files }) => ({
        title, text,
        picture: `data:image/webp;base64,${readFileSync(path.join(here, 'pictures', picture)).toString('base64')}`,
        files: files.flatMap(below).map((name) => ({ name, gzip: gzipSync(readFileSync(path.join(examples, name)), { level: 9 }).toString('base64') })),
    }));
    return `<script type="application/json" id="effigy-examples">${JSON.stringify(list).replaceAll('<', '\\u003c')}</script>`;
}

const css = (await build({ entryPoints: [path.join(here, 'style.css')], minify: true, write: false })).outputFiles[0].text;
const script = await bundle('src/main.ts', 'esm');
const policy = [
    "default-src 'none'", `script-src ${hash(script)} 'wasm-unsafe-eval'`, `style-src ${hash(css)}`, 'worker-src blob:', 'img-src blob: data:',
    `connect-src ${process.env.EFFIGY_PAGE_CONNECT ?? "'none'"}`, "base-uri 'none'", "form-action 'none'",
].join('; ');
const parts = { CSP: policy, CSS: css, WORKER: await bundle('src/worker.ts', 'iife'), WASM: wasm('effigy.wasm'), REST: wasm('effigy-rest.wasm'), JS: script };
const page = read('index.html').replaceAll(/%(CSP|CSS|WORKER|WASM|REST|JS)%/g, (_, name) => parts[name])
    .replace('<!--effigy-examples-->', () => exampleFiles());
mkdirSync(path.dirname(output), { recursive: true });
writeFileSync(output, page);
console.log(`${output}: ${page.length} bytes, script ${script.length}, worker ${parts.WORKER.length}, wasm ${parts.WASM.length}, gzipped ${gzipSync(page).length}`);
