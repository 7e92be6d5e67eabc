/// From what a finding or a field names to the part of the picture, by what effigy's records say.
import type { Mesh, Object3D } from 'three';
import type { Model, Part } from 'three-effigy';
import type { Field } from './library.js';
import { stemOf } from './gather.js';

export function partAt(model: Model, file: string, path: string, fields: Field[]): Object3D | null {
    const steps = path.split(' / ').filter((step) => !/\.jarp$/i.test(step));
    return byRecord(model, steps) ?? byName(model, steps, fields) ?? byFile(model, file);
}

function byRecord(model: Model, steps: string[]): Object3D | null {
    const chunk = numberIn(steps, /^chunk\[(\d+)\]/), node = numberIn(steps, /^node\[(\d+)\]/), bone = numberIn(steps, /^bones?\[(\d+)\]/);
    const mesh = numberIn(steps, /^mesh\[(\d+)\]/);
    if (node !== null) return find(model, (part) => part.node.index === node);
    if (bone !== null) return find(model, (part) => part.kind === 'bone' && part.node.bone === bone);
    if (mesh !== null) return find(model, (part) => part.mesh.mesh === mesh);
    if (chunk === null) return null;
    const isLevel = steps[0]?.includes('mesh_lod') ?? false;
    const inMesh = find(model, (part) => (part.mesh.chunk === chunk || skinningChunk(part) === chunk) && isLevel === (part.mesh.level !== undefined));
    return inMesh ?? find(model, (part) => materialsOf(part.object).some((material) => material.userData.effigy?.chunk === chunk));
}

/// A word of the path, or a name that stands in the fields of the record.
function byName(model: Model, steps: string[], fields: Field[]): Object3D | null {
    for (let depth = steps.length; depth > 0; --depth) {
        const words = [steps[depth - 1]!.replace(/^\S+\s+|\[\d+\]$/g, ''), ...namesIn(fieldAt(fields, steps.slice(0, depth)))];
        for (const word of words) {
            const part = find(model, (one) => one.name === word || one.name === `${word}.mesh`);
            if (part) return part;
        }
    }
    return null;
}

function byFile(model: Model, file: string): Object3D | null {
    const stem = stemOf(file).toLowerCase();
    return find(model, (part) => part.name.toLowerCase() === stem);
}

export function fieldAt(fields: Field[], steps: string[]): Field | null {
    let list = fields, found: Field | null = null;
    for (const step of steps) {
        found = list.find((field) => field.name === step || field.name.startsWith(`${step} `)) ?? null;
        if (!found) return null;
        list = found.type === 'record' ? (found.value as Field[]) : [];
    }
    return found;
}

/// A model that is made anew is shown as it was: at its level of detail, with the same parts hidden.
export function keepHidden(before: Model, now: Model): void {
    const seen = new Map(counted(before).map(([key, object]) => [key, object.visible]));
    now.level = Math.min(before.level, now.levelCount - 1);
    for (const [key, object] of counted(now)) if ((seen.get(key) ?? object.visible) !== object.visible) now.setHidden(object, object.visible);
}

/// Parts of one name are told apart by their order.
function counted(model: Model): [string, Object3D][] {
    const counts = new Map<string, number>();
    return [...model.parts.values()].map(({ kind, name, object }) => {
        const key = `${kind} ${name}`, count = counts.get(key) ?? 0;
        counts.set(key, count + 1);
        return [`${key} ${count}`, object];
    });
}

function namesIn(field: Field | null): string[] {
    if (field?.type !== 'record') return [];
    return (field.value as Field[]).filter((one) => /(^|_)name$/.test(one.name) && typeof one.value === 'string').map((one) => one.value as string);
}

function find(model: Model, matches: (part: Part) => boolean): Object3D | null {
    for (const part of model.parts.values()) if (matches(part)) return part.object;
    return null;
}

function numberIn(steps: string[], pattern: RegExp): number | null {
    for (const step of [...steps].reverse()) {
        const match = pattern.exec(step);
        if (match) return Number(match[1]);
    }
    return null;
}

const skinningChunk = (part: Part): unknown => (part.mesh.skinning as { chunk?: number } | undefined)?.chunk;
const materialsOf = (object: Object3D) => ((object as Mesh).isMesh ? [(object as Mesh).material].flat() : []);
