/// three-effigy as it is published, over HTTP, in Chromium: the loader, the element <effigy-viewer>, and the player of avatars.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { chromium, launch, require, root } from './browser.mjs';

const examples = process.env.EFFIGY_WEB_EXAMPLES ?? path.join(root, 'build/web/examples');
const program = process.env.EFFIGY_PROGRAM ?? path.join(root, 'build/quick/effigy');
const built = path.join(root, 'build/web/three-effigy');
const skip = [chromium, examples, program, built].filter((name) => !existsSync(name)).map((name) => `not there: ${name} (./dev web)`).join(', ') || false;

const types = { js: 'text/javascript', html: 'text/html', json: 'application/json', wasm: 'application/wasm', png: 'image/png' };
const imports = { three: '/three/build/three.module.js', 'three/addons/': '/three/examples/jsm/', effigy: '/effigy/index.js',
    'three-effigy': '/three-effigy/index.js', 'three-effigy/': '/three-effigy/' };
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script><main><h1>test</h1></main>`;

let server, browser, folder, page, address, errors, asked;

/// Packages and examples, and posed models by /posed/; by /single-page/ as hosts of single pages do, which have an answer to everything.
function serve(request, response) {
    const name = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    asked.push(name);
    if (name === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    const folders = { three: path.dirname(path.dirname(require.resolve('three'))), effigy: path.join(root, 'build/web/effigy'), 'three-effigy': built, examples, posed: folder, 'single-page': folder };
    const [, first, ...rest] = name.split('/');
    const file = folders[first] && path.join(folders[first], ...rest);
    if (first === 'single-page' && !existsSync(path.join(folder, ...rest))) return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    if (!file || name.includes('..') || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[file.split('.').pop()] ?? 'application/octet-stream' }).end(readFileSync(file));
}

describe('three-effigy', { skip }, () => {
    before(async () => {
        folder = mkdtempSync(path.join(os.tmpdir(), 'effigy-three-'));
        asked = [];
        server = createServer(serve);
        await new Promise((done) => server.listen(0, '127.0.0.1', done));
        address = `http://127.0.0.1:${server.address().port}/`;
        browser = await launch();
        page = await browser.context.newPage();
        errors = [];
        page.on('pageerror', (error) => errors.push(String(error)));
        await page.goto(address);
    });
    after(async () => {
        await browser?.close();
        server?.close();
        if (folder) rmSync(folder, { recursive: true, force: true });
    });
    afterEach(() => assert.deepEqual(errors.splice(0), []));

    const data = 'examples/courier/assets/units/size_s/ship_courier_data/';
    const families = {
        'EMotion FX': { urls: ['examples/figure.xac', 'examples/walk.xsm', 'examples/talk.xpm'], clips: ['talk', 'walk'], morphs: true, textures: 1 },
        XMF: { urls: [`${data}part_hull-lod0.xmf`], clips: [], textures: 0 },
        component: { urls: ['examples/courier/assets/units/size_s/ship_courier.xml'], side: 'courier', clips: 1, textures: 1 },
        X42: { urls: ['trader.x42', 'animation.cfg', 'default.skin'].map((name) => `examples/trader/models/players/trader/${name}`), clips: 1, textures: 2 },
        'signing avatars': { urls: ['examples/signer/avatardef.jarp', 'examples/signer/hello.cas.json'], clips: ['ambient', 'hello'], textures: 1 },
    };
    for (const [family, wanted] of Object.entries(families)) {
        test(`loads over HTTP: ${family}`, async () => {
            const below = wanted.side ? execFileSync('find', ['.', '-type', 'f'], { cwd: path.join(examples, wanted.side), encoding: 'utf8' }).trim().split('\n').map((name) => name.slice(2)) : [];
            const found = await page.evaluate(async ({ urls, side, below }) => {
                const { EffigyLoader } = await import('three-effigy');
                const { LoadingManager } = await import('three');
                const steps = [], manager = new LoadingManager();
                manager.setURLModifier((url) => url.replace('MODELS:', ''));
                manager.onStart = () => steps.push('start');
                manager.onError = (url) => steps.push(`error ${url}`);
                const ready = new Promise((done) => (manager.onLoad = done));
                const loader = new EffigyLoader(manager);
                if (side) loader.setSideFiles(await Promise.all(below.map(async (name) => ({ name, data: await (await fetch(`examples/${side}/${name}`)).arrayBuffer() }))));
                const { EffigyLoader: same } = await import('three-effigy');
                const files = side ? [{ name: urls[0].replace(`examples/${side}/`, ''), data: await (await fetch(urls[0])).arrayBuffer() }] : null;
                const result = files ? await loader.parseAsync(files) : await new Promise((done, failed) => loader.load(urls.map((url) => `MODELS:${url}`), done, undefined, failed));
                if (!files) await ready;
                let meshes = 0, morphs = [];
                const textures = new Set();
                result.scene.traverse((object) => {
                    if (!object.isMesh) return;
                    meshes += 1;
                    morphs.push(...Object.keys(object.morphTargetDictionary ?? {}));
                    for (const value of Object.values(object.material)) if (value?.isTexture) textures.add(value.source);
                });
                return { steps, meshes, morphs, textures: textures.size, clips: result.animations.map((clip) => clip.name), userData: JSON.stringify(result.gltf.asset.extras).length, group: result.scene.isGroup, same: same === EffigyLoader };
            }, { ...wanted, below });
            assert.ok(found.meshes > 0 && found.group && found.userData > 2);
            assert.ok(found.textures >= wanted.textures, `${found.textures} textures`);
            if (Array.isArray(wanted.clips)) assert.deepEqual(found.clips.sort(), wanted.clips);
            else assert.ok(found.clips.length >= wanted.clips);
            if (wanted.morphs) assert.ok(found.morphs.includes('smile'));
            if (!wanted.side) assert.equal(found.steps[0], 'start');
            assert.deepEqual(found.steps.filter((step) => step !== 'start'), [], 'nothing failed');
        });
    }

    test('finds side files by a function, and says what cannot be read', async () => {
        const found = await page.evaluate(async () => {
            const { EffigyLoader } = await import('three-effigy');
            const { LoadingManager } = await import('three');
            const names = [], failed = [];
            const loader = new EffigyLoader(new LoadingManager(undefined, undefined, (url) => failed.push(url)));
            loader.setPath('examples/').setResolver((name) => { names.push(name); return name === 'figure_diffuse' ? 'examples/figure_diffuse.png' : null; });
            const { findings } = await loader.loadAsync('figure.xac');
            const missing = await loader.loadAsync('nothing.xac').catch((error) => String(error));
            const wrong = await loader.loadAsync('figure_diffuse.png').catch((error) => `${error.name} ${error.status}`);
            const nowhere = await new EffigyLoader().setPath('examples/').setResolver(null).loadAsync('figure.xac');
            return { names, failed, findings: findings.map((one) => one.code), nowhere: nowhere.findings.map((one) => one.code), missing, wrong };
        });
        assert.deepEqual(found.names, ['figure_diffuse']);
        assert.ok(!found.findings.includes('texture-missing'));
        assert.ok(found.nowhere.includes('texture-missing'));
        assert.match(found.missing, /404/);
        assert.match(found.wrong, /EffigyError 3/);
        assert.ok(found.failed.some((url) => url.includes('nothing.xac')) && found.failed.some((url) => url.includes('figure_diffuse.png')));
    });

    test('finds the texture behind answers that are the page', async () => {
        const texture = Buffer.alloc(128 + 64, 0xff); // 4 x 4 white pixels
        texture.fill(0, 0, 128).write('DDS ');
        for (const [at, value] of [[4, 124], [8, 0x100f], [12, 4], [16, 4], [20, 16], [76, 32], [80, 0x41], [88, 32], [92, 0xff0000], [96, 0xff00], [100, 0xff], [104, 0xff000000], [108, 0x1000]]) texture.writeUInt32LE(value, at);
        writeFileSync(path.join(folder, 'figure_diffuse.dds'), texture);
        for (const name of ['figure.xac', 'walk.xsm']) copyFileSync(path.join(examples, name), path.join(folder, name));
        const found = await page.evaluate(async () => {
            const { EffigyLoader } = await import('three-effigy');
            const { scene, findings } = await new EffigyLoader().loadAsync(['single-page/figure.xac', 'single-page/walk.xsm']);
            const widths = new Set();
            scene.traverse((object) => { if (object.material?.map) widths.add(object.material.map.image.width); });
            return { codes: findings.map((one) => one.code).filter((code) => /^(texture|ticks)-/.test(code)), widths: [...widths] };
        });
        assert.ok(asked.includes('/single-page/figure_diffuse.png'), 'it was answered with the page');
        assert.deepEqual(found, { codes: [], widths: [4] });
    });

    test('finds the buffers and pictures beside a glTF file', async () => {
        execFileSync(program, ['convert', path.join(examples, 'figure.xac'), '-o', path.join(folder, 'apart.gltf'), '--overwrite', '-q'], { stdio: 'ignore' });
        const found = await page.evaluate(async () => {
            const { EffigyLoader } = await import('three-effigy');
            const { scene, findings } = await new EffigyLoader().loadAsync('posed/apart.gltf');
            let triangles = 0;
            scene.traverse((object) => { if (object.isMesh) triangles += object.geometry.index.count / 3; });
            return { triangles, errors: findings.filter((one) => one.severity === 'error') };
        });
        assert.ok(found.triangles > 10_000);
        assert.deepEqual(found.errors, []);
        assert.ok(asked.includes('/posed/apart.bin'));
    });

    test('a name may have a lone %', async () => {
        const named = await page.evaluate(async () => {
            const { EffigyLoader } = await import('three-effigy');
            const { LoadingManager } = await import('three');
            const manager = new LoadingManager();
            manager.setURLModifier((url) => url.replace(/[^/]*\.xac$/, 'figure.xac'));
            const files = await new EffigyLoader(manager).fetchFiles(['examples/100%.xac', 'examples/a%20b.xac']);
            return files.map(({ name }) => name);
        });
        assert.deepEqual(named, ['100%.xac', 'a b.xac']);
    });

    test('what is disposed of leaves nothing on the graphics card', async () => {
        const found = await page.evaluate(async () => {
            const { EffigyLoader, Model } = await import('three-effigy');
            const { AvatarPlayer } = await import('three-effigy/avatar.js');
            const { PerspectiveCamera, Scene, WebGLRenderer } = await import('three');
            const renderer = new WebGLRenderer(), scene = new Scene(), camera = new PerspectiveCamera();
            camera.position.z = 5;
            const held = () => { renderer.render(scene, camera); return { ...renderer.info.memory }; };
            const make = {
                model: async () => { const model = new Model('figure', (await new EffigyLoader().loadAsync(['examples/figure.xac', 'examples/walk.xsm'])).gltf); scene.add(model.root); return model; },
                avatar: async () => { const player = await AvatarPlayer.create('examples/signer/signer.jar'); scene.add(player.object); return player; },
            };
            const rounds = {};
            for (const [name, one] of Object.entries(make)) {
                rounds[name] = [];
                for (let round = 0; round < 3; ++round) {
                    const made = await one(), during = held();
                    made.dispose();
                    rounds[name].push({ during, after: held() });
                }
            }
            renderer.dispose();
            return rounds;
        });
        for (const [name, [first, ...others]] of Object.entries(found)) {
            assert.ok(first.during.geometries > first.after.geometries && first.during.textures > first.after.textures, name);
            for (const other of others) assert.deepEqual(other, first, name);
        }
    });

    test('a start that failed is forgotten', async () => {
        const other = await browser.context.newPage();
        const wasm = '**/effigy.wasm';
        await other.route(wasm, (route) => route.fulfill({ status: 503 }));
        await other.goto(address);
        const load = () => other.evaluate(async () => {
            const { EffigyLoader } = await import('three-effigy');
            return new EffigyLoader().loadAsync('examples/figure.xac').then(() => 'loaded', () => 'failed');
        });
        assert.equal(await load(), 'failed');
        await other.unroute(wasm);
        assert.equal(await load(), 'loaded');
        await other.close();
    });

    test('<effigy-viewer>: attributes, properties, events, keys, pictures, and nobody locked out', async () => {
        const states = await page.evaluate(async () => {
            await import('three-effigy/viewer-element.js');
            const viewer = document.createElement('effigy-viewer');
            globalThis.viewer = viewer;
            globalThis.said = [];
            for (const type of ['load', 'error', 'play', 'pause', 'finished', 'progress']) viewer.addEventListener(type, (event) => said.push(type === 'progress' ? `progress ${event.detail.totalProgress === 1}` : type));
            viewer.setAttribute('src', 'examples/figure.xac');
            viewer.setAttribute('motion', 'examples/walk.xsm examples/wave.xsm');
            viewer.setAttribute('camera-controls', '');
            Object.assign(viewer, { alt: 'A traveller', autoplay: true, animationName: 'wave', poster: 'examples/figure_diffuse.png', reveal: 'manual', timeScale: 2 });
            viewer.style.cssText = 'width: 400px; height: 300px';
            document.querySelector('main').append(viewer);
            await new Promise((done) => viewer.addEventListener('load', done));
            const started = { clips: viewer.availableAnimations, paused: viewer.paused, duration: viewer.duration, loaded: viewer.loaded, poster: viewer.shadowRoot.querySelector('#poster').className };
            viewer.dismissPoster();
            viewer.pause();
            const first = viewer.toDataURL();
            viewer.currentTime = 0.5;
            const second = viewer.toDataURL();
            const canvas = viewer.shadowRoot.querySelector('canvas');
            canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }));
            const third = viewer.toDataURL();
            viewer.exposure = 2;
            const blob = await viewer.toBlob({ mimeType: 'image/webp' });
            viewer.timeScale = 20;
            const finished = new Promise((done) => viewer.addEventListener('finished', done));
            viewer.play({ repetitions: 1 });
            await finished;
            const player = viewer.model.player, lasted = player.duration;
            viewer.currentTime = 0;
            viewer.play({ repetitions: 2 });
            let rounds = 0;
            for (; player.playing && rounds < 5; rounds += 0.25) player.update(lasted / player.speed / 4); // as if time went by
            viewer.pause();
            return { started, rounds, moved: first !== second, turned: second !== third, blob: blob.type, role: canvas.getAttribute('role'), label: canvas.getAttribute('aria-label'), poster: viewer.shadowRoot.querySelector('#poster').className, time: viewer.currentTime, said };
        });
        assert.deepEqual(states.started.clips.sort(), ['walk', 'wave']);
        assert.equal(states.started.paused, false);
        assert.ok(states.started.duration > 1 && states.started.loaded);
        assert.equal(states.started.poster, '');
        assert.equal(states.poster, 'gone');
        assert.ok(states.moved && states.turned);
        assert.deepEqual([states.blob, states.role, states.label], ['image/webp', 'img', 'A traveller']);
        assert.deepEqual(states.said.filter((what) => !what.startsWith('progress')), ['load', 'play', 'pause', 'play', 'finished', 'play']);
        assert.ok(states.rounds >= 2 && states.rounds <= 2.5, `${states.rounds} rounds of 2`);
        assert.ok(states.said.includes('progress true'));
        await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
        const serious = await page.evaluate(async () => (await globalThis.axe.run()).violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => `${one.id} ${one.nodes[0].html}`));
        assert.deepEqual(serious, []);
        const failed = await page.evaluate(() => new Promise((done) => {
            viewer.addEventListener('error', (event) => done({ type: event.detail.type, before, loaded: viewer.loaded, clips: viewer.availableAnimations, model: viewer.model }), { once: true });
            viewer.src = 'examples/nothing.xac';
            const before = viewer.loaded;
        }));
        assert.deepEqual(failed, { type: 'loadfailure', before: false, loaded: false, clips: [], model: null }, 'the model before is no answer to this address');
        await page.emulateMedia({ reducedMotion: 'reduce' });
        const still = await page.evaluate(async () => {
            viewer.src = 'examples/figure.xac';
            await new Promise((done) => viewer.addEventListener('load', done, { once: true }));
            const { paused } = viewer;
            viewer.remove();
            await new Promise((done) => setTimeout(done, 50));
            return { paused, gone: viewer.shadowRoot.querySelector('canvas') === null };
        });
        assert.deepEqual(still, { paused: true, gone: true });
        await page.emulateMedia({ reducedMotion: 'no-preference' });
    });

    test('<effigy-viewer>: side files are those of the attribute, or what the loader was given', async () => {
        const found = await page.evaluate(async () => {
            await import('three-effigy/viewer-element.js');
            const viewer = document.createElement('effigy-viewer'), said = [];
            const load = async (src) => {
                viewer.src = src;
                await new Promise((done) => { for (const type of ['load', 'error']) viewer.addEventListener(type, done, { once: true }); });
                said.push(viewer.loader.sideFiles.map((file) => file.name ?? file));
            };
            document.querySelector('main').append(viewer);
            viewer.loader.setSideFiles([{ name: 'mine.png', data: new Uint8Array() }]);
            await load('examples/figure.xac');
            viewer.sideFiles = 'examples/figure_diffuse.png';
            await load('examples/figure.xac?1');
            viewer.removeAttribute('side-files');
            await load('examples/figure.xac?2');
            viewer.remove();
            return said;
        });
        assert.deepEqual(found, [['mine.png'], ['examples/figure_diffuse.png'], []]);
    });

    test('AvatarPlayer: files of an avatar are its own', async () => {
        const found = await page.evaluate(async () => {
            const { EffigyLoader } = await import('three-effigy');
            const { AvatarPlayer } = await import('three-effigy/avatar.js');
            const loader = new EffigyLoader(), textures = [];
            for (let round = 0; round < 2; ++round) {
                const player = await AvatarPlayer.create(['examples/signer/avatardef.jarp', 'examples/signer/signer.png'], { loader });
                await player.play('examples/signer/hello.cas.json', { paused: true });
                let pictures = 0;
                player.object.traverse((object) => { if (object.material?.map) pictures += 1; });
                textures.push(pictures > 0);
                player.dispose();
            }
            return { textures, sideFiles: loader.sideFiles };
        });
        assert.deepEqual(found, { textures: [true, true], sideFiles: [] });
    });

    test('AvatarPlayer: two motions in a row, events in order, frames at their times, the poses of `effigy pose`', async (t) => {
        const signer = path.join(examples, 'signer'), inputs = [path.join(signer, 'signer.jar'), path.join(signer, 'hello.cas.xml')];
        execFileSync(program, ['pose', ...inputs, '--no-textures', '--clip', 'hello', '--frames', '0:19', '--fps', '5', '-o', path.join(folder, 'posed.glb')], { stdio: 'ignore' });
        const found = await page.evaluate(async () => {
            const { AvatarPlayer } = await import('three-effigy/avatar.js');
            const { readGlb } = await import('three-effigy');
            const { Vector3 } = await import('three');
            const player = await AvatarPlayer.create('examples/signer/signer.jar');
            const said = [], frames = [];
            for (const type of ['signstart', 'signend', 'ended']) player.addEventListener(type, (event) => said.push([type, event.sign?.gloss, +event.time.toFixed(3)]));
            player.addEventListener('frame', (event) => frames.push(event.frame));
            const signs = await player.play(['examples/signer/hello.cas.xml', 'examples/signer/hello.cas.xml'], { speed: 2 });
            const { duration, frameCount } = player;
            for (let step = 0; step < 100 && player.playing; ++step) player.update(0.05);
            const at = {};
            player.playing = false;
            const heard = said.splice(0), shown = frames.splice(0);
            for (const time of [0, 0.039, 0.041, 2.19, 2.21, 3.99, 4.01, 6.25, 8]) { player.seek(time); at[time] = [player.frame, player.sign.gloss]; }
            player.seek(7.9);
            Object.assign(player, { loop: true, speed: 1, playing: true });
            player.update(0.35);
            const looped = [player.currentTime, player.frame];
            player.update(16.25); // whole rounds are left out
            looped.push(player.currentTime);
            Object.assign(player, { loop: false, playing: false });
            player.seekFrame(155);
            const back = player.currentTime;
            const vertices = (scene) => {
                const all = [], place = new Vector3();
                scene.updateMatrixWorld(true);
                scene.traverseVisible((mesh) => {
                    for (let index = 0; mesh.isMesh && index < mesh.geometry.attributes.position.count; ++index) all.push(...mesh.getVertexPosition(index, place).applyMatrix4(mesh.matrixWorld).toArray());
                });
                return all;
            };
            let worst = 0, held = 0;
            const low = new Vector3(Infinity, Infinity, Infinity), high = new Vector3(-Infinity, -Infinity, -Infinity);
            for (let moment = 0; moment < 20; ++moment) {
                const bytes = new Uint8Array(await (await fetch(`posed/posed_${String(moment).padStart(4, '0')}.glb`)).arrayBuffer());
                const wanted = vertices((await readGlb(bytes)).scene);
                for (let index = 0; index < wanted.length; index += 3) { const one = new Vector3().fromArray(wanted, index); low.min(one); high.max(one); }
                const compare = () => { const got = vertices(player.object); return got.length === wanted.length ? got.reduce((most, value, index) => Math.max(most, Math.abs(value - wanted[index])), 0) : Infinity; };
                player.interpolate = true;
                player.seek(4 * (moment % 2) + moment / 5);
                worst = Math.max(worst, compare());
                player.interpolate = false; // moments of 200 ms are frames of 40 ms
                player.seek(moment / 5 + 0.03);
                held = Math.max(held, compare());
            }
            const size = high.sub(low).length();
            player.transition = 0.4;
            player.interpolate = true;
            player.seek(4.2);
            const blended = vertices(player.object).every(Number.isFinite);
            const json = await player.play('examples/signer/hello.cas.json', { paused: true });
            return { signs, duration, frameCount, heard, shown, at, looped, back, worst: worst / size, held: held / size, blended, json };
        });
        assert.deepEqual(found.heard.map(([type, gloss]) => `${type} ${gloss ?? ''}`.trim()), ['signstart HELLO', 'signend HELLO', 'signstart I-LOVE-YOU', 'signend I-LOVE-YOU',
            'signstart HELLO', 'signend HELLO', 'signstart I-LOVE-YOU', 'signend I-LOVE-YOU', 'ended']);
        assert.deepEqual(found.shown, Array.from({ length: 200 }, (_, index) => index), 'every frame, in order');
        assert.ok(Math.abs(found.duration - 8) < 1e-6);
        assert.equal(found.frameCount, 200);
        assert.deepEqual(found.at, { 0: [0, 'HELLO'], 0.039: [0, 'HELLO'], 0.041: [1, 'HELLO'], 2.19: [54, 'HELLO'], 2.21: [55, 'I-LOVE-YOU'], 3.99: [99, 'I-LOVE-YOU'],
            4.01: [100, 'HELLO'], 6.25: [156, 'I-LOVE-YOU'], 8: [199, 'I-LOVE-YOU'] });
        for (const [index, wanted] of [0.25, 6, 0.5].entries()) assert.ok(Math.abs(found.looped[index] - wanted) < 1e-6, `${found.looped}: loops lose no time`);
        assert.ok(Math.abs(found.back - 6.2) < 1e-6);
        assert.ok(found.worst <= 1e-4, `${found.worst} of the size`);
        assert.ok(found.held <= 1e-4, `${found.held} of the size, each frame still`);
        assert.ok(found.blended);
        assert.deepEqual(found.json.map((sign) => [sign.gloss, sign.firstFrame, sign.lastFrame]), [['HELLO', 0, 54], ['I-LOVE-YOU', 55, 99]]);
        t.diagnostic(`at most ${found.worst.toExponential(2)} of the size, ${found.held.toExponential(2)} with frames that stand still`);
    });
});

test('all of it can be imported on a server', { skip: existsSync(built) ? false : `not there: ${built} (./dev web)` }, () => {
    const place = mkdtempSync(path.join(os.tmpdir(), 'effigy-server-')), packages = path.join(place, 'node_modules');
    cpSync(built, path.join(packages, 'three-effigy'), { recursive: true });
    symlinkSync(path.dirname(path.dirname(require.resolve('three'))), path.join(packages, 'three'));
    symlinkSync(path.join(root, 'build/web/effigy'), path.join(packages, 'effigy'));
    writeFileSync(path.join(place, 'use.mjs'), ['', '/avatar', '/viewer-element'].map((name) => `import 'three-effigy${name}';\n`).join(''));
    const { stderr } = spawnSync(process.execPath, ['use.mjs'], { cwd: place, encoding: 'utf8' });
    rmSync(place, { recursive: true, force: true });
    assert.equal(stderr, '');
});

test('examples of the pages are right for TypeScript\'s compiler', { skip: existsSync(built) ? false : `not there: ${built} (./dev web)` }, () => {
    const place = mkdtempSync(path.join(os.tmpdir(), 'effigy-types-'));
    const web = path.join(root, 'web'), three = path.join(web, 'node_modules/@types/three');
    const files = ['web/packages/three-effigy/README.md', 'docs/javascript.md'].flatMap((name, page) =>
        [...readFileSync(path.join(root, name), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(([, code], index) => {
            writeFileSync(path.join(place, `${page}-${index}.ts`), `${code}\nexport {};\n`);
            return `${page}-${index}.ts`;
        }));
    const given = { scene: "import('three').Scene", timer: "import('three').Timer", renderer: "import('three').WebGLRenderer", camera: "import('three').Camera",
        loader: "import('three-effigy').EffigyLoader", caption: 'HTMLElement', bytes: 'Uint8Array' };
    writeFileSync(path.join(place, 'given.d.ts'), Object.entries(given).map(([name, type]) => `declare const ${name}: ${type};\n`).join(''));
    writeFileSync(path.join(place, 'events.ts'), `import 'three-effigy/viewer-element';
const viewer = document.querySelector('effigy-viewer')!;
viewer.addEventListener('progress', ({ detail }) => detail.totalProgress.toFixed());
viewer.addEventListener('error', ({ detail }) => detail.sourceError);
viewer.addEventListener('click', ({ clientX }) => clientX.toFixed());\n`);
    writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify({
        compilerOptions: {
            strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'], types: [], skipLibCheck: true,
            paths: { three: [path.join(three, 'index.d.ts')], 'three/addons/*': [path.join(three, 'examples/jsm/*')], effigy: [path.join(root, 'build/web/effigy/index.d.ts')],
                'three-effigy': [path.join(built, 'types/index.d.ts')], 'three-effigy/*': [path.join(built, 'types/*.d.ts')] },
        },
        files: [...files, 'given.d.ts', 'events.ts'],
    }));
    assert.ok(files.length >= 4);
    const { stdout } = spawnSync(path.join(web, 'node_modules/.bin/tsc'), ['-p', place], { encoding: 'utf8' });
    rmSync(place, { recursive: true, force: true });
    assert.equal(stdout, '');
});
