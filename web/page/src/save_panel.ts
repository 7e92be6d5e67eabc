/// Pictures of the view, and the model in another format with the report of what is lost.
import type { Finding } from 'effigy';
import { zip } from 'fflate';
import { turntable } from 'three-effigy';
import { inputsOf, messageOf, type App } from './app.js';
import { h, save, select, size } from './dom.js';

export class SavePanel {
    readonly element = h('div', { class: 'save' });
    private format = 'glb';
    private target = '';
    private readonly result = h('div', { class: 'result', role: 'status' });

    constructor(private readonly app: App) {}

    update(): void {
        const entry = this.app.active;
        this.result.replaceChildren();
        if (!entry) return this.element.replaceChildren();
        const formats = this.app.formats.filter((one) => one.from_scene);
        const targets = formats.find((one) => one.id === this.format)?.options.write.find((option) => option.name === 'target')?.choices ?? [];
        const rows = [
            h('h2', {}, 'Convert'),
            h('p', { class: 'dim' }, `${entry.name} with its motions, in another format. The report says what that format cannot hold.`),
            h('label', { class: 'line' }, 'Format ', select('Format', formats.map((one) => [one.id, `${one.name} (.${one.extensions[0]})`]), this.format, (value) => {
                this.format = value;
                this.target = '';
                this.update();
            })),
            targets.length > 0 && !['glb', 'gltf', 'obj', 'ply'].includes(this.format) &&
                h('label', { class: 'line' }, 'Game ', select('Game', [['', 'any'], ...targets.map((one): [string, string] => [one, one])], this.target, (value) => (this.target = value))),
            h('div', { class: 'line' }, h('button', { type: 'button', class: 'primary', id: 'convert', onclick: () => void this.convert() }, 'Convert')),
            this.result,
            h('h2', {}, 'Picture'),
            h('div', { class: 'line' },
                h('button', { type: 'button', onclick: () => void this.picture('image/png') }, 'PNG'),
                h('button', { type: 'button', onclick: () => void this.picture('image/webp') }, 'WebP'),
                h('button', { type: 'button', onclick: (event: Event) => void this.turn(event.currentTarget as HTMLButtonElement) }, 'Turntable')),
            h('p', { class: 'dim' }, 'The view as it stands; the turntable is an animated WebP of one turn, in which the clip plays on.'),
        ];
        this.element.replaceChildren(...rows.filter((row) => row !== false));
    }

    private async convert(): Promise<void> {
        const entry = this.app.active!;
        const extension = this.app.formats.find((one) => one.id === this.format)?.extensions[0] ?? this.format;
        this.result.replaceChildren(h('p', { class: 'dim' }, 'Converting…'));
        try {
            const inputs = inputsOf(entry);
            const name = `${entry.name}.${extension}`;
            const options = { 'allow-damaged': true, ...entry.options, ...(this.target ? { target: this.target } : {}), ...(this.format === extension ? {} : { to: this.format }) };
            const made = await this.app.library.call('convert', inputs, name, this.app.beside(entry, inputs), options);
            const links = made.files.map((file) => h('li', {}, h('button', { type: 'button', class: 'link', 'data-file': file.name,
                onclick: () => save(file.name.split('/').pop()!, blobOf(file.data)) }, `${file.name}`), h('span', { class: 'dim' }, size(file.data.length))));
            const all = made.files.length > 1 && h('button', { type: 'button', class: 'primary', onclick: () => void this.zip(entry.name, made.files) }, 'All as ZIP');
            this.result.replaceChildren(h('ul', { class: 'files' }, ...links), ...(all ? [all] : []), reportOf(made.findings));
        } catch (error) {
            this.result.replaceChildren(h('p', { class: 'failure' }, messageOf(error)));
        }
        this.app.say(''); // what progress said
    }

    private async zip(name: string, files: { name: string; data: Uint8Array }[]): Promise<void> {
        const content = Object.fromEntries(files.map((file) => [file.name, file.data]));
        const packed = await new Promise<Uint8Array>((done, failed) => zip(content, (error, bytes) => (error ? failed(error) : done(bytes))));
        save(`${name}.zip`, blobOf(packed));
    }

    private async picture(type: 'image/png' | 'image/webp'): Promise<void> {
        const picture = await this.app.stage.snapshot(type);
        save(`${this.app.active!.name}.${picture.type.split('/')[1]}`, picture);
    }

    private async turn(button: HTMLButtonElement): Promise<void> {
        const { clientWidth, clientHeight } = this.app.stage.canvas;
        const width = 480, height = Math.round((width * clientHeight) / clientWidth / 2) * 2;
        button.disabled = true;
        try {
            const picture = await turntable(this.app.stage, { width, height, frames: 48, seconds: 4,
                onProgress: (done) => (button.textContent = `Turntable ${Math.round(done * 100)} %`) });
            save(`${this.app.active!.name}.webp`, picture);
        } catch (error) {
            this.app.fail(messageOf(error));
        }
        button.disabled = false;
        button.textContent = 'Turntable';
    }
}

const blobOf = (data: Uint8Array): Blob => new Blob([data as Uint8Array<ArrayBuffer>]);

function reportOf(findings: Finding[]): HTMLElement {
    if (findings.length === 0) return h('p', { class: 'fine' }, 'Nothing is lost.');
    return h('ul', { class: 'findings' }, ...findings.map((finding) => h('li', { class: `finding ${finding.severity}` },
        h('span', { class: 'code' }, finding.code), h('span', { class: 'text' }, finding.message), finding.found ? h('span', { class: 'dim' }, finding.found) : null)));
}
