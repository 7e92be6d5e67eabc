/// The library in its worker, as functions.
import type { Conversion, Finding, Progress } from 'effigy';

export interface LocalFile {
    name: string; // with the folders below what was dropped
    data: Blob;
}

/// One field of `effigy dump`: blocks have no value here.
export interface Field {
    name: string;
    offset: number;
    size: number;
    type: string;
    value: unknown;
}

export interface Format {
    id: string;
    name: string;
    role: string;
    extensions: string[];
    to_scene: boolean;
    from_scene: boolean;
    options: { write: { name: string; choices?: string[] }[] };
}

export interface Fit {
    file: string;
    nodes: number;
    nodes_with_track: number;
    tracks: number;
    tracks_found: number;
    bind_distance: number;
    weak: boolean;
}

export interface Calls {
    start(packed: string[]): string;
    formats(): Format[];
    recognize(files: LocalFile[]): { format: string | null; foreign?: string }[];
    convert(inputs: LocalFile[], to: string, files: LocalFile[], options: Record<string, unknown>): Conversion;
    match(models: LocalFile[], motions: LocalFile[]): { models: { file: string; motions: Fit[] }[] };
    check(file: LocalFile, files: LocalFile[]): Finding[];
    info(file: LocalFile, files: LocalFile[]): object;
    dump(file: LocalFile): Field[];
}

export interface Call {
    id: number;
    name: keyof Calls;
    given: unknown[];
}

export interface Answer {
    id: number;
    value?: unknown;
    error?: string;
    findings?: Finding[];
    wanted?: string[];
}

/// Why a call failed, with everything that was found out.
export class LibraryError extends Error {
    constructor(message: string, readonly findings: Finding[], readonly wanted: string[] = []) {
        super(message);
    }
}

export class Library {
    onProgress: (progress: Progress) => void = () => {};
    private worker!: Worker;
    private next = 0;
    private readonly waiting = new Map<number, { done: (value: never) => void; failed: (error: Error) => void }>();

    constructor(private readonly script: string, private readonly parts: string[]) {
        this.begin();
    }

    call<K extends keyof Calls>(name: K, ...given: Parameters<Calls[K]>): Promise<ReturnType<Calls[K]>> {
        return new Promise((done, failed) => {
            const id = this.next++;
            this.waiting.set(id, { done, failed });
            this.worker.postMessage({ id, name, given } satisfies Call);
        });
    }

    /// Ends what is under way; the library starts anew.
    cancel(why = 'Cancelled.'): void {
        this.worker.terminate();
        const waiting = [...this.waiting.values()];
        this.waiting.clear();
        this.begin();
        for (const { failed } of waiting) failed(new LibraryError(why, []));
    }

    private begin(): void {
        const address = URL.createObjectURL(new Blob([this.script], { type: 'text/javascript' }));
        this.worker = new Worker(address);
        this.worker.onmessage = ({ data }: MessageEvent<Answer & { progress?: Progress }>) => {
            if (data.progress) this.onProgress(data.progress);
            else this.answer(data);
        };
        // What no library survives: out of memory, for example.
        this.worker.onerror = (event) => {
            event.preventDefault();
            this.cancel(event.message || 'The library stopped.');
        };
        this.call('start', this.parts).catch(() => {});
    }

    private answer(answer: Answer): void {
        const waiting = this.waiting.get(answer.id);
        this.waiting.delete(answer.id);
        if (answer.error === undefined) waiting?.done(answer.value as never);
        else waiting?.failed(new LibraryError(answer.error, answer.findings ?? [], answer.wanted));
    }
}
