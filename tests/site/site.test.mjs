/// The site that ./dev docs makes: links lead somewhere, searches answer, nothing is hidden from screen readers, and phones
/// can show it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium, launch, require as web, root } from '../web/browser.mjs';

const site = process.env.EFFIGY_SITE ?? path.join(root, 'build/docs/site');
const { default: config } = await import('../../site/.vitepress/config.mjs');

function filesBelow(folder) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? filesBelow(path.join(folder, entry.name)) : [path.join(folder, entry.name)]);
}
const all = filesBelow(site);
const pages = all.filter((file) => file.endsWith('.html') && !file.endsWith('404.html'));
const decode = (text) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

test('there is a page for each', () => {
    const names = pages.map((file) => path.relative(site, file));
    for (const name of ['index.html', 'docs/questions.html', 'docs/readers.html', 'docs/examples.html', 'docs/options.html', 'docs/diagnostics.html', 'reference/index.html', 'reference/xac_hpp.html'])
        assert.ok(names.includes(name), name);
    assert.ok(pages.length > 80, String(pages.length));
});

test('each figure is shown on a page', () => {
    const texts = filesBelow(path.join(root, 'docs')).filter((file) => file.endsWith('.md')).map((file) => readFileSync(file, 'utf8'));
    for (const name of readdirSync(path.join(root, 'docs/figures'))) assert.ok(texts.some((text) => text.includes(`figures/${name})`)), name);
});

test('links lead somewhere', () => {
    const anchors = new Map();
    const anchorsOf = (file) => {
        if (!anchors.has(file)) anchors.set(file, new Set([...readFileSync(file, 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id]) => decode(id))));
        return anchors.get(file);
    };
    const wrong = [];
    let count = 0;
    for (const file of pages) {
        for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:href|src)="([^"]+)"/g)) {
            if (/^(https?:|data:|mailto:)/.test(target)) continue;
            ++count;
            const [to, anchor] = decode(target).split('#');
            let found = to === '' ? file : to.startsWith('/') ? path.join(site, to) : path.join(path.dirname(file), to);
            if (found.endsWith('/')) found = path.join(found, 'index.html');
            if (!existsSync(found)) found += '.html';
            if (!existsSync(found)) wrong.push(`${path.relative(site, file)}: ${target}`);
            else if (anchor && found.endsWith('.html') && !anchorsOf(found).has(decodeURIComponent(anchor))) wrong.push(`${path.relative(site, file)}: ${target}`);
        }
    }
    assert.ok(count > 1000);
    assert.deepEqual([...new Set(wrong)], []);
});

/// What somebody types, and the heading that has to be among the first results, which one screen shows.
const searches = [
    ['tangent sign', /what is the tangent sign/i],
    ['how is a key sampled', /how is a key sampled/i],
    ['xac tangent sign', /^XAC: what is the tangent sign/i],
    ['xmf tangent sign', /^XMF: what is the tangent sign/i],
    ['x42 tangent sign', /^X42: what is the tangent sign/i],
    ['xsm key sampled', /^XSM: how is a key sampled/i],
    ['xpm key sampled', /^XPM: how is a key sampled/i],
    ['ani key sampled', /^ANI: how is a key sampled/i],
    ['x42 key sampled', /^X42: how is a key sampled/i],
    ['arp key sampled', /^ARP and CAS: how is a key sampled/i],
    ['arp bind pose', /^ARP: where is the bind pose/i],
    ['xac bind pose', /^XAC: where is the bind pose/i],
    ['xmf winding', /^XMF: what is the winding/i],
    ['xmf packed normals', /packed/i],
    ['uv flip', /must UVs be flipped/i],
    ['ani rotation order', /^ANI: in which order|^Rotations/i],
    ['cas quaternion', /^CAS: which way round/i],
    ['xpm weight', /^XPM: /i],
    ['xsm wavelets', /wavelets/i],
    ['component connection', /^Component: |^Connections and parts/i],
    ['component meshes of a part', /^Component: |^Meshes of a part/i],
    ['catalog where does a file begin', /^Catalog: /i],
    ['catalog md5', /^Catalog: |^A reader|^The file/i],
    ['read_file', /^read_file$/],
    ['ConvertOptions', /^ConvertOptions$/],
    ['inverse bind matrix', /inverse bind matrix/i],
    ['axes winding', /axes.*wound|winding/i],
    ['chunk size wrong', /past the end of the chunk|lengths that lie|Chunk 202/i],
    ['x42 unpack 16-bit', /16-bit value of an X42/i],
    ['who else reads', /who else reads/i],
    ['kaitai', /kaitai|descriptions for programs/i],
];

test('searches are answered by the first screen', async () => {
    const find = createRequire(path.join(root, 'site/package.json'));
    const { default: MiniSearch } = find('minisearch').default ? find('minisearch') : { default: find('minisearch') };
    const chunk = all.find((file) => /@localSearchIndexroot\.[^/]*\.js$/.test(file));
    assert.ok(chunk);
    const { default: index } = await import(chunk);
    const { options, searchOptions } = config.themeConfig.search.options.miniSearch;
    const search = MiniSearch.loadJSON(index, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'], ...options, searchOptions });
    for (const [query, heading] of searches) {
        const found = search.search(query).slice(0, 4).map(({ title }) => title);
        assert.ok(found.some((title) => heading.test(title)), `${query}: ${found.join(' | ')}`);
    }
});

describe('in a browser', { skip: existsSync(chromium) ? false : `no browser: ${chromium}` }, () => {
    let server, address, browser;
    before(async () => {
        const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.woff2': 'font/woff2' };
        server = createServer((request, response) => {
            const name = decodeURIComponent(new URL(request.url, 'http://x').pathname);
            const file = [name, `${name}.html`, path.join(name, 'index.html')].map((one) => path.join(site, one)).find((one) => one.startsWith(site) && all.includes(one));
            response.writeHead(file ? 200 : 404, { 'content-type': types[path.extname(file ?? '')] ?? 'application/octet-stream' });
            response.end(file ? readFileSync(file) : '');
        });
        await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
        address = `http://127.0.0.1:${server.address().port}/`;
        browser = await launch();
    });
    after(async () => {
        await browser?.close();
        server?.close();
    });

    /// Every page of the project's own; of the headers a few, which one program makes.
    const shown = pages.map((file) => path.relative(site, file)).filter((name) => !name.startsWith('reference/') || /(index|poser|xac|effigy)/.test(name));

    test('axe finds nothing serious, and phones show every page', async () => {
        const axe = readFileSync(web.resolve('axe-core/axe.min.js'), 'utf8');
        const page = await browser.context.newPage();
        page.setDefaultTimeout(0); // machines may be busy
        const wrong = [];
        for (const [index, name] of shown.entries()) {
            await page.setViewportSize(index % 2 ? { width: 1280, height: 800 } : { width: 390, height: 844 });
            await page.emulateMedia({ colorScheme: index % 3 ? 'light' : 'dark', reducedMotion: 'reduce' });
            await page.goto(address + name, { waitUntil: 'domcontentloaded' });
            await page.addScriptTag({ content: axe });
            const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
            for (const { id, impact, nodes } of found.violations) {
                if (impact === 'serious' || impact === 'critical') wrong.push(`${name}: ${id}: ${nodes.length}, as ${nodes[0].html.slice(0, 120)}`);
            }
            await page.setViewportSize({ width: 390, height: 844 });
            const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
            if (width > 390) wrong.push(`${name} is ${width} wide on a phone`);
        }
        await page.close();
        assert.deepEqual(wrong, []);
    });

    test('the search box answers', async () => {
        const page = await browser.context.newPage();
        page.setDefaultTimeout(0); // machines may be busy
        await page.setViewportSize({ width: 390, height: 844 });
        await page.goto(`${address}docs/questions.html`);
        await page.waitForLoadState('networkidle');
        await page.click('.VPNavBarSearch button');
        await page.fill('.VPLocalSearchBox input', 'how is a key sampled');
        await page.waitForFunction(() => /how is a key sampled/i.test(document.querySelector('.VPLocalSearchBox .results')?.textContent ?? ''));
        await page.close();
    });
});
