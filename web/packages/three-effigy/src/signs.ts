/// What a motion of a signing avatar (CAS, XML or JSON) says of time: its frames, and where each sign begins.
import type { AnimationClip } from 'three';

export interface SignMotion {
    name: string;
    clip: AnimationClip;
    frames: number[]; // seconds at which they begin
    duration: number;
    signs: { gloss: string; frame: number }[];
}

interface Stated { time: number; duration: number }

const usual = 40; // milliseconds

export function signMotion(name: string, clip: AnimationClip, text: string): SignMotion {
    const { duration, signs } = readRecord(clip);
    const frames = startsOf(/^\s*[[{]/.test(text) ? framesOfJson(text) : framesOfXml(text));
    if (frames.length === 0) for (let time = 0; time < duration; time += usual / 1000) frames.push(time);
    const named = signs.filter((sign) => sign.frame < frames.length);
    if (named[0]?.frame !== 0) named.unshift({ gloss: named.length === 0 ? name : '', frame: 0 });
    return { name, clip, frames, duration: Math.max(duration, frames.at(-1) ?? 0), signs: named };
}

/// What the conversion put beside the clip.
function readRecord(clip: AnimationClip): { duration: number; signs: { gloss: string; frame: number }[] } {
    const record = (clip.userData as { effigy?: { duration?: number; signs?: { gloss: string; frame: number }[] } }).effigy;
    return { duration: Math.max(clip.duration, record?.duration ?? 0), signs: [...(record?.signs ?? [])] };
}

/// As the conversion has it: a frame that is not later than the one before follows it after that one's duration.
function startsOf(frames: Stated[]): number[] {
    const starts: number[] = [];
    let last = 0, before = 0, duration = 0;
    for (const frame of frames) {
        const fallback = duration > 0 && duration < 1e8 ? duration : usual;
        const time = Number.isFinite(frame.time) ? frame.time : before + fallback, step = time - before;
        if (starts.length > 0) last += step > 0 && step < 1e8 ? step : fallback;
        starts.push(Math.fround(last / 1000));
        before = time;
        duration = frame.duration;
    }
    return starts;
}

function framesOfXml(text: string): Stated[] {
    return [...text.matchAll(/<frame(\s[^>]*)>/g)].map(([, attributes]) => ({ time: milliseconds(attributes!, 'time'), duration: milliseconds(attributes!, 'duration') }));
}

function milliseconds(attributes: string, name: string): number {
    const found = new RegExp(`\\s${name}\\s*=\\s*["']\\s*([^"']*)`).exec(attributes);
    return found ? Number.parseFloat(found[1]!) : Number.NaN;
}

function framesOfJson(text: string): Stated[] {
    const frames: Stated[] = [];
    for (const piece of objectsIn(text)) {
        const sign = JSON.parse(piece) as { frames?: Partial<Stated>[] };
        for (const { time = Number.NaN, duration = 0 } of sign.frames ?? []) frames.push({ time, duration });
    }
    return frames;
}

/// One object a sign, one after the other or in an array.
function* objectsIn(text: string): Generator<string> {
    let depth = 0, start = 0;
    for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
        if (match[0] === '{' && depth++ === 0) start = match.index;
        if (match[0] === '}' && --depth === 0) yield text.slice(start, match.index + 1);
    }
}
