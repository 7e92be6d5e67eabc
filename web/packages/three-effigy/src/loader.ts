/// Every format of effigy for three.js: files are converted to GLB in a worker and read by GLTFLoader.
import { FileLoader, Loader, type AnimationClip, type Group, type LoadingManager } from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { Effigy, type Finding, type NamedFile } from 'effigy';
import { readGlb } from './glb.js';

export interface EffigyResult {
    scene: Group;
    animations: AnimationClip[];
    findings: Finding[]; // what the conversion lost or replaced
    gltf: GLTF;
}

export class EffigyLoader extends Loader<EffigyResult, string | string[]> {
    /// Files that may be asked for by name: textures, parts, libraries.
    sideFiles: NamedFile[] = [];
    /// Switches of `effigy convert` that read.
    options: Record<string, unknown> = {};
    private static shared: Promise<Effigy> | undefined;

    constructor(manager?: LoadingManager, private readonly effigy?: Effigy) {
        super(manager);
    }

    setSideFiles(files: NamedFile[]): this {
        this.sideFiles = files;
        return this;
    }

    setOptions(options: Record<string, unknown>): this {
        this.options = options;
        return this;
    }

    /// One address, or several that make one scene: a model, further parts, motions.
    override load(
        url: string | string[], onLoad: (result: EffigyResult) => void, onProgress?: (event: ProgressEvent) => void,
        onError?: (error: unknown) => void,
    ): void {
        const urls = [url].flat();
        const read = urls.map(async (one) => ({ name: nameOf(one), data: await this.fetchBytes(one, onProgress) }));
        Promise.all(read).then((files) => this.parseAsync(files)).then(onLoad, (error: unknown) => {
            if (onError) onError(error);
            else console.error(error);
            for (const one of urls) this.manager.itemError(one);
        });
    }

    /// Bytes, or files by name, as `load` gets them from addresses.
    parse(files: ArrayBuffer | NamedFile[], name: string, onLoad: (result: EffigyResult) => void, onError?: (error: unknown) => void): void {
        const named = Array.isArray(files) ? files : [{ name, data: files }];
        this.parseAsync(named).then(onLoad, onError ?? ((error: unknown) => console.error(error)));
    }

    async parseAsync(files: NamedFile[]): Promise<EffigyResult> {
        const effigy = this.effigy ?? (await (EffigyLoader.shared ??= Effigy.create()));
        const made = await effigy.convert(files, 'scene.glb', { files: this.sideFiles, options: this.options });
        const gltf = await readGlb(made.files[0]!.data, this.manager);
        return { scene: gltf.scene, animations: gltf.animations, findings: made.findings, gltf };
    }

    private async fetchBytes(url: string, onProgress?: (event: ProgressEvent) => void): Promise<ArrayBuffer> {
        const loader = new FileLoader(this.manager);
        loader.setPath(this.path);
        loader.setResponseType('arraybuffer');
        loader.setRequestHeader(this.requestHeader);
        loader.setWithCredentials(this.withCredentials);
        return (await loader.loadAsync(url, onProgress)) as ArrayBuffer;
    }
}

function nameOf(url: string): string {
    return decodeURIComponent(url.split(/[?#]/)[0]!.split('/').pop()!);
}
