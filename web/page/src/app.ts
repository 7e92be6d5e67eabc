/// What is open: models with their files, and which of them the panels speak of.
import type { Finding, Progress } from 'effigy';
import type { Object3D } from 'three';
import { Model, Stage, readGlb, type Surface } from 'three-effigy';
import { folderOf, gather, nameOf, stemOf, textureOf, type Found } from './gather.js';
import { LibraryError, type Field, type Fit, type Format, type Library, type LocalFile } from './library.js';
import { keepHidden, partAt } from './parts.js';

export interface Entry {
    name: string;
    format: string;
    file: LocalFile;
    companions: LocalFile[]; // parts of the scene beside the model and its motions
    files: Map<string, LocalFile>; // what was dropped with it, by name
    options: Record<string, unknown>; // switches of `effigy view`
    around: Found['motions']; // of which those that fit are its motions
    motions: LocalFile[];
    fits: Fit[];
    model: Model | null;
    report: Finding[]; // of the conversion for the picture
    wanted: string[]; // names that it asked for in vain
    error: string;
}

export interface Shown {
    surface: Surface;
    wireframe: boolean;
    skeleton: boolean;
    bounds: boolean;
    collision: boolean;
    grid: boolean;
    speed: number;
    loop: boolean;
}

type Change = 'models' | 'active' | 'selection' | 'frame' | 'files';
/// Formats of files that no other file asks for.
const complete = new Set(['xac', 'xsm', 'xpm', 'x42', 'jar', 'jarp', 'cas', 'glb']);
const most = { beside: 6, motions: 40 };

export class App {
    readonly entries: Entry[] = [];
    readonly shown: Shown = { surface: 'material', wireframe: false, skeleton: false, bounds: false, collision: false, grid: true, speed: 1, loop: true };
    active: Entry | null = null;
    selected: Object3D | null = null;
    formats: Format[] = [];
    busy = '';
    onMessage: (text: string, kind: 'busy' | 'error' | 'none') => void = () => {};
    private known: Promise<Format[]> | undefined;
    private readonly listeners: [Change, () => void][] = [];
    private readonly drops: Map<string, LocalFile>[] = []; // by name: files of several folders may be called alike
    private readonly motions: Found['motions'] = [];
    private fresh: string[] = []; // names of the files that came in last
    private readonly built = new Set<Entry>(); // since then
    private readonly complete = new Set<LocalFile>();
    private readonly fields = new Map<LocalFile, Promise<Field[]>>();
    private readonly checks = new Map<LocalFile, Promise<Finding[]>>();

    constructor(readonly library: Library, readonly stage: Stage) {
        library.onProgress = (progress: Progress) => this.say(`${progress.what} ${nameOf(progress.name)}`);
        this.known = library.call('formats');
        this.known.catch(() => (this.known = undefined)); // asked for again when it is needed
        stage.onFrame = () => this.changed('frame');
    }

    on(change: Change, listener: () => void): void {
        this.listeners.push([change, listener]);
    }

    changed(change: Change): void {
        for (const [of, listener] of this.listeners) if (of === change) listener();
    }

    /// Everything that comes in comes in here. Errors become messages; the page stays as it was.
    async open(files: LocalFile[], options: Record<string, unknown> = {}): Promise<void> {
        if (files.length === 0) return this.fail('There are no files in what was dropped.');
        this.say(files.length === 1 ? `Opening ${nameOf(files[0]!.name)}` : `Opening ${files.length} files`);
        try {
            this.formats = await (this.known ??= this.library.call('formats'));
            const found = await gather(this.library, this.formats, files, this.entries.find(lacksMeshes)?.file.name);
            for (const { file, format } of [...found.models, ...found.motions]) if (complete.has(format)) this.complete.add(file);
            // Without a model they are for the one that is shown.
            const drop = found.models.length === 0 && this.active ? this.active.files : new Map<string, LocalFile>();
            for (const file of files) drop.set(file.name, file);
            if (!this.drops.includes(drop)) this.drops.push(drop);
            this.checks.clear(); // what was missing may be there
            this.fresh = files.map((file) => file.name);
            this.built.clear();
            await this.show(found, drop, options);
            this.motions.push(...found.motions);
            this.changed('files');
        } catch (error) {
            this.fail(messageOf(error));
        }
    }

    async show(found: Found, files: Map<string, LocalFile>, options: Record<string, unknown>): Promise<void> {
        if (found.models.length === 0) return this.addMotions(found, files, options);
        const beside = found.models.slice(0, found.models.length > most.beside ? 1 : most.beside);
        const failures: string[] = [], opened: Entry[] = [];
        // Those that came before their model, too.
        const idle = this.motions.filter(({ file }) => !files.has(file.name) && !this.entries.some((entry) => entry.motions.includes(file)));
        const around = [...found.motions, ...idle];
        for (const { file, format, companions } of found.models) {
            const entry: Entry = { name: stemOf(file.name), format, file, companions, files, options, around, motions: [], fits: [], model: null, report: [], wanted: [], error: '' };
            this.entries.push(entry);
            if (!beside.some((one) => one.file === file)) continue;
            opened.push(entry);
            await this.fit(entry, around);
            await this.build(entry);
            if (entry.error) failures.push(`${nameOf(file.name)}: ${entry.error}`);
        }
        for (const alone of this.entries.filter((entry) => opened.some((one) => one.motions.includes(entry.file)))) this.close(alone);
        await this.supply();
        this.activate(opened.findLast((entry) => entry.model) ?? opened.at(-1) ?? null);
        if (failures.length > 0) this.fail(failures.join('\n'));
        else this.say('');
    }

    /// Makes the picture of an entry, or makes it anew.
    async build(entry: Entry): Promise<void> {
        const before = entry.model, clip = before?.player.clip?.name;
        this.built.add(entry);
        this.say(`Reading ${entry.name}`);
        try {
            const inputs = inputsOf(entry);
            const made = await this.library.call('convert', inputs, `${entry.name}.glb`, this.beside(entry, inputs), { 'allow-damaged': true, ...entry.options });
            const gltf = await readGlb(made.files[0]!.data);
            entry.model = new Model(entry.name, gltf);
            entry.report = made.findings;
            entry.wanted = made.wanted;
            entry.error = '';
            if (before) {
                keepHidden(before, entry.model);
                entry.model.player.fade = before.player.fade;
                this.stage.remove(before);
            }
            this.stage.add(entry.model);
            this.applyShown();
            this.applyPlayback();
            const clips = entry.model.clips;
            entry.model.player.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
            entry.model.player.select(clips.find((one) => one.name === clip) ?? clips[0] ?? null);
            this.stage.frame();
        } catch (error) {
            entry.error = withoutName(messageOf(error), entry.file.name);
            if (error instanceof LibraryError) [entry.report, entry.wanted] = [error.findings, error.wanted];
        }
        this.say('');
    }

    activate(entry: Entry | null): void {
        this.active = entry;
        this.selected = null;
        this.changed('models');
        this.changed('active');
        if (entry?.error) this.fail(`${nameOf(entry.file.name)}: ${entry.error}`);
    }

    async reopen(entry: Entry): Promise<void> {
        if (!entry.model) {
            await this.fit(entry, entry.around);
            await this.build(entry);
        }
        this.activate(entry);
    }

    close(entry: Entry): void {
        if (entry.model) this.stage.remove(entry.model);
        this.entries.splice(this.entries.indexOf(entry), 1);
        if (entry === this.active) this.activate(this.entries.findLast((one) => one.model) ?? null);
        else this.changed('models');
        this.stage.frame();
    }

    select(object: Object3D | null): void {
        for (const entry of this.entries) entry.model?.select(entry === this.active ? object : null);
        this.selected = object;
        this.stage.invalidate();
        this.changed('selection');
    }

    /// The part that a path of a file speaks of.
    async selectPath(file: LocalFile, path: string): Promise<void> {
        const model = this.active?.model;
        if (!model) return;
        const fields = await this.fieldsOf(file).catch(() => []);
        const part = partAt(model, file.name, path, fields);
        if (part) this.select(part);
    }

    applyShown(): void {
        for (const { model } of this.entries) {
            if (!model) continue;
            model.surface = this.shown.surface;
            model.collision = this.shown.collision;
            model.wireframe = this.shown.wireframe;
            model.skeleton = this.shown.skeleton || model.counts.meshes === 0;
            model.boundsShown = this.shown.bounds;
        }
        this.stage.gridVisible = this.shown.grid;
        this.stage.refresh();
    }

    applyPlayback(): void {
        for (const { model } of this.entries) if (model) [model.player.speed, model.player.loop] = [this.shown.speed, this.shown.loop];
    }

    /// Every file that the active model was made of.
    filesOf(entry: Entry): LocalFile[] {
        const own = inputsOf(entry);
        if (entry.format !== 'component') return own;
        const below = entry.file.name.replace(/\.xml$/i, '_data').toLowerCase();
        const parts = [...this.filesFor(entry).values()].filter((file) => file.name.toLowerCase().startsWith(below) && /\.(xmf|ani)$/i.test(file.name));
        return [...own, ...parts];
    }

    /// By name. Of files that are called alike, an entry sees those that were dropped with it, then the latest.
    filesFor(entry: Entry): Map<string, LocalFile> {
        const files = new Map<string, LocalFile>();
        for (const drop of [entry.files, ...this.drops.toReversed()]) for (const [name, file] of drop) if (!files.has(name)) files.set(name, file);
        return files;
    }

    fieldsOf(file: LocalFile): Promise<Field[]> {
        return remembered(this.fields, file, () => this.library.call('dump', file));
    }

    checkOf(entry: Entry, file: LocalFile): Promise<Finding[]> {
        return remembered(this.checks, file, () => this.library.call('check', file, this.beside(entry, [file])));
    }

    async addMotion(entry: Entry, file: LocalFile): Promise<void> {
        add(entry, file);
        await this.build(entry);
        const clips = entry.model?.clips ?? [];
        entry.model?.player.select(clips.find((clip) => clip.name === stemOf(file.name)) ?? clips.at(-1) ?? null);
        this.activate(entry);
    }

    /// What may be asked for by name. Pictures below the model's folder come before others that are called alike.
    beside(entry: Entry, inputs: LocalFile[]): LocalFile[] {
        const files = [...this.filesFor(entry).values()].filter((file) => !inputs.includes(file) && !this.complete.has(file));
        const own = files.filter((file) => file.name.startsWith(folderOf(entry.file.name)));
        const pictures = new Set(own.map((file) => textureOf(file.name)).filter(Boolean));
        const others = files.filter((file) => !own.includes(file) && (entry.format === 'gltf' || !pictures.has(textureOf(file.name))));
        return [...own, ...others];
    }

    say(text: string): void {
        this.busy = text;
        this.onMessage(text, text ? 'busy' : 'none');
    }

    fail(text: string): void {
        this.onMessage(text, 'error');
    }

    /// Motions, textures or libraries for what is there already.
    private async addMotions(found: Found, files: Map<string, LocalFile>, options: Record<string, unknown>): Promise<void> {
        const entry = this.active;
        if (entry?.model && found.motions.length > 0) {
            entry.around = [...entry.around, ...found.motions];
            await this.fit(entry, found.motions);
            const added = found.motions.find(({ file }) => entry.motions.includes(file));
            if (added) {
                await this.addMotion(entry, added.file);
                return this.supply();
            }
        }
        if (found.motions.length > 0) {
            const alone = found.motions.map(({ file, format }) => ({ file, format, companions: [] }));
            return this.show({ models: alone, motions: [], side: [], unknown: [] }, files, options);
        }
        if (entry && found.side.length > 0) await this.build(entry);
        await this.supply();
        if (this.built.size > 0) this.activate(entry ?? this.entries.at(-1)!);
        const [first] = found.unknown, more = found.unknown.length - 1;
        if (first) this.fail(`${nameOf(first.file.name)}: ${first.why}${more > 0 ? ` ${more} more were not read either.` : ''}`);
        else if (!entry) this.fail('There is no model among these files.');
    }

    /// Makes anew what lacked some of the files that came in.
    private async supply(): Promise<void> {
        for (const entry of this.entries) if (!this.built.has(entry) && (entry.model || entry.error) && lacks(entry, this.fresh)) await this.build(entry);
    }

    /// Motions that fit the model: of games with motions in files of their own by names, of avatars all.
    private async fit(entry: Entry, motions: Found['motions']): Promise<void> {
        const games = motions.filter((motion) => motion.format === 'xsm' || motion.format === 'xpm').map((motion) => motion.file);
        if (entry.format === 'xac' && games.length > 0) {
            const answer = await this.library.call('match', [entry.file], games).catch(() => ({ models: [] }));
            const fits = answer.models[0]?.motions ?? [];
            entry.fits = [...entry.fits, ...fits.filter((fit) => !entry.fits.some((one) => one.file === fit.file))];
            for (const fit of fits.filter((one) => !one.weak).slice(0, most.motions)) add(entry, games.find((file) => file.name === fit.file));
        }
        const isAvatar = entry.format === 'jar' || entry.format === 'jarp';
        for (const motion of motions) if (isAvatar && motion.format === 'cas') add(entry, motion.file);
        const isOwn = (file: LocalFile) => folderOf(file.name) === folderOf(entry.file.name);
        for (const motion of motions) if (entry.format === 'xmf' && motion.format === 'ani' && isOwn(motion.file)) add(entry, motion.file);
    }
}

/// In place of one that is called alike: a conversion takes no name twice.
function add(entry: Entry, file: LocalFile | undefined): void {
    if (file) entry.motions = [...entry.motions.filter((one) => one.name !== file.name), file];
}

export const inputsOf = (entry: Entry): LocalFile[] => [entry.file, ...entry.companions, ...entry.motions];

/// Components find their files by lists, and do not ask for each: what says that one is missing, and which are such ones.
const partsOfComponents: [code: RegExp, name: RegExp][] = [
    [/^(mesh-missing|nothing-to-show)$/, /\.xmf$/i], [/^material-unresolved$/, /\.xml$/i], [/^texture-missing$/, /\.(dds|gz|png|tga|jpe?g)$/i],
];

const isSaid = (entry: Entry, code: RegExp): boolean => entry.report.some((finding) => code.test(finding.code));
const lacksMeshes = (entry: Entry): boolean => entry.format === 'component' && isSaid(entry, partsOfComponents[0]![0]);

function lacks(entry: Entry, names: string[]): boolean {
    if (entry.format === 'component') return partsOfComponents.some(([code, part]) => isSaid(entry, code) && names.some((name) => part.test(name)));
    const wanted = new Set(entry.wanted.map((name) => stemOf(name).toLowerCase()));
    return names.some((name) => wanted.has(stemOf(name).toLowerCase()));
}

/// The library's messages begin with it, and so do the page's.
const withoutName = (message: string, name: string): string => (message.startsWith(`${name}: error: `) ? message.slice(name.length + 9) : message);

function remembered<T>(known: Map<LocalFile, Promise<T>>, file: LocalFile, make: () => Promise<T>): Promise<T> {
    let answer = known.get(file);
    if (!answer) known.set(file, (answer = make()));
    return answer;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
