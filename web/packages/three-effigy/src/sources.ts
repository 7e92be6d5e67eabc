/// Files that a conversion asked for by name and nobody gave: from a function, or beside the first file.
import type { LoadingManager } from 'three';
import type { Bytes, NamedFile } from 'effigy';

/// An address, the bytes, or null where there is no such file.
export type Resolver = (name: string) => string | Bytes | null | undefined | Promise<string | Bytes | null | undefined>;

/// Some materials name their texture without an extension.
const pictures = ['.png', '.dds', '.jpg', '.tga'];

export class Sources {
    private readonly asked = new Set<string>();

    constructor(
        private readonly manager: LoadingManager, private readonly resolver: Resolver | null | undefined, private readonly base: string | null,
        private readonly headers: Record<string, string>, private readonly withCredentials: boolean,
    ) {}

    /// Those that are there; each name is looked for once.
    async find(names: string[]): Promise<NamedFile[]> {
        const fresh = names.filter((name) => !this.asked.has(name));
        for (const name of fresh) this.asked.add(name);
        return (await Promise.all(fresh.map((name) => this.one(name)))).filter((file) => file !== null);
    }

    private async one(name: string): Promise<NamedFile | null> {
        if (this.resolver) {
            const found = await this.resolver(name);
            const data = typeof found === 'string' ? await this.fetch(found) : found;
            return data ? { name, data } : null;
        }
        if (this.resolver === null || this.base === null) return null;
        const ends = /\.[a-z0-9]{1,8}$/i.test(name) ? [''] : pictures;
        // Games name files by their place in the game; here they more often lie beside the model.
        const places = [...new Set([name.split(/[/\\]/).pop()!, name])];
        for (const place of places) {
            for (const end of ends) {
                const data = await this.fetch(this.beside(place + end));
                if (data) return { name: name + end, data };
            }
        }
        return null;
    }

    private beside(name: string): string {
        const folder = this.base!.split(/[?#]/)[0]!.replace(/[^/]*$/, '');
        // Names in files may lead anywhere; here they lead to below the folder of the model.
        const steps = name.split(/[/\\]/).filter((step) => step && step !== '.' && step !== '..' && !step.endsWith(':'));
        return folder + steps.map(encodeURIComponent).join('/');
    }

    private async fetch(address: string): Promise<ArrayBuffer | null> {
        const url = this.manager.resolveURL(address);
        this.manager.itemStart(url);
        try {
            const answer = await fetch(url, { headers: this.headers, credentials: this.withCredentials ? 'include' : 'same-origin' });
            // Development servers and hosts of single pages answer with their page where there is no such file.
            const isPage = /^text\/html\b/i.test(answer.headers.get('content-type') ?? '');
            return answer.ok && !isPage ? await answer.arrayBuffer() : null;
        } catch {
            return null; // the picture goes without it, and the findings say so
        } finally {
            this.manager.itemEnd(url);
        }
    }
}
