/// Lays out the pages for the site: every Markdown page where it stands in the project, the files that they show and link to,
/// the library's reference, and a list of all of it. Then builds the site.
///
///     node build.mjs          (from ./dev docs, which has run Doxygen)

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reference } from './reference.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'build/docs');
const pagesFolder = join(out, 'pages');

/** Markdown files below a folder, as paths from the project's root. */
function pagesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : pagesBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].filter((page) => existsSync(join(root, page))),
  ...pagesBelow('docs'),
  ...pagesBelow('examples'),
  ...pagesBelow('web/packages').filter((page) => !page.includes('/dist/')),
];

const isPage = new Set(pages);
const missing = [];

/** A link as the site needs it; files that are no pages are copied beside them, under the same path. */
function linked(page, target) {
  if (/^[a-z]+:|^#|^\/\//.test(target)) return target;
  const [path, anchor] = target.split('#');
  const file = posix.normalize(posix.join(posix.dirname(page), path));
  if (file === 'README.md') return `/${anchor ? `#${anchor}` : ''}`;  // the first page
  if (isPage.has(file)) return target;
  const full = join(root, file);
  if (!existsSync(full)) {
    missing.push(`${page}: ${target}`);
    return target;
  }
  if (statSync(full).isDirectory()) return isPage.has(posix.join(file, 'README.md')) ? `${path.replace(/\/$/, '')}/README.md` : null;
  const shown = join(pagesFolder, 'public', file);
  mkdirSync(dirname(shown), { recursive: true });
  cpSync(full, shown);
  return `/${file}${anchor ? `#${anchor}` : ''}`;
}

/** The page's text outside of code, changed. */
function outsideOfCode(text, change) {
  let inside = false;
  return text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) {
      inside = !inside;
      return line;
    }
    return inside ? line : line.split(/(`+[^`]*`+)/).map((part, index) => (index % 2 ? part : change(part))).join('');
  }).join('\n');
}

function layOut(page) {
  let text = readFileSync(join(root, page), 'utf8');
  text = text.replace(/(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, mark, label, target) => {
    const to = linked(page, target);
    if (to === null) return label;
    // Files that are no pages are opened as they are.
    return to.startsWith('/') && to.length > 1 && to[1] !== '#' && mark === '' ? `<a href="${to}" target="_self">${label.replace(/`([^`]+)`/g, '<code>$1</code>')}</a>` : `${mark}[${label}](${to})`;
  });
  text = text.replace(/<img([^>]*) src="([^"]+)"/g, (whole, before, target) => `<img${before} src="${linked(page, target)}"`);
  text = text.replace(/srcset="([^" ]+)"/g, (whole, target) => `srcset="${linked(page, target)}"`);
  // What looks like a tag and is none.
  const tags = /^\/?(a|b|br|code|details|em|i|img|kbd|p|picture|source|strong|sub|summary|sup|svg|table|tbody|td|th|thead|tr|!--)\b/i;
  text = outsideOfCode(text, (part) => part.replace(/<(?!!--)([^>]*)(>?)/g, (whole, inner) => (tags.test(inner) || /^https?:/.test(inner) ? whole : whole.replace('<', '&lt;'))));
  const to = join(pagesFolder, page);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
}

const titleOf = (page) => (/^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1] ?? page).replace(/`/g, '');
const linkOf = (page) => `/${page.replace(/\.md$/, '')}`.replace(/^\/README$/, '/');
const item = (page) => ({ text: titleOf(page), link: linkOf(page) });

function contents() {
  const below = (folder) => pages.filter((page) => page.startsWith(`${folder}/`));
  const formats = below('docs/formats').sort((left, right) => (right.endsWith('README.md') ? 1 : 0) - (left.endsWith('README.md') ? 1 : 0));
  const conversion = below('docs/conversion');
  const others = below('docs').filter((page) => !formats.includes(page) && !conversion.includes(page));
  const groups = [
    ['Begin', ['README.md', ...others.filter((page) => /questions|examples|readers/.test(page))]],
    ['Formats', formats],
    ['Conversion', conversion],
    ['Program and library', others.filter((page) => !/questions|examples|readers/.test(page))],
    ['JavaScript', below('web/packages')],
    ['Project', pages.filter((page) => !page.includes('/') && page !== 'README.md').concat(below('examples'))],
  ];
  const sidebar = groups.filter(([, list]) => list.length !== 0).map(([text, list]) => ({ text, items: list.map(item) }));
  sidebar.push({ text: 'Library', items: [{ text: 'Headers', link: '/reference/' }] });
  return { first: { formats: linkOf(formats[0]) }, sidebar };
}

rmSync(pagesFolder, { recursive: true, force: true });
rmSync(join(out, 'site'), { recursive: true, force: true });
mkdirSync(join(pagesFolder, 'public'), { recursive: true });
// Pages become modules, which find the generator's own ones from where they lie.
rmSync(join(out, 'node_modules'), { force: true });
symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(out, 'node_modules'));
for (const page of pages) layOut(page);
if (missing.length) {
  console.error(`links that lead nowhere:\n${missing.join('\n')}`);
  process.exit(1);
}
reference(join(out, 'doxygen/xml'), join(pagesFolder, 'reference'));
writeFileSync(join(out, 'contents.json'), JSON.stringify(contents()));
const vitepress = fileURLToPath(new URL('node_modules/vitepress/bin/vitepress.js', import.meta.url));
execFileSync(process.execPath, [vitepress, 'build', relative(process.cwd(), fileURLToPath(new URL('.', import.meta.url))) || '.'], { stdio: 'inherit' });
