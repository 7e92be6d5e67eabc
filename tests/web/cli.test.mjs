/// The program for Node beside the native one: the same text, exit code and bytes for every verb but `render` and
/// `view --serve`. Of the native one's vectors it takes those that WebAssembly has too: wider ones multiply and add at once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { root } from './browser.mjs';

const native = process.env.EFFIGY_PROGRAM ?? path.join(root, 'build/quick/effigy');
const compiled = process.env.EFFIGY_CLI ?? path.join(root, 'build/web/effigy/cli.js');
const examples = process.env.EFFIGY_WEB_EXAMPLES ?? path.join(root, 'build/web/examples');
const corpus = process.env.EFFIGY_CORPUS;
const absent = [native, compiled, examples].filter((name) => !existsSync(name));
const skip = absent.length ? `not there (./dev web): ${absent.join(', ')}` : false;

const narrow = { GLIBC_TUNABLES: 'glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX2_Usable,-FMA' };
// Of the largest number, where mathematical functions of C libraries matter; in the search for a bind pose they add up.
const tolerances = { files: 1e-5, all: 1e-4 };

let folder;
before(() => {
    if (skip) return;
    folder = mkdtempSync(path.join(os.tmpdir(), 'effigy-cli-'));
    const made = path.join(folder, 'made');
    mkdirSync(made);
    const figure = readFileSync(path.join(examples, 'figure.xac'));
    writeFileSync(path.join(made, 'cut.xac'), figure.subarray(0, 700000));
    writeFileSync(path.join(made, 'empty.xac'), '');
    writeFileSync(path.join(made, 'wrong.bin'), 'this is no model');
    const damaged = Buffer.from(figure);
    for (let at = 5000; at < damaged.length; at += 9973) damaged[at] ^= 0x5a;
    writeFileSync(path.join(made, 'damaged.xac'), damaged);
});
after(() => folder && rmSync(folder, { recursive: true, force: true }));

function run(program, words, settings) {
    return new Promise((resolve, reject) => {
        const child = spawn(program, words, { cwd: settings.cwd, env: { ...process.env, ...settings.env } });
        const [out, err] = [[], []];
        child.stdout.on('data', (piece) => out.push(piece));
        child.stderr.on('data', (piece) => err.push(piece));
        child.on('error', reject);
        child.on('close', (status) => resolve({ status, out: Buffer.concat(out), err: Buffer.concat(err).toString() }));
        child.stdin.on('error', () => {}); // who reads nothing may end first
        child.stdin.end(settings.stdin);
    });
}

/// Every file below a folder, with its bytes.
function tree(folder_, inside = '') {
    return readdirSync(path.join(folder_, inside)).sort().flatMap((name) => {
        const relative = path.join(inside, name), status = lstatSync(path.join(folder_, relative));
        if (status.isSymbolicLink()) return [];
        return status.isDirectory() ? tree(folder_, relative) : [[relative, readFileSync(path.join(folder_, relative))]];
    });
}

let places = 0;
/// Two folders, in which `in` leads to the examples, `made` to what is made here and `corpus` to the corpus.
function twoPlaces() {
    places += 1;
    return ['native', 'compiled'].map((name) => {
        const place = path.join(folder, `${places}-${name}`);
        mkdirSync(place);
        symlinkSync(examples, path.join(place, 'in'));
        symlinkSync(path.join(folder, 'made'), path.join(place, 'made'));
        if (corpus) symlinkSync(path.resolve(root, corpus), path.join(place, 'corpus'));
        return place;
    });
}

/// Where two byte strings differ first, in words.
function difference(name, a, b) {
    if (a.equals(b)) return '';
    let at = 0;
    while (at < a.length && a[at] === b[at]) ++at;
    let count = 0;
    for (let place = 0; place < Math.min(a.length, b.length); ++place) count += a[place] !== b[place];
    return `${name}: ${a.length} and ${b.length} bytes, ${count} differ, the first at ${at}`;
}

const number = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/g;

/// The largest distance of two texts' numbers, if nothing else differs.
function distanceOfTexts(a, b) {
    if (a.replace(number, '#') !== b.replace(number, '#')) return Infinity;
    const [left, right] = [a, b].map((text) => (text.match(number) ?? []).map(Number));
    return left.reduce((worst, value, index) => Math.max(worst, Math.abs(value - right[index]) / Math.max(1, Math.abs(value))), 0);
}

/// The numbers of each accessor of a GLB that holds floats.
function floatsOf(glb) {
    const size = glb.readUInt32LE(12), json = JSON.parse(glb.subarray(20, 20 + size)), parts = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
    return (json.accessors ?? []).map(({ bufferView, byteOffset = 0, componentType, count, type }) => {
        if (componentType !== 5126 || bufferView === undefined) return [];
        const view = json.bufferViews[bufferView], stride = view.byteStride ?? parts[type] * 4;
        const start = 28 + size + (view.byteOffset ?? 0) + byteOffset;
        return Array.from({ length: count * parts[type] }, (_, index) =>
            glb.readFloatLE(start + Math.floor(index / parts[type]) * stride + (index % parts[type]) * 4));
    });
}

function distanceOfGlbs(a, b) {
    const [left, right] = [floatsOf(a), floatsOf(b)];
    if (left.length !== right.length) return Infinity;
    return left.reduce((worst, values, index) => {
        if (values.length !== right[index].length) return Infinity;
        const size = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-3);
        return values.reduce((far, value, at) => Math.max(far, Math.abs(value - right[index][at]) / size), worst);
    }, 0);
}

/// Floats of the vertices of a binary PLY.
function distanceOfPlys(a, b) {
    const end = a.indexOf('end_header\n') + 11, header = a.subarray(0, end).toString();
    if (header !== b.subarray(0, end).toString()) return Infinity;
    const properties = [...header.split('element face')[0].matchAll(/property (\w+) \w+/g)].map(([, type]) => type);
    let worst = 0, at = end;
    for (let left = Number(/element vertex (\d+)/.exec(header)[1]) * properties.length; left > 0; --left) {
        const type = properties[(properties.length - (left % properties.length)) % properties.length];
        if (type === 'float') worst = Math.max(worst, Math.abs(a.readFloatLE(at) - b.readFloatLE(at)));
        at += type === 'float' ? 4 : 1;
    }
    return a.subarray(at).equals(b.subarray(at)) ? worst : Infinity;
}

/// The largest difference of two files of one name, as the native program sees them.
async function distance(name, places_, a, b) {
    if (/\.(bin|png)$/.test(name)) return 0; // of a .gltf or .obj, with which it is compared
    if (/\.(obj|mtl|json)$/.test(name)) return distanceOfTexts(a.toString(), b.toString());
    if (name.endsWith('.glb')) return distanceOfGlbs(a, b);
    if (name.endsWith('.ply')) return distanceOfPlys(a, b);
    const made = places_.map((place) => path.join(folder, `${path.basename(place)}.glb`));
    for (const [index, place] of places_.entries()) {
        const { status, err } = await run(native, ['convert', name, '-o', made[index]], { cwd: place, env: narrow });
        assert.equal(status, 0, err);
    }
    return distanceOfGlbs(...made.map((file) => readFileSync(file)));
}

/// Runs both in folders of their own. `near`: numbers may differ a little in files ('files') or in texts too ('all'); the
/// result is which do, and how much.
async function same(lines, settings = {}) {
    const [left, right] = twoPlaces(), { near } = settings, tolerance = tolerances[near];
    const differing = [];
    let worst = 0;
    // Numbers that differ a little have other digits, and files other sizes.
    const sizeless = (text) => (near ? text.replace(/\([\d.]+ [KM]B\)/g, '(size)') : text);
    const compare = (what, ...texts) => {
        const [a, b] = texts.map(sizeless);
        if (near === 'all') worst = Math.max(worst, distanceOfTexts(a, b));
        if (near !== 'all' || worst > tolerance) assert.equal(b.slice(0, 1 << 16), a.slice(0, 1 << 16), what);
    };
    for (const line of lines) {
        const words = Array.isArray(line) ? line : line.split(' ');
        const [a, b] = await Promise.all([
            run(native, words, { ...settings, cwd: left, env: narrow }),
            run(process.execPath, [compiled, ...words], { ...settings, cwd: right }),
        ]);
        const what = `effigy ${words.join(' ')}`;
        compare(`${what}: standard error`, a.err, b.err);
        if (!a.out.equals(b.out)) {
            compare(`${what}: standard output`, a.out.toString(), b.out.toString());
            if (near !== 'all') assert.fail(difference(what, a.out, b.out));
        }
        assert.equal(b.status, a.status, `${what}: exit code`);
    }
    const [a, b] = [tree(left), tree(right)];
    assert.deepEqual(b.map(([name]) => name), a.map(([name]) => name), 'files');
    const others = [];
    for (const [index, [name, bytes]] of a.entries()) {
        const differs = difference(name, bytes, b[index][1]);
        if (!differs) continue;
        const far = near ? await distance(name, [left, right], bytes, b[index][1]) : Infinity;
        worst = Math.max(worst, near ? far : 0);
        differing.push(name);
        if (!(far <= tolerance)) others.push(`${differs}, at most ${far} of the size`);
    }
    assert.deepEqual(others, []);
    rmSync(left, { recursive: true });
    rmSync(right, { recursive: true });
    return { worst, differing, says: differing.length ? `${differing.join(', ')}: at most ${worst} of the size` : 'all bytes are equal' };
}

const data = 'in/courier/assets/units/size_s';
const trader = ['trader.x42', 'animation.cfg', 'default.skin'].map((name) => `in/trader/models/players/trader/${name}`).join(' ');
const files = {
    XAC: 'in/figure.xac', XSM: 'in/walk.xsm', XPM: 'in/talk.xpm', X42: trader.split(' ')[0],
    component: `${data}/ship_courier.xml`, XMF: `${data}/ship_courier_data/part_hull-lod0.xmf`,
    avatar: 'in/signer/signer.jar', 'signed motion': 'in/signer/hello.cas.xml',
};
const scenes = {
    figure: 'in/figure.xac in/walk.xsm in/wave.xsm in/talk.xpm', courier: files.component, trader,
    signer: `${files.avatar} ${files['signed motion']}`,
};
const verbs = ['info', 'check', 'diff', 'match', 'convert', 'pose', 'render', 'view', 'dump', 'build', 'ls', 'unpack', 'pack', 'formats'];

test('help and usage', { skip }, async () => {
    await same(['--help', '--version', 'help', ['' ], 'nothing', '--nothing', 'help nothing', ...verbs.map((verb) => `help ${verb}`)]);
    await same(['convert', 'convert x.xac', 'info --jsonn x', 'convert in/figure.xac -o x.nothing', 'check --format nothing in/figure.xac',
        'pose in/figure.xac', 'build', 'pack', 'unpack', 'ls']);
});

test('formats', { skip }, () => same(['formats', 'formats --json']));

for (const [name, file] of Object.entries(files)) {
    test(`info, check, dump, build: ${name}`, { skip }, () => same([`info ${file}`, `info ${file} --json`, `check ${file}`, `check -v ${file}`,
        `check ${file} --json`, `dump ${file}`, `dump ${file} --hex`, `dump ${file} --json -q`, `dump ${file} --json -o dumped.json`,
        `build dumped.json -o built${path.extname(file)}`, `diff ${file} built${path.extname(file)}`]));
}

test('files that are damaged, cut off, empty, wrong or not there', { skip }, async () => {
    const lines = ['cut.xac', 'empty.xac', 'wrong.bin', 'damaged.xac', 'none.xac'].flatMap((name) => [`info made/${name}`, `check made/${name}`,
        `check made/${name} --json`, `dump made/${name}`, `convert made/${name} -o out.glb`, `convert made/${name} --allow-damaged -o out2.glb`]);
    await same([...lines, 'info made', 'check made', 'check in', 'check in --json', 'info nowhere', 'convert in/figure.xac -o nowhere/x.glb',
        'info in/figure.xac --limit-memory 1000'], { near: 'files' });
});

const wantsAll = Boolean(process.env.EFFIGY_CORPUS_WHOLE);
const skipLong = skip || (wantsAll ? false : 'takes long: ./dev web test runs it');

/// Angles become quaternions by functions of the C library, which differ in the last bit; an avatar's bind pose is
/// searched for with them, so that texts may say other numbers too.
const nearOf = (name) => (name === 'signer' ? 'all' : 'files');
const endings = ['xac', 'x42', 'xmf', 'obj', 'ply', 'xsm', 'xpm', 'cas', 'jarp', 'jar'];

for (const [name, inputs] of Object.entries(scenes)) {
    const near = nearOf(name);
    test(`convert: ${name} to GLB, glTF and every game format, and back`, { skip }, async (t) => {
        const { says } = await same([`convert ${inputs} -o x.glb`, `convert ${inputs} -o y.gltf`, 'info x.glb --json', 'check x.glb', ...(near === 'all' ? [] : ['dump x.glb']),
            ...endings.map((ending) => `convert x.glb -o back.${ending}`)], { near });
        t.diagnostic(says);
    });
    test(`convert: ${name} straight to every game format`, { skip: skipLong }, async (t) => {
        const { says } = await same(endings.map((ending) => `convert ${inputs} -o straight.${ending}`), { near });
        t.diagnostic(says);
    });
    test(`pose: ${name}`, { skip }, async (t) => {
        const { says } = await same([`pose ${inputs} -o rest.glb`, `pose ${inputs} --time 0.3 -o posed.glb`, `pose ${inputs} --time 0.3 -o posed.obj`,
            `pose ${inputs} --frames 0:3 --fps 7 -o frame.glb`], { near });
        t.diagnostic(says);
    });
}

test('diff and match', { skip }, () => same(['diff in/figure.xac in/figure.xac', 'diff in/figure.xac made/damaged.xac', 'diff in/figure.xac made/damaged.xac --json',
    'diff in/walk.xsm in/wave.xsm', 'diff in/walk.xsm in/figure.xac', 'match in', 'match in --json', 'match in/figure.xac in/walk.xsm in/talk.xpm']));

test('ls, unpack and pack', { skip }, () => same(['ls in/signer/signer.jar', 'ls in/signer/signer.jar --json', 'unpack in/signer/signer.jar -o out', 'pack out -o packed.jar',
    'pack out -o packed.cat', 'ls packed.cat', 'ls packed.cat --json', 'unpack packed.cat -o again', 'ls in/figure.xac']));

test('standard input and output are bytes', { skip }, async () => {
    const stdin = readFileSync(path.join(examples, 'figure.xac'));
    await same(['info -', 'check -', 'convert - -o out.glb', 'convert in/figure.xac -o -', 'dump - --json', 'convert - -o -'], { stdin });
});

/// The figure with other names, so that all bytes and pairs of a code page stand in some of them.
function withNames(bytes) {
    const figure = Buffer.from(readFileSync(path.join(examples, 'figure.xac')));
    let at = 0;
    for (const name of ['l_clavicle', 'l_upper_arm', 'l_forearm', 'r_clavicle', 'r_upper_arm', 'r_forearm', 'pelvis', 'lantern']) {
        const place = figure.indexOf(`${String.fromCharCode(name.length)}\0\0\0${name}`) + 4;
        assert.ok(place >= 4, name);
        for (let byte = 1; byte < name.length - 1; ++byte) figure[place + byte] = bytes[at++ % bytes.length];
    }
    return figure;
}

/// In three code pages, of one byte and of two, or in all.
test('names in code pages', { skip }, async () => {
    const upper = Array.from({ length: 128 }, (_, index) => 128 + index);
    const pages = { CP1252: upper, CP1250: upper, CP1251: upper, 'KOI8-R': upper, 'ISO-8859-1': upper, 'ISO-8859-15': upper,
        CP949: [0x81, 0x41, 0xb0, 0xa1, 0xc6, 0x52, 0xa2, 0xe6, 0x41, 0xca], CP932: [0x83, 0x5c, 0xb1, 0x88, 0x9f, 0x41, 0x81, 0x60, 0xfa, 0x40], CP936: [0x81, 0x40, 0xc4, 0xe3, 0x80, 0x41] };
    for (const [page, bytes] of Object.entries(pages)) {
        if (!wantsAll && !['CP1251', 'CP949', 'CP932'].includes(page)) continue;
        for (const [index, rotated] of (page === 'CP1252' ? [bytes, [...bytes.slice(60), ...bytes.slice(0, 60)]] : [bytes]).entries()) {
            const name = `${page}-${index}.xac`;
            writeFileSync(path.join(folder, 'made', name), withNames(rotated));
            await same([`info made/${name} --json --encoding ${page}`, `dump made/${name} --encoding ${page}`, `convert made/${name} --encoding ${page} -o x.glb`,
                `convert x.glb --no-records --encoding ${page} --target victoria2 -o plain.xac`, `convert x.glb --encoding ${page} -o back.xac`], { near: 'files' });
        }
    }
});

test('what Node cannot do says so', { skip }, async () => {
    const cwd = folder;
    const serve = await run(process.execPath, [compiled, 'view', '--serve', examples], { cwd });
    assert.equal(serve.status, 2);
    assert.match(serve.err, /^effigy view: --serve needs processes/);
    const render = await run(process.execPath, [compiled, 'render', path.join(examples, 'figure.xac'), '-o', 'x.png'], { cwd });
    assert.equal(render.status, 1);
    assert.match(render.err, /this build draws no pictures/);
});

/// Every file of the corpus.
function allBelow(folder_) {
    return readdirSync(folder_, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(xac|xsm|xpm|x42|xmf|jarp?|cas|glb|xml|ani)$/i.test(entry.name))
        .map((entry) => path.relative(folder_, path.join(entry.parentPath ?? entry.path, entry.name)))
        .sort()
        .map((name) => ({ name, ending: path.extname(name).toLowerCase() }));
}

test('conversions of the corpus, both ways', { skip: skipLong || (corpus && existsSync(corpus) ? false : 'EFFIGY_CORPUS names no folder') }, async (t) => {
    const chosen = allBelow(corpus), wrong = [];
    let worst = 0, others = 0;
    for (const { name, ending } of chosen) {
        try {
            const near = /\.(jarp?|ani)$/.test(ending) ? 'all' : 'files'; // angles: see nearOf()
            const { worst: far, differing } = await same([['info', `corpus/${name}`, '--json'], ['check', `corpus/${name}`, '--json'], ['convert', `corpus/${name}`, '-o', 'x.glb'],
                ['convert', 'x.glb', '-o', `back${ending}`]], { near });
            worst = Math.max(worst, far);
            others += differing.length ? 1 : 0;
        } catch (error) {
            wrong.push(`${name}: ${error.message.slice(0, 600)}`);
        }
    }
    t.diagnostic(`${chosen.length} files; what ${others} of them become differs, by at most ${worst} of the size`);
    assert.deepEqual(wrong, []);
});
