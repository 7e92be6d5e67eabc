/// What belongs together among files: models with their parts, motions, and what is asked for by name.
import { forPage } from './advice.js';
import type { Format, Library, LocalFile } from './library.js';

export interface Found {
    models: { file: LocalFile; format: string; companions: LocalFile[] }[];
    motions: { file: LocalFile; format: string }[];
    side: LocalFile[]; // what is asked for by name, where it is needed
    unknown: { file: LocalFile; why: string }[]; // neither read nor asked for
}

const beside = /\.(dds|png|jpe?g|tga|webp|gz|bmp|bin|mtl|json|xml|dat|jcs|gfx|shader)$/i;

export const stemOf = (name: string): string => nameOf(name).replace(/\.(cas\.)?[^.]*$/i, '');
export const nameOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
export const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);

/// What a texture is called, whatever its folder and form; of other files nothing.
export const textureOf = (name: string): string => (/\.(dds|png|jpe?g|tga|webp|gz|bmp)$/i.test(name) ? nameOf(name).replace(/\..*/, '').toLowerCase() : '');

/// `component`: the name of one that was there before, and lacks meshes.
export async function gather(library: Library, formats: Format[], files: LocalFile[], component?: string): Promise<Found> {
    const recognized = await library.call('recognize', files);
    const found: Found = { models: [], motions: [], side: [], unknown: [] };
    const companions: LocalFile[] = [];
    for (const [index, file] of files.entries()) {
        const id = recognized[index]?.format ?? null;
        const format = formats.find((one) => one.id === id);
        if (file.data.size === 0) found.unknown.push({ file, why: 'the file is empty: make or copy it again.' });
        else if (!format && !beside.test(file.name)) found.unknown.push({ file, why: forPage(`${recognized[index]?.foreign ?? 'no format that effigy reads'}.`) });
        else if (!format) found.side.push(file);
        else if (format.role === 'model') found.models.push({ file, format: format.id, companions: [] });
        else if (format.role === 'motion') found.motions.push({ file, format: format.id });
        else {
            found.side.push(file);
            if (format.id === 'animation-cfg' || format.id === 'skin') companions.push(file);
        }
    }
    const owner = found.models.find((model) => model.format === 'component')?.file.name ?? component;
    leaveOutParts(found, owner !== undefined);
    if (owner !== undefined) placeMeshes(files, owner);
    const characters = found.models.filter((model) => model.format === 'x42');
    for (const model of characters) {
        model.companions = companions.filter((file) => characters.length === 1 || folderOf(file.name) === folderOf(model.file.name));
    }
    return found;
}

/// Meshes of components, and avatars that stand in their container as well, are not models of their own.
function leaveOutParts(found: Found, hasComponent: boolean): void {
    const meshes = found.models.filter((model) => model.format === 'xmf');
    const finest = meshes.filter((model) => !/-(collision|lod[1-9]\d*)\.xmf$/i.test(model.file.name));
    const containers = found.models.filter((model) => model.format === 'jar').map((model) => folderOf(model.file.name));
    found.models = found.models.filter((model) => {
        if (model.format === 'xmf') return !hasComponent && (finest.length === 0 || finest.includes(model));
        return model.format !== 'jarp' || !containers.some((folder) => folderOf(model.file.name).startsWith(folder));
    });
    if (hasComponent) {
        found.side.push(...meshes.map((model) => model.file), ...found.motions.filter((motion) => motion.format === 'ani').map((motion) => motion.file));
        found.motions = found.motions.filter((motion) => motion.format !== 'ani');
    }
    const clips = new Set<string>();
    found.motions = found.motions.filter((motion) => {
        const clip = folderOf(motion.file.name) + stemOf(motion.file.name);
        return motion.format !== 'cas' || (!clips.has(clip) && clips.add(clip));
    });
}

/// Meshes without a folder are put into the one in which the game has those of the component.
function placeMeshes(files: LocalFile[], component: string): void {
    const folder = component.replace(/\.xml$/i, '_data/');
    for (const file of files) if (/\.xmf$/i.test(file.name) && !file.name.includes('/')) file.name = folder + file.name;
}
