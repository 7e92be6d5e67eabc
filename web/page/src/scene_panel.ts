/// Counts, the part tree with hide and isolate, levels of detail.
import type { Object3D } from 'three';
import { Vector3 } from 'three';
import type { App } from './app.js';
import { h, icon, number, select } from './dom.js';

export class ScenePanel {
    readonly element = h('div', { class: 'scene' });
    private readonly rows = new Map<Object3D, HTMLElement>();
    private isolated: Object3D | null = null;

    constructor(private readonly app: App) {
        app.on('selection', () => this.mark());
    }

    update(): void {
        const model = this.app.active?.model;
        this.rows.clear();
        this.isolated = null;
        if (!model) return this.element.replaceChildren(h('p', { class: 'empty' }, 'There is no picture of this file.'));
        const tree = h('ul', { class: 'tree', 'aria-label': 'Parts' }, ...this.branches(model.scene));
        tree.addEventListener('keydown', (event) => this.key(event));
        this.element.replaceChildren(this.facts(), this.levels(), h('h2', {}, 'Parts'), tree);
        const first = tree.querySelector<HTMLElement>('.label');
        if (first) first.tabIndex = 0; // arrows lead to the others
    }

    private facts(): HTMLElement {
        const { model, format } = this.app.active!;
        const extent = model!.bounds.getSize(new Vector3());
        const unit = ['component', 'xmf', 'jar', 'jarp', 'glb', 'gltf'].includes(format) ? 'm' : 'units of the file';
        const { counts } = model!;
        const facts: [string, string][] = [
            ['Format', this.app.formats.find((one) => one.id === format)?.name ?? format],
            ['Size', `${[extent.x, extent.y, extent.z].map((value) => Number(value.toPrecision(3))).join(' × ')} ${unit}`],
            ['Triangles', number(counts.triangles)], ['Vertices', number(counts.vertices)], ['Meshes', number(counts.meshes)],
            ['Nodes', number(counts.nodes)], ['Bones', number(counts.bones)], ['Materials', number(counts.materials)],
            ['Textures', number(counts.textures)], ['Morph targets', number(counts.morphs)], ['Clips', number(counts.clips)],
        ];
        return h('dl', { class: 'facts' }, ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
    }

    private levels(): HTMLElement {
        const model = this.app.active!.model!;
        if (model.levelCount < 2) return h('div', { hidden: true });
        const choices = Array.from({ length: model.levelCount }, (_, level): [string, string] => [String(level), level === 0 ? '0, the finest' : String(level)]);
        return h('label', { class: 'line' }, 'Level of detail ', select('Level of detail', choices, String(model.level), (value) => {
            model.level = Number(value);
            this.app.applyShown();
            this.show();
        }));
    }

    private branches(above: Object3D): HTMLElement[] {
        return above.children.filter((object) => !object.userData.twin).flatMap((object) => {
            const part = this.app.active!.model!.parts.get(object);
            if (!part) return this.branches(object);
            const item = h('li', {}, this.row(object, part.name, part.kind)); // before those below it, as arrows go
            const below = this.branches(object);
            if (below.length > 0) item.append(h('ul', {}, ...below));
            return [item];
        });
    }

    private row(object: Object3D, name: string, kind: string): HTMLElement {
        const model = this.app.active!.model!;
        const hide = h('button', { type: 'button', class: 'icon', tabIndex: -1, title: 'Hide or show (H)', 'aria-label': `Hide ${name}`, 'aria-pressed': String(!object.visible),
            onclick: (event: Event) => { event.stopPropagation(); this.hide(object); } }, icon('eye'));
        const solo = h('button', { type: 'button', class: 'icon', tabIndex: -1, title: 'Only this (I)', 'aria-label': `Only ${name}`, 'aria-pressed': 'false',
            onclick: (event: Event) => { event.stopPropagation(); this.isolate(object); } }, icon('solo'));
        const row = h('div', { class: `row ${kind}`, onclick: () => this.app.select(object), ondblclick: () => this.app.stage.frame(object) },
            h('span', { class: 'kind', title: kind }), h('button', { type: 'button', class: 'label', tabIndex: -1, 'aria-pressed': 'false' }, name), solo, hide);
        row.classList.toggle('hidden-part', model.isHidden(object));
        this.rows.set(object, row);
        return row;
    }

    private hide(object: Object3D): void {
        const model = this.app.active!.model!;
        model.setHidden(object, !model.isHidden(object));
        this.show();
    }

    private isolate(object: Object3D): void {
        const model = this.app.active!.model!;
        this.isolated = this.isolated === object ? null : object;
        model.isolate(this.isolated);
        this.show();
    }

    private show(): void {
        for (const [object, row] of this.rows) {
            const [solo, hide] = row.querySelectorAll('.icon');
            row.classList.toggle('hidden-part', !object.visible);
            hide?.setAttribute('aria-pressed', String(!object.visible));
            solo?.setAttribute('aria-pressed', String(object === this.isolated));
        }
        this.app.stage.invalidate();
    }

    private mark(): void {
        for (const [object, row] of this.rows) {
            const isSelected = object === this.app.selected;
            row.classList.toggle('selected', isSelected);
            labelOf(row).setAttribute('aria-pressed', String(isSelected));
            if (isSelected) row.scrollIntoView({ block: 'nearest' });
        }
    }

    private key(event: KeyboardEvent): void {
        const rows = [...this.rows.values()], at = rows.findIndex((row) => labelOf(row) === document.activeElement);
        const object = [...this.rows.keys()][at];
        if (at < 0 || !object || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.focus(rows[at + (event.key === 'ArrowDown' ? 1 : -1)]);
        else if (event.key === 'Enter' || event.key === ' ') this.app.select(object);
        else if (event.key === 'h') this.hide(object);
        else if (event.key === 'i') this.isolate(object);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    private focus(row: HTMLElement | undefined): void {
        if (row) labelOf(row).focus();
    }
}

const labelOf = (row: HTMLElement): HTMLElement => row.querySelector<HTMLElement>('.label')!;
