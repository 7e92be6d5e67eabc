/// What only Node has. Bundlers for browsers take no-node.js in its place ("imports" in package.json).

import { Worker } from 'node:worker_threads';

export { readFileSync } from 'node:fs';
export { readFile } from 'node:fs/promises';
export { parentPort } from 'node:worker_threads';

export function makeThread(url = new URL('./worker.js', import.meta.url)) {
  const thread = new Worker(url);
  thread.unref();
  return thread;
}
