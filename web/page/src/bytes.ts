/// The file itself: its fields, and its bytes with the fields in them; from one to the other and back.
import type { App } from './app.js';
import { h, number, select, size } from './dom.js';
import { Elements } from './elements.js';
import { nameOf } from './gather.js';
import type { Field, LocalFile } from './library.js';
import { VirtualList } from './virtual.js';

interface Row {
    field: Field;
    depth: number;
    path: string[];
}

const piece = 1 << 16; // bytes that are read at once

export class BytesPanel {
    readonly element = h('div', { class: 'bytes' });
    private file: LocalFile | null = null;
    private loading: Promise<void> = Promise.resolve();
    private fields: Field[] = [];
    private elements = new Elements([]);
    private rows: Row[] = [];
    private readonly open = new Set<Field>();
    private marked: { offset: number; length: number } = { offset: -1, length: 0 };
    private markedField: Field | null = null;
    private readonly pieces = new Map<number, Uint8Array | null>();
    private readonly perRow = matchMedia('(max-width: 700px)').matches ? 8 : 16;
    private readonly tree: VirtualList;
    private readonly hex: VirtualList;
    private readonly chooser = h('div', { class: 'line' });
    private readonly here = h('p', { class: 'here', role: 'status' });

    constructor(private readonly app: App) {
        this.tree = new VirtualList({ class: 'fields', role: 'tree', 'aria-label': 'Fields of the file' }, 22, (row) => this.fieldRow(row));
        this.hex = new VirtualList({ class: 'hex', role: 'group', 'aria-label': 'Bytes of the file' }, 20, (row) => this.hexRow(row));
        this.tree.element.addEventListener('keydown', (event) => this.treeKey(event));
        this.hex.element.addEventListener('keydown', (event) => this.hexKey(event));
        this.hex.element.addEventListener('click', (event) => {
            const offset = (event.target as HTMLElement).dataset.offset;
            if (offset !== undefined) this.markByte(Number(offset));
        });
        this.element.append(this.chooser, this.tree.element, this.here, this.hex.element);
    }

    /// The files of the active model.
    update(): void {
        const entry = this.app.active;
        const files = entry ? this.app.filesOf(entry) : [];
        this.chooser.replaceChildren(
            select('File', files.map((file, index) => [String(index), nameOf(file.name)]), String(Math.max(0, files.indexOf(this.file!))),
                (index) => void this.show(files[Number(index)]!)),
            h('input', { type: 'text', class: 'offset', placeholder: 'Go to offset', 'aria-label': 'Go to offset, decimal or 0x…', spellcheck: false,
                onchange: (event: Event) => this.goTo((event.target as HTMLInputElement).value) }));
        const first = files[0];
        if (first && !(this.file && files.includes(this.file))) void this.show(first);
    }

    /// Bytes at once, fields as soon as they are there.
    async show(file: LocalFile, offset?: number, length = 1): Promise<void> {
        if (this.file !== file) this.loading = this.load(file);
        if (offset !== undefined) this.reveal(offset, length);
        await this.loading;
        if (offset !== undefined && this.file === file) this.reveal(offset, length);
    }

    private async load(file: LocalFile): Promise<void> {
        this.file = file;
        this.fields = [];
        this.elements = new Elements([]);
        this.pieces.clear();
        this.open.clear();
        this.mark(-1, 0, null);
        this.layRows();
        this.hex.setCount(Math.ceil(file.data.size / this.perRow));
        this.hex.go(0);
        this.update();
        this.here.textContent = `${size(file.data.size)}; finding the fields…`;
        const fields = await this.app.fieldsOf(file).catch((error: Error) => error);
        if (this.file !== file) return;
        if (fields instanceof Error) {
            this.here.textContent = `No fields: ${fields.message}`;
            return;
        }
        this.fields = fields;
        this.elements = new Elements(fields);
        this.here.textContent = `${number(file.data.size)} bytes. Choose a field, or a byte.`;
        this.layRows();
    }

    private goTo(text: string): void {
        const offset = Number(text.trim());
        if (this.file && Number.isInteger(offset) && offset >= 0 && offset < this.file.data.size) this.markByte(offset);
    }

    /// Opens the records around an offset, and shows field and bytes.
    private reveal(offset: number, length: number): Row | null {
        let list = this.fields, field: Field | undefined;
        for (;;) {
            const next = fieldWith(list, offset);
            if (!next) break;
            field = next;
            if (field.type !== 'record') break;
            this.open.add(field);
            list = field.value as Field[];
        }
        this.layRows();
        this.mark(offset, length, field ?? null);
        const row = this.rows.findIndex((one) => one.field === field);
        if (row >= 0) this.tree.show(row);
        this.hex.show(Math.floor(offset / this.perRow));
        return this.rows[row] ?? null;
    }

    private markByte(offset: number): void {
        const row = this.reveal(offset, 1);
        if (row?.field.type === 'record' || !row) return;
        const [at, length] = this.elements.at(row.field, offset);
        this.mark(at, length, row.field);
        this.hex.show(Math.floor(offset / this.perRow));
        this.tree.draw();
        this.selectPart(row);
    }

    private choose(row: Row): void {
        if (row.field.type === 'record' && !this.open.delete(row.field)) this.open.add(row.field);
        this.layRows();
        this.mark(row.field.offset, row.field.size, row.field);
        this.tree.draw();
        this.hex.show(Math.floor(row.field.offset / this.perRow));
        this.selectPart(row);
    }

    private selectPart(row: Row): void {
        if (this.file) void this.app.selectPath(this.file, row.path.join(' / '));
    }

    private mark(offset: number, length: number, field: Field | null): void {
        this.marked = { offset, length };
        this.markedField = field;
        if (offset >= 0) this.here.textContent = this.describe(offset, length, field);
        this.hex.draw();
    }

    private describe(offset: number, length: number, field: Field | null): string {
        const place = `${offset} (0x${offset.toString(16)}), ${number(length)} byte${length === 1 ? '' : 's'}`;
        if (!field) return place;
        const value = field.type === 'record' ? '' : this.elementText(field, offset, length) || valueOf(field);
        return `${place} · ${field.name}${value ? ` = ${value}` : ''}`;
    }

    /// Of a block's element, if no more than that is marked.
    private elementText(field: Field, offset: number, length: number): string {
        const [at, width] = this.elements.at(field, offset);
        return length <= width ? this.elements.say(field, at, this.bytesAt(at, width)) : '';
    }

    private layRows(): void {
        const rows: Row[] = [];
        const lay = (fields: Field[], depth: number, above: string[]) => {
            for (const field of fields) {
                const path = [...above, field.name];
                rows.push({ field, depth, path });
                if (field.type === 'record' && this.open.has(field)) lay(field.value as Field[], depth + 1, path);
            }
        };
        lay(this.fields, 0, []);
        this.rows = rows;
        this.tree.setCount(rows.length);
    }

    private fieldRow(index: number): HTMLElement {
        const row = this.rows[index]!, { field } = row;
        const isRecord = field.type === 'record';
        const element = h('div', {
            class: `field${field === this.markedField ? ' marked' : ''}`, role: 'treeitem', id: `field-${index}`,
            'aria-level': row.depth + 1, 'aria-selected': String(field === this.markedField),
            'aria-expanded': isRecord ? String(this.open.has(field)) : undefined, onclick: () => this.choose(row),
        },
            h('span', { class: 'at' }, String(field.offset)),
            h('span', { class: 'name' }, isRecord ? (this.open.has(field) ? '▾ ' : '▸ ') : '', field.name),
            h('span', { class: 'value' }, isRecord ? size(field.size) : valueOf(field)),
            h('span', { class: 'type' }, isRecord ? '' : field.type));
        (element.children[1] as HTMLElement).style.paddingInlineStart = `${row.depth * 12}px`;
        return element;
    }

    private hexRow(row: number): HTMLElement {
        const offset = row * this.perRow;
        const bytes = this.bytesAt(offset, this.perRow);
        const cells: HTMLElement[] = [], letters: HTMLElement[] = [];
        for (let index = 0; bytes && index < bytes.length; ++index) {
            const at = offset + index, value = bytes[index]!;
            const kind = this.kindOf(at);
            cells.push(h('i', { class: kind, 'data-offset': at }, value.toString(16).padStart(2, '0')));
            letters.push(h('i', { class: kind, 'data-offset': at }, value >= 32 && value < 127 ? String.fromCharCode(value) : '·'));
        }
        return h('div', { class: 'bytes-row' }, h('span', { class: 'at' }, offset.toString(16).padStart(8, '0')),
            h('span', { class: 'cells' }, ...cells), h('span', { class: 'letters' }, ...letters));
    }

    /// Neighbouring fields have different shades.
    private kindOf(offset: number): string {
        const { offset: from, length } = this.marked;
        if (offset >= from && offset < from + length) return 'marked';
        const field = this.markedField;
        if (field && offset >= field.offset && offset < field.offset + field.size) return 'within';
        let list = this.fields, shade = 0;
        for (;;) {
            const found = fieldWith(list, offset);
            if (!found) return `shade${shade % 2}`;
            shade += list.indexOf(found);
            if (found.type !== 'record') return `shade${shade % 2}`;
            list = found.value as Field[];
        }
    }

    /// null while they are being read.
    private bytesAt(offset: number, length: number): Uint8Array | null {
        const number = Math.floor(offset / piece), start = offset - number * piece;
        const known = this.pieces.get(number);
        if (known && start + length > piece) {
            const rest = this.bytesAt((number + 1) * piece, start + length - piece);
            return rest && Uint8Array.from([...known.subarray(start), ...rest]);
        }
        if (known) return known.subarray(start, start + length);
        if (known === undefined && this.file) void this.read(this.file, number);
        return null;
    }

    private async read(file: LocalFile, number: number): Promise<void> {
        if (this.pieces.size > 64) this.pieces.clear();
        this.pieces.set(number, null);
        const bytes = new Uint8Array(await file.data.slice(number * piece, (number + 1) * piece).arrayBuffer());
        if (this.file !== file) return;
        this.pieces.set(number, bytes);
        this.hex.draw();
        if (this.marked.offset >= 0) this.here.textContent = this.describe(this.marked.offset, this.marked.length, this.markedField);
    }

    private treeKey(event: KeyboardEvent): void {
        const at = this.rows.findIndex((row) => row.field === this.markedField);
        const row = this.rows[at];
        const isOpen = row && this.open.has(row.field);
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.step(at + (event.key === 'ArrowDown' ? 1 : -1));
        else if (row && (event.key === 'Enter' || event.key === ' ' || (event.key === 'ArrowRight' && !isOpen) || (event.key === 'ArrowLeft' && isOpen))) this.choose(row);
        else return;
        event.preventDefault();
    }

    private step(index: number): void {
        const row = this.rows[Math.max(0, Math.min(index, this.rows.length - 1))];
        if (!row) return;
        this.mark(row.field.offset, row.field.size, row.field);
        this.tree.show(this.rows.indexOf(row));
        this.tree.draw();
        this.hex.show(Math.floor(row.field.offset / this.perRow));
        this.selectPart(row);
    }

    private hexKey(event: KeyboardEvent): void {
        const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.perRow, ArrowDown: this.perRow,
            PageUp: -this.perRow * this.hex.visible, PageDown: this.perRow * this.hex.visible };
        const step = steps[event.key];
        if (step === undefined || !this.file) return;
        event.preventDefault();
        const { offset } = this.marked, field = this.markedField;
        // Out of the element or field that is marked, however long it is.
        const next = field && field.type !== 'record' ? this.elements.at(field, offset).reduce((at, length) => at + length) : offset + 1;
        this.markByte(Math.max(0, Math.min(step > 0 ? Math.max(offset + step, next) : offset + step, this.file.data.size - 1)));
    }
}

/// Siblings are in file order and share no byte.
function fieldWith(fields: Field[], offset: number): Field | undefined {
    let low = 0, high = fields.length - 1;
    while (low <= high) {
        const middle = (low + high) >> 1, field = fields[middle]!;
        if (offset < field.offset) high = middle - 1;
        else if (offset >= field.offset + field.size) low = middle + 1;
        else return field;
    }
    return undefined;
}

export function valueOf(field: Field): string {
    const { value } = field;
    if (field.type.endsWith('[]')) return size(field.size);
    if (Array.isArray(value)) return value.map(plain).join(', ');
    return plain(value);
}

function plain(value: unknown): string {
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string') return `"${value.length > 80 ? `${value.slice(0, 80)}…` : value}"`;
    return value === null ? '' : JSON.stringify(value);
}
