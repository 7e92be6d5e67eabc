/// What only Node has. Bundlers for browsers take no-node.js in its place ("imports" in package.json).

export { readFileSync } from 'node:fs';
export { readFile } from 'node:fs/promises';
export { parentPort } from 'node:worker_threads';
