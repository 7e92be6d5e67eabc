/// Splits the module in two: what looking at a model takes, and the rest, which is loaded when it is first called.
/// What that is, is found by doing it: the project's examples are opened and converted to GLB. A function that is missed
/// costs the load of the second part when it is called, and nothing else.
/// usage: node split.mjs FOLDER-OF-MODULE FOLDER-OF-EXAMPLES
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, examples] = process.argv.slice(2);
const inFolder = (name) => path.join(folder, name);
const features = ['exception-handling', 'simd', 'bulk-memory', 'sign-ext', 'mutable-globals', 'nontrapping-float-to-int'].map((name) => `--enable-${name}`);

function below(inside = '') {
  return readdirSync(path.join(examples, inside), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(inside, entry.name);
    return entry.isDirectory() ? below(name) : [{ name, data: readFileSync(path.join(examples, name)) }];
  });
}

/// What looking at a file takes.
function look(engine, file, files) {
  const settings = { files, onProgress: () => true };
  const { document } = engine.open(file, settings);
  if (!document) return;
  engine.info(document, settings);
  engine.close(document);
  engine.convert([file], 'x.glb', settings);
}

function lookAtAll(engine, files) {
  const isOf = (pattern) => ({ name }) => pattern.test(name);
  const models = files.filter(isOf(/\.(xac|x42|jar|jarp)$/)), motions = files.filter(isOf(/\.(xsm|xpm|cas\.xml)$/));
  engine.formats();
  assert(engine.version);
  for (const file of files) {
    engine.recognize(file.data.subarray(0, 4096), file.name);
    look(engine, file, files);
    look(engine, file, []); // nothing that belongs to it is at hand
  }
  for (const model of models) {
    engine.convert([model, ...motions.filter(({ name }) => path.dirname(name) === path.dirname(model.name))], 'x.glb', { files });
  }
}

async function profile() {
  execFileSync('wasm-split', ['--instrument', ...features, inFolder('module.wasm'), '-o', inFolder('instrumented.wasm')]);
  let exports;
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate(...given);
    exports = made.instance.exports;
    return made;
  };
  const { Engine } = await import(pathToFileURL(inFolder('engine.js')));
  const engine = await Engine.create(readFileSync(inFolder('instrumented.wasm')));
  lookAtAll(engine, below());
  const memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
  // It overwrites what is there, which nobody needs any more.
  const size = exports.__write_profile(1024, 1 << 20);
  writeFileSync(inFolder('module.profile'), new Uint8Array(memory.buffer, 1024, size));
}

await profile();
execFileSync('wasm-split', [...features, inFolder('module.wasm'), `--profile=${inFolder('module.profile')}`,
  '-o1', inFolder('effigy.wasm'), '-o2', inFolder('effigy-rest.wasm')], { stdio: ['ignore', 'ignore', 'inherit'] });
