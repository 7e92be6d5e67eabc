/// What the web part is held to: how large the module is, how fast it converts beside the native program, how soon a
/// model is seen on the page, and what is wrong with a file. usage: node tests/web/bench.mjs [ROUNDS], with EFFIGY_PROGRAM built for speed (./dev web bench)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { Effigy } from '../../build/web/effigy/index.js';
import { launch, missing, openPage, root } from './browser.mjs';

const rounds = Number(process.argv[2] ?? 15);
const examples = process.env.EFFIGY_WEB_EXAMPLES ?? path.join(root, 'build/web/examples');
const program = process.env.EFFIGY_PROGRAM ?? path.join(root, 'build/effigy');

const cases = {
    figure: { inputs: ['figure.xac', 'walk.xsm', 'talk.xpm'] },
    ship_courier: { inputs: ['courier/assets/units/size_s/ship_courier.xml'], folder: 'courier' },
    trader: { inputs: ['trader.x42', 'animation.cfg', 'default.skin'].map((name) => `trader/models/players/trader/${name}`), folder: 'trader' },
    signer: { inputs: ['signer/signer.jar', 'signer/hello.cas.xml'] },
};

/// What is not a model, or not whole.
const wrong = {
    'wrong.xac': () => Buffer.from('this is no model'),
    'cut.xac': () => readFileSync(path.join(examples, 'figure.xac')).subarray(0, 700000),
    'huge.xac': () => Buffer.concat([readFileSync(path.join(examples, 'figure.xac')), Buffer.alloc(500 << 20)]),
};

const sorted = (values) => [...values].sort((a, b) => a - b);
const median = (values) => sorted(values)[values.length >> 1];
/// "median (lowest to highest)"
const spread = (values, digits) => `${median(values).toFixed(digits)} (${sorted(values)[0].toFixed(digits)} to ${sorted(values).at(-1).toFixed(digits)})`;

function below(folder) {
    return readdirSync(path.join(examples, folder), { withFileTypes: true })
        .flatMap((entry) => (entry.isDirectory() ? below(path.join(folder, entry.name)) : [path.join(folder, entry.name)]));
}

const read = (name) => ({ name, data: new Uint8Array(readFileSync(path.join(examples, name))) });

function sizes() {
    for (const name of ['effigy.wasm', 'effigy-rest.wasm']) {
        const bytes = readFileSync(path.join(root, 'build/web/effigy', name));
        const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
        console.log(`${name}: ${bytes.length} bytes, gzip ${gzipSync(bytes, { level: 9 }).length}, brotli ${brotli.length}`);
    }
}

function timed(call) {
    const start = performance.now();
    const result = call();
    const took = () => performance.now() - start;
    return result instanceof Promise ? result.then(took) : took();
}

function runNative(words) {
    const { status, stderr } = spawnSync(program, words);
    if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
}

/// The native program's time is without its start. Both read, convert and write; the module's files are in memory.
async function speed(folder) {
    const effigy = await Effigy.create({ worker: false });
    for (const [name, { inputs, folder: sides }] of Object.entries(cases)) {
        const given = inputs.map(read), files = (sides ? below(sides) : []).map(read);
        const words = ['convert', ...inputs.map((input) => path.join(examples, input)), '--overwrite', '-o', path.join(folder, `${name}.glb`)];
        const convert = () => effigy.convert(given, `${name}.glb`, { files });
        for (let warm = 0; warm < 5; ++warm) await convert();
        const times = { module: [], native: [], ratio: [] };
        for (let round = 0; round < rounds; ++round) {
            const start = timed(() => runNative(['--version']));
            const native = Math.max(timed(() => runNative(words)) - start, 0.1), module = await timed(convert);
            times.module.push(module);
            times.native.push(native);
            times.ratio.push(native / module);
        }
        console.log(`${name} to GLB: ${median(times.module).toFixed(1)} ms, native ${median(times.native).toFixed(1)} ms, speed ${spread(times.ratio, 2)}`);
    }
    effigy.close();
}

/// From the choice of the files to the frame that shows the model; the page is fresh and its module compiled, or not.
async function firstPicture(context, files, isSettled) {
    const { page } = await openPage(context);
    if (isSettled) await page.waitForTimeout(1500);
    await page.evaluate(() => {
        document.addEventListener('change', () => (globalThis.chosen = performance.now()), { capture: true, once: true });
        globalThis.seen = new Promise((done) => {
            const look = () => {
                const { active, stage } = globalThis.effigyPage;
                if (!active?.model) return requestAnimationFrame(look);
                stage.draw();
                stage.renderer.getContext().finish();
                requestAnimationFrame(() => done(performance.now() - globalThis.chosen));
            };
            look();
        });
    });
    await page.setInputFiles('#choose-files', files.map((name) => path.join(examples, name)));
    const took = await page.evaluate(() => globalThis.seen);
    await page.close();
    return took;
}

/// From the choice of a file to the message, or the finding, that says what is wrong with it.
async function firstDiagnostic(context, file) {
    const { page } = await openPage(context);
    await page.evaluate(() => document.addEventListener('change', () => (globalThis.chosen = performance.now()), { capture: true, once: true }));
    await page.setInputFiles('#choose-files', file);
    const took = await page.evaluate(() => new Promise((done) => {
        const look = () => {
            if (!document.querySelector('#message.error, #tab-Check .badge')) return setTimeout(look, 10);
            done(performance.now() - globalThis.chosen);
        };
        look();
    }));
    await page.close();
    return took;
}

async function diagnostics(context, folder) {
    for (const [name, make] of Object.entries(wrong)) {
        const file = path.join(folder, name), times = [];
        writeFileSync(file, make());
        for (let round = 0; round < 3; ++round) times.push(await firstDiagnostic(context, file));
        console.log(`${name}, ${readFileSync(file).length} bytes, on the page: its diagnostic after ${spread(times, 0)} ms`);
    }
}

async function pages(folder) {
    const why = missing();
    if (why) {
        console.log(`the page: not measured: ${why}`);
        return;
    }
    const browser = await launch();
    for (const [name, { inputs, folder }] of Object.entries(cases)) {
        for (const isSettled of [true, false]) {
            const times = [];
            for (let round = 0; round < 5; ++round) times.push(await firstPicture(browser.context, folder ? below(folder) : inputs, isSettled));
            console.log(`${name} on the page: ${spread(times, 0)} ms after the drop, ${isSettled ? 'onto a page that is open' : 'at once after the page was opened'}`);
        }
    }
    await diagnostics(browser.context, folder);
    await browser.close();
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'effigy-bench-'));
sizes();
await speed(folder);
await pages(folder);
rmSync(folder, { recursive: true, force: true });
