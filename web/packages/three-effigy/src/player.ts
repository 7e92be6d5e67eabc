/// Plays clips of one model: one at a time, with a crossfade from the one before.
import { AnimationMixer, LoopOnce, LoopRepeat, type AnimationAction, type AnimationClip, type Object3D } from 'three';

export class Player {
    speed = 1;
    fade = 0.25; // seconds
    playing = true;
    private times = Infinity; // that a clip is played
    private action: AnimationAction | null = null;
    private readonly mixer: AnimationMixer;

    constructor(root: Object3D, readonly clips: AnimationClip[]) {
        this.mixer = new AnimationMixer(root);
        for (const clip of clips) clip.duration = Math.max(clip.duration, durationInFile(clip));
    }

    get clip(): AnimationClip | null {
        return this.action?.getClip() ?? null;
    }

    get duration(): number {
        return this.clip?.duration ?? 0;
    }

    get time(): number {
        return this.action?.time ?? 0;
    }

    set time(seconds: number) {
        if (!this.action) return;
        this.settle();
        this.action.enabled = true;
        this.action.paused = false;
        this.action.time = Math.min(Math.max(seconds, 0), this.duration);
        this.mixer.update(0);
    }

    get loop(): boolean {
        return this.times === Infinity;
    }

    set loop(loop: boolean) {
        this.times = loop ? Infinity : 1;
        if (this.action) this.setLoop(this.action);
    }

    /// Ends after that many rounds, of which this one is the first.
    set repetitions(count: number) {
        this.times = Math.max(1, count);
        if (!this.action) return;
        const { time } = this.action;
        this.setLoop(this.action.reset()); // which forgets the rounds so far
        this.action.time = time;
    }

    /// null: the rest pose.
    select(clip: AnimationClip | null): void {
        const before = this.action;
        if (clip === this.clip) return;
        this.action = clip && this.mixer.clipAction(clip);
        if (!this.action) {
            this.mixer.stopAllAction();
            return;
        }
        this.action.reset();
        this.setLoop(this.action);
        this.action.setEffectiveWeight(1).play();
        if (before && this.playing && this.fade > 0) this.action.crossFadeFrom(before, this.fade, false);
        else before?.stop();
        this.mixer.update(0);
    }

    /// True while something moves.
    update(seconds: number): boolean {
        if (!this.playing || !this.action) return false;
        if (!this.loop && this.time >= this.duration) {
            this.playing = false;
            return true;
        }
        this.mixer.update(seconds * this.speed);
        return true;
    }

    dispose(): void {
        this.mixer.stopAllAction();
        this.mixer.uncacheRoot(this.mixer.getRoot());
    }

    /// Ends a crossfade: a moment that is asked for is that of one clip.
    private settle(): void {
        for (const clip of this.clips) {
            const action = this.mixer.existingAction(clip);
            if (action && action !== this.action) action.stop();
        }
        this.action?.stopFading().setEffectiveWeight(1);
    }

    private setLoop(action: AnimationAction): void {
        action.setLoop(this.times === 1 ? LoopOnce : LoopRepeat, this.times);
        action.clampWhenFinished = true;
    }
}

function durationInFile(clip: AnimationClip): number {
    const duration: unknown = (clip.userData as { effigy?: { duration?: unknown } } | undefined)?.effigy?.duration;
    return typeof duration === 'number' && Number.isFinite(duration) ? duration : 0;
}
