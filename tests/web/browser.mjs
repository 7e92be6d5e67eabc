/// Debian's Chromium with WebGL in software, and the page in it, for tests.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.join(here, '../..');
export const require = createRequire(path.join(root, 'web/package.json'));
export const chromium = process.env.EFFIGY_CHROMIUM ?? '/usr/bin/chromium';
export const pageFile = process.env.EFFIGY_PAGE ?? path.join(root, 'build/web/effigy.html');

/// Why pages cannot be tested here, or an empty text.
export function missing() {
    if (!existsSync(chromium)) return `no browser: ${chromium}`;
    if (!existsSync(pageFile)) return `no page: ${pageFile} (./dev web)`;
    return '';
}

/// Milliseconds after which what a test waits for is taken to have got stuck: more than the slowest machine needs.
const patience = 600_000;

export async function launch() {
    const { chromium: engine } = require('playwright-core');
    const profile = mkdtempSync(path.join(os.tmpdir(), 'effigy-browser-'));
    const context = await engine.launchPersistentContext(profile, {
        executablePath: chromium, headless: true, viewport: { width: 960, height: 640 }, acceptDownloads: true,
        chromiumSandbox: process.getuid?.() !== 0, // which Chromium refuses to root
        args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-sandbox', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-quic'],
    });
    context.setDefaultTimeout(patience);
    return { context, close: async () => { await context.close(); rmSync(profile, { recursive: true, force: true }); } };
}

/// The page from disk, with everything that it logged and asked for.
export async function openPage(context, settings = {}) {
    const page = await context.newPage();
    const log = { errors: [], requests: [] };
    page.on('console', (message) => { if (message.type() === 'error' || message.type() === 'warning') log.errors.push(message.text()); });
    page.on('pageerror', (error) => log.errors.push(String(error)));
    page.on('request', (request) => { if (!/^(blob|data):/.test(request.url())) log.requests.push(request.url()); });
    if (settings.width) await page.setViewportSize({ width: settings.width, height: settings.height ?? 740 });
    await page.emulateMedia({ colorScheme: settings.scheme ?? 'dark', reducedMotion: 'reduce' });
    await page.goto(pathToFileURL(settings.file ?? pageFile).href);
    return { page, log };
}
