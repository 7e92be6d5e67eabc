/// In place of node.js and thread.js where a bundler makes something for browsers: nothing of them is called there.

export {};
