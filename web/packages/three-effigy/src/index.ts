/// What three-effigy offers.
export { EffigyLoader, type EffigyResult } from './loader.js';
export type { Resolver } from './sources.js';
export { readGlb } from './glb.js';
export { Model, meshesOf, type Counts, type Part } from './model.js';
export { OutsideNodes, type Outside } from './outside.js';
export { Player } from './player.js';
export { Stage, type Colors } from './stage.js';
export type { Surface } from './surfaces.js';
export { turntable } from './turntable.js';
