/// The page in a browser: each control does what it says, files of every format are shown, wrong ones say why, nothing
/// is asked of any network, and nobody is locked out.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { launch, missing, openPage, require, root } from './browser.mjs';

const examples = process.env.EFFIGY_WEB_EXAMPLES ?? path.join(root, 'build/web/examples');
const program = process.env.EFFIGY_PROGRAM ?? path.join(root, 'build/quick/effigy');
const skip = missing() || (existsSync(examples) && existsSync(program) ? false : `no examples: ${examples}, ${program}`);
/// Addresses that may be asked for: none but the page's own. (A stand-in for the library may need one.)
const allowed = new RegExp(`^(file:.*/${process.env.EFFIGY_PAGE ? '[^/]*' : 'effigy'}\\.html${process.env.EFFIGY_PAGE_CONNECT ? `|${process.env.EFFIGY_PAGE_CONNECT}.*` : ''})$`);

let browser, folder, page, log;

async function fresh(settings) {
    await page?.close();
    ({ page, log } = await openPage(browser.context, settings));
}

const shown = (name) => page.waitForFunction((of) => {
    const { active } = globalThis.effigyPage;
    return active?.model && (!of || active.name === of);
}, name);
const choose = (...files) => page.setInputFiles('#choose-files', files);
const ask = (code, given) => page.evaluate(code, given);

async function openExample(index, name) {
    await fresh();
    await page.locator('.example').nth(index).click();
    await shown(name);
    await ask(() => { const { player } = globalThis.effigyPage.active.model; player.playing = false; player.fade = 0; });
}

/// How many pixels of the picture are others than before. They are compared in the page: to hand them over takes seconds.
async function changed(action, wait = 250) {
    const compare = () => ask(() => {
        const { stage } = globalThis.effigyPage;
        stage.draw();
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [320, 200];
        const pen = copy.getContext('2d', { willReadFrequently: true });
        pen.drawImage(stage.canvas, 0, 0, 320, 200);
        const now = pen.getImageData(0, 0, 320, 200).data;
        const before = globalThis.pictureBefore ?? now;
        globalThis.pictureBefore = now;
        let count = 0;
        for (let at = 0; at < now.length; at += 4) count += Math.abs(now[at] - before[at]) + Math.abs(now[at + 1] - before[at + 1]) + Math.abs(now[at + 2] - before[at + 2]) > 24;
        return count;
    });
    await compare();
    await action();
    await page.waitForTimeout(wait);
    return compare();
}

const wantsAll = Boolean(process.env.EFFIGY_CORPUS_WHOLE);

describe('the page', { skip }, () => {
    before(async () => {
        browser = await launch();
        folder = mkdtempSync(path.join(os.tmpdir(), 'effigy-page-'));
    });
    after(async () => {
        await browser?.close();
        if (folder) rmSync(folder, { recursive: true, force: true });
    });
    afterEach(() => {
        assert.deepEqual(log.errors, [], 'nothing is logged');
        assert.deepEqual(log.requests.filter((address) => !allowed.test(address)), [], 'nothing is asked for');
    });

    test('explains itself, and shows each example', async () => {
        await fresh();
        assert.match(await page.locator('#welcome').innerText(), /Drop a game’s character, ship or signing avatar here/);
        for (const [index, name] of ['figure', 'ship_courier', 'trader', 'signer'].entries()) {
            await openExample(index, name);
            assert.ok(await changed(() => ask(() => { globalThis.effigyPage.active.model.root.visible = false; })) > 500, `${name} is seen`);
        }
    });

    test('switches change the picture, and back', async () => {
        await openExample(0, 'figure');
        for (const name of ['Wireframe', 'Skeleton', 'Bounds', 'Collision', 'Grid']) {
            const button = page.locator('#tools').getByRole('button', { name });
            const before = await button.getAttribute('aria-pressed');
            assert.ok(await changed(() => button.click()) > 40, `${name} is seen`);
            assert.notEqual(await button.getAttribute('aria-pressed'), before);
            assert.ok(await changed(() => button.click()) > 40, `${name} is gone`);
        }
        for (const surface of ['clay', 'normals', 'uv', 'material']) assert.ok(await changed(() => page.selectOption('#tools select', surface)) > 500, surface);
        assert.ok(await changed(() => page.selectOption('#panel select', '1')) > 5, 'the next level of detail');
        assert.equal(await ask(() => globalThis.effigyPage.active.model.level), 1);
        assert.ok(await changed(() => page.getByRole('button', { name: 'Dark or light' }).click()) > 5000, 'the other theme');
    });

    test('orbit, framing and keys', async () => {
        await openExample(1, 'ship_courier');
        await page.locator('#stage canvas').focus();
        assert.ok(await changed(() => page.keyboard.press('ArrowLeft')) > 200, 'it turns');
        assert.ok(await changed(() => page.keyboard.press('+')) > 200, 'it comes closer');
        assert.ok(await changed(() => page.keyboard.press('f')) > 200, 'it is framed');
        const box = await page.locator('#stage canvas').boundingBox();
        const drag = async () => {
            await page.mouse.move(box.x + 200, box.y + 300);
            await page.mouse.down();
            await page.mouse.move(box.x + 320, box.y + 320, { steps: 4 });
            await page.mouse.up();
        };
        assert.ok(await changed(drag) > 200, 'the mouse turns it');
        await page.keyboard.press(' ');
        assert.equal(await ask(() => globalThis.effigyPage.active.model.player.playing), true);
        assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Pause');
    });

    test('clips: play, pause, scrub, speed, loop, crossfade', async () => {
        await openExample(0, 'figure');
        const player = (what) => ask((name) => { const { player } = globalThis.effigyPage.active.model; return name === 'clip' ? player.clip?.name ?? '' : player[name]; }, what);
        assert.ok(await changed(() => page.locator('#scrub').fill('0.6')) > 100, 'the moment is seen');
        assert.ok(Math.abs(await player('time') - 0.6) < 1e-6);
        assert.match(await page.locator('#player .time').innerText(), /^0\.60 \/ 1\.20 s$/);
        await page.locator('#player').getByLabel('Speed').selectOption('0.5');
        assert.equal(await player('speed'), 0.5);
        assert.ok(await changed(() => page.locator('#play').click(), 500) > 100, 'it plays');
        await page.locator('#play').click();
        assert.ok(await changed(async () => {}, 300) < 5, 'it stands still');
        await page.getByRole('button', { name: 'Loop' }).click();
        assert.equal(await player('loop'), false);
        await page.locator('#scrub').fill('1.1');
        await page.locator('#player').getByLabel('Speed').selectOption('4');
        await page.locator('#play').click();
        await page.waitForFunction(() => !globalThis.effigyPage.active.model.player.playing);
        assert.ok(await player('time') >= 1.19, 'it ends at the end');
        await page.click('#tab-Motion');
        await page.getByLabel('Crossfade').fill('1');
        assert.equal(await player('fade'), 1);
        await page.locator('.clip[data-clip=wave]').click();
        assert.equal(await player('clip'), 'wave');
        await page.locator('#player').getByLabel('Clip').selectOption('');
        assert.equal(await player('clip'), '');
        assert.equal(await page.locator('.fits li').count(), 3, 'motions that fit');
    });

    test('sliders move vertices', async () => {
        await openExample(0, 'figure');
        await page.click('#tab-Motion');
        assert.ok(await page.locator('.morphs input').count() >= 14);
        const place = () => ask(() => {
            let sum = 0;
            globalThis.effigyPage.active.model.scene.traverse((mesh) => {
                if (!mesh.isMesh || !mesh.morphTargetInfluences || mesh.userData.twin) return;
                const at = mesh.position.clone();
                for (let index = 0; index < mesh.geometry.attributes.position.count; ++index) sum += mesh.getVertexPosition(index, at).length();
            });
            return sum;
        });
        const before = await place();
        await page.locator('[data-morph=smile]').fill('1');
        assert.ok(Math.abs(await place() - before) > 1e-4);
        await page.getByRole('button', { name: 'Reset' }).click();
        assert.ok(Math.abs(await place() - before) < 1e-9);
    });

    test('parts are hidden, isolated, and picked in the picture', async () => {
        await openExample(0, 'figure');
        assert.ok(await changed(() => page.getByRole('button', { name: 'Hide hat', exact: true }).click()) > 20, 'the hat is gone');
        assert.ok(await changed(() => page.getByRole('button', { name: 'Only lantern.mesh', exact: true }).click()) > 500, 'only the lantern');
        assert.ok(await changed(() => page.getByRole('button', { name: 'Only lantern.mesh', exact: true }).click()) > 500, 'everything again');
        const box = await page.locator('#stage canvas').boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        assert.equal(await page.locator('.tree .row.selected').count(), 1, 'a part is selected');
        assert.match(await page.locator('.facts').first().innerText(), /Triangles\s+13,884/);
        await page.click('#tab-Materials');
        assert.ok(await page.locator('.materials .card').count() === 3);
        await page.getByRole('button', { name: 'Enlarge Colour texture' }).first().click();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
    });

    test('a level of detail is hidden, isolated and marked with its part', async () => {
        await openExample(0, 'figure');
        const drawn = () => ask(() => {
            const { stage, active } = globalThis.effigyPage, names = [];
            stage.draw();
            active.model.scene.traverseVisible((object) => { if (object.isMesh && object.layers.mask === 1) names.push(`${active.model.partOf(object).name}${object.userData.twin ? ', marked' : ''}`); });
            return names.sort();
        });
        await page.locator('.tree .label', { hasText: 'body.mesh' }).click();
        assert.ok((await drawn()).includes('body.mesh, marked'));
        await page.selectOption('#panel select', '1');
        const coarse = await drawn();
        assert.deepEqual(coarse.filter((name) => name.startsWith('body')), ['body.lod1'], 'the mark of the finest level is gone as well');
        await page.getByRole('button', { name: 'Only body.mesh', exact: true }).click();
        assert.deepEqual(await drawn(), ['body.lod1']);
        await page.getByRole('button', { name: 'Only body.mesh', exact: true }).click();
        assert.deepEqual(await drawn(), coarse);
        await page.getByRole('button', { name: 'Hide body.mesh', exact: true }).click();
        assert.deepEqual(await drawn(), coarse.filter((name) => name !== 'body.lod1'));
    });

    test('arrows go through the tree as it is seen, and the browser keeps its own keys', async () => {
        await openExample(0, 'figure');
        const labels = page.locator('.tree .label'), focused = () => ask(() => document.activeElement.textContent);
        await labels.first().focus();
        for (const name of (await labels.allInnerTexts()).slice(1, 6)) {
            await page.keyboard.press('ArrowDown');
            assert.equal(await focused(), name);
        }
        await page.keyboard.press('ArrowUp');
        assert.equal(await focused(), await labels.nth(4).innerText());
        const hidden = () => page.locator('.tree .row:focus-within.hidden-part').count();
        await ask(() => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'h', ctrlKey: true, bubbles: true })));
        assert.equal(await hidden(), 0);
        await page.keyboard.press('h');
        assert.equal(await hidden(), 1);
    });

    test('a finding selects its part and its bytes; fields and bytes lead to one another', async () => {
        const damaged = Buffer.from(readFileSync(path.join(examples, 'figure.xac')));
        const dump = JSON.parse(execFileSync(program, ['dump', path.join(examples, 'figure.xac'), '--json', '-q'], { maxBuffer: 1 << 28 }));
        const chunk = dump.value.find((field) => / mesh$/.test(field.name));
        const layer = chunk.value.find((field) => field.name === 'layer[1]').value.find((field) => field.name === 'data');
        damaged.writeUInt32LE(0x7fc00000, layer.offset + 24); // not a number
        writeFileSync(path.join(folder, 'damaged.xac'), damaged);
        await fresh();
        await choose(path.join(folder, 'damaged.xac'));
        await shown('damaged');
        await page.click('#tab-Check');
        await page.locator('.finding', { hasText: 'not-finite' }).first().click();
        await page.waitForFunction(() => document.querySelector('.hex i.marked'));
        assert.equal(Number(await page.locator('.cells i.marked').first().getAttribute('data-offset')), layer.offset + 24);
        await page.waitForFunction(() => globalThis.effigyPage.selected);
        assert.equal(await ask(() => globalThis.effigyPage.active.model.partOf(globalThis.effigyPage.selected).mesh.chunk), Number(/\d+/.exec(chunk.name)[0]));
        assert.match(await page.locator('.field.marked').innerText(), /data/);
        await page.locator('.bytes .offset').fill('0');
        await page.locator('.bytes .offset').press('Enter');
        assert.match(await page.locator('.field.marked').innerText(), /magic/);
        assert.match(await page.locator('.here').innerText(), /magic = "XAC "/);
        await page.locator('.field', { hasText: 'major_version' }).click();
        assert.equal(await page.locator('.cells i.marked').first().getAttribute('data-offset'), '4');
        await page.locator('.cells i').nth(6).click();
        assert.match(await page.locator('.field.marked').innerText(), /endian|multiplication_order/);
    });

    test('a byte leads to the element of a block, in either byte order', async () => {
        const here = async (offset) => {
            await page.locator('.bytes .offset').fill(String(offset));
            await page.locator('.bytes .offset').press('Enter');
            await page.waitForFunction((at) => document.querySelector('.bytes .here')?.textContent.includes(' = ') && document.querySelector(`.cells i.marked[data-offset="${at}"]`), offset);
            return page.locator('.bytes .here').innerText();
        };
        const files = [path.join(examples, 'trader/models/players/trader/trader.x42'), path.join(examples, 'figure.xac'), path.join(examples, 'walk.xsm'), path.join(root, 'tests/x42/reference/be_full.x42')];
        for (const file of files) {
            const dump = JSON.parse(execFileSync(program, ['dump', file, '--json', '--expand', '-q'], { maxBuffer: 1 << 30 }));
            const blocks = new Map(); // one of each type
            const look = (fields) => { for (const field of fields) {
                if (field.type === 'record') look(field.value);
                else if (/^(?!char|bytes|derived).*\[\]$/.test(field.type) && field.value.length > 2 && !blocks.has(field.type)) blocks.set(field.type, field);
            } };
            look(dump.value);
            assert.ok(blocks.size >= (file.endsWith('xsm') ? 1 : 4), `${file}: ${[...blocks.keys()]}`);
            await fresh();
            await choose(file);
            await shown(path.basename(file).replace(/\..*/, ''));
            await page.click('#tab-Bytes');
            await page.locator('.field').first().waitFor();
            for (const [type, { name, offset, size, value: rows }] of blocks) {
                const value = /^\w\d+\[\]$/.test(type) ? rows.flat() : rows;
                const width = size / value.length, at = offset + 2 * width, text = await here(at + width - 1);
                assert.ok(text.startsWith(`${at} (0x${at.toString(16)}), ${width} byte`) && text.includes(` · ${name} = [2] `), `${type}: ${text}`);
                const wanted = [value[2]].flat(2).filter((one) => typeof one === 'number');
                const said = text.split(' = [2] ')[1].split(', ').map(Number);
                for (const [index, number] of wanted.entries()) assert.ok(Math.abs(said[index] - number) <= 1e-6 * Math.abs(number), `${type}: ${text}, not ${wanted}`);
            }
        }
        await page.locator('.hex').press('ArrowRight');
        assert.match(await page.locator('.bytes .here').innerText(), / = \[3\] /, 'a step leads to the next element');
    });

    /// A file with a few bytes changed, at a place that `effigy dump` tells.
    function damaged(name, field, change, to) {
        const bytes = readFileSync(path.join(examples, name));
        const dump = JSON.parse(execFileSync(program, ['dump', path.join(examples, name), '--json', '-q'], { maxBuffer: 1 << 29 }));
        const at = field.reduce((list, step) => list.value.find((one) => one.name === step), dump);
        change(bytes, at.offset);
        writeFileSync(path.join(folder, to), bytes);
        return at.offset;
    }
    const notANumber = (bytes, at) => bytes.writeUInt32LE(0x7fc00000, at);
    const pointed = async (code, offset, part) => {
        await page.click('#tab-Check');
        await page.locator('.finding', { hasText: code }).first().click();
        await page.waitForFunction((at) => document.querySelector('.cells i.marked')?.dataset.offset === String(at), offset);
        await page.waitForFunction(() => globalThis.effigyPage.selected);
        assert.equal(await ask(() => { const { active, selected } = globalThis.effigyPage; return active.model.partOf(selected).name; }), part);
    };

    test('findings of X42 models, avatars and components select their parts and bytes', { skip: wantsAll ? false : 'takes long: ./dev web test runs it' }, async () => {
        const bone = damaged('trader/models/players/trader/trader.x42', ['bone[5]', 'extent'], notANumber, 'broken.x42');
        await fresh();
        await choose(path.join(folder, 'broken.x42'));
        await shown('broken');
        await pointed('x42-not-finite', bone, JSON.parse(execFileSync(program, ['info', path.join(examples, 'trader/models/players/trader/trader.x42'), '--json', '-q'])).bones?.[5]?.name
            ?? await ask(() => [...globalThis.effigyPage.active.model.parts.values()].find((part) => part.node.bone === 5).name));

        const group = damaged('trader/models/players/trader/trader.x42', ['group[1]', 'material'], (bytes, at) => bytes.writeUInt16LE(65000, at), 'nameless.x42');
        await fresh();
        await choose(path.join(folder, 'nameless.x42'));
        await shown('nameless');
        await page.click('#tab-Check');
        await page.locator('.finding', { hasText: 'x42-name-range' }).first().click();
        await page.waitForFunction((at) => document.querySelector('.cells i.marked')?.dataset.offset === String(at), group);

        const point = damaged('signer/avatardef.jarp', ['mesh[0]', 'point[1]', 'offsets'], notANumber, 'broken.jarp');
        await fresh();
        await choose(path.join(folder, 'broken.jarp'), path.join(examples, 'signer/signer.png'));
        await shown('broken');
        await pointed('arp-not-finite', point, await ask(() => [...globalThis.effigyPage.active.model.parts.values()].find((part) => part.mesh.mesh === 0).name));

        const ship = path.join(folder, 'broken-ship');
        cpSync(path.join(examples, 'courier'), ship, { recursive: true });
        const gear = 'assets/units/size_s/ship_courier_data/gear_port-lod0.xmf';
        const count = damaged(`courier/${gear}`, ['index_count'], (bytes, at) => bytes.writeUInt32LE(961, at), 'gear.xmf');
        cpSync(path.join(folder, 'gear.xmf'), path.join(ship, gear));
        await fresh();
        await page.setInputFiles('#choose-folder', ship); // and with it, the chooser of folders
        await shown('ship_courier');
        assert.ok(await ask(() => globalThis.effigyPage.active.model.counts.textures) >= 4, 'textures are found below the folder');
        await pointed('xmf-header-counts', count, 'gear_port-lod0');
    });

    test('files are dropped', async () => {
        await fresh();
        const names = ['figure.xac', 'figure_diffuse.png', 'walk.xsm'];
        const files = names.map((name) => ({ name, base64: readFileSync(path.join(examples, name)).toString('base64') }));
        const transfer = await page.evaluateHandle((given) => {
            const made = new DataTransfer();
            for (const { name, base64 } of given) made.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
            return made;
        }, files);
        await page.dispatchEvent('#view', 'dragenter', { dataTransfer: transfer });
        assert.ok(await page.locator('#dropping').isVisible(), 'the page says that it takes files');
        await page.dispatchEvent('#view', 'dragleave', { dataTransfer: transfer });
        assert.ok(!await page.locator('#dropping').isVisible());
        await page.dispatchEvent('#view', 'dragenter', { dataTransfer: transfer });
        await page.dispatchEvent('#view', 'dragover', { dataTransfer: transfer });
        await page.dispatchEvent('#view', 'drop', { dataTransfer: transfer });
        assert.ok(!await page.locator('#dropping').isVisible());
        await shown('figure');
        assert.equal(await ask(() => globalThis.effigyPage.active.model.counts.textures), 1);
        assert.deepEqual(await ask(() => globalThis.effigyPage.active.model.clips.map((clip) => clip.name)), ['walk']);
        const nothing = await page.evaluateHandle(() => new DataTransfer());
        await page.dispatchEvent('#view', 'drop', { dataTransfer: nothing });
        await page.locator('#message.error').waitFor();
    });

    test('converts with a report, and makes pictures', async () => {
        await openExample(0, 'figure');
        await page.click('#tab-Save');
        const download = async (click) => {
            const [file] = await Promise.all([page.waitForEvent('download'), click()]);
            return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
        };
        await page.selectOption('#panel select', 'glb');
        await page.click('#convert');
        const glb = await download(() => page.locator('[data-file="figure.glb"]').click());
        assert.equal(glb.bytes.subarray(0, 4).toString(), 'glTF');
        assert.ok(!await page.locator('#message').isVisible(), 'nothing covers the view any more');
        await page.selectOption('#panel select', 'obj');
        await page.click('#convert');
        await page.locator('[data-file="figure.obj"]').waitFor();
        assert.ok(await page.locator('.result .finding').count() > 0, 'what OBJ cannot hold is said');
        assert.equal((await download(() => page.getByRole('button', { name: 'All as ZIP' }).click())).bytes.subarray(0, 2).toString(), 'PK');
        const png = await download(() => page.getByRole('button', { name: 'PNG', exact: true }).click());
        assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
        const webp = await download(() => page.getByRole('button', { name: 'WebP', exact: true }).click());
        assert.equal(webp.bytes.subarray(8, 12).toString(), 'WEBP');
        const turn = await download(() => page.getByRole('button', { name: 'Turntable' }).click());
        assert.equal(turn.bytes.toString('latin1').split('ANMF').length - 1, 48);
    });

    test('shows one file of every format', async () => {
        const run = (...given) => execFileSync(program, given, { stdio: 'ignore', cwd: folder });
        run('convert', path.join(examples, 'figure.xac'), '-o', 'whole.glb');
        run('convert', path.join(examples, 'figure.xac'), '-o', 'apart.gltf');
        const at = (name) => path.join(examples, name);
        const data = 'courier/assets/units/size_s/';
        const all = { xac: [at('figure.xac')], xsm: [at('walk.xsm')], xmf: [at(`${data}ship_courier_data/part_hull-lod0.xmf`)], x42: [at('trader/models/players/trader/trader.x42')],
            jar: [at('signer/signer.jar')], jarp: [at('signer/avatardef.jarp'), at('signer/signer.png')], cas: [at('signer/signer.jar'), at('signer/hello.cas.json')],
            xpm: [at('figure.xac'), at('talk.xpm')], glb: [path.join(folder, 'whole.glb')],
            gltf: readdirSync(folder).filter((name) => name.startsWith('apart')).map((name) => path.join(folder, name)) };
        await fresh();
        for (const [format, files] of Object.entries(all)) {
            await choose(...files);
            await shown();
            assert.ok(await ask(() => !globalThis.effigyPage.active.model.bounds.isEmpty()), format);
            assert.equal(await page.locator('#message.error').count(), 0, format);
            await page.getByRole('button', { name: /^Close / }).first().click();
            await page.waitForFunction(() => globalThis.effigyPage.stage.models.length === 0);
        }
    });

    test('folders and ZIPs, several models side by side, names that are HTML', async () => {
        const { zipSync } = require('fflate');
        const inside = {};
        for (const name of ['figure.xac', 'figure_diffuse.png', 'walk.xsm']) inside[`some/where/${name}`] = readFileSync(path.join(examples, name));
        writeFileSync(path.join(folder, 'figure.zip'), zipSync(inside, { level: 0 }));
        const nasty = path.join(folder, '<img src=x onerror=alert(1)>.xac');
        writeFileSync(nasty, inside['some/where/figure.xac']);
        await fresh();
        await choose(path.join(folder, 'figure.zip'));
        await shown('figure');
        assert.equal(await ask(() => globalThis.effigyPage.active.model.counts.textures), 1, 'the texture is found in the archive');
        assert.deepEqual(await ask(() => globalThis.effigyPage.active.model.clips.map((clip) => clip.name)), ['walk']);
        await choose(nasty);
        await page.waitForFunction(() => globalThis.effigyPage.stage.models.length === 2);
        await page.waitForFunction(() => document.querySelectorAll('.model').length === 2);
        assert.equal(await page.locator('img[src=x]').count(), 0);
        const apart = await ask(() => globalThis.effigyPage.stage.models.map((model) => model.root.position.x));
        assert.notEqual(apart[0], apart[1]);
        await page.getByRole('button', { name: 'Close figure' }).click();
        assert.equal(await ask(() => globalThis.effigyPage.stage.models.length), 1);
    });

    test('folders are dropped', async () => {
        const ship = path.join(folder, 'dropped');
        cpSync(path.join(examples, 'courier'), ship, { recursive: true });
        await fresh();
        const session = await page.context().newCDPSession(page); // scripts can make files to drop, but no folders
        const data = { items: [], files: [ship], dragOperationsMask: 1 };
        for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
        await shown('ship_courier');
        assert.ok(await ask(() => globalThis.effigyPage.active.model.parts.size) > 3, 'its meshes are found in the folder');
    });

    const loose = (...names) => names.map((name) => ({ name: path.basename(name), mimeType: '', buffer: readFileSync(path.join(examples, name)) }));
    const settled = () => page.waitForFunction(() => globalThis.effigyPage.active && !globalThis.effigyPage.busy);
    const clipsOf = (name) => ask((of) => globalThis.effigyPage.entries.find((entry) => entry.name === of)?.model?.clips.map((clip) => clip.name), name);

    test('textures of one name belong to the model beside them', async () => {
        const { zipSync } = require('fflate');
        await fresh();
        const model = readFileSync(path.join(examples, 'figure.xac')), wanted = [16, 32];
        const pictures = (await ask((sizes) => sizes.map((width) => Object.assign(document.createElement('canvas'), { width, height: 16 }).toDataURL().split(',')[1]), wanted)).map((text) => Buffer.from(text, 'base64'));
        const widths = () => ask(() => globalThis.effigyPage.entries.map(({ model }) => model.materials.find((material) => material.map).map.image.width));
        writeFileSync(path.join(folder, 'two.zip'), zipSync({ 'figure_diffuse.png': pictures[1], 'a/one.xac': model, 'a/figure_diffuse.png': pictures[0], 'b/c/two.xac': model, 'b/c/figure_diffuse.png': pictures[1] }, { level: 0 }));
        await choose(path.join(folder, 'two.zip'));
        await shown('two');
        assert.deepEqual(await widths(), wanted);
        await fresh();
        for (const [index, name] of ['one', 'two'].entries()) {
            await page.setInputFiles('#choose-files', [{ name: `${name}.xac`, mimeType: '', buffer: model }, { name: 'figure_diffuse.png', mimeType: '', buffer: pictures[index] }]);
            await shown(name);
        }
        await page.getByRole('button', { name: 'one', exact: true }).click();
        await choose(path.join(examples, 'walk.xsm'));
        await page.waitForFunction(() => globalThis.effigyPage.active.model.clips.length === 1 && !globalThis.effigyPage.busy);
        assert.deepEqual(await widths(), wanted, 'also when one is made anew');
    });

    test('models beyond six have their motions when they are opened', async () => {
        const [model, walk] = loose('figure.xac', 'walk.xsm');
        await fresh();
        await page.setInputFiles('#choose-files', [...Array.from('1234567', (digit) => ({ ...model, name: `figure${digit}.xac` })), walk]);
        await shown('figure1');
        await settled();
        assert.equal(await ask(() => globalThis.effigyPage.stage.models.length), 1);
        await page.getByRole('button', { name: 'figure7', exact: true }).click();
        await shown('figure7');
        assert.deepEqual(await clipsOf('figure7'), ['walk']);
    });

    test('files that come later complete what is there', async () => {
        const data = 'courier/assets/units/size_s/ship_courier_data';
        const meshes = readdirSync(path.join(examples, data)).map((name) => `${data}/${name}`);
        await fresh();
        await page.setInputFiles('#choose-files', loose('courier/assets/units/size_s/ship_courier.xml'));
        await page.waitForFunction(() => document.querySelector('#message.error')?.textContent.includes('None of the meshes'));
        assert.equal((await page.locator('#message').innerText()).match(/ship_courier\.xml/g).length, 1, 'the name is said once');
        await page.setInputFiles('#choose-files', loose(...meshes));
        await shown('ship_courier');
        await settled();
        assert.deepEqual(await ask(() => globalThis.effigyPage.entries.map((entry) => entry.name)), ['ship_courier']);
        assert.ok(await ask(() => globalThis.effigyPage.active.model.counts.meshes) >= 7);

        for (const [motion, model, clips] of [['signer/hello.cas.xml', 'signer/signer.jar', ['ambient', 'hello']], ['walk.xsm', 'figure.xac', ['walk']]]) {
            await page.setInputFiles('#choose-files', loose(motion));
            await page.waitForFunction((name) => globalThis.effigyPage.active?.file.name === name && !globalThis.effigyPage.busy, path.basename(motion));
            if (motion.endsWith('xml')) assert.match(await page.locator('#message').innerText(), /as an input, too.* On this page: drop the missing files/);
            const name = path.basename(model).split('.')[0];
            await page.setInputFiles('#choose-files', loose(model));
            await shown(name);
            await settled();
            assert.deepEqual((await clipsOf(name)).sort(), clips);
            assert.equal(await ask((of) => globalThis.effigyPage.entries.some((entry) => entry.file.name === of), path.basename(motion)), false, 'the motion is no model any more');
        }
        await page.getByRole('button', { name: 'signer', exact: true }).click();
        await choose(path.join(examples, 'figure_diffuse.png'));
        await page.waitForFunction(() => globalThis.effigyPage.entries.find((entry) => entry.name === 'figure').model.counts.textures === 1);
        await settled();
    });

    test('what controls say holds for all models, and for those made anew', async () => {
        await fresh();
        await choose(path.join(examples, 'figure.xac'), path.join(examples, 'walk.xsm'));
        await shown('figure');
        await page.locator('#player').getByLabel('Speed').selectOption('0.25');
        await page.getByRole('button', { name: 'Loop' }).click();
        await page.selectOption('#panel select', '1');
        await page.getByRole('button', { name: 'Hide hat', exact: true }).click();
        await choose(path.join(examples, 'wave.xsm'));
        await page.waitForFunction(() => globalThis.effigyPage.active.model.clips.length === 2 && !globalThis.effigyPage.busy);
        const state = () => ask(() => globalThis.effigyPage.entries.map(({ model }) => [model.player.speed, model.player.loop]));
        assert.deepEqual(await state(), [[0.25, false]]);
        assert.equal(await page.locator('.row.hidden-part .label', { hasText: /^hat$/ }).count(), 1);
        assert.equal(await ask(() => globalThis.effigyPage.active.model.level), 1);
        await choose(path.join(examples, 'signer/signer.jar'));
        await shown('signer');
        assert.deepEqual(await state(), [[0.25, false], [0.25, false]]);
        await page.getByRole('button', { name: 'Loop' }).click();
        assert.deepEqual(await state(), [[0.25, true], [0.25, true]]);
    });

    test('a ZIP that holds too much says so', async () => {
        const { zipSync } = require('fflate');
        const bytes = Buffer.from(zipSync({ 'zeros.xac': new Uint8Array(1000) }));
        bytes.writeUInt32LE(0xf0000000, bytes.lastIndexOf('PK\u0001\u0002') + 24); // as if it were nearly 4 GB
        writeFileSync(path.join(folder, 'vast.zip'), bytes);
        await fresh();
        await choose(path.join(folder, 'vast.zip'));
        await page.waitForFunction(() => document.querySelector('#message.error')?.textContent.startsWith('vast.zip: unpacked it has 3840.0 MB, and the most that is unpacked here is 1024.0 MB'));
    });

    test('corrupt, huge and wrong files say why, and the page stays alive', async () => {
        const whole = readFileSync(path.join(examples, 'figure.xac'));
        writeFileSync(path.join(folder, 'cut.xac'), whole.subarray(0, 700000));
        writeFileSync(path.join(folder, 'wrong.xac'), 'this is no model');
        writeFileSync(path.join(folder, 'empty.xac'), '');
        writeFileSync(path.join(folder, 'broken.zip'), 'PK no archive');
        writeFileSync(path.join(folder, 'letter.odt'), 'hello');
        writeFileSync(path.join(folder, 'huge.xac'), Buffer.concat([whole, Buffer.alloc(100 << 20)]));
        await fresh();
        for (const name of ['wrong.xac', 'empty.xac', 'broken.zip', 'letter.odt']) {
            await choose(path.join(folder, name));
            await page.waitForFunction((of) => document.querySelector('#message.error')?.textContent.includes(of), name);
        }
        for (const name of ['cut.xac', 'huge.xac']) {
            await choose(path.join(folder, name));
            await page.waitForFunction((of) => globalThis.effigyPage.active?.file.name === of && !globalThis.effigyPage.busy, name);
            await page.click('#tab-Check');
            await page.locator('.finding').first().waitFor();
        }
        await page.click('#tab-Bytes');
        await page.locator('.bytes .offset').fill(String(100 << 20));
        await page.locator('.bytes .offset').press('Enter');
        await page.waitForFunction((offset) => document.querySelector(`.cells i[data-offset="${offset}"]`), 100 << 20);
        await choose(path.join(examples, 'figure.xac'));
        await shown('figure');
    });

    test('what reading finds is the file\'s, once, and decides what is said', async () => {
        writeFileSync(path.join(folder, 'short.xac'), readFileSync(path.join(examples, 'figure.xac')).subarray(0, 700000));
        writeFileSync(path.join(folder, 'short.jarp'), readFileSync(path.join(examples, 'signer/avatardef.jarp')).subarray(0, 9000)); // check itself has nothing to say
        for (const name of ['short.xac', 'short.jarp']) {
            await fresh();
            await choose(path.join(folder, name));
            await page.waitForFunction(() => globalThis.effigyPage.active && !globalThis.effigyPage.busy);
            await page.click('#tab-Check');
            const truncated = page.locator('.check .finding', { hasText: 'truncated' });
            await truncated.first().waitFor();
            assert.equal(await truncated.count(), 1);
            assert.equal(await page.locator('.check section', { has: page.locator('.finding', { hasText: 'truncated' }) }).locator('h2').innerText(), name);
            assert.equal(await page.locator('#tab-Check .badge.error').count(), 1);
            assert.equal(await page.locator('.check .fine').count(), 0, 'nobody calls it sound');
        }
    });

    test('what is missing is to be dropped, and what nothing asks for is said', async () => {
        writeFileSync(path.join(folder, 'notes.txt'), 'a hat');
        writeFileSync(path.join(folder, 'nothing.xac'), '');
        const says = (text) => page.waitForFunction((of) => document.querySelector('#message.error')?.textContent.includes(of), text);
        await fresh();
        await choose(path.join(folder, 'nothing.xac'));
        await says('nothing.xac: the file is empty');
        await choose(path.join(examples, 'figure.xac'));
        await shown('figure');
        await page.click('#tab-Check');
        assert.match(await page.locator('.check .finding', { hasText: 'texture-missing' }).innerText(), /On this page: drop the missing files/);
        await choose(path.join(folder, 'notes.txt'));
        await says('notes.txt: no format that effigy reads.');
        await choose(path.join(folder, 'notes.txt'), path.join(examples, 'figure_diffuse.png'));
        await page.waitForFunction(() => globalThis.effigyPage.active.model.counts.textures === 1);
        await says('notes.txt');
    });

    test('no tab is out of sight on the narrowest screens', async () => {
        await fresh({ width: 320, height: 568 });
        await page.locator('.example').nth(0).click();
        await shown('figure');
        for (const name of ['Scene', 'Motion', 'Materials', 'Check', 'Bytes', 'Save']) {
            const { x, width } = await page.locator(`#tab-${name}`).boundingBox();
            assert.ok(x >= 0 && x + width <= 320, `${name} ends at ${x + width}`);
        }
        assert.ok(await ask(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
    });

    test('files that `effigy view` puts into the page', async () => {
        const file = (name) => ({ name, base64: readFileSync(path.join(examples, name)).toString('base64'), role: name.endsWith('png') ? 'side' : 'input' });
        const inserted = JSON.stringify({ files: ['figure.xac', 'figure_diffuse.png', 'wave.xsm'].map(file), options: {} }).replaceAll('<', '\\u003c');
        const source = readFileSync(process.env.EFFIGY_PAGE ?? path.join(root, 'build/web/effigy.html'), 'utf8');
        assert.equal(source.split('<!--effigy-files-->').length, 2, 'one place for them');
        const made = path.join(folder, 'effigy.html');
        writeFileSync(made, source.replace('<!--effigy-files-->', () => `<script type="application/json" id="effigy-files">${inserted}</script>`));
        await fresh({ file: made });
        await shown('figure');
        assert.equal(await ask(() => globalThis.effigyPage.active.model.counts.textures), 1);
        assert.deepEqual(await ask(() => globalThis.effigyPage.active.model.clips.map((clip) => clip.name)), ['wave']);
    });

    test('switches of `effigy view` hold for models made anew', async () => {
        const file = (name) => ({ name, base64: readFileSync(path.join(examples, name)).toString('base64'), role: 'input' });
        const inserted = JSON.stringify({ files: [file('figure.xac')], options: { lod: '1' } });
        const source = readFileSync(process.env.EFFIGY_PAGE ?? path.join(root, 'build/web/effigy.html'), 'utf8');
        const made = path.join(folder, 'effigy.html');
        writeFileSync(made, source.replace('<!--effigy-files-->', () => `<script type="application/json" id="effigy-files">${inserted}</script>`));
        await fresh({ file: made });
        await shown('figure');
        const triangles = () => ask(() => globalThis.effigyPage.active.model.counts.triangles), before = await triangles();
        assert.ok(before < 10_000, `${before} are those of the finest level`);
        await choose(path.join(examples, 'walk.xsm'));
        await page.waitForFunction(() => globalThis.effigyPage.active.model.clips.length === 1);
        assert.equal(await triangles(), before);
        await page.click('#tab-Save');
        await page.click('#convert');
        await page.locator('.files .link').waitFor();
    });

    test('axe finds nothing serious, in both themes and at phone width', async () => {
        const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
        for (const [scheme, width] of wantsAll ? [['dark', 1100], ['light', 1100], ['dark', 360], ['light', 360]] : [['dark', 1100], ['light', 360]]) {
            await fresh({ scheme, width });
            const judge = async (what) => {
                await page.waitForTimeout(250);
                const session = await page.context().newCDPSession(page); // as the console would: the page's policy stands
                await session.send('Runtime.evaluate', { expression: axe });
                const { result } = await session.send('Runtime.evaluate', { expression: 'axe.run().then((found) => JSON.stringify(found.violations))', awaitPromise: true, returnByValue: true });
                const serious = JSON.parse(result.value).filter((one) => ['serious', 'critical'].includes(one.impact));
                assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 120)} ${one.nodes[0].failureSummary?.slice(0, 200)}`), [], `${what}, ${scheme}, ${width}`);
                assert.ok(await ask(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
            };
            await judge('welcome');
            await page.locator('.example').nth(0).click();
            await shown('figure');
            for (const tab of ['Scene', 'Motion', 'Materials', 'Check', 'Bytes', 'Save']) {
                await page.click(`#tab-${tab}`);
                await judge(tab);
            }
        }
    });
});
