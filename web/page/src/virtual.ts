/// A list of which only the rows in view exist, for any number of rows: beyond what browsers can scroll through, one
/// step of the scroll bar is several rows, and wheel and keys still go row by row.
import { h } from './dom.js';

const tallest = 8_000_000; // pixels

export class VirtualList {
    readonly element: HTMLElement;
    private readonly rows: HTMLElement;
    private readonly spacer: HTMLElement;
    private count = 0;
    private first = 0;
    private isPlacing = false;

    constructor(properties: Record<string, unknown>, private readonly rowHeight: number, private readonly render: (row: number) => HTMLElement) {
        this.spacer = h('div', { class: 'spacer' });
        this.rows = h('div', { class: 'rows', role: 'presentation' });
        this.element = h('div', { tabIndex: 0, ...properties }, this.rows, this.spacer);
        this.element.addEventListener('scroll', () => this.scrolled());
        this.element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
        new ResizeObserver(() => this.draw()).observe(this.element);
    }

    setCount(count: number): void {
        this.count = count;
        this.spacer.style.height = `${this.height}px`;
        this.first = Math.min(this.first, this.lastFirst);
        this.place();
        this.draw();
    }

    get visible(): number {
        return Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight));
    }

    show(row: number): void {
        if (row < this.first || row >= this.first + this.visible) this.go(row - Math.floor(this.visible / 3));
        else this.draw();
    }

    go(row: number): void {
        this.first = Math.max(0, Math.min(row, this.lastFirst));
        this.place();
        this.draw();
    }

    draw(): void {
        this.rows.style.transform = `translateY(${this.element.scrollTop}px)`;
        const rows: HTMLElement[] = [];
        for (let row = Math.floor(this.first); row < Math.min(this.count, this.first + this.visible + 2); ++row) rows.push(this.render(row));
        this.rows.replaceChildren(...rows);
    }

    private get height(): number {
        return Math.min(this.count * this.rowHeight, tallest);
    }

    private get lastFirst(): number {
        return Math.max(0, this.count - this.visible);
    }

    private get isScaled(): boolean {
        return this.count * this.rowHeight > tallest;
    }

    private scrolled(): void {
        if (this.isPlacing) {
            this.isPlacing = false;
        } else if (this.isScaled) {
            const room = this.height - this.element.clientHeight;
            this.first = Math.round((this.element.scrollTop / Math.max(room, 1)) * this.lastFirst);
        } else {
            this.first = Math.floor(this.element.scrollTop / this.rowHeight);
        }
        this.draw();
    }

    private place(): void {
        const room = this.height - this.element.clientHeight;
        const top = this.isScaled ? Math.round((this.first / Math.max(this.lastFirst, 1)) * room) : this.first * this.rowHeight;
        if (Math.abs(top - this.element.scrollTop) < 1) return;
        this.isPlacing = true;
        this.element.scrollTop = top;
    }

    private wheel(event: WheelEvent): void {
        if (!this.isScaled) return;
        event.preventDefault();
        this.go(this.first + Math.sign(event.deltaY) * 3);
    }
}
