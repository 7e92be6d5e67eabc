/// An animated WebP of WebP pictures, frame by frame (RIFF: VP8X, ANIM, and an ANMF for each).

export async function animatedWebp(frames: Blob[], width: number, height: number, milliseconds: number): Promise<Blob> {
    const chunks: Uint8Array[] = [
        chunk('VP8X', bytes([0x02, 0, 0, 0], three(width - 1), three(height - 1))),
        chunk('ANIM', bytes([0, 0, 0, 0], [0, 0])), // no background, for ever
    ];
    for (const frame of frames) {
        const picture = pictureOf(new Uint8Array(await frame.arrayBuffer()));
        const head = bytes(three(0), three(0), three(width - 1), three(height - 1), three(milliseconds), [0x02]);
        chunks.push(chunk('ANMF', joined([head, picture])));
    }
    const body = joined([text('WEBP'), ...chunks]);
    return new Blob([joined([text('RIFF'), four(body.length), body])], { type: 'image/webp' });
}

/// The chunks of a still picture that a frame consists of.
function pictureOf(file: Uint8Array): Uint8Array {
    if (tag(file, 0) !== 'RIFF' || tag(file, 8) !== 'WEBP') throw new Error('This browser writes no WebP.');
    const kept: Uint8Array[] = [];
    const view = new DataView(file.buffer, file.byteOffset, file.length);
    for (let at = 12; at + 8 <= file.length; ) {
        const size = 8 + view.getUint32(at + 4, true), padded = size + (size & 1);
        if (['VP8 ', 'VP8L', 'ALPH'].includes(tag(file, at))) kept.push(file.subarray(at, at + padded));
        at += padded;
    }
    return joined(kept);
}

function chunk(name: string, content: Uint8Array): Uint8Array {
    return joined([text(name), four(content.length), content, new Uint8Array(content.length & 1)]);
}

const tag = (file: Uint8Array, at: number): string => String.fromCharCode(...file.subarray(at, at + 4));
const text = (name: string): Uint8Array => Uint8Array.from(name, (letter) => letter.charCodeAt(0));
const three = (value: number): number[] => [value & 255, (value >> 8) & 255, (value >> 16) & 255];
const four = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
const bytes = (...parts: number[][]): Uint8Array => Uint8Array.from(parts.flat());

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}
