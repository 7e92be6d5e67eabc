/// What was dropped, chosen or built in, as files by name: folders and ZIPs are opened.
import { unzip } from 'fflate';
import type { LocalFile } from './library.js';

export async function filesOfDrop(transfer: DataTransfer): Promise<LocalFile[]> {
    // Entries are gone after the first wait.
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
    const plain = [...transfer.files];
    const files: LocalFile[] = [];
    if (entries.length === 0) files.push(...plain.map((file) => ({ name: file.name, data: file })));
    for (const entry of entries) await walk(entry, '', files);
    return withoutArchives(files);
}

export function filesOfInput(list: FileList): Promise<LocalFile[]> {
    return withoutArchives([...list].map((file) => ({ name: file.webkitRelativePath || file.name, data: file })));
}

async function walk(entry: FileSystemEntry, folder: string, files: LocalFile[]): Promise<void> {
    const name = folder + entry.name;
    if (entry.isFile) {
        files.push({ name, data: await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed)) });
        return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
        const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
        if (some.length === 0) return;
        for (const below of some) await walk(below, `${name}/`, files);
    }
}

/// A .jar is an avatar's own container, which the library reads.
async function withoutArchives(files: LocalFile[]): Promise<LocalFile[]> {
    const all: LocalFile[] = [];
    for (const file of files) {
        if (/\.zip$/i.test(file.name)) all.push(...(await unpack(file)));
        else all.push(file);
    }
    return all;
}

async function unpack(archive: LocalFile): Promise<LocalFile[]> {
    const bytes = new Uint8Array(await archive.data.arrayBuffer());
    const entries = await new Promise<Record<string, Uint8Array>>((done, failed) =>
        unzip(bytes, (error, found) => (error ? failed(new Error(`${archive.name}: ${error.message}`)) : done(found))));
    return Object.entries(entries).filter(([name]) => !name.endsWith('/'))
        .map(([name, data]) => ({ name: safe(name), data: new Blob([data as Uint8Array<ArrayBuffer>]) }));
}

/// Names in archives may lead anywhere; here they lead nowhere.
const safe = (name: string): string => name.split(/[/\\]/).filter((part) => part && part !== '.' && part !== '..').join('/');

/// Files that stand in the page itself.
export async function filesInPage(files: { name: string; base64?: string; gzip?: string }[]): Promise<LocalFile[]> {
    return Promise.all(files.map(async (file) => {
        const data = new Blob([fromBase64(file.base64 ?? file.gzip ?? '')]);
        if (file.base64 !== undefined) return { name: file.name, data };
        const stream = data.stream().pipeThrough(new DecompressionStream('gzip'));
        return { name: file.name, data: await new Response(stream).blob() };
    }));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; ++index) bytes[index] = binary.charCodeAt(index);
    return bytes;
}
