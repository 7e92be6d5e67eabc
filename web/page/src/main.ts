/// Puts the page together: ways in, the picture with its tools, the panels.
import { Stage, type Surface } from 'three-effigy';
import { App } from './app.js';
import { BytesPanel } from './bytes.js';
import { CheckPanel } from './check_panel.js';
import { byId, h, icon, select, toggle } from './dom.js';
import { filesInPage, filesOfDrop, filesOfInput } from './files.js';
import { Library, type LocalFile } from './library.js';
import { MaterialsPanel } from './materials_panel.js';
import { MotionPanel } from './motion_panel.js';
import { playPause, playbackBar } from './playback.js';
import { SavePanel } from './save_panel.js';
import { ScenePanel } from './scene_panel.js';

interface Example {
    title: string;
    text: string;
    picture: string;
    files: { name: string; gzip: string }[];
}

if (!document.createElement('canvas').getContext('webgl2')) {
    const why = 'This page draws with WebGL 2, which this browser does not have, or has switched off.';
    byId('welcome').append(h('div', { class: 'card' }, h('p', { class: 'lead', role: 'alert' }, why)));
    throw new Error(why);
}
const library = new Library(byId('effigy-worker').textContent, ['effigy-wasm', 'effigy-rest'].map((id) => byId(id).textContent.trim()));
const app = new App(library, new Stage(byId('stage')));
const panels = makePanels();
setTheme(localTheme());
makeHeader();
makeTools();
playbackBar(app, byId('player'));
makeWelcome();
takeDrops();
takeKeys();
app.onMessage = (text, kind) => {
    const place = byId('message');
    place.className = kind;
    place.replaceChildren(...(kind === 'none' ? [] : [h('span', {}, text)]), ...(kind === 'busy' ? [h('button', { type: 'button', class: 'small', onclick: () => library.cancel() }, 'Cancel')] : []),
        ...(kind === 'error' ? [h('button', { type: 'button', class: 'small', onclick: () => app.say('') }, 'Close')] : []));
};
void openInserted();
(globalThis as { effigyPage?: App }).effigyPage = app; // for the console

function makePanels() {
    const bytes = new BytesPanel(app);
    const check = new CheckPanel(app, (file, offset, length) => {
        show('Bytes');
        void bytes.show(file, offset, length);
    });
    const tabs: [string, { element: HTMLElement; update(): unknown }][] = [
        ['Scene', new ScenePanel(app)], ['Motion', new MotionPanel(app)], ['Materials', new MaterialsPanel(app)],
        ['Check', check], ['Bytes', bytes], ['Save', new SavePanel(app)],
    ];
    const buttons = tabs.map(([name]) => h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'panel-content', 'aria-selected': 'false', tabIndex: -1, onclick: () => show(name) }, name));
    const content = h('div', { id: 'panel-content', role: 'tabpanel', tabIndex: 0 });
    const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'About the model', onkeydown: (event: KeyboardEvent) => {
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (step) buttons[(tabs.findIndex(([name]) => name === current) + step + tabs.length) % tabs.length]!.click();
        if (step) (list.querySelector('[aria-selected=true]') as HTMLElement).focus();
    } }, ...buttons);
    byId('panel').append(list, content);
    check.onCounts = (count, worst) => {
        const tab = byId('tab-Check');
        tab.replaceChildren('Check', ...(count > 0 ? [h('span', { class: `badge ${worst}`, 'aria-label': `${count} findings` }, String(count))] : []));
    };
    let current = 'Scene';
    function show(name: string): void {
        current = name;
        for (const [index, [of, panel]] of tabs.entries()) {
            const isShown = of === name;
            buttons[index]!.setAttribute('aria-selected', String(isShown));
            buttons[index]!.tabIndex = isShown ? 0 : -1;
            if (!isShown) continue;
            byId('main').classList.toggle('wide', name === 'Bytes');
            content.setAttribute('aria-labelledby', `tab-${name}`);
            content.className = name.toLowerCase();
            content.replaceChildren(panel.element);
            if (name !== 'Check') panel.update();
        }
    }
    app.on('active', () => {
        byId('panel').hidden = app.active === null;
        byId('tools').hidden = app.active === null;
        byId('welcome').hidden = app.active !== null;
        show(app.active && !app.active.model ? 'Check' : current);
        void check.update();
    });
    app.on('selection', () => {});
    return { show };
}

function makeHeader(): void {
    const file = chooser(false), folder = chooser(true);
    byId('actions').append(
        h('button', { type: 'button', onclick: () => file.click() }, 'Open files'),
        h('button', { type: 'button', class: 'folder', onclick: () => folder.click() }, 'Open folder'),
        h('button', { type: 'button', class: 'icon', id: 'theme', 'aria-label': 'Dark or light', title: 'Dark or light', onclick: () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark') }, icon('theme')));
    app.on('models', () => {
        byId('models').replaceChildren(...app.entries.map((entry) => h('span', { class: 'model' },
            h('button', { type: 'button', class: 'name', 'aria-pressed': String(entry === app.active), title: entry.file.name, onclick: () => void app.reopen(entry) }, entry.name),
            h('button', { type: 'button', class: 'icon', 'aria-label': `Close ${entry.name}`, onclick: () => app.close(entry) }, icon('close')))));
    });
}

function chooser(isFolder: boolean): HTMLInputElement {
    const input = h('input', { type: 'file', multiple: true, hidden: true, 'aria-label': isFolder ? 'Folder to open' : 'Files to open', onchange: () => {
        if (input.files) void filesOfInput(input.files, (text) => app.say(text)).then((files) => app.open(files), (error: Error) => app.fail(error.message));
        input.value = '';
    } });
    if (isFolder) input.setAttribute('webkitdirectory', '');
    input.id = isFolder ? 'choose-folder' : 'choose-files';
    document.body.append(input);
    return input;
}

function makeTools(): void {
    const surfaces: [Surface, string][] = [['material', 'Materials'], ['clay', 'Plain'], ['normals', 'Normals'], ['uv', 'UV checker']];
    const apply = (change: () => void) => { change(); app.applyShown(); };
    const { shown } = app;
    const skeleton = toggle('Skeleton', false, (isOn) => apply(() => (shown.skeleton = isOn)));
    const collision = toggle('Collision', false, (isOn) => apply(() => (shown.collision = isOn)));
    byId('tools').append(
        select('Surface', surfaces, 'material', (value) => apply(() => (shown.surface = value as Surface))),
        toggle('Wireframe', false, (isOn) => apply(() => (shown.wireframe = isOn))), skeleton,
        toggle('Bounds', false, (isOn) => apply(() => (shown.bounds = isOn))), collision,
        toggle('Grid', true, (isOn) => apply(() => (shown.grid = isOn))),
        toggle('Turn', false, (isOn) => { app.stage.autoRotate = isOn; app.stage.invalidate(); }, 'Turn around slowly'),
        h('button', { type: 'button', class: 'icon', 'aria-label': 'Frame', title: 'Frame (F)', onclick: () => app.stage.frame(app.selected) }, icon('frame')));
    app.on('active', () => {
        skeleton.disabled = !app.active?.model?.bones.length;
        collision.disabled = !app.active?.model?.hasCollision;
    });
}

function makeWelcome(): void {
    const text = document.getElementById('effigy-examples')?.textContent;
    const examples = text ? (JSON.parse(text) as Example[]) : [];
    const cards = examples.map((example) => h('button', { type: 'button', class: 'example', onclick: () => void filesInPage(example.files).then((files) => app.open(files)) },
        h('img', { src: example.picture, alt: '', width: 120, height: 120 }), h('strong', {}, example.title), h('span', {}, example.text)));
    byId('welcome').append(h('div', { class: 'card' },
        h('p', { class: 'lead' }, 'Drop a game’s character, ship or signing avatar here, and see it move, look into its bytes, or take it to another format.'),
        h('p', {}, 'Files, folders and ZIPs with models, motions and textures of EMotion FX, X Rebirth and X4, Space Trader, signing avatars, and glTF. What belongs together is found. Nothing leaves this computer.'),
        h('div', { class: 'line' },
            h('button', { type: 'button', class: 'primary', onclick: () => byId('choose-files').click() }, 'Open files'),
            h('button', { type: 'button', onclick: () => byId('choose-folder').click() }, 'Open folder')),
        cards.length > 0 && h('h2', {}, 'Or look at an example'), h('div', { class: 'examples' }, ...cards)));
}

function takeDrops(): void {
    const cover = byId('dropping');
    let depth = 0;
    addEventListener('dragenter', (event) => { event.preventDefault(); cover.hidden = ++depth === 0; });
    addEventListener('dragleave', () => { depth = Math.max(0, depth - 1); cover.hidden = depth === 0; });
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
        event.preventDefault();
        depth = 0;
        cover.hidden = true;
        if (event.dataTransfer) void filesOfDrop(event.dataTransfer, (text) => app.say(text)).then((files) => app.open(files), (error: Error) => app.fail(error.message));
    });
}

function takeKeys(): void {
    const { stage } = app;
    stage.canvas.tabIndex = 0;
    stage.canvas.setAttribute('role', 'application');
    stage.canvas.setAttribute('aria-label', 'The model. Arrow keys turn it, plus and minus zoom, F frames it, space plays.');
    const keys: Record<string, () => void> = {
        ArrowLeft: () => stage.orbit(-0.15, 0), ArrowRight: () => stage.orbit(0.15, 0), ArrowUp: () => stage.orbit(0, 0.1), ArrowDown: () => stage.orbit(0, -0.1),
        '+': () => stage.orbit(0, 0, 1.15), '-': () => stage.orbit(0, 0, 1 / 1.15), f: () => stage.frame(app.selected), ' ': () => playPause(app), Escape: () => app.select(null),
    };
    stage.canvas.addEventListener('keydown', (event) => {
        const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (!act) return;
        event.preventDefault();
        act();
    });
    let from = { x: 0, y: 0 };
    stage.canvas.addEventListener('pointerdown', (event) => (from = { x: event.clientX, y: event.clientY }));
    stage.canvas.addEventListener('click', (event) => {
        if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4) return;
        const hit = stage.pick(event.clientX, event.clientY);
        const entry = app.entries.find((one) => one.model && one.model === hit?.model);
        if (entry && entry !== app.active) app.activate(entry);
        app.select(hit ? (hit.model.partOf(hit.object)?.object ?? null) : null);
    });
}

function localTheme(): string {
    return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

function setTheme(theme: string): void {
    document.documentElement.dataset.theme = theme;
    app.stage.setColors(theme === 'dark' ? { background: 0x1a1d21, grid: 0x272b31, gridCenter: 0x363c45 } : { background: 0xf1f2f4, grid: 0xdfe2e6, gridCenter: 0xc8ccd2 });
}

/// Files that `effigy view` put into the page.
async function openInserted(): Promise<void> {
    const text = document.getElementById('effigy-files')?.textContent;
    if (!text) return;
    const inserted = JSON.parse(text) as { files: { name: string; base64: string }[]; options?: Record<string, unknown> };
    const files: LocalFile[] = await filesInPage(inserted.files);
    await app.open(files, inserted.options);
}

void panels;
