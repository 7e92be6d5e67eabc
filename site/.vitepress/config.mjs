/// The site of all pages: what ../build.mjs has laid out, with a list of pages and a search over every section.

import { readFileSync } from 'node:fs';

const contents = JSON.parse(readFileSync(new URL('../../build/docs/contents.json', import.meta.url), 'utf8'));

/** Headings as GitHub and the pages' own links name them. */
const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '').replace(/ /g, '-');

export default {
  title: 'effigy',
  description: 'Formats of game characters and meshes, read, written, checked, played, shown and converted',
  lang: 'en',
  srcDir: '../build/docs/pages',
  outDir: '../build/docs/site',
  cacheDir: '../build/docs/cache',
  base: process.env.EFFIGY_DOCS_BASE ?? '/',
  cleanUrls: false,
  lastUpdated: false,
  rewrites: { 'README.md': 'index.md' },
  ignoreDeadLinks: false,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    toc: { slugify },
    headers: { slugify },
    config(markdown) {
      // Pages are for GitHub as well, where braces mean nothing.
      for (const rule of ['text', 'code_inline']) {
        const render = markdown.renderer.rules[rule];
        markdown.renderer.rules[rule] = (...all) => render(...all).replaceAll('{{', '&#123;&#123;').replaceAll('}}', '&#125;&#125;');
      }
      // Blocks without a language scroll by themselves, by keyboard too.
      const block = markdown.renderer.rules.code_block;
      markdown.renderer.rules.code_block = (...all) => block(...all).replace('<pre', '<pre class="plain" tabindex="0"');
      // Tables may be wider than a phone: they scroll by themselves, by keyboard too.
      markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>\n';
      markdown.renderer.rules.table_close = () => '</table></div>\n';
    },
  },
  themeConfig: {
    nav: [
      { text: 'Formats', link: contents.first.formats },
      { text: 'Questions', link: '/docs/questions' },
      { text: 'Options', link: '/docs/options' },
      { text: 'Codes', link: '/docs/diagnostics' },
      { text: 'Library', link: '/reference/' },
    ],
    sidebar: contents.sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        miniSearch: {
          // Words of a heading say best what a section is about, and a question's small words say nothing.
          options: {
            processTerm: (term) => {
              const small = ['a', 'an', 'and', 'are', 'by', 'do', 'does', 'for', 'how', 'in', 'is', 'it', 'of', 'on', 'the', 'to', 'what', 'which', 'with'];
              const word = term.toLowerCase();
              return small.includes(word) ? null : word.length > 3 ? word.replace(/(ies|s)$/, (end) => (end === 'ies' ? 'y' : '')) : word;
            },
          },
          searchOptions: {
            boost: { title: 4, text: 2, titles: 1 },
            // Short sections of headers would stand before the pages that explain.
            boostDocument: (id) => (/\/reference\//.test(id) ? 0.6 : /\/(questions|formats)/.test(id) ? 1.5 : 1),
            fuzzy: 0.1,
            prefix: true,
          },
        },
      },
    },
    docFooter: { prev: false, next: false },
  },
};
