/// <effigy-viewer src="soldier.xac" motion="walk.xsm wave.xsm" autoplay camera-controls alt="A soldier">: attributes, properties and
/// events are those that users of <model-viewer> know. Importing this file defines the element.
import { EffigyLoader } from './loader.js';
import { Model } from './model.js';
import { Stage } from './stage.js';

const style = `
:host { display: block; position: relative; width: 300px; height: 300px; overflow: hidden; }
:host([hidden]) { display: none; }
#stage, #stage canvas, #poster { position: absolute; inset: 0; width: 100%; height: 100%; }
#stage canvas { display: block; outline-offset: -3px; touch-action: none; }
:host(:not([camera-controls])) #stage canvas { pointer-events: none; }
#poster { background: center / contain no-repeat; transition: opacity 0.3s; pointer-events: none; }
#poster.gone { opacity: 0; }
@media (prefers-reduced-motion: reduce) { #poster { transition: none; } }`;

const booleans = ['autoplay', 'camera-controls', 'auto-rotate'];
const stillPlease = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export interface EffigyViewerEventMap {
    load: CustomEvent<{ url: string }>;
    error: CustomEvent<{ type: 'loadfailure'; sourceError: unknown }>;
    progress: CustomEvent<{ totalProgress: number }>;
    play: CustomEvent<null>;
    pause: CustomEvent<null>;
    finished: CustomEvent<null>;
}
type ViewerEvents = Omit<HTMLElementEventMap, keyof EffigyViewerEventMap> & EffigyViewerEventMap;

/// What listeners get, by the event.
export interface EffigyViewerElement {
    addEventListener<K extends keyof ViewerEvents>(type: K, listener: (this: EffigyViewerElement, event: ViewerEvents[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<K extends keyof ViewerEvents>(type: K, listener: (this: EffigyViewerElement, event: ViewerEvents[K]) => unknown, options?: boolean | EventListenerOptions): void;
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/// Servers that make pages import this too, and have no elements.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

export class EffigyViewerElement extends Base {
    static readonly observedAttributes = ['src', 'motion', 'side-files', 'alt', 'poster', 'animation-name', 'exposure', 'time-scale', 'loading', 'reveal', ...booleans];
    /// Loads what this element shows: for switches, side files, a LoadingManager.
    readonly loader = new EffigyLoader();
    private readonly stagePlace = document.createElement('div');
    private readonly posterPlace = document.createElement('div');
    private stage: Stage | null = null;
    private model_: Model | null = null;
    private turn = 0;
    private isDue = false;
    private isSeen = false;
    private wasPlaying = false;
    private readonly watch = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.isSeen = true;
        this.plan();
    });

    constructor() {
        super();
        const root = this.attachShadow({ mode: 'open' });
        const sheet = new CSSStyleSheet(); // needs no 'unsafe-inline'
        sheet.replaceSync(style);
        root.adoptedStyleSheets = [sheet];
        this.stagePlace.id = 'stage';
        this.posterPlace.id = 'poster';
        root.append(this.stagePlace, this.posterPlace);
    }

    connectedCallback(): void {
        this.stage ??= this.makeStage();
        this.watch.observe(this);
        this.describe();
        for (const name of ['poster', 'exposure', 'auto-rotate', 'camera-controls']) this.apply(name);
        this.plan();
    }

    /// Browsers allow few pictures in 3D at once.
    disconnectedCallback(): void {
        this.watch.disconnect();
        queueMicrotask(() => {
            if (this.isConnected) return;
            this.turn += 1;
            this.stage?.dispose();
            this.stage = this.model_ = null;
        });
    }

    attributeChangedCallback(name: string): void {
        if (['src', 'motion', 'side-files', 'loading'].includes(name)) this.plan();
        else this.apply(name);
    }

    // ---- as attributes ----

    get src(): string { return this.getAttribute('src') ?? ''; }
    set src(value: string) { this.put('src', value); }
    /// Addresses, separated by spaces.
    get motion(): string { return this.getAttribute('motion') ?? ''; }
    set motion(value: string) { this.put('motion', value); }
    get sideFiles(): string { return this.getAttribute('side-files') ?? ''; }
    set sideFiles(value: string) { this.put('side-files', value); }
    get alt(): string { return this.getAttribute('alt') ?? ''; }
    set alt(value: string) { this.put('alt', value); }
    get poster(): string { return this.getAttribute('poster') ?? ''; }
    set poster(value: string) { this.put('poster', value); }
    get loading(): string { return this.getAttribute('loading') ?? 'auto'; }
    set loading(value: string) { this.put('loading', value); }
    get reveal(): string { return this.getAttribute('reveal') ?? 'auto'; }
    set reveal(value: string) { this.put('reveal', value); }
    get autoplay(): boolean { return this.hasAttribute('autoplay'); }
    set autoplay(value: boolean) { this.toggleAttribute('autoplay', value); }
    get cameraControls(): boolean { return this.hasAttribute('camera-controls'); }
    set cameraControls(value: boolean) { this.toggleAttribute('camera-controls', value); }
    get autoRotate(): boolean { return this.hasAttribute('auto-rotate'); }
    set autoRotate(value: boolean) { this.toggleAttribute('auto-rotate', value); }
    get exposure(): number { return this.number('exposure', 1); }
    set exposure(value: number) { this.put('exposure', String(value)); }
    get timeScale(): number { return this.number('time-scale', 1); }
    set timeScale(value: number) { this.put('time-scale', String(value)); }
    get animationName(): string | null { return this.getAttribute('animation-name'); }
    set animationName(value: string | null) { this.put('animation-name', value); }

    // ---- what is shown ----

    /// Whether what the attributes name is shown: until then, the model before stays.
    get loaded(): boolean { return this.model_ !== null && this.shown === this.wantedKey; }
    /// The parts, clips and morph targets, for whom the attributes are not enough.
    get model(): Model | null { return this.model_; }
    get availableAnimations(): string[] { return this.model_?.clips.map((clip) => clip.name) ?? []; }
    get paused(): boolean { return !this.model_?.player.playing || !this.model_.player.clip; }
    get duration(): number { return this.model_?.player.duration ?? 0; }
    get currentTime(): number { return this.model_?.player.time ?? 0; }
    set currentTime(seconds: number) {
        this.model_?.seek(seconds);
        this.stage?.invalidate();
    }

    play(settings: { repetitions?: number } = {}): void {
        const player = this.model_?.player;
        if (!player) return;
        const { repetitions = Infinity } = settings;
        if (!player.clip) player.select(this.wanted());
        if (!player.clip) return;
        if (player.time >= player.duration) player.time = 0;
        if (repetitions < Infinity) player.repetitions = repetitions;
        else player.loop = true;
        player.playing = this.wasPlaying = true;
        this.stage?.invalidate();
        this.say('play');
    }

    pause(): void {
        const player = this.model_?.player;
        if (!player?.playing) return;
        player.playing = this.wasPlaying = false;
        this.say('pause');
    }

    /// The camera to where it began.
    resetView(): void {
        this.stage?.frame();
    }

    dismissPoster(): void {
        this.posterPlace.classList.add('gone');
    }

    showPoster(): void {
        this.posterPlace.classList.remove('gone');
    }

    async toBlob({ mimeType = 'image/png' as 'image/png' | 'image/webp' } = {}): Promise<Blob> {
        if (!this.stage) throw new Error('The element is in no page.');
        return this.stage.snapshot(mimeType);
    }

    toDataURL(type = 'image/png', quality?: number): string {
        if (!this.stage) throw new Error('The element is in no page.');
        this.stage.draw();
        return this.stage.canvas.toDataURL(type, quality);
    }

    // ---- inside ----

    private makeStage(): Stage {
        const stage = new Stage(this.stagePlace, { isTransparent: true });
        stage.gridVisible = false;
        stage.canvas.addEventListener('keydown', (event) => this.key(event));
        stage.onFrame = () => {
            const player = this.model_?.player;
            if (this.wasPlaying && player && !player.playing) {
                this.wasPlaying = false;
                this.say('finished');
            }
        };
        return stage;
    }

    private describe(): void {
        const canvas = this.stage?.canvas;
        canvas?.setAttribute('role', 'img');
        canvas?.setAttribute('aria-label', this.alt || 'A model');
    }

    private apply(name: string): void {
        const { stage } = this;
        if (!stage) return;
        if (name === 'alt') this.describe();
        if (name === 'poster') this.posterPlace.style.backgroundImage = this.poster ? `url(${JSON.stringify(new URL(this.poster, document.baseURI).href)})` : '';
        if (name === 'exposure') stage.exposure = this.exposure;
        if (name === 'auto-rotate') stage.autoRotate = this.autoRotate && !stillPlease();
        if (name === 'camera-controls') {
            stage.controls.enabled = this.cameraControls;
            stage.canvas.tabIndex = this.cameraControls ? 0 : -1;
        }
        if (name === 'time-scale' && this.model_) this.model_.player.speed = this.timeScale;
        if (name === 'animation-name' && this.model_) this.model_.player.select(this.wanted());
        if (name === 'autoplay' && this.autoplay && this.paused && !stillPlease()) this.play();
        stage.invalidate();
    }

    /// Several attributes that change together load once.
    private plan(): void {
        if (this.isDue || !this.isConnected) return;
        this.isDue = true;
        queueMicrotask(() => {
            this.isDue = false;
            if (this.loading === 'lazy' && !this.isSeen) return;
            void this.read();
        });
    }

    private key_ = ''; // of what was asked for last
    private shown = ''; // of the model
    private hadSideFiles = false;
    private get wantedKey(): string {
        return JSON.stringify([this.src, this.motion, this.sideFiles]);
    }

    private async read(): Promise<void> {
        const key = this.wantedKey;
        if (!this.stage || (key === this.key_ && this.model_)) return;
        this.key_ = key;
        const turn = ++this.turn;
        if (!this.src) {
            this.clear();
            return;
        }
        const list = (text: string) => text.split(/\s+/).filter(Boolean);
        this.say('progress', { totalProgress: 0 });
        try {
            // Without the attribute, files that somebody gave the loader stay, but not those of an attribute that is gone.
            if (this.sideFiles || this.hadSideFiles) this.loader.setSideFiles(list(this.sideFiles));
            this.hadSideFiles = this.sideFiles !== '';
            const { gltf } = await this.loader.loadAsync([this.src, ...list(this.motion)], ({ loaded, total }) =>
                turn === this.turn && this.say('progress', { totalProgress: total > 0 ? (0.9 * loaded) / total : 0 }));
            if (turn !== this.turn || !this.stage) return;
            this.clear();
            this.shown = key;
            this.show(new Model(this.src.split('/').pop()!, gltf));
        } catch (error) {
            if (turn !== this.turn) return;
            this.key_ = '';
            this.clear();
            this.say('error', { type: 'loadfailure', sourceError: error });
        }
    }

    private show(model: Model): void {
        this.model_ = model;
        model.player.speed = this.timeScale;
        model.player.playing = false;
        model.player.select(this.wanted());
        this.stage!.add(model);
        this.stage!.frame();
        if (this.reveal !== 'manual') this.dismissPoster();
        this.say('progress', { totalProgress: 1 });
        this.say('load', { url: this.src });
        if (this.autoplay && !stillPlease()) this.play();
    }

    private clear(): void {
        if (this.model_) this.stage?.remove(this.model_);
        this.model_ = null;
        this.stage?.invalidate();
    }

    private wanted() {
        const clips = this.model_?.clips ?? [];
        return clips.find((clip) => clip.name === this.animationName) ?? clips[0] ?? null;
    }

    private key(event: KeyboardEvent): void {
        const { stage } = this;
        if (!stage || !this.cameraControls || event.ctrlKey || event.metaKey || event.altKey) return;
        const turns: Record<string, [number, number, number?]> = {
            ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1], '+': [0, 0, 1.15], '-': [0, 0, 1 / 1.15],
        };
        const turn = turns[event.key];
        if (!turn) return;
        event.preventDefault();
        stage.orbit(...turn);
    }

    private put(name: string, value: string | null): void {
        if (value === null) this.removeAttribute(name);
        else this.setAttribute(name, value);
    }

    private number(name: string, usual: number): number {
        const value = Number.parseFloat(this.getAttribute(name) ?? '');
        return Number.isFinite(value) ? value : usual;
    }

    private say(type: string, detail?: unknown): void {
        this.dispatchEvent(new CustomEvent(type, { detail }));
    }
}

declare global {
    interface HTMLElementTagNameMap { 'effigy-viewer': EffigyViewerElement }
}

if (typeof customElements !== 'undefined' && !customElements.get('effigy-viewer')) customElements.define('effigy-viewer', EffigyViewerElement);
