/// In place of node.js where a bundler makes something for browsers: nothing of it is called there.

export {};
