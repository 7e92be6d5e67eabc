// The npm package as `./dev web` makes it: node --test tests/web/package.test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Effigy, EffigyError } from '../../build/web/effigy/index.js';

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

test('memory has a limit, which one call may have of its own', async () => {
  const effigy = await Effigy.create();
  const tooMuch = (error) => {
    assert.equal(error.status, 4);
    assert.deepEqual(error.findings.map(({ code }) => code), ['limit-memory']);
    return true;
  };
  await assert.rejects(effigy.convert([model], 'model.glb', { limitMemory: 1000 }), tooMuch);
  assert.equal((await effigy.convert([model], 'model.glb')).files.length, 1);
  effigy.close();
});

test('a Blob is a file like others', async () => {
  const effigy = await Effigy.create();
  const document = await effigy.open({ name: 'model.x42', data: new Blob([model.data]) });
  assert.deepEqual(Buffer.from(await document.bytes()), model.data);
  effigy.close();
});

test('side files are asked for by name', async () => {
  const effigy = await Effigy.create();
  const { files } = await effigy.convert([model], 'model.gltf');
  const [scene, ...others] = files;
  assert.deepEqual(others.map(({ name }) => name), ['model.bin']);
  await assert.rejects(effigy.convert([scene], 'again.x42'), EffigyError);
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
  effigy.close();
});
