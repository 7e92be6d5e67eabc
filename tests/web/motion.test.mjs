/// Motion is shown by each format's own rules: what three.js makes of a clip is what `effigy pose` says, at 20 moments
/// of each clip of the examples of every family.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { require, root } from './browser.mjs';

const program = process.env.EFFIGY_PROGRAM ?? path.join(root, 'build/quick/effigy');
const examples = process.env.EFFIGY_WEB_EXAMPLES ?? path.join(root, 'build/web/examples');
const skip = existsSync(program) && existsSync(examples) ? false : `no program or no examples (./dev web): ${program}, ${examples}`;
const moments = 20, tolerance = 1e-4; // of the model's size

const families = {
    'EMotion FX': ['figure.xac', 'walk.xsm', 'wave.xsm', 'talk.xpm'],
    Egosoft: ['courier/assets/units/size_s/ship_courier.xml'],
    X42: ['trader.x42', 'animation.cfg', 'default.skin'].map((name) => `trader/models/players/trader/${name}`),
    'signing avatars': ['signer/signer.jar', 'signer/hello.cas.xml'],
};
let folder, core;
before(async () => {
    if (skip) return;
    folder = mkdtempSync(path.join(os.tmpdir(), 'effigy-motion-'));
    const { build } = require('esbuild');
    const entry = "export { readGlb } from './glb.ts'; export { Model } from './model.ts'; export { Vector3, Matrix4 } from 'three';";
    await build({ stdin: { contents: entry, resolveDir: path.join(root, 'web/packages/three-effigy/src'), loader: 'ts' }, bundle: true, format: 'esm',
        platform: 'node', outfile: path.join(folder, 'core.mjs'), logLevel: 'error' });
    core = await import(pathToFileURL(path.join(folder, 'core.mjs')).href);
});
after(() => folder && rmSync(folder, { recursive: true, force: true }));

const run = (...given) => execFileSync(program, given, { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });

/// The vertices of every visible mesh, in the world.
function verticesOf(scene) {
    scene.updateMatrixWorld(true);
    const meshes = [];
    const at = new core.Vector3();
    const walk = (object) => {
        if (!object.visible) return;
        if (object.isMesh && object.layers.mask === 1) {
            const count = object.geometry.attributes.position.count, values = new Float64Array(count * 3);
            for (let index = 0; index < count; ++index) {
                object.getVertexPosition(index, at).applyMatrix4(object.matrixWorld).toArray(values, index * 3);
            }
            meshes.push(values);
        }
        object.children.forEach(walk);
    };
    walk(scene);
    return meshes;
}

/// The largest distance of corresponding vertices; a mesh's counterpart is the nearest one of as many.
function farthest(a, b) {
    assert.equal(a.length, b.length, 'meshes');
    const left = [...b];
    let worst = 0;
    for (const values of a) {
        let best = Infinity, found = -1;
        for (const [index, others] of left.entries()) {
            if (others.length !== values.length) continue;
            let distance = 0;
            for (let place = 0; place < values.length; ++place) distance = Math.max(distance, Math.abs(values[place] - others[place]));
            if (distance < best) [best, found] = [distance, index];
        }
        assert.notEqual(found, -1, 'a mesh with as many vertices');
        left.splice(found, 1);
        worst = Math.max(worst, best);
    }
    return worst;
}

for (const [family, names] of Object.entries(families)) {
    test(`three.js shows what pose says: ${family}`, { skip }, async (t) => {
        const inputs = names.map((name) => path.join(examples, name));
        const glb = path.join(folder, 'model.glb');
        run('convert', ...inputs, '--no-textures', '-o', glb);
        const model = new core.Model('model', await core.readGlb(new Uint8Array(readFileSync(glb))));
        const size = model.bounds.getSize(new core.Vector3()).length();
        model.player.fade = 0;
        let worst = 0, compared = 0;
        for (const clip of model.clips) {
            model.player.select(clip);
            model.player.playing = false;
            for (const file of readdirSync(folder)) if (file.startsWith('posed')) rmSync(path.join(folder, file));
            run('pose', ...inputs, '--no-textures', '--clip', clip.name, '--frames', `0:${moments - 1}`, '--fps', String(moments / clip.duration), '-o', path.join(folder, 'posed.glb'));
            for (let moment = 0; moment < moments; ++moment) {
                const file = path.join(folder, `posed_${String(moment).padStart(4, '0')}.glb`);
                const posed = await core.readGlb(new Uint8Array(readFileSync(file)));
                model.seek((moment * clip.duration) / moments);
                const distance = farthest(verticesOf(posed.scene), verticesOf(model.scene)) / size;
                assert.ok(distance <= tolerance, `${clip.name} at moment ${moment}: ${distance} of the size`);
                worst = Math.max(worst, distance);
                compared += 1;
            }
        }
        assert.ok(compared >= moments);
        t.diagnostic(`${compared} moments, at most ${worst.toExponential(2)} of the size`);
    });
}
