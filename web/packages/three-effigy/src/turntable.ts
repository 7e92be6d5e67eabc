/// The view once around, as an animated WebP; clips play on meanwhile.
import { Stage } from './stage.js';
import { animatedWebp } from './webp.js';

export interface TurntableSettings {
    width: number;
    height: number;
    frames: number;
    seconds: number;
    onProgress?: (done: number) => void;
}

export async function turntable(stage: Stage, settings: TurntableSettings): Promise<Blob> {
    const { width, height, frames, seconds } = settings;
    const pictures: Blob[] = [];
    for (let frame = 0; frame < frames; ++frame) {
        pictures.push(await stage.snapshot('image/webp', { width, height }));
        stage.orbit((-2 * Math.PI) / frames, 0);
        for (const model of stage.models) model.update(seconds / frames);
        settings.onProgress?.((frame + 1) / frames);
    }
    return animatedWebp(pictures, width, height, Math.round((seconds * 1000) / frames));
}
