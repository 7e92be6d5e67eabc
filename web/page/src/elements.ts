/// Elements of blocks, by the types of `effigy dump`: how long they are, and what they say.
import type { Field } from './library.js';

const real = (value: number): string => String(Number(value.toPrecision(7)));
const scalars: Record<string, { width: number; read: (view: DataView, at: number, isLittle: boolean) => string }> = {
    u8: { width: 1, read: (view, at) => String(view.getUint8(at)) },
    i8: { width: 1, read: (view, at) => String(view.getInt8(at)) },
    u16: { width: 2, read: (view, at, isLittle) => String(view.getUint16(at, isLittle)) },
    i16: { width: 2, read: (view, at, isLittle) => String(view.getInt16(at, isLittle)) },
    u32: { width: 4, read: (view, at, isLittle) => String(view.getUint32(at, isLittle)) },
    i32: { width: 4, read: (view, at, isLittle) => String(view.getInt32(at, isLittle)) },
    f32: { width: 4, read: (view, at, isLittle) => real(view.getFloat32(at, isLittle)) },
    f64: { width: 8, read: (view, at, isLittle) => real(view.getFloat64(at, isLittle)) },
    char: { width: 1, read: (view, at) => JSON.stringify(String.fromCharCode(view.getUint8(at))) },
};

/// Their parts in file order; of a name that means two things, the shorter one.
const composed: Record<string, string> = {
    bytes: 'u8', vec2: 'f32*2', vec3: 'f32*3', vec4: 'f32*4', quat: 'f32*4', color: 'f32*4',
    influence: 'f32 u16 u8*2', range: 'u32*2', packed_position: 'u16*3', packed_direction: 'u8*3', packed_quat: 'i16*4', mapping: 'u16*4',
    vector_key: 'f32*4', rotation_key: 'f32*5', packed_rotation_key: 'i16*4 f32', weight_key: 'f32 u16 u8*2',
    key: 'u16*4', ani_key: 'f32*3 u32*3 f32*18 u32 f32*6 u32',
    morph_set: 'u32 f32*4', morph_set_with_normal: 'u32 f32*7', pose_entry: 'char*4 f32*7', morph_amount: 'char*4 f32',
};

interface Element {
    width: number;
    read(view: DataView, isLittle: boolean): string;
}

function elementOf(type: string): Element {
    const [, base = '', many = '1'] = /^(\w+)(?:\[(\d+)\])?$/.exec(type) ?? [];
    const parts = (composed[base] ?? `${base}*${many}`).split(' ').map((part) => {
        const [name = '', count = '1'] = part.split('*');
        return { scalar: scalars[name] ?? scalars.u8!, count: Number(count) };
    });
    return {
        width: parts.reduce((sum, { scalar, count }) => sum + scalar.width * count, 0),
        read(view, isLittle) {
            const values: string[] = [];
            let at = 0;
            for (const { scalar, count } of parts) {
                for (let index = 0; index < count; ++index, at += scalar.width) values.push(scalar.read(view, at, isLittle));
            }
            return values.join(', ');
        },
    };
}

/// What a block of this file consists of; null: it is none.
export class Elements {
    private readonly isLittle: boolean;
    private readonly isX42: boolean;

    constructor(private readonly fields: Field[]) {
        const head = fields.slice(0, 4).flatMap((field) => (field.type === 'record' && field.name === 'header' ? (field.value as Field[]) : [field]));
        this.isX42 = head[0]?.name === 'ident';
        this.isLittle = !head.some(({ name, value }) => (name === 'ident' && value === '24WH') || (/^(big_)?endian$/.test(name) && value !== 0));
    }

    /// The element that a byte is in, as offset and length; fields that are no blocks as a whole.
    at(field: Field, offset: number): [offset: number, length: number] {
        const element = this.of(field);
        if (!element) return [field.offset, field.size];
        const start = field.offset + Math.floor((offset - field.offset) / element.width) * element.width;
        return [start, Math.min(element.width, field.offset + field.size - start)];
    }

    /// "[3] 0, 1, 0.5"; nothing where bytes are missing.
    say(field: Field, offset: number, bytes: Uint8Array | null): string {
        const element = this.of(field);
        if (!element || !bytes || bytes.length < element.width) return '';
        return `[${Math.floor((offset - field.offset) / element.width)}] ${element.read(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), this.isLittle)}`;
    }

    private of(field: Field): Element | null {
        if (!field.type.endsWith('[]')) return null;
        const type = field.type.slice(0, -2);
        if (type === 'key' && !this.isX42) return elementOf('ani_key');
        const element = elementOf(type);
        if (type === 'morph_set' && this.countBeside(field) * element.width !== field.size) return elementOf('morph_set_with_normal');
        return element;
    }

    private countBeside(field: Field): number {
        let list = this.fields;
        for (;;) {
            const within = list.find((one) => one.type === 'record' && field.offset >= one.offset && field.offset < one.offset + one.size);
            if (!within) return Number(list[list.indexOf(field) - 1]?.value);
            list = within.value as Field[];
        }
    }
}
