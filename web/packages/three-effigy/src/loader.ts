/// Every format of effigy for three.js: files are converted to GLB in a worker and read by GLTFLoader.
import { FileLoader, Loader, type AnimationClip, type Group, type LoadingManager } from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { Effigy, type Conversion, type Finding, type NamedFile } from 'effigy';
import { readGlb } from './glb.js';
import { Sources, type Resolver } from './sources.js';

export interface EffigyResult {
    scene: Group; // userData: what glTF's extras say; meshes have morphTargetDictionary
    animations: AnimationClip[];
    findings: Finding[]; // what the conversion lost or replaced
    gltf: GLTF;
}

export class EffigyLoader extends Loader<EffigyResult, string | string[]> {
    /// Files that may be asked for by name, or their addresses: textures, parts, libraries.
    sideFiles: (NamedFile | string)[] = [];
    /// Switches of `effigy convert` that read.
    options: Record<string, unknown> = {};
    /// Where files are that nobody named; null: nowhere. Without it, beside the first file.
    resolver: Resolver | null | undefined;
    private static shared: Promise<Effigy> | undefined;

    constructor(manager?: LoadingManager, private readonly effigy?: Effigy) {
        super(manager);
    }

    setSideFiles(files: (NamedFile | string)[]): this {
        this.sideFiles = files;
        return this;
    }

    setOptions(options: Record<string, unknown>): this {
        this.options = options;
        return this;
    }

    setResolver(resolver: Resolver | null): this {
        this.resolver = resolver;
        return this;
    }

    /// One address, or several that make one scene: a model, further parts, motions.
    override load(
        url: string | string[], onLoad: (result: EffigyResult) => void, onProgress?: (event: ProgressEvent) => void,
        onError?: (error: unknown) => void,
    ): void {
        const urls = [url].flat(), whole = urls.join(' ');
        this.manager.itemStart(whole);
        this.fetchFiles(urls, onProgress).then((files) => this.make(files, this.path + (urls[0] ?? ''))).then((result) => {
            onLoad(result);
            this.manager.itemEnd(whole);
        }).catch((error: unknown) => {
            if (onError) onError(error);
            else console.error(error);
            this.manager.itemError(whole);
            this.manager.itemEnd(whole);
        });
    }

    /// Bytes, or files by name, as `load` gets them from addresses.
    parse(files: ArrayBuffer | NamedFile[], name: string, onLoad: (result: EffigyResult) => void, onError?: (error: unknown) => void): void {
        const named = Array.isArray(files) ? files : [{ name, data: files }];
        this.parseAsync(named).then(onLoad, onError ?? ((error: unknown) => console.error(error)));
    }

    /// `options` and `sideFiles`: for this call, beyond the loader's own.
    parseAsync(files: NamedFile[], options: Record<string, unknown> = {}, sideFiles: NamedFile[] = []): Promise<EffigyResult> {
        return this.make(files, null, options, sideFiles);
    }

    /// The bytes at addresses, named as their paths end.
    async fetchFiles(urls: string[], onProgress?: (event: ProgressEvent) => void): Promise<NamedFile[]> {
        return Promise.all(urls.map(async (url) => ({ name: nameOf(url), data: await this.fetchBytes(url, onProgress) })));
    }

    private async make(files: NamedFile[], base: string | null, options: Record<string, unknown> = {}, sideFiles: NamedFile[] = []): Promise<EffigyResult> {
        const made = await this.convert(files, base, { ...this.options, ...options }, sideFiles);
        const gltf = await readGlb(made.files[0]!.data, this.manager);
        return { scene: gltf.scene, animations: gltf.animations, findings: made.findings, gltf };
    }

    /// Again and again while files that were asked for are found: a part may ask for more.
    private async convert(inputs: NamedFile[], base: string | null, options: Record<string, unknown>, sideFiles: NamedFile[]): Promise<Conversion> {
        const effigy = this.effigy ?? (await EffigyLoader.start());
        const sources = new Sources(this.manager, this.resolver, base, this.requestHeader, this.withCredentials);
        const files: NamedFile[] = await Promise.all([...this.sideFiles, ...sideFiles].map(async (file) =>
            typeof file === 'string' ? { name: nameBelow(file), data: await this.fetchBytes(file) } : file));
        for (;;) {
            const made = await effigy.convert(inputs, 'scene.glb', { files, options }).catch((error: Error) => error);
            const { wanted = [] } = made as { wanted?: string[] }; // a glTF file without its buffers fails
            const found = await sources.find(wanted);
            if (found.length === 0) {
                if (made instanceof Error) throw made;
                return made;
            }
            files.push(...found);
        }
    }

    /// Once for all loaders; a start that failed is none, so that the next load tries again.
    private static start(): Promise<Effigy> {
        return (EffigyLoader.shared ??= Effigy.create().catch((error: unknown) => {
            EffigyLoader.shared = undefined;
            throw error;
        }));
    }

    private async fetchBytes(url: string, onProgress?: (event: ProgressEvent) => void): Promise<ArrayBuffer> {
        const loader = new FileLoader(this.manager);
        loader.setPath(this.path);
        loader.setResponseType('arraybuffer');
        loader.setRequestHeader(this.requestHeader);
        loader.setWithCredentials(this.withCredentials);
        // FileLoader keeps what it fetched by address; buffers go to a worker and stay ours.
        return (await loader.loadAsync(url, onProgress)) as ArrayBuffer;
    }
}

export function nameOf(url: string): string {
    return nameBelow(url).split('/').pop()!;
}

/// A relative address is the file's path below where everything lies.
function nameBelow(url: string): string {
    const path = url.split(/[?#]/)[0]!;
    return decoded(/^[a-z][a-z0-9+.-]*:|^\//i.test(path) ? path.split('/').pop()! : path.replace(/^(\.\/)+/, ''));
}

/// What is no code stands for itself: 100%.xac.
function decoded(path: string): string {
    try {
        return decodeURIComponent(path);
    } catch {
        return path;
    }
}
