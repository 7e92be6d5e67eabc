/// Runs in a worker: the library. Each message is a call, each answer has its number.
import { Effigy, EffigyError, type Finding, type NamedFile } from 'effigy';
import { forPage } from './advice.js';
import type { Answer, Call, Calls, Field } from './library.js';

let effigy: Promise<Effigy>;

const calls: { [K in keyof Calls]: (...given: Parameters<Calls[K]>) => Promise<ReturnType<Calls[K]>> } = {
    async start(packed) {
        effigy = Promise.all(packed.map(unpack)).then(([wasm, rest]) => Effigy.create({ worker: false, wasm, rest }));
        return (await effigy).version;
    },
    async formats() {
        return await (await effigy).formats() as ReturnType<Calls['formats']>;
    },
    async recognize(files) {
        const library = await effigy, found = [];
        for (const file of files) {
            const head = new Uint8Array(await file.data.slice(0, 4096).arrayBuffer());
            found.push(await library.recognize(head, file.name));
        }
        return found;
    },
    async convert(inputs, to, files, options) {
        const made = await (await effigy).convert(inputs, to, { files, options, onProgress: (progress) => postMessage({ progress }) });
        return { ...made, findings: made.findings.map(advised) };
    },
    async match(models, motions) {
        return await (await effigy).match(models, motions) as ReturnType<Calls['match']>;
    },
    async check(file, files) {
        const document = await open(file, files);
        try {
            return (await document.check()).map(advised);
        } finally {
            document.close();
        }
    },
    async info(file, files) {
        const document = await open(file, files);
        try {
            return await document.info();
        } finally {
            document.close();
        }
    },
    async dump(file) {
        const document = await open(file, []);
        try {
            const dump = await document.dump() as { value: Field[] };
            dump.value.forEach(lighten);
            return dump.value;
        } finally {
            document.close();
        }
    },
};

const open = async (file: NamedFile, files: NamedFile[]) => (await effigy).open(file, { files });

const advised = (finding: Finding): Finding => ({ ...finding, message: forPage(finding.message) });

/// Blocks are read from the file where they are looked at.
function lighten(field: Field): void {
    if (field.type === 'record') (field.value as Field[]).forEach(lighten);
    else if (field.type.endsWith('[]')) field.value = null;
}

async function unpack(base64: string): Promise<Uint8Array | undefined> {
    if (!base64) return undefined;
    const text = atob(base64), packed = new Uint8Array(text.length);
    for (let index = 0; index < text.length; ++index) packed[index] = text.charCodeAt(index);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

self.onmessage = async ({ data }: MessageEvent<Call>) => {
    const answer: Answer = { id: data.id };
    try {
        answer.value = await (calls[data.name] as (...given: unknown[]) => Promise<unknown>)(...data.given);
    } catch (error) {
        answer.error = forPage(error instanceof Error ? error.message : String(error));
        if (error instanceof EffigyError) [answer.findings, answer.wanted] = [error.findings.map(advised), error.wanted];
    }
    postMessage(answer);
};
