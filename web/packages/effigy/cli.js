#!/usr/bin/env node
/// The program `effigy` where Node runs: the same command line, compiled to WebAssembly.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import tty from 'node:tty';

const require = createRequire(import.meta.url);
const pause = new Int32Array(new SharedArrayBuffer(4));
const again = 6; // EAGAIN

/// Pipes may be set not to wait: whoever reads and writes here does.
const waiting = (call) => (...given) => {
  for (;;) {
    try {
      return call(...given);
    } catch (error) {
      if (error.errno !== again) throw error;
      Atomics.wait(pause, 0, 0, 2);
    }
  }
};

const module = {
  wasmBinary: readFileSync(fileURLToPath(new URL('./effigy-program.wasm', import.meta.url))),
  thisProgram: 'effigy',
  preRun: [
    () => {
      for (const name of Object.keys(module.ENV)) delete module.ENV[name];
      Object.assign(module.ENV, process.env);
    },
  ],
};
const { FS, callMain } = await require('./effigy-program.cjs')(module);
for (const descriptor of [0, 1, 2]) FS.streams[descriptor].tty = tty.isatty(descriptor);
FS.read = waiting(FS.read);
FS.write = waiting(FS.write);
callMain(process.argv.slice(2));
