/// What was dropped, chosen or built in, as files by name: folders and ZIPs are opened.
import { unzip, unzipSync } from 'fflate';
import { size } from './dom.js';
import type { LocalFile } from './library.js';

/// What browsers with the File System API have beside entries: in a page from disk Chromium reads no entries, but these.
interface DirectoryHandle {
    kind: 'directory';
    name: string;
    values(): AsyncIterable<DirectoryHandle | { kind: 'file'; name: string; getFile(): Promise<File> }>;
}
type DroppedItem = DataTransferItem & { getAsFileSystemHandle?(): Promise<DirectoryHandle> };

/// The most that is unpacked of a ZIP: a small one may hold more than any memory.
const largest = 1 << 30;

/// `say`: what is being done.
export async function filesOfDrop(transfer: DataTransfer, say: (text: string) => void): Promise<LocalFile[]> {
    // Items are gone after the first wait.
    const dropped = ([...transfer.items] as DroppedItem[]).filter((item) => item.kind === 'file').map((item) => {
        const entry = item.webkitGetAsEntry(), isFolder = entry?.isDirectory ?? false;
        return { entry, file: isFolder ? null : item.getAsFile(), handle: isFolder ? item.getAsFileSystemHandle?.().catch(() => null) : null };
    });
    const files: LocalFile[] = [];
    for (const { entry, file, handle } of dropped) {
        const folder = await handle;
        if (file) files.push({ name: file.name, data: file });
        else if (folder) await walkHandle(folder, '', files);
        else if (entry) await walk(entry, '', files);
    }
    return withoutArchives(files, say);
}

async function walkHandle(folder: DirectoryHandle, above: string, files: LocalFile[]): Promise<void> {
    const name = `${above}${folder.name}/`;
    for await (const below of folder.values()) {
        if (below.kind === 'directory') await walkHandle(below, name, files);
        else files.push({ name: name + below.name, data: await below.getFile() });
    }
}

export function filesOfInput(list: FileList, say: (text: string) => void): Promise<LocalFile[]> {
    return withoutArchives([...list].map((file) => ({ name: file.webkitRelativePath || file.name, data: file })), say);
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
async function withoutArchives(files: LocalFile[], say: (text: string) => void): Promise<LocalFile[]> {
    const all: LocalFile[] = [];
    for (const file of files) {
        const isArchive = /\.zip$/i.test(file.name);
        if (isArchive) say(`Unpacking ${file.name}`);
        all.push(...(isArchive ? await unpack(file) : [file]));
    }
    return all;
}

async function unpack(archive: LocalFile): Promise<LocalFile[]> {
    const bytes = new Uint8Array(await archive.data.arrayBuffer());
    const named = (error: Error) => new Error(`${archive.name}: ${error.message}`);
    const whole = sizeOf(bytes, named);
    if (whole > largest) throw new Error(`${archive.name}: unpacked it has ${size(whole)}, and the most that is unpacked here is ${size(largest)}. Unpack it, and drop what belongs to the model.`);
    const entries = await new Promise<Record<string, Uint8Array>>((done, failed) => unzip(bytes, (error, found) => (error ? failed(named(error)) : done(found))));
    return Object.entries(entries).filter(([name]) => !name.endsWith('/'))
        .map(([name, data]) => ({ name: safe(name), data: new Blob([data as Uint8Array<ArrayBuffer>]) }));
}

/// Of all that is in an archive, as that says.
function sizeOf(archive: Uint8Array, named: (error: Error) => Error): number {
    let whole = 0;
    try {
        unzipSync(archive, { filter: ({ originalSize }) => ((whole += originalSize), false) });
    } catch (error) {
        throw named(error as Error);
    }
    return whole;
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
