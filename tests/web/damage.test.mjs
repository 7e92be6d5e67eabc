/// Damaged files in the module: each is refused or read with findings, none ends it, and the next one is read as before.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { root } from './browser.mjs';

const examples = process.env.EFFIGY_WEB_EXAMPLES ?? path.join(root, 'build/web/examples');
const library = path.join(root, 'build/web/effigy/index.js');
const absent = [examples, library].filter((name) => !existsSync(name));
const skip = absent.length ? `not there (./dev web): ${absent.join(', ')}` : false;

/// Files of every format, and how many damaged ones are made of each: fewer of the large.
const files = [
    ['figure.xac', 100], ['walk.xsm', 300], ['talk.xpm', 300], ['trader/models/players/trader/trader.x42', 100],
    ['trader/models/players/trader/animation.cfg', 100], ['signer/hello.cas.xml', 100], ['signer/signer.jar', 10],
    ['courier/assets/units/size_s/ship_courier.xml', 100],
];

let EffigyError, effigy;
before(async () => {
    if (skip) return;
    const { Effigy, ...others } = await import(library);
    ({ EffigyError } = others);
    effigy = await Effigy.create({ worker: false });
});
after(() => effigy?.close());

/// The same numbers at each run (xorshift).
function numbers(seed) {
    let state = seed;
    return (below) => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % below;
    };
}

const extremes = [0, 1, 0x7f, 0x80, 0xff];

/// Cut, or with other bytes in a few places, often in its beginning, where counts and sizes are.
function damage(bytes, next) {
    if (next(8) === 0) return bytes.subarray(0, next(bytes.length));
    const damaged = Uint8Array.from(bytes);
    for (let count = 1 + next(6); count > 0; --count) {
        const at = next(next(2) ? Math.min(512, bytes.length) : bytes.length);
        for (let width = 1 + next(4); width > 0; --width) damaged[Math.min(at + width, bytes.length - 1)] = next(2) ? extremes[next(extremes.length)] : next(256);
    }
    return damaged;
}

/// What became of it: nothing but a refusal with its reason may be thrown.
async function outcomeOf(call) {
    try {
        await call();
        return 'read';
    } catch (error) {
        if (!(error instanceof EffigyError)) throw error;
        assert.ok(error.findings.length > 0 || error.message, 'it says why');
        return 'refused';
    }
}

for (const [name, count] of files) {
    test(`damaged: ${name}`, { skip }, async () => {
        const bytes = new Uint8Array(readFileSync(path.join(examples, name))), next = numbers(bytes.length);
        const whole = { name: path.basename(name), data: bytes };
        const convert = (data) => effigy.convert([{ ...whole, data }], 'out.glb', { limitMemory: 256 << 20 });
        const examine = async (data) => {
            const document = await effigy.open({ ...whole, data }, { limitMemory: 256 << 20 });
            try {
                await document.check();
                await document.dump();
            } finally {
                document.close();
            }
        };
        const before = await outcomeOf(() => convert(bytes));
        for (let made = 0; made < count; ++made) {
            const data = damage(bytes, next);
            await outcomeOf(() => examine(data));
            await outcomeOf(() => convert(data));
        }
        assert.equal(await outcomeOf(() => convert(bytes)), before);
        assert.equal(await outcomeOf(() => examine(bytes)), 'read');
    });
}
