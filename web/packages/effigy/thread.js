/// A worker of Node. Bundlers for browsers take no-node.js in its place.

import { Worker } from 'worker_threads'; // webpack knows it by this name only

export function makeThread(url) {
  // Bundlers look for the second one in one piece. Of `new Worker(url)` some make a worker of every file that is here.
  const thread = url ? Reflect.construct(Worker, [url]) : new Worker(new URL('./worker.js', import.meta.url));
  thread.unref();
  return thread;
}
