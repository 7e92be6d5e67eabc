/// What `effigy check` finds in the files of the model, and what was lost for the picture.
import type { Finding } from 'effigy';
import type { App } from './app.js';
import { h } from './dom.js';
import { nameOf } from './gather.js';
import type { LocalFile } from './library.js';

const words = { error: 'Error', warning: 'Warning', info: 'Note' } as Record<string, string>;

export class CheckPanel {
    readonly element = h('div', { class: 'check' });
    onCounts: (count: number, worst: string) => void = () => {};

    constructor(private readonly app: App, private readonly showBytes: (file: LocalFile, offset: number, length: number) => void) {}

    async update(): Promise<void> {
        const entry = this.app.active;
        this.onCounts(0, '');
        if (!entry) return this.element.replaceChildren();
        this.element.replaceChildren(h('p', { class: 'empty', role: 'status' }, 'Checking…'));
        const sections: HTMLElement[] = [];
        const all: Finding[] = [];
        // What is found while a file is read, the conversion for the picture finds again.
        const known = new Set<string>();
        const fresh = (findings: Finding[], file: LocalFile) => findings.filter((finding) => {
            const key = JSON.stringify([finding.file ?? file.name, finding.code, finding.message, finding.path, finding.offset, finding.found]);
            return !known.has(key) && known.add(key);
        });
        for (const file of this.app.filesOf(entry)) {
            const findings = await this.app.checkOf(entry, file).catch((error: Error & { findings?: Finding[] }) =>
                error.findings?.length ? error.findings : [{ code: 'unreadable', severity: 'error', message: error.message } as Finding]);
            if (this.app.active !== entry) return;
            const own = fresh(findings, file);
            all.push(...own);
            if (own.length > 0) sections.push(this.section(nameOf(file.name), own, file));
        }
        const ofPicture = fresh(entry.report, entry.file);
        all.push(...ofPicture.filter((finding) => finding.severity === 'error'));
        if (ofPicture.length > 0) sections.push(this.section('Made for the picture', ofPicture, entry.file));
        const worst = ['error', 'warning', 'info'].find((severity) => all.some((finding) => finding.severity === severity)) ?? '';
        this.onCounts(all.length, worst);
        const nothing = h('p', { class: 'fine' }, 'Nothing found: the files are sound.');
        this.element.replaceChildren(...(all.length === 0 ? [nothing] : []), ...sections);
    }

    private section(title: string, findings: Finding[], file: LocalFile): HTMLElement {
        return h('section', {}, h('h2', {}, title), h('ul', { class: 'findings' }, ...findings.map((finding) => this.row(finding, file))));
    }

    private row(finding: Finding, file: LocalFile): HTMLElement {
        const facts = [finding.found && `found ${finding.found}`, finding.expected && `expected ${finding.expected}`].filter(Boolean).join(', ');
        return h('li', {}, h('button', { type: 'button', class: `finding ${finding.severity}`, onclick: () => this.follow(finding, file) },
            h('span', { class: 'severity' }, words[finding.severity] ?? finding.severity), h('span', { class: 'code' }, finding.code),
            h('span', { class: 'text' }, finding.message), facts ? h('span', { class: 'dim' }, facts) : null,
            finding.path ? h('span', { class: 'path' }, finding.path) : null));
    }

    private follow(finding: Finding, checked: LocalFile): void {
        // Findings of a component may be about a file beside it.
        const file = this.app.filesFor(this.app.active!).get(finding.file ?? '') ?? checked;
        if (finding.path) void this.app.selectPath(file, finding.path);
        if (finding.offset !== undefined) this.showBytes(file, finding.offset, finding.length ?? 1);
    }
}
