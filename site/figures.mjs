/// Draws the figures of the pages: SVG that is readable on light and dark ground. Writes docs/figures/*.svg, or says with
/// `--check` which of them are not what this program draws.
///
///     node figures.mjs [--check]

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const style = `
  text { font: 14px system-ui, sans-serif; fill: #1d1d22 }
  .small { font-size: 12px } .code { font-family: ui-monospace, monospace; font-size: 13px } .title { font-weight: 600; font-size: 15px }
  .box { fill: #eef1fb; stroke: #4a5a9e; stroke-width: 1.5 } .other { fill: #fdf0df; stroke: #9a6414 } .third { fill: #e4f5ea; stroke: #2e7b4a }
  .plain { fill: none; stroke: #6d6d78 } .line { fill: none; stroke: #4f4f5a; stroke-width: 1.5 } .dash { stroke-dasharray: 5 4 }
  .x { stroke: #b3261e; fill: #b3261e } .y { stroke: #1f7a34; fill: #1f7a34 } .z { stroke: #2a4fc4; fill: #2a4fc4 } .axis { stroke-width: 2.5 }
  text.x, text.y, text.z { stroke: none } .dot { fill: #1d1d22 } .face { fill: #d9dff5; stroke: #4a5a9e; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e6ec } .box { fill: #262c47; stroke: #9aaaf0 } .other { fill: #43331b; stroke: #e0ab5c } .third { fill: #1d3a28; stroke: #7fcf9b }
    .plain { stroke: #a0a0ac } .line { stroke: #b8b8c4 } .x { stroke: #ff8a80; fill: #ff8a80 } .y { stroke: #7fd694; fill: #7fd694 }
    .z { stroke: #96b0ff; fill: #96b0ff } .dot { fill: #e6e6ec } .face { fill: #323a5e; stroke: #9aaaf0 } marker path { fill: #b8b8c4 }
  }`;

const number = (value) => String(Math.round(value * 100) / 100);
const escape = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

class Drawing {
  parts = [];
  constructor(title, about, width, height) { Object.assign(this, { title, about, width, height }); }

  add(part) { this.parts.push(part); return this; }
  text(x, y, content, { kind = '', anchor = 'start' } = {}) {
    return this.add(`<text x="${number(x)}" y="${number(y)}"${kind ? ` class="${kind}"` : ''}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escape(content)}</text>`);
  }
  box(x, y, width, height, kind = 'box') {
    return this.add(`<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="4" class="${kind === 'box' ? 'box' : `box ${kind}`}"/>`);
  }
  line(points, { kind = 'line', arrow = false } = {}) {
    return this.add(`<polyline points="${points.map(([x, y]) => `${number(x)},${number(y)}`).join(' ')}" class="${kind}"${arrow ? ' marker-end="url(#arrow)"' : ''}/>`);
  }
  dot(x, y, radius = 4, kind = 'dot') { return this.add(`<circle cx="${number(x)}" cy="${number(y)}" r="${radius}" class="${kind}"/>`); }

  toString() {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.width} ${this.height}" width="${this.width}" height="${this.height}" role="img" aria-labelledby="title about">
<title id="title">${escape(this.title)}</title>
<desc id="about">${escape(this.about)}</desc>
<style>${style}
</style>
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="#4f4f5a"/></marker></defs>
${this.parts.join('\n')}
</svg>
`;
  }
}

// ---- file maps: a strip of parts from the beginning to the end ----

/** `rows`: [name, size, what it is, kind]; rows of kind "in" stand inside of the one before. */
function fileMap(title, about, rows) {
  const height = 34, left = 90, width = 250;
  const drawing = new Drawing(title, about, 720, 46 + rows.length * (height + 4));
  drawing.text(10, 24, title, { kind: 'title' });
  rows.forEach(([name, size, meaning, kind = 'box'], index) => {
    const y = 40 + index * (height + 4);
    const inset = kind === 'in' ? 26 : 0;
    drawing.box(left + inset, y, width - inset, height, kind === 'in' ? 'third' : kind);
    drawing.text(left + inset + 10, y + 22, name, { kind: 'code' });
    drawing.text(left - 8, y + 22, size, { kind: 'small', anchor: 'end' });
    drawing.text(left + width + 14, y + 22, meaning, { kind: 'small' });
  });
  return drawing;
}

const chunked = (name, chunks) => [
  ['header', '8 bytes', 'magic, version, byte order, order of multiplication'],
  ...chunks.flatMap(([chunk, meaning]) => [[`chunk: ${chunk}`, '12 + n', meaning, 'other']]),
];

const maps = {
  'xac-file': () => fileMap('An XAC file', 'Header and chunks in the order in which exporters write them', chunked('XAC', [
    ['7 info', 'exporter, names of files'],
    ['11 nodes', 'the node tree (older files: a chunk 0 for each node)'],
    ['6 limit', 'limits of joints, one chunk for each'],
    ['13 material info', 'how many materials follow'],
    ['3, 5 materials', 'standard and FX mixed; their order is their number'],
    ['1 mesh', 'layers of all vertices, then submeshes with indices'],
    ['2 skinning', 'of the mesh before: influences, and a range of them for each original vertex'],
    ['… 1, 2', 'further meshes, each followed by its skinning'],
    ['12 morph targets', 'offsets of vertices and nodes (late files)'],
    ['8 mesh LOD', 'a whole XAC file, one for each further level'],
  ])),
  'xsm-file': () => fileMap('An XSM file', 'Header, info and submotions', [
    ...chunked('XSM', [['201 info', 'frames a second, names'], ['202 submotions', 'a count; its size in the file is too large']]),
    ['submotion', '100 or 132', 'pose, counts of keys, the name of the node', 'in'],
    ['position keys', '16 each', 'x y z, time', 'in'],
    ['rotation keys', '20 or 12', 'x y z w as floats, or packed in 16 bits; time', 'in'],
    ['scale keys', '16 each', 'x y z, time', 'in'],
    ['scale rotation keys', '20 or 12', 'as rotation keys', 'in'],
  ]),
  'xpm-file': () => fileMap('An XPM file', 'Header, info and submotions', [
    ...chunked('XPM', [['101 info', 'frames a second, names'], ['102 submotions', 'a count']]),
    ['submotion', '20 + name', 'weight without keys, range, number of keys, name of the target', 'in'],
    ['keys', '8 each', 'time, weight in 16 bits over the range, padding', 'in'],
  ]),
  'xmf-file': () => fileMap('An XMF file', 'Header, descriptors, materials and streams', [
    ['header', '64 bytes', 'sizes and numbers of the records that follow'],
    ['buffer descriptors', '188 each', 'what a stream holds, and where it stands', 'other'],
    ['materials', '136 each', 'ranges of indices, each with a name', 'other'],
    ['data', 'to the end', 'zlib streams one behind the other'],
    ['vertex stream', 'zlib', 'all elements interleaved, or one stream for each', 'in'],
    ['index stream', 'zlib', '16 or 32 bits', 'in'],
  ]),
  'ani-file': () => fileMap('An ANI file', 'Header, descriptors and keys', [
    ['header', '16 bytes', 'number of animations, offset of the keys'],
    ['animations', '160 each', 'part, state, five numbers of keys, duration', 'other'],
    ['keys', '128 each', 'of the first animation: positions, rotations, scales, pre- and post-scales'],
    ['…', '', 'of the next animations, in the order of the table'],
  ]),
  'x42-file': () => fileMap('An X42 file', 'Sections in the order in which they stand', [
    ['ident, version', '8 bytes', 'HW42, or 24WH in big-endian files; 101'],
    ['header', '80 bytes', 'all counts, flags, bounds'],
    ['pack header', '72 bytes', 'ranges of what is packed in 16 bits'],
    ['bones, animation groups', 'aligned to 8', 'the tree; parts that can be animated apart', 'other'],
    ['positions, scales, rotations', '', 'palettes: values that keys name by their place', 'third'],
    ['keys', '8 each', 'the key stream', 'third'],
    ['animations, tags', 'aligned to 8', 'ranges of frames; places to put things', 'other'],
    ['influences', '52 each', 'a bone, and the mesh in its space', 'other'],
    ['levels, groups', '6, 148 each', 'ranges of vertices and indices with a material and a palette of influences', 'other'],
    ['vertices, blend', '6 each, n', 'packed positions; indices of influences and weights'],
    ['normals, tangents, coordinates, colours', '', 'as the flags say; one for each vertex'],
    ['indices', '2 each', 'relative to the first vertex of the group'],
    ['strings', '', 'all names, each with a zero at its end'],
  ]),
  'arp-file': () => fileMap('An avatar of version 3.1', 'Parts in the order in which they stand', [
    ['version', '4 + 3', 'the string 3.1'],
    ['scale, volume, reflectance', '44 bytes', 'and the offset of the skeleton'],
    ['mesh: points', '', 'each: links to bones, with offset, normal, name, weight and distance', 'other'],
    ['strip', '2 each', 'one strip of triangles over points and duplicates', 'in'],
    ['duplicates', '4 each', 'the point that each further vertex stands for', 'in'],
    ['texture coordinates', '8 each', 'of points, then of duplicates', 'in'],
    ['morph targets', '', 'offsets in the frame of the head', 'in'],
    ['default pose', '32 each', 'a transform for each bone', 'other'],
    ['bones', '56 each', 'name, parent, rest transform, inverse twist, length', 'other'],
    ['ambient motion', '', 'frames of small movements'],
    ['texture', '', 'its name and twelve flags'],
  ]),
};

// ---- from a corner to what moves it ----

function cornerToInfluence() {
  const drawing = new Drawing('From a corner to its influences in XAC',
    'An index of a submesh, plus the number of vertices of the submeshes before it, is a vertex. Its entry in layer 5 is an original vertex, '
    + 'whose range names a part of the influences, each a node and a weight.', 760, 400);
  const strip = (x, y, name, cells, marked, kind = 'box') => {
    drawing.text(x, y - 8, name, { kind: 'code' });
    cells.forEach((cell, index) => {
      drawing.box(x + index * 52, y, 52, 30, index === marked || (Array.isArray(marked) && marked.includes(index)) ? 'other' : kind);
      drawing.text(x + index * 52 + 26, y + 20, cell, { kind: 'small', anchor: 'middle' });
    });
  };
  strip(20, 40, 'submesh[1] / indices', ['0', '1', '2', '2', '1', '3', '…'], 3);
  drawing.text(410, 54, 'corner 3 says 2', { kind: 'small' }).text(410, 72, 'submesh[0] has 120 vertices: vertex 122', { kind: 'small' });
  drawing.line([[202, 70], [202, 118]], { arrow: true });
  strip(98, 120, '', ['…', '121', '122', '123', '…'], 2);
  drawing.text(20, 140, 'vertex', { kind: 'code' });
  drawing.text(410, 132, 'the same place in every layer: position, normal,', { kind: 'small' }).text(410, 150, 'texture coordinates, tangents', { kind: 'small' });
  drawing.line([[228, 150], [228, 198]], { arrow: true });
  strip(98, 200, '', ['…', '80', '80', '81', '…'], 2);
  drawing.text(20, 220, 'layer 5', { kind: 'code' });
  drawing.text(410, 212, 'original vertex 80: vertices that differ in texture', { kind: 'small' }).text(410, 230, 'coordinates or normals only share one', { kind: 'small' });
  drawing.line([[228, 230], [228, 278]], { arrow: true });
  strip(98, 280, '', ['…', '158, 2', '160, 3', '163, 1', '…'], 2);
  drawing.text(20, 300, 'ranges', { kind: 'code' });
  drawing.text(410, 292, 'of the skinning chunk of the same node, level', { kind: 'small' }).text(410, 310, 'and kind: first 160, count 3', { kind: 'small' });
  drawing.line([[202, 310], [150, 348]], { arrow: true }).line([[254, 310], [306, 348]], { arrow: true });
  strip(98, 350, '', ['159', '160', '161', '162', '163'], [1, 2, 3]);
  drawing.text(8, 370, 'influences', { kind: 'code' });
  drawing.text(410, 362, 'each: weight, and the number of a node', { kind: 'small' }).text(410, 380, '(weights of a vertex add up to 1)', { kind: 'small' });
  return drawing;
}

// ---- handedness and winding ----

/** Axes as seen from the front right above; `z` is 1 where Z points to the reader in the picture of glTF's frame. */
function axes(drawing, x, y, { right = 1, toReader = 1, forward, order }) {
  const ends = { x: [70 * right, 14 * right], y: [0, -80], z: [-38 * toReader, 40 * toReader] };
  for (const [name, [dx, dy]] of Object.entries(ends)) {
    drawing.line([[x, y], [x + dx, y + dy]], { kind: `axis ${name}` });
    drawing.dot(x + dx, y + dy, 4, name);
    drawing.text(x + dx * 1.17 - 4, y + dy * 1.2 + 5, name === forward ? `${name.toUpperCase()} forward` : name.toUpperCase(), { kind: name, anchor: dx < 0 && name !== 'y' ? 'end' : 'start' });
  }
  // A triangle as one sees it from outside.
  const corners = [[x - 40, y + 130], [x + 40, y + 130], [x, y + 70]];
  drawing.add(`<polygon points="${corners.map((corner) => corner.join(',')).join(' ')}" class="face"/>`);
  const places = order === 'counter-clockwise' ? ['a', 'b', 'c'] : ['b', 'a', 'c'];
  const shifts = [[-12, 6], [6, 6], [-4, -6]];
  corners.forEach(([cx, cy], index) => drawing.text(cx + shifts[index][0], cy + shifts[index][1], places[index], { kind: 'code' }));
  const path = order === 'counter-clockwise' ? [[x - 14, y + 119], [x + 14, y + 119], [x, y + 96]] : [[x + 14, y + 119], [x - 14, y + 119], [x, y + 96]];
  drawing.line(path, { arrow: true });
}

function handedness() {
  const games = [
    ['glTF', 'right-handed, faces +Z', { forward: 'z', order: 'counter-clockwise' }, 'the scene'],
    ['XAC', 'left-handed, faces −Z', { toReader: -1, order: 'clockwise' }, 'z → −z, corners a c b'],
    ['XMF', 'left-handed, faces +Z', { right: -1, forward: 'z', order: 'counter-clockwise' }, 'x → −x, corners stay'],
    ['X42', 'right-handed', { order: 'clockwise' }, 'places stay, corners a c b'],
    ['ARP', 'right-handed, faces +Z', { forward: 'z', order: 'counter-clockwise' }, 'all stays'],
  ];
  const drawing = new Drawing('Handedness and winding of each format against glTF',
    'Axes of each format as they lie over glTF\'s, and in which order a triangle\'s corners stand in the file as seen from outside in the scene.', 1040, 330);
  games.forEach(([name, text, how, change], index) => {
    const x = 116 + index * 200;
    drawing.text(x, 24, name, { kind: 'title', anchor: 'middle' }).text(x, 44, text, { kind: 'small', anchor: 'middle' });
    axes(drawing, x, 150, how);
    drawing.text(x, 312, change, { kind: 'small', anchor: 'middle' });
  });
  return drawing;
}

// ---- X42's key stream ----

function keyStream() {
  const drawing = new Drawing('The key stream of an X42', 'The first two keys of every track come first, bone by bone; every later key stands where a player that goes '
    + 'forward needs it: by the frame of the key before it in its track.', 780, 330);
  const tracks = [['A position', [0, 4, 10, 20], 'box'], ['A rotation', [0, 8, 12, 20], 'other'], ['B rotation', [0, 2, 16, 20], 'third']];
  const left = 120, step = 28;
  drawing.text(10, 24, 'tracks: keys by frames', { kind: 'title' });
  for (let frame = 0; frame <= 20; frame += 4) drawing.text(left + frame * step, 46, String(frame), { kind: 'small', anchor: 'middle' });
  const place = new Map();
  tracks.forEach(([name, frames, kind], row) => {
    const y = 70 + row * 36;
    drawing.text(10, y + 5, name, { kind: 'small' }).line([[left, y], [left + 20 * step, y]], { kind: 'plain' });
    frames.forEach((frame, index) => {
      drawing.box(left + frame * step - 12, y - 12, 24, 24, kind);
      drawing.text(left + frame * step, y + 5, String(index + 1), { kind: 'small', anchor: 'middle' });
      place.set(`${row} ${index}`, [left + frame * step, y]);
    });
  });
  const stream = tracks.flatMap((track, row) => [[row, 0], [row, 1]]);
  const later = tracks.flatMap(([, frames], row) => frames.slice(2).map((frame, index) => [row, index + 2, frames[index + 1]]));
  later.sort((one, other) => one[2] - other[2]);
  drawing.text(10, 210, 'the stream', { kind: 'title' });
  [...stream, ...later].forEach(([row, key, needed], index) => {
    const x = 20 + index * 63, [name, frames, kind] = tracks[row];
    drawing.box(x, 228, 60, 42, kind);
    drawing.text(x + 30, 246, `${name.replace('osition', '').replace('otation', '')} ${key + 1}`, { kind: 'small', anchor: 'middle' });
    drawing.text(x + 30, 262, `frame ${frames[key]}`, { kind: 'small', anchor: 'middle' });
    if (needed !== undefined) drawing.text(x + 30, 288, `at ${needed}`, { kind: 'small', anchor: 'middle' });
  });
  drawing.line([[20, 296], [395, 296]]).text(20, 314, 'first two keys of each track, bone by bone', { kind: 'small' });
  drawing.line([[398, 296], [773, 296]]).text(398, 314, 'needed when the frame of the key before is reached', { kind: 'small' });
  return drawing;
}

// ---- ARP: rest and bind ----

function restAndBind() {
  const drawing = new Drawing('Rest and bind of an avatar', 'At the bind the places that a point has in the frames of its bones are one; at the stored rest they lie apart. The '
    + 'file has the rest only, and the bind is found by turning each bone until the places meet.', 760, 330);
  const arm = (x, y, angle) => {
    const turn = (dx, dy) => [x + 120 + dx * Math.cos(angle) - dy * Math.sin(angle), y + dx * Math.sin(angle) + dy * Math.cos(angle)];
    drawing.line([[x, y], [x + 120, y]], { kind: 'axis z' }).line([[x + 120, y], turn(120, 0)], { kind: 'axis x' });
    drawing.dot(x, y, 5).dot(x + 120, y, 5);
    const upper = [[100, -34], [120, -32], [140, -34], [100, 34], [120, 36], [140, 34]];
    for (const [dx, dy] of upper) {
      const first = [x + dx, y + dy], second = turn(dx - 120, dy);
      drawing.dot(...first, 5, 'z').dot(...second, 3.5, 'x');
      if (Math.hypot(first[0] - second[0], first[1] - second[1]) > 3) drawing.line([first, second], { kind: 'line dash' });
    }
  };
  drawing.text(40, 28, 'the stored rest', { kind: 'title' });
  arm(60, 150, 0.85);
  drawing.text(40, 278, 'points that both bones hold, where each bone has them: apart', { kind: 'small' });
  drawing.text(440, 28, 'the bind', { kind: 'title' });
  arm(450, 150, 0);
  drawing.text(440, 278, 'the bone is turned about its joint until they meet', { kind: 'small' });
  drawing.dot(46, 304, 5, 'z').text(58, 309, 'by the upper bone', { kind: 'small' }).dot(196, 304, 3.5, 'x').text(208, 309, 'by the lower bone', { kind: 'small' });
  return drawing;
}

// ---- XMF: streams ----

function streams() {
  const drawing = new Drawing('The streams of an XMF', 'Each descriptor names a stream behind the tables by offset and size. Vertex streams are joined by number; the index stream '
    + 'is cut into ranges by materials.', 780, 380);
  const column = (x, name) => drawing.text(x, 24, name, { kind: 'title' });
  column(20, 'descriptors'); column(250, 'streams (zlib)'); column(520, 'a vertex');
  const rows = [['kind 0: positions', 'x y z, x y z, …', 'position'], ['kind 2: normals', 'n n n a, …', 'normal, sign of the tangent'], ['kind 4: tangents', 't t t a, …', 'tangent'], ['kind 6: coordinates', 'u v, u v, …', 'texture coordinates']];
  rows.forEach(([descriptor, stream, meaning], index) => {
    const y = 44 + index * 48;
    drawing.box(20, y, 160, 34, 'other').text(30, y + 22, descriptor, { kind: 'small' });
    drawing.line([[180, y + 17], [248, y + 17]], { arrow: true });
    drawing.box(250, y, 170, 34).text(260, y + 22, stream, { kind: 'code' });
    drawing.line([[420, y + 17], [518, y + 17]], { arrow: true }).text(522, y + 22, meaning, { kind: 'small' });
  });
  drawing.text(426, 236, 'entry i of every stream is vertex i; or one stream holds all elements of a vertex', { kind: 'small', anchor: 'middle' });
  drawing.box(20, 256, 160, 34, 'other').text(30, 278, 'kind 30: indices', { kind: 'small' }).line([[180, 273], [248, 273]], { arrow: true });
  drawing.box(250, 256, 360, 34).text(260, 278, '0 1 2  2 1 3  4 5 6  6 5 7  8 9 10', { kind: 'code' });
  drawing.box(20, 322, 160, 34, 'third').text(30, 344, 'materials', { kind: 'small' });
  drawing.box(250, 322, 140, 34, 'third').text(260, 344, 'hull: 0, 6', { kind: 'small' }).box(392, 322, 130, 34, 'third').text(402, 344, 'glass: 6, 6', { kind: 'small' }).box(524, 322, 86, 34, 'third').text(534, 344, 'light: 12, 3', { kind: 'small' });
  drawing.line([[180, 339], [248, 339]], { arrow: true }).text(622, 344, 'first index, number', { kind: 'small' });
  return drawing;
}

const figures = { ...maps, 'xac-corner-to-influence': cornerToInfluence, handedness, 'x42-key-stream': keyStream, 'arp-rest-and-bind': restAndBind, 'xmf-streams': streams };
const folder = new URL('../docs/figures/', import.meta.url);
const check = process.argv[2] === '--check';
mkdirSync(folder, { recursive: true });
for (const [name, draw] of Object.entries(figures)) {
  const file = new URL(`${name}.svg`, folder), text = String(draw());
  if (!check) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.log(`${fileURLToPath(file)} is not what site/figures.mjs draws`);
    process.exitCode = 1;
  }
}
