// The npm package as `./dev web` makes it: node --test tests/web/package.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Effigy, EffigyError } from '../../build/web/effigy/index.js';

const built = fileURLToPath(new URL('../../build/web/effigy/', import.meta.url));

const model = { name: 'model.x42', data: readFileSync(new URL('../x42/reference/le_full.x42', import.meta.url)) };

for (const worker of [false, true]) {
  test(`opens, says, checks, dumps, converts (worker: ${worker})`, async () => {
    const effigy = await Effigy.create({ worker });
    const document = await effigy.open(model);
    assert.equal(document.format, 'x42');
    assert.equal((await document.info()).format, 'x42');
    assert.ok(Array.isArray(await document.check()));
    assert.equal((await document.dump()).effigy_dump, 1);
    assert.match(await document.dump({ hex: true }), /ident = "HW42"/);
    assert.deepEqual(Buffer.from(await document.bytes()), model.data);
    const steps = [];
    const { files } = await document.convert('model.glb', { onProgress: (step) => steps.push(step.what) });
    assert.equal(Buffer.from(files[0].data.subarray(0, 4)).toString(), 'glTF');
    assert.deepEqual(steps, ['reading', 'writing']);
    assert.equal((await document.diff(document)).identical, true);
    effigy.close();
  });
}

test('says why a file is not read, and goes on', async () => {
  const effigy = await Effigy.create();
  await assert.rejects(effigy.open({ name: 'x.bin', data: new Uint8Array(9) }), (error) => {
    assert.ok(error instanceof EffigyError);
    assert.equal(error.status, 3);
    return true;
  });
  assert.equal((await effigy.open(model)).format, 'x42');
  effigy.close();
});

test('a cancelled call ends, and what follows works', async () => {
  const effigy = await Effigy.create();
  const document = await effigy.open(model);
  const before = new AbortController();
  before.abort();
  await assert.rejects(document.convert('model.glb', { signal: before.signal }), { name: 'AbortError' });
  const during = new AbortController();
  const conversion = document.convert('model.glb', { signal: during.signal, onProgress: () => during.abort() });
  setTimeout(() => during.abort(), 0);
  await assert.rejects(conversion, { name: 'AbortError' });
  assert.equal((await document.info()).format, 'x42');
  effigy.close();
});

/// Makes workers that never hear of a method's calls, which therefore last until something ends them.
const deafTo = (deaf, made = () => {}) => () => {
  const worker = new Worker(path.join(built, 'worker.js'));
  const post = worker.postMessage.bind(worker);
  worker.postMessage = (message) => { if (message.method !== deaf) post(message); };
  made(worker);
  return worker;
};
const turn = () => new Promise(setImmediate);

test('what waits while a call is cancelled is answered for its own document', async () => {
  const effigy = await Effigy.create({ worker: deafTo('convert') });
  const [unused, document] = [await effigy.open(model), await effigy.open(figure())];
  const during = new AbortController();
  const conversion = assert.rejects(effigy.convert([model], 'model.glb', { signal: during.signal }), { name: 'AbortError' });
  await turn();
  const others = [effigy.open(model), effigy.open(model), effigy.open(model)];
  await turn();
  unused.close();
  const answers = [document.info(), document.bytes(), document.check(document)];
  await turn();
  during.abort();
  await conversion;
  const [info, bytes] = await Promise.all(answers);
  assert.equal(info.format, 'xac');
  assert.deepEqual(Buffer.from(bytes), figure().data);
  for (const other of await Promise.all(others)) assert.equal((await other.info()).format, 'x42');
  effigy.close();
});

test('a call that waits is cancelled at once', async () => {
  const effigy = await Effigy.create({ worker: deafTo('convert') });
  const { generation } = effigy, running = assert.rejects(effigy.convert([model], 'model.glb'), /this Effigy was closed/);
  const waiting = new AbortController();
  let failure;
  effigy.convert([model], 'model.glb', { signal: waiting.signal }).catch((error) => (failure = error));
  await turn();
  waiting.abort();
  await turn();
  const ended = effigy.generation - generation;
  effigy.close();
  await running;
  assert.equal(failure?.name, 'AbortError');
  assert.equal(ended, 0, 'the worker goes on with the call that runs');
});

test('the signal of opening a document is for nothing else', async () => {
  const effigy = await Effigy.create();
  const opening = new AbortController(), during = new AbortController();
  const document = await effigy.open(model, { signal: opening.signal });
  opening.abort();
  const conversion = document.convert('model.glb', { signal: during.signal, onProgress: () => during.abort() });
  await assert.rejects(conversion, { name: 'AbortError' });
  assert.equal((await document.info()).format, 'x42'); // by the worker after that
  assert.equal((await document.convert('model.glb')).files.length, 1);
  effigy.close();
});

test('a model of another Effigy is refused', async () => {
  const [one, other] = [await Effigy.create(), await Effigy.create()];
  await assert.rejects((await one.open(model)).check(await other.open(model)), /same Effigy/);
  one.close();
  other.close();
});

test('a worker that dies fails the call, and another one begins', async () => {
  let worker;
  const effigy = await Effigy.create({ worker: deafTo('convert', (made) => (worker = made)) });
  const document = await effigy.open(model);
  const conversion = effigy.convert([model], 'model.glb');
  await turn();
  worker.terminate();
  await assert.rejects(conversion, /the worker has ended \(exit code 1\)/);
  assert.equal((await document.info()).format, 'x42');
  effigy.close();
});

test('a worker that cannot start says why', async () => {
  await assert.rejects(Effigy.create({ worker: new URL('data:text/javascript,throw new Error("no luck")') }), /the worker failed: no luck/);
});

for (const worker of [false, true]) {
  test(`an error in onProgress is what the call fails with (worker: ${worker})`, async () => {
    const effigy = await Effigy.create({ worker });
    const document = await effigy.open(model);
    const mine = new Error('mine');
    const onProgress = () => { throw mine; };
    await assert.rejects(document.convert('model.glb', { onProgress }), (error) => error === mine);
    assert.equal((await document.info()).format, 'x42');
    effigy.close();
  });

  test(`a call can be cancelled by what is told of its progress (worker: ${worker})`, async () => {
    const effigy = await Effigy.create({ worker });
    const during = new AbortController();
    const conversion = effigy.convert([model], 'model.glb', { signal: during.signal, onProgress: () => during.abort() });
    await assert.rejects(conversion, { name: 'AbortError' });
    assert.equal((await effigy.convert([model], 'model.glb')).files.length, 1);
    effigy.close();
  });
}

test('a signal that aborts after the end is heard by nobody', async () => {
  const effigy = await Effigy.create({ worker: deafTo('convert') });
  const during = new AbortController();
  const conversion = assert.rejects(effigy.convert([model], 'model.glb', { signal: during.signal }), /this Effigy was closed/);
  await turn();
  effigy.close();
  during.abort();
  await conversion;
});

/// A copy of the package, without the parts of its module.
function copied(use) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'effigy-package-'));
  cpSync(built, folder, { recursive: true, filter: (name) => !/wasm$/.test(name) });
  return use(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

test('a start that failed is not remembered', () =>
  copied(async (folder) => {
    const { open } = await import(pathToFileURL(path.join(folder, 'index.js')));
    await assert.rejects(open(model), { code: 'ENOENT' });
    copyFileSync(path.join(built, 'effigy.wasm'), path.join(folder, 'effigy.wasm'));
    assert.equal((await open(model)).format, 'x42');
  }));

test('a check has what was found when the file was opened', async () => {
  const effigy = await Effigy.create();
  const whole = figure(), document = await effigy.open({ ...whole, data: whole.data.subarray(0, 3000) });
  assert.ok(document.findings.some(({ code, severity }) => code === 'truncated' && severity === 'error'));
  assert.deepEqual((await document.check()).slice(0, document.findings.length), document.findings);
  effigy.close();
});

test('recognises a format from whatever data may be', async () => {
  const effigy = await Effigy.create();
  const { buffer } = new Uint8Array(model.data);
  for (const head of [model.data, buffer, new Blob([buffer])]) assert.equal((await effigy.recognize(head)).format, 'x42');
  await assert.rejects(effigy.recognize('text', 'a.xac'), { message: /^the data of "a.xac" is of type String/ });
  effigy.close();
});

test('says what data may be', async () => {
  const effigy = await Effigy.create();
  const wanted = (what) => ({ name: 'TypeError', message: `the data of ${what}: a Uint8Array, an ArrayBuffer or a Blob is wanted` });
  await assert.rejects(effigy.open({ name: 'a.xac', data: 'text' }), wanted('"a.xac" is of type String'));
  await assert.rejects(effigy.open(null), wanted('a file is null'));
  await assert.rejects(effigy.open([1, 2]), wanted('a file is of type Array'));
  await assert.rejects(effigy.convert([model], 'x.glb', { files: [{ name: 'side' }] }), wanted('"side" is undefined'));
  effigy.close();
});

const compiler = fileURLToPath(new URL('../../web/node_modules/.bin/tsc', import.meta.url));
/// What of the types of Node, by @types/node, the package's own types name.
const typesOfNode = `declare class URL { constructor(url: string); readonly href: string }
declare class Blob { constructor(parts?: readonly unknown[]); readonly size: number }
declare class Response { readonly status: number }
declare class AbortSignal { readonly aborted: boolean }
declare class Thread { postMessage(value: any, transfer?: readonly object[]): void; terminate(): Promise<number> }`;
const usage = (worker, wasm) => `import { Effigy, open } from 'effigy';
const document = await open(new Blob(), { signal: new AbortSignal() });
await open(new URL('file:///model.x42'));
const { files } = await document.convert('model.glb');
new Blob([files[0].data, await document.bytes()]);
const { buffer }: { buffer: ArrayBuffer } = files[0].data;
await Effigy.create({ worker: () => new ${worker}, wasm: ${wasm} });
// @ts-expect-error
await Effigy.create({ worker: () => 5 });`;

for (const [library, worker, wasm, globals] of [['ES2022', 'Thread()', "new URL('file:///x')", typesOfNode], ['ES2022,DOM', "Worker('x')", "await WebAssembly.compile(new Uint8Array())", '']]) {
  test(`has types with the libraries ${library}`, { skip: !existsSync(compiler) && 'no tsc' }, () =>
    copied(async (folder) => {
      writeFileSync(path.join(folder, 'globals.d.ts'), globals);
      writeFileSync(path.join(folder, 'use.mts'), usage(worker, wasm));
      const settings = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'ES2022', '--module', 'NodeNext', '--lib', library, '--types', ''];
      execFileSync(compiler, [...settings, 'globals.d.ts', 'use.mts'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    }));
}

test('memory has a limit, which one call may have of its own', async () => {
  const effigy = await Effigy.create();
  const tooMuch = (error) => {
    assert.equal(error.status, 4);
    assert.deepEqual(error.findings.map(({ code }) => code), ['limit-memory']);
    return true;
  };
  await assert.rejects(effigy.convert([model], 'model.glb', { limitMemory: 1000 }), tooMuch);
  for (const limitMemory of [undefined, Infinity]) assert.equal((await effigy.convert([model], 'model.glb', { limitMemory })).files.length, 1);
  effigy.close();
});

test('a Blob is a file like others', async () => {
  const effigy = await Effigy.create();
  const document = await effigy.open({ name: 'model.x42', data: new Blob([model.data]) });
  assert.deepEqual(Buffer.from(await document.bytes()), model.data);
  effigy.close();
});

test('says that a document is compared with another one', async () => {
  const effigy = await Effigy.create({ worker: false });
  const document = await effigy.open(model);
  await assert.rejects(document.diff(model), { name: 'TypeError', message: /is of type Object: a Document is wanted/ });
  await assert.rejects(document.diff(), { name: 'TypeError', message: /is undefined: a Document is wanted/ });
  await assert.rejects(document.check(model), { name: 'TypeError', message: /the model is of type Object: a Document is wanted/ });
  effigy.close();
});

test('side files are asked for by name', async () => {
  const effigy = await Effigy.create();
  const { files } = await effigy.convert([model], 'model.gltf');
  const [scene, ...others] = files;
  assert.deepEqual(others.map(({ name }) => name), ['model.bin']);
  await assert.rejects(effigy.convert([scene], 'again.x42'), { name: 'EffigyError', wanted: ['model.bin'] });
  const again = await effigy.convert([scene], 'again.x42', { files: others });
  assert.equal((await effigy.diff(model, again.files[0])).identical, true);
  effigy.close();
});

test('says which motions fit', async () => {
  const effigy = await Effigy.create();
  const { files } = await effigy.convert([model], 'model.glb');
  const answer = await effigy.match([model], [files[0]]);
  assert.equal(typeof answer, 'object');
  assert.ok(Array.isArray(answer.findings));
  effigy.close();
});

const figure = (name = 'lantern') => {
  const data = readFileSync(new URL('../../build/web/examples/figure.xac', import.meta.url));
  for (let at; (at = data.indexOf('\x07\0\0\0lantern')) >= 0 && name !== 'lantern'; ) data.set(Buffer.from(name, 'latin1'), at + 4);
  return { name: 'figure.xac', data };
};

for (const worker of [false, true]) {
  test(`what the first part of the module lacks is loaded (worker: ${worker})`, async () => {
    const effigy = await Effigy.create({ worker });
    const { files: scenes } = await effigy.convert([figure()], 'figure.glb');
    const { files } = await effigy.convert(scenes, 'again.xac');
    assert.deepEqual(Buffer.from(files[0].data), figure().data);
    const others = await effigy.convert(scenes, 'other.x42');
    assert.equal((await (await effigy.open(others.files[0])).check()).some(({ severity }) => severity === 'error'), false);
    const cut = { name: 'cut.xac', data: figure().data.subarray(0, 300000) };
    assert.ok((await effigy.open(cut)).findings.length > 0);
    effigy.close();
  });
}

test('without its second part, the module says what it needs', async () => {
  const wasm = readFileSync(new URL('../../build/web/effigy/effigy.wasm', import.meta.url));
  for (const worker of [false, true]) {
    const effigy = await Effigy.create({ worker, wasm });
    const { files } = await effigy.convert([figure()], 'figure.glb');
    await assert.rejects(effigy.convert(files, 'again.xac'), /second part of the module: give `rest`/);
    effigy.close();
  }
});

test('the module may be at an address relative to the page', async () => {
  const relative = (name) => Object.create(URL.prototype, { toString: { value: () => name } }); // as Next.js makes them
  globalThis.location = { href: pathToFileURL(path.join(built, 'page.html')).href };
  const effigy = await Effigy.create({ wasm: relative('effigy.wasm'), rest: relative('effigy-rest.wasm') }).finally(() => delete globalThis.location);
  const { files } = await effigy.convert([figure()], 'figure.glb');
  assert.equal((await effigy.convert(files, 'again.xac')).files.length, 1);
  effigy.close();
});

test('names in code pages', async () => {
  const effigy = await Effigy.create();
  for (const [encoding, name, text] of [[undefined, '\x80\xe9\xff\x9c\xdf\xa0x', '€éÿœß\xa0x'], ['CP949', '\x81\x41\xb0\xa1\xc6\x52x', '갂가힣x'], ['CP932', '\x83\x5c\x81\x60\xb1xy', 'ソ～ｱxy']]) {
    const model = figure(name), options = encoding ? { encoding } : {};
    const { files } = await effigy.convert([model], 'figure.glb', { options });
    const scene = Buffer.from(files[0].data), json = scene.subarray(20, 20 + scene.readUInt32LE(12)).toString();
    assert.ok(JSON.parse(json).nodes.some((node) => node.name === text), encoding);
    const back = await effigy.convert(files, 'figure.xac', { options });
    assert.deepEqual(Buffer.from(back.files[0].data), model.data);
  }
  const document = await effigy.open(figure());
  await assert.rejects(document.info({ encoding: 'nonsense' }), { status: 2, message: /code page nonsense is not known/ });
  effigy.close();
});
