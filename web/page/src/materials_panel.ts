/// Materials as they are drawn, with their numbers, textures and what the file says of them.
import { MeshStandardMaterial, type Material, type Texture } from 'three';
import type { App } from './app.js';
import { h, number } from './dom.js';

const maps: [keyof MeshStandardMaterial, string][] = [
    ['map', 'Colour'], ['normalMap', 'Normals'], ['roughnessMap', 'Roughness'], ['metalnessMap', 'Metal'], ['emissiveMap', 'Glow'], ['aoMap', 'Occlusion'],
];

export class MaterialsPanel {
    readonly element = h('div', { class: 'materials' });

    constructor(private readonly app: App) {}

    update(): void {
        const materials = this.app.active?.model?.materials ?? [];
        if (materials.length === 0) return this.element.replaceChildren(h('p', { class: 'empty' }, 'There are no materials.'));
        this.element.replaceChildren(...materials.map((material) => this.card(material)));
    }

    private card(material: Material): HTMLElement {
        const standard = material as MeshStandardMaterial;
        const facts: [string, string][] = [];
        if (standard.color) facts.push(['Colour', `#${standard.color.getHexString()}`]);
        if (typeof standard.roughness === 'number') facts.push(['Roughness', number(standard.roughness)], ['Metal', number(standard.metalness)]);
        if (standard.emissive && standard.emissive.getHex() !== 0) facts.push(['Glow', `#${standard.emissive.getHexString()} × ${number(standard.emissiveIntensity)}`]);
        facts.push(['Alpha', material.alphaTest > 0 ? `tested at ${material.alphaTest}` : material.transparent ? `blended, ${number(material.opacity)}` : 'opaque']);
        facts.push(['Sides', material.side === 2 ? 'both' : 'front']);
        const swatch = h('span', { class: 'swatch' });
        if (standard.color) swatch.style.background = `#${standard.color.getHexString()}`;
        const show = h('button', { type: 'button', class: 'small', onclick: () => this.show(material) }, 'Show');
        const shader: unknown = material.userData.effigy?.shader;
        return h('section', { class: 'card' }, h('h2', {}, swatch, material.name || 'unnamed', show),
            typeof shader === 'string' ? h('p', { class: 'dim' }, shader) : null,
            h('dl', { class: 'facts' }, ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
            h('div', { class: 'maps' }, ...this.maps(standard)));
    }

    private maps(material: MeshStandardMaterial): HTMLElement[] {
        return maps.flatMap(([key, label]) => {
            const texture = material[key] as Texture | null | undefined;
            const image = texture?.image as CanvasImageSource & { width: number; height: number } | undefined;
            if (!texture || !image?.width) return [];
            const canvas = h('canvas', { width: 128, height: 128, role: 'img', 'aria-label': `${label} texture ${texture.name}` });
            canvas.getContext('2d')?.drawImage(image, 0, 0, 128, 128);
            return [h('figure', {}, h('button', { type: 'button', class: 'map', 'aria-label': `Enlarge ${label} texture`, onclick: () => this.enlarge(image, texture.name || label) }, canvas),
                h('figcaption', {}, `${label} · ${image.width} × ${image.height}`, h('br'), texture.name))];
        });
    }

    private enlarge(image: CanvasImageSource & { width: number; height: number }, name: string): void {
        const canvas = h('canvas', { width: image.width, height: image.height, role: 'img', 'aria-label': name });
        canvas.getContext('2d')?.drawImage(image, 0, 0);
        const dialog = h('dialog', { class: 'picture', 'aria-label': name, onclose: () => dialog.remove(), onclick: () => dialog.close() },
            h('p', {}, `${name} · ${image.width} × ${image.height}`, h('button', { type: 'button', class: 'small' }, 'Close')), canvas);
        document.body.append(dialog);
        dialog.showModal();
    }

    private show(material: Material): void {
        for (const part of this.app.active?.model?.parts.values() ?? []) {
            const used = (part.object as { material?: Material | Material[] }).material;
            if (used && [used].flat().includes(material)) return this.app.select(part.object);
        }
    }
}
