/// The examples in the README of the package `effigy`: in Node, and in Chromium as they are and through a bundler.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium, launch, require, root } from './browser.mjs';

const examples = process.env.EFFIGY_WEB_EXAMPLES ?? path.join(root, 'build/web/examples');
const figure = path.join(examples, 'figure.xac'), built = path.join(root, 'build/web/effigy');
const missing = (...names) => names.filter((name) => !existsSync(name)).map((name) => `not there: ${name} (./dev web)`).join(', ') || false;

const readme = readFileSync(path.join(root, 'web/packages/effigy/README.md'), 'utf8');
const blocks = (language) => [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code);
const [inNode] = blocks('js'), [html] = blocks('html'), [, commands] = blocks('sh');
const [, script] = /<script type="module">(.*)<\/script>/s.exec(html);

const types = { js: 'text/javascript', html: 'text/html', wasm: 'application/wasm' };
let folder;

function serve(request, response) {
  const file = path.join(folder, new URL(request.url, 'http://x').pathname);
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': types[file.split('.').pop()] ?? 'application/octet-stream' }).end(readFileSync(file));
}

describe('README of effigy', { skip: missing(figure, built) }, () => {
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'effigy-readme-'));
    mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(built, path.join(folder, 'node_modules/effigy'));
    symlinkSync(path.join(root, 'web/node_modules/.bin/esbuild'), path.join(folder, 'node_modules/.bin/esbuild'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('in Node', () => {
    copyFileSync(figure, path.join(folder, 'soldier.xac'));
    writeFileSync(path.join(folder, 'example.mjs'), inNode);
    execFileSync(process.execPath, ['example.mjs'], { cwd: folder });
    assert.equal(readFileSync(path.join(folder, 'soldier.glb')).subarray(0, 4).toString(), 'glTF');
  });

  test('a bundle for browsers has nothing of Node, and what bundlers look for', async () => {
    const { build } = require('esbuild');
    const entryPoints = ['index.js', 'worker.js'].map((name) => path.join(built, name));
    for (const format of ['esm', 'iife']) { // older Vite makes a classic script of the worker
      const { outputFiles, warnings } = await build({ entryPoints, outdir: 'out', bundle: true, platform: 'browser', format, write: false,
        logLevel: 'silent', logOverride: { 'empty-import-meta': 'silent' } });
      assert.deepEqual(warnings, []);
      for (const { text } of outputFiles) assert.doesNotMatch(text, /node:/);
    }
    assert.match(readFileSync(path.join(built, 'backend.js'), 'utf8'), /new Worker\(new URL\('\.\/worker\.js', import\.meta\.url\), \{ type: 'module' \}\)/);
  });

  test('has what bundlers for servers look for', async () => {
    const code = readFileSync(path.join(built, 'thread.js'), 'utf8').replaceAll(/\/\/.*/g, '');
    assert.match(code, /import \{ Worker \} from 'worker_threads'/);
    assert.deepEqual(code.match(/new Worker\(.*/g), ["new Worker(new URL('./worker.js', import.meta.url));"]);
    const { build } = require('esbuild');
    const { metafile } = await build({ entryPoints: [path.join(built, 'worker.js')], bundle: true, platform: 'node', format: 'esm', write: false, metafile: true });
    const parts = Object.keys(metafile.inputs).map((name) => path.basename(name)).sort();
    assert.deepEqual(parts, ['engine.js', 'module.js', 'node.js', 'rest.js', 'worker.js'], 'the worker makes no worker: webpack warns of that');
  });

  describe('in Chromium', { skip: missing(chromium) }, () => {
    let server, browser, address;
    before(async () => {
      writeFileSync(path.join(folder, 'index.html'), html);
      writeFileSync(path.join(folder, 'app.js'), script);
      execFileSync('sh', ['-ec', commands.replaceAll('npx ', 'node_modules/.bin/')], { cwd: folder, stdio: 'ignore' });
      writeFileSync(path.join(folder, 'dist/index.html'), '<input type="file" id="file"><script type="module" src="app.js"></script>');
      server = createServer(serve);
      await new Promise((done) => server.listen(0, '127.0.0.1', done));
      address = `http://127.0.0.1:${server.address().port}`;
      browser = await launch();
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });

    /// What the example says of a file that is chosen, or fails with.
    async function chosen(name) {
      const page = await browser.context.newPage();
      await page.goto(`${address}/${name}`);
      const said = new Promise((done) => {
        page.on('console', (message) => { if (message.type() === 'log') done(message.text()); });
        page.on('pageerror', (error) => done(error.message));
      });
      await page.setInputFiles('#file', figure);
      const text = await said;
      await page.close();
      return text;
    }

    test('as it is', async () => assert.match(await chosen('index.html'), /^xac \d+$/));

    test('through a bundler', async () => {
      assert.deepEqual(readdirSync(path.join(folder, 'dist')).sort(), ['app.js', 'effigy-rest.wasm', 'effigy.wasm', 'index.html', 'worker.js']);
      assert.match(await chosen('dist/index.html'), /^xac \d+$/);
    });

    test('says that the worker is not there', async () => {
      rmSync(path.join(folder, 'dist/worker.js'));
      assert.match(await chosen('dist/index.html'), /^the worker failed: its file, .* cannot be loaded/);
    });
  });
});
