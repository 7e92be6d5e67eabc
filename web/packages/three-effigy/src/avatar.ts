/// A player for signing avatars: CAS motions, one or several in a row, on any avatar, frame by frame, in any scene.
import { AnimationMixer, type AnimationAction, type AnimationClip, type Group, type Mesh } from 'three';
import type { NamedFile } from 'effigy';
import { freeMesh } from './free.js';
import { EffigyLoader, type EffigyResult } from './loader.js';
import { signMotion, type SignMotion } from './signs.js';

/// A sign as it stands on the player's timeline; frames are counted from the first one of all.
export interface Sign {
    gloss: string;
    motion: string;
    start: number; // seconds
    end: number;
    firstFrame: number;
    lastFrame: number;
}

export interface PlaySettings {
    speed?: number; // 1
    transition?: number; // seconds in which a motion grows out of the one before: 0
    interpolate?: boolean; // true; false: each frame stands still for its own duration
    loop?: boolean;
    paused?: boolean;
}

/// `signstart`, `signend`, `frame`, `ended`.
export class AvatarEvent extends Event {
    constructor(type: string, readonly sign: Sign | null, readonly frame: number, readonly time: number) {
        super(type);
    }
}

export interface AvatarEventMap {
    signstart: AvatarEvent & { readonly sign: Sign };
    signend: AvatarEvent & { readonly sign: Sign };
    frame: AvatarEvent & { readonly sign: Sign };
    ended: AvatarEvent;
}

export type Source = string | NamedFile;
interface Segment { motion: SignMotion; start: number }

/// What listeners get, by the event.
export interface AvatarPlayer {
    addEventListener<K extends keyof AvatarEventMap>(type: K, listener: (this: AvatarPlayer, event: AvatarEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<K extends keyof AvatarEventMap>(type: K, listener: (this: AvatarPlayer, event: AvatarEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | EventListenerOptions): void;
}

export class AvatarPlayer extends EventTarget {
    speed = 1;
    transition = 0;
    interpolate = true;
    loop = false;
    playing = false;
    readonly object: Group; // to be added to a scene
    /// Of what is played now.
    signs: Sign[] = [];
    duration = 0;
    private readonly mixer: AnimationMixer;
    private readonly known = new Map<Source, Promise<SignMotion>>();
    private readonly tails = new Map<AnimationClip, AnimationClip>();
    private segments: Segment[] = [];
    private frames: { start: number; sign: Sign }[] = [];
    private time = 0;
    private now = -1; // frame that was announced
    private turn = 0;

    /// `avatar`: a container (.jar), or a definition (.jarp, .arp) and its texture; addresses or files.
    static async create(avatar: Source | Source[], settings: { loader?: EffigyLoader } = {}): Promise<AvatarPlayer> {
        const loader = settings.loader ?? new EffigyLoader();
        const files = await read(loader, [avatar].flat());
        const [model, ...beside] = [...files].sort((a, b) => Number(isPicture(a.name)) - Number(isPicture(b.name)));
        if (!model) throw new Error('There is no avatar.');
        return new AvatarPlayer(loader, model, beside, await loader.parseAsync([model], {}, beside));
    }

    private constructor(
        private readonly loader: EffigyLoader, private readonly avatar: NamedFile, private readonly beside: NamedFile[], readonly result: EffigyResult,
    ) {
        super();
        this.object = result.scene;
        this.object.traverse((object) => (object.frustumCulled = false)); // skins leave their box at rest
        this.mixer = new AnimationMixer(this.object);
    }

    get currentTime(): number {
        return this.time;
    }

    set currentTime(seconds: number) {
        this.seek(seconds);
    }

    get frameCount(): number {
        return this.frames.length;
    }

    /// The one that is shown; -1 before anything is played.
    get frame(): number {
        return this.frameAt(this.time);
    }

    get sign(): Sign | null {
        return this.frames[this.frame]?.sign ?? null;
    }

    /// Read beforehand, a motion begins at once.
    load(motion: Source): Promise<SignMotion> {
        let known = this.known.get(motion);
        if (!known) {
            known = this.read(motion);
            known.catch(() => this.known.delete(motion));
            this.known.set(motion, known);
        }
        return known;
    }

    /// One motion or several in a row, from the beginning; without motions goes on. Resolves when it begins.
    async play(motions?: Source | Source[], settings: PlaySettings = {}): Promise<Sign[]> {
        Object.assign(this, withoutHoles({ speed: settings.speed, transition: settings.transition, interpolate: settings.interpolate, loop: settings.loop }));
        if (motions === undefined) {
            if (this.time >= this.duration) this.restart();
            this.playing = this.frames.length > 0;
            return this.signs;
        }
        const turn = ++this.turn;
        const loaded = await Promise.all([motions].flat().map((motion) => this.load(motion)));
        if (turn !== this.turn) return this.signs; // something else was asked for meanwhile
        this.lay(loaded);
        this.playing = !settings.paused && this.frames.length > 0;
        this.restart();
        return this.signs;
    }

    pause(): void {
        this.playing = false;
    }

    /// To the rest pose.
    stop(): void {
        ++this.turn;
        this.leaveSign();
        this.playing = false;
        this.lay([]);
        this.mixer.stopAllAction();
    }

    seek(seconds: number): void {
        this.time = Math.min(Math.max(seconds, 0), this.duration);
        this.arrive(this.frameAt(this.time));
        this.apply();
    }

    seekFrame(frame: number): void {
        const at = this.frames[Math.min(Math.max(Math.round(frame), 0), this.frames.length - 1)];
        if (at) this.seek(at.start);
    }

    /// From the loop that draws, with the seconds since the last call. True while something moves.
    update(seconds: number): boolean {
        if (!this.playing || this.frames.length === 0) return false;
        this.advance(Math.max(seconds * this.speed, 0));
        return true;
    }

    private advance(seconds: number): void {
        const time = this.time + seconds;
        this.time = Math.min(time, this.duration);
        const last = this.frameAt(this.time);
        while (this.playing && this.now < last) this.arrive(this.now + 1);
        this.apply();
        if (this.playing && this.time >= this.duration) this.finish(Math.max(time - this.duration, 0));
    }

    dispose(): void {
        this.stop();
        this.mixer.uncacheRoot(this.object);
        this.object.traverse((object) => { if ((object as Mesh).isMesh) freeMesh(object as Mesh); });
        this.object.removeFromParent();
    }

    private async read(motion: Source): Promise<SignMotion> {
        const [file] = await read(this.loader, [motion]);
        const bytes = file!.data instanceof Blob ? await file!.data.arrayBuffer() : file!.data;
        const { animations } = await this.loader.parseAsync([this.avatar, { name: file!.name, data: bytes }], { 'no-textures': true }, this.beside);
        const clip = animations.find((one) => (one.userData as { effigy?: { kind?: string } }).effigy?.kind === 'cas');
        if (!clip) throw new Error(`${file!.name}: nothing moves in it`);
        return signMotion(file!.name.replace(/(\.cas)?\.[^.]*$/i, ''), clip, new TextDecoder().decode(bytes));
    }

    private lay(motions: SignMotion[]): void {
        this.mixer.stopAllAction();
        this.segments = [];
        this.frames = [];
        this.signs = [];
        this.duration = this.time = 0;
        this.now = -1;
        for (const motion of motions) {
            const start = this.duration, first = this.frames.length;
            for (const [index, { gloss, frame }] of motion.signs.entries()) {
                const next = motion.signs[index + 1]?.frame ?? motion.frames.length;
                const sign: Sign = {
                    gloss, motion: motion.name, start: start + motion.frames[frame]!, end: start + (motion.frames[next] ?? motion.duration),
                    firstFrame: first + frame, lastFrame: first + next - 1,
                };
                this.signs.push(sign);
                for (let at = frame; at < next; ++at) this.frames.push({ start: start + motion.frames[at]!, sign });
            }
            this.segments.push({ motion, start });
            this.duration += motion.duration;
        }
    }

    private restart(): void {
        this.leaveSign();
        this.time = 0;
        if (this.frames.length > 0) this.arrive(0);
        this.apply();
    }

    /// `late`: seconds after the end, in which a next round has begun. Whole rounds that nobody drew are left out.
    private finish(late: number): void {
        this.leaveSign();
        if (this.loop) {
            this.restart();
            if (this.playing && this.duration > 0) this.advance(late % this.duration);
            return;
        }
        this.playing = false;
        this.say('ended', null);
    }

    private frameAt(time: number): number {
        let first = 0, end = this.frames.length;
        while (first < end) {
            const middle = (first + end) >> 1;
            if (this.frames[middle]!.start <= time + 1e-7) first = middle + 1;
            else end = middle;
        }
        return first - 1;
    }

    /// Says what begins and ends with a frame.
    private arrive(frame: number): void {
        const { sign } = this.frames[frame] ?? { sign: null };
        if (frame === this.now || !sign) return;
        const before = this.frames[this.now]?.sign;
        if (before !== sign) this.leaveSign();
        this.now = frame;
        if (before !== sign) this.say('signstart', sign);
        this.say('frame', sign);
    }

    private leaveSign(): void {
        const sign = this.frames[this.now]?.sign;
        if (sign) this.say('signend', sign);
        this.now = -1;
    }

    private say(type: string, sign: Sign | null): void {
        this.dispatchEvent(new AvatarEvent(type, sign, this.now, this.time));
    }

    /// The pose of the moment.
    private apply(): void {
        const index = this.segments.findLastIndex((segment) => segment.start <= this.time + 1e-7);
        const segment = this.segments[index];
        if (!segment) return;
        const shown = this.interpolate ? this.time : (this.frames[this.frameAt(this.time)]?.start ?? 0);
        const before = this.segments[index - 1], weight = before && this.transition > 0 ? (this.time - segment.start) / this.transition : 1;
        this.mixer.stopAllAction();
        if (before && weight < 1) this.pose(this.tailOf(before.motion.clip), before.motion.duration, 1 - weight);
        this.pose(segment.motion.clip, shown - segment.start, Math.min(weight, 1));
        this.mixer.update(0);
    }

    private pose(clip: AnimationClip, time: number, weight: number): void {
        const action: AnimationAction = this.mixer.clipAction(clip);
        action.reset().setEffectiveWeight(weight).play();
        action.time = Math.min(Math.max(time, 0), clip.duration);
    }

    /// A motion may follow itself.
    private tailOf(clip: AnimationClip): AnimationClip {
        let tail = this.tails.get(clip);
        if (!tail) this.tails.set(clip, (tail = clip.clone()));
        return tail;
    }
}

const isPicture = (name: string): boolean => /\.(png|jpe?g|dds|tga|bmp|webp|gif)$/i.test(name);

async function read(loader: EffigyLoader, sources: Source[]): Promise<NamedFile[]> {
    return Promise.all(sources.map(async (source) => (typeof source === 'string' ? (await loader.fetchFiles([source]))[0]! : source)));
}

function withoutHoles<T extends object>(values: T): Partial<T> {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
