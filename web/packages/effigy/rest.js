/// Apart from backend.js, which makes workers: bundlers warn of workers that import what makes them.

/// Gives the second part at once; `read` gives the bytes at an address.
export function restNow(rest, read) {
  if (rest === null) throw new Error('this needs the second part of the module: give `rest`');
  if (rest instanceof WebAssembly.Module) return rest;
  return new WebAssembly.Module(typeof rest === 'string' ? read(rest) : rest);
}
