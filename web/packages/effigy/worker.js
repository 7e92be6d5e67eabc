/// What runs in the worker: one engine, one call after the other, in browsers as in Node.

import { Engine } from './engine.js';
import { restNow } from './rest.js';

const inBrowser = Boolean(globalThis.XMLHttpRequest);
let port = globalThis;
let readFileSync;

/// The bytes at an address, here and now: workers may wait.
function readNow(url) {
  if (!inBrowser) return readFileSync(new URL(url));
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200) throw new Error(`${url} cannot be loaded: ${request.status}`);
  return request.response;
}

let engine = null;

/// The arrays of an answer move to the page instead of being copied.
const buffersOf = (answer) => [answer?.data, ...(answer?.files ?? []).map(({ data }) => data)].flatMap((data) => data ? [data.buffer] : []);

async function run({ method, parameters }) {
  if (method === 'start') {
    const [module, rest] = parameters;
    engine = await Engine.create(module, () => restNow(rest, readNow));
    return engine.version;
  }
  return engine[method](...parameters);
}

/// Settings that came over as data get their function back.
function withProgress(id, parameters) {
  const settings = parameters.at(-1);
  if (!settings?.wantsProgress) return parameters;
  const onProgress = (progress) => {
    port.postMessage({ id, progress });
    return true;
  };
  return [...parameters.slice(0, -1), { ...settings, onProgress }];
}

async function receive({ id, method, parameters }) {
  try {
    const answer = await run({ method, parameters: withProgress(id, parameters) });
    port.postMessage({ id, answer }, buffersOf(answer));
  } catch (error) {
    port.postMessage({ id, problem: String(error?.message ?? error) });
  }
}

// Nothing is awaited here: where a bundler makes a classic script of this, that would be a mistake of its syntax.
if (inBrowser) {
  globalThis.addEventListener('message', ({ data }) => receive(data));
} else {
  import('#node').then((node) => {
    ({ parentPort: port, readFileSync } = node);
    port.on('message', receive);
  });
}
