/// The page and the published packages in Debian's Firefox ESR, driven over WebDriver BiDi, which it speaks by itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { pageFile, root } from './browser.mjs';

const firefox = process.env.EFFIGY_FIREFOX ?? '/usr/bin/firefox-esr';
const skip = !existsSync(firefox) ? `no browser: ${firefox}` : !existsSync(pageFile) ? `no page: ${pageFile} (./dev web)` : false;
const preferences = { 'webgl.force-enabled': true, 'webgl.out-of-process': false, 'security.sandbox.content.level': 0, 'datareporting.policy.dataSubmissionEnabled': false, 'browser.shell.checkDefaultBrowser': false,
    'app.normandy.enabled': false, 'app.update.enabled': false, 'services.settings.server': 'data:,', 'ui.prefersReducedMotion': 1 };

async function webSocket(address) {
    const Socket = globalThis.WebSocket ?? (await import(pathToFileURL(path.join(root, 'web/node_modules/playwright-core/lib/utilsBundle.js')).href)).default.ws;
    const socket = new Socket(address);
    await new Promise((done, failed) => { socket.addEventListener('open', done); socket.addEventListener('error', failed); });
    return socket;
}

/// One Firefox with one page: call(method, parameters) as the protocol has it.
async function start(profile) {
    writeFileSync(path.join(profile, 'user.js'), Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`).join('\n'));
    // Without a screen Firefox has no WebGL here; on a virtual one Mesa draws.
    const [command, ...before] = existsSync('/usr/bin/xvfb-run') ? ['xvfb-run', '-a', firefox] : [firefox, '--headless'];
    const child = spawn(command, [...before, '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1' }, detached: true });
    const address = await new Promise((done, failed) => {
        let said = '';
        child.stderr.on('data', (data) => { const found = /BiDi listening on (ws:\S+)/.exec(said += data); if (found) done(found[1]); });
        child.on('exit', () => failed(new Error(said)));
    });
    const socket = await webSocket(`${address}/session`), waiting = new Map();
    socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data)), call = waiting.get(answer.id);
        if (call) answer.type === 'error' ? call.failed(new Error(answer.message)) : call.done(answer.result);
    });
    let next = 1;
    const call = (method, params) => new Promise((done, failed) => {
        waiting.set(next, { done, failed });
        socket.send(JSON.stringify({ id: next++, method, params }));
    });
    await call('session.new', { capabilities: {} });
    const context = (await call('browsingContext.getTree', {})).contexts[0].context;
    const end = async () => {
        const gone = new Promise((done) => child.once('exit', done));
        process.kill(-child.pid); // Firefox, and its screen
        await gone;
    };
    return { call, context, end };
}

describe('the page in Firefox', { skip }, () => {
    let profile, browser;
    before(async () => {
        profile = mkdtempSync(path.join(os.tmpdir(), 'effigy-firefox-'));
        browser = await start(profile);
    });
    after(async () => {
        await browser?.end();
        if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    });

    const ask = async (expression) => {
        const { result, exceptionDetails } = await browser.call('script.evaluate', { expression, target: { context: browser.context }, awaitPromise: true });
        if (exceptionDetails) throw new Error(exceptionDetails.text);
        return result.value;
    };
    const until = async (expression) => {
        const end = Date.now() + 600_000;
        while (!(await ask(expression))) {
            if (Date.now() > end) throw new Error(`not within ten minutes: ${expression}`);
            await new Promise((done) => setTimeout(done, 100));
        }
    };
    const isOpen = (name) => until(`globalThis.effigyPage?.active?.name === '${name}' && Boolean(effigyPage.active.model) && !effigyPage.busy`);

    test('opens from disk, shows an example of each family, plays, says what is in the bytes', async (t) => {
        await browser.call('browsingContext.navigate', { context: browser.context, url: pathToFileURL(pageFile).href, wait: 'complete' });
        if (!(await ask("Boolean(document.createElement('canvas').getContext('webgl2'))"))) return t.skip('this Firefox has no WebGL 2 here');
        assert.match(await ask("document.querySelector('#welcome').innerText"), /Drop a game/);
        for (const [index, name] of ['figure', 'ship_courier', 'trader', 'signer'].entries()) {
            await ask(`document.querySelectorAll('.example')[${index}].click()`);
            await isOpen(name);
            const seen = await ask(`(() => {
                const { stage, active } = effigyPage, pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
                const take = () => { stage.draw(); pen.drawImage(stage.canvas, 0, 0, 300, 150); return pen.getImageData(0, 0, 300, 150).data; };
                const before = take();
                active.model.root.visible = false;
                const now = take();
                active.model.root.visible = true;
                return now.filter((value, at) => Math.abs(value - before[at]) > 24).length;
            })()`);
            assert.ok(seen > 500, `${name} is seen: ${seen}`);
            await ask('effigyPage.close(effigyPage.active)');
        }
        await ask("document.querySelectorAll('.example')[0].click()");
        await isOpen('figure');
        await ask("document.querySelector('#play').click()");
        await until('effigyPage.active.model.player.time > 0.1');
        await ask("document.querySelector('#tab-Bytes').click()");
        await until("document.querySelectorAll('.cells i').length > 100");
        assert.equal(await ask("document.querySelector('#message').className !== 'error'"), true);
        const { data } = await browser.call('browsingContext.captureScreenshot', { context: browser.context });
        assert.ok(Buffer.from(data, 'base64').length > 20000, 'the picture is not empty');
        if (process.env.EFFIGY_SCREENSHOTS) writeFileSync(path.join(process.env.EFFIGY_SCREENSHOTS, 'firefox.png'), Buffer.from(data, 'base64'));
    });
});
