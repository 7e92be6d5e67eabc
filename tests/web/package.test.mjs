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
