/// Clips, motions that fit, and morph targets.
import type { App } from './app.js';
import { h, number } from './dom.js';
import { nameOf } from './gather.js';
import type { Fit } from './library.js';

function shareOf(fit: Fit): string {
    const share = fit.nodes > 0 ? `${Math.round((fit.nodes_with_track / fit.nodes) * 100)} % of the joints` : `${fit.tracks_found} of ${fit.tracks} targets`;
    return fit.weak ? `${share}, weak` : share;
}

export class MotionPanel {
    readonly element = h('div', { class: 'motion' });
    private clips: HTMLButtonElement[] = [];
    private readonly sliders = new Map<string, { input: HTMLInputElement; output: HTMLElement }>();

    constructor(private readonly app: App) {
        app.on('frame', () => this.follow());
    }

    update(): void {
        const model = this.app.active?.model;
        this.sliders.clear();
        this.clips = [];
        if (!model) return this.element.replaceChildren(h('p', { class: 'empty' }, 'There is no picture of this file.'));
        this.element.replaceChildren(h('h2', {}, 'Clips'), this.clipList(), ...this.fade(), ...this.fits(), ...this.morphs());
        this.follow();
    }

    private clipList(): HTMLElement {
        const { player, clips } = this.app.active!.model!;
        if (clips.length === 0) return h('p', { class: 'empty' }, 'None. Drop motions on the page: those that fit are played.');
        this.clips = [null, ...clips].map((clip) => h('button', { type: 'button', class: 'clip', 'data-clip': clip?.name ?? '', 'aria-pressed': 'false',
            onclick: () => {
                player.select(clip);
                if (clip) player.playing = true;
                this.app.stage.invalidate();
                this.app.changed('frame');
            } }, h('span', {}, clip?.name ?? 'Rest pose'), h('span', { class: 'dim' }, clip ? `${number(clip.duration)} s` : '')));
        return h('div', { class: 'clips' }, ...this.clips);
    }

    private fade(): HTMLElement[] {
        const { player, clips } = this.app.active!.model!;
        if (clips.length < 2) return [];
        const output = h('output', {}, `${player.fade} s`);
        return [h('label', { class: 'slider' }, h('span', {}, 'Crossfade'), h('input', { type: 'range', min: '0', max: '2', step: '0.05', value: String(player.fade),
            oninput: (event: Event) => {
                player.fade = Number((event.target as HTMLInputElement).value);
                output.textContent = `${player.fade} s`;
            } }), output)];
    }

    private fits(): HTMLElement[] {
        const entry = this.app.active!;
        if (entry.fits.length === 0) return [];
        const rows = entry.fits.map((fit) => {
            const file = entry.around.findLast((motion) => motion.file.name === fit.file)?.file;
            const isIn = entry.motions.some((one) => one.name === fit.file);
            return h('li', {}, h('span', { class: 'label' }, nameOf(fit.file)), h('span', { class: 'dim' }, shareOf(fit)),
                file && !isIn && h('button', { type: 'button', class: 'small', 'aria-label': `Play ${nameOf(fit.file)}`, onclick: () => void this.app.addMotion(entry, file) }, 'Play'));
        });
        return [h('h2', {}, `Motions that fit (${entry.fits.length})`), h('ul', { class: 'fits' }, ...rows)];
    }

    private morphs(): HTMLElement[] {
        const { morphs } = this.app.active!.model!;
        if (morphs.names.length === 0) return [];
        const rows = morphs.names.map((name) => {
            const output = h('output', {}, '0');
            const input = h('input', { type: 'range', min: '0', max: '1', step: '0.01', 'data-morph': name, oninput: () => {
                morphs.setValue(name, Number(input.value));
                output.textContent = input.value;
                this.app.stage.invalidate();
            } });
            this.sliders.set(name, { input, output });
            return h('label', { class: 'slider' }, h('span', { class: 'label', title: name }, name), input, output);
        });
        const reset = h('button', { type: 'button', class: 'small', onclick: () => { morphs.reset(); this.app.stage.invalidate(); } }, 'Reset');
        return [h('h2', {}, 'Morph targets ', reset), h('div', { class: 'morphs' }, ...rows)];
    }

    /// As clips move on.
    private follow(): void {
        const model = this.app.active?.model;
        if (!model || !this.element.isConnected) return;
        for (const button of this.clips) button.setAttribute('aria-pressed', String(button.dataset.clip === (model.player.clip?.name ?? '')));
        for (const [name, { input, output }] of this.sliders) {
            const text = String(Number(model.morphs.value(name).toFixed(2)));
            if (input !== document.activeElement && input.value !== text) input.value = text;
            if (output.textContent !== text) output.textContent = text;
        }
    }
}
