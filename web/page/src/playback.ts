/// The bar below the picture: clip, play, moment, speed, loop.
import type { App } from './app.js';
import { h, icon, select, toggle } from './dom.js';

export function playbackBar(app: App, place: HTMLElement): void {
    const play = h('button', { type: 'button', class: 'icon big', id: 'play', onclick: () => playPause(app) });
    const time = h('output', { class: 'time' });
    const scrub = h('input', { type: 'range', id: 'scrub', min: '0', step: 'any', 'aria-label': 'Moment', oninput: () => {
        const model = app.active?.model;
        if (!model) return;
        model.player.playing = false;
        model.seek(Number(scrub.value));
        app.stage.invalidate();
        follow();
    } });
    const clips = h('span', { class: 'clip-choice' });

    function update(): void {
        const model = app.active?.model;
        place.hidden = !model || model.clips.length === 0;
        if (!model) return;
        clips.replaceChildren(select('Clip', [['', 'Rest pose'], ...model.clips.map((clip): [string, string] => [clip.name, clip.name])], model.player.clip?.name ?? '', (name) => {
            model.player.select(model.clips.find((clip) => clip.name === name) ?? null);
            app.stage.invalidate();
            follow();
        }));
        follow();
    }

    function follow(): void {
        const player = app.active?.model?.player;
        if (!player) return;
        const name = player.playing && player.clip ? 'Pause' : 'Play';
        if (play.getAttribute('aria-label') !== name) {
            play.setAttribute('aria-label', name);
            play.title = `${name} (space)`;
            play.replaceChildren(icon(name.toLowerCase()));
        }
        scrub.max = String(player.duration || 1);
        scrub.value = String(player.time);
        time.textContent = `${player.time.toFixed(2)} / ${player.duration.toFixed(2)} s`;
        const choice = clips.querySelector('select');
        if (choice && choice.value !== (player.clip?.name ?? '')) choice.value = player.clip?.name ?? '';
    }

    const speeds = ['0.1', '0.25', '0.5', '1', '1.5', '2', '4'];
    place.append(play, clips, scrub, time,
        select('Speed', speeds.map((speed): [string, string] => [speed, `${speed}×`]), '1', (speed) => {
            app.shown.speed = Number(speed);
            app.applyPlayback();
        }),
        toggle('Loop', true, (isOn) => {
            app.shown.loop = isOn;
            app.applyPlayback();
        }));
    app.on('active', update);
    app.on('frame', follow);
}

export function playPause(app: App): void {
    const player = app.active?.model?.player;
    if (!player) return;
    if (!player.clip) player.select(player.clips[0] ?? null);
    else if (!player.playing && !player.loop && player.time >= player.duration) player.time = 0;
    player.playing = !player.playing;
    app.stage.invalidate();
    app.changed('frame');
}
