// Turns the Markdown of a page into HTML, with the anchors of GitHub, coloured code, tabs and tables that scroll.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import markdownIt, { type Token } from 'markdown-it';
import type { Resolve } from './links.ts';
import type { Page } from './page.ts';

const LANGUAGES = { bash, http, ini, javascript, json, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** A heading with its anchor. */
export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

/** The text below a heading, for the search. */
export interface Passage extends Heading {
  readonly content: string;
}

/** Below every heading. */
const ROW_LEVEL = 7;

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

/** Makes the renderer of all pages. */
export function createRenderer(resolve: Resolve, operations: ReadonlyMap<string, string>) {
  const markdown = markdownIt({ html: false, linkify: false });
  const { rules } = markdown.renderer;
  rules['fence'] = (tokens, index) => fenceHtml(tokens, index);
  rules['heading_close'] = (tokens, index) => anchorHtml(tokens[index - 2], tokens[index - 1]);
  rules['table_open'] = (_tokens, _index, _options, env) =>
    `<div class="scroll" role="group" tabindex="0" aria-label="${escaped(String(env?.['table']))}"><table>\n`;
  rules['table_close'] = () => '</table></div>\n';
  rules['code_inline'] = (tokens, index) => {
    const text = tokens[index]?.content ?? '';
    const operation = operations.get(text);
    const code = `<code>${escaped(text)}</code>`;
    return operation === undefined ? code : `<a href="${operation}">${code}</a>`;
  };
  return (page: Page): Rendered => {
    const tokens = markdown.parse(page.markdown, {});
    const headings = anchorHeadings(tokens);
    anchorRows(tokens, new Set(headings.map(({ id }) => id)));
    resolveLinks(tokens, page, resolve);
    const html = tableNames(tokens, headings)
      .map(({ part, table }) => markdown.renderer.render(part, markdown.options, { table }))
      .join('');
    return { html, headings, passages: passagesOf(tokens, headings) };
  };
}

function anchorHtml(heading: Token | undefined, inline: Token | undefined): string {
  const { tag = 'h1' } = heading ?? {};
  if (tag === 'h1') return '</h1>\n';
  const label = `Link to “${escaped(plainText(inline))}”`;
  return ` <a class="anchor" href="#${heading?.attrGet('id')}" aria-label="${label}">#</a></${tag}>\n`;
}

/** Gives each heading the id that GitHub gives it, so that links in the repository and here are the same. */
function anchorHeadings(tokens: readonly Token[]): Heading[] {
  const used = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[index + 1]);
    const slug = slugOf(text);
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    const id = count === 0 ? slug : `${slug}-${count}`;
    token.attrSet('id', id);
    return [{ id, level: Number(token.tag.slice(1)), text }];
  });
}

/** Gives each row of a table whose first cell is one code an id, so that a link leads to it: `/docs/errors#rate_limited`. */
function anchorRows(tokens: readonly Token[], used: Set<string>): void {
  tokens.forEach((token, index) => {
    if (token.type !== 'tr_open' || tokens[index + 1]?.type !== 'td_open') return;
    const children = (tokens[index + 2]?.children ?? []).filter(({ type }) => !type.startsWith('link_'));
    const [code, ...others] = children;
    if (code?.type !== 'code_inline' || others.length > 0) return;
    const id = /^[\w.[\]-]+$/.test(code.content) ? code.content : '';
    if (id === '' || used.has(id)) return;
    used.add(id);
    token.attrSet('id', id);
  });
}

/** Directs every link. A file that is no page has no link: its text stays. */
function resolveLinks(tokens: readonly Token[], page: Page, resolve: Resolve): void {
  for (const { children } of tokens) {
    let isDropped = false;
    for (const token of (children ?? []).filter(({ type }) => type.startsWith('link_'))) {
      if (token.type === 'link_open') {
        const address = resolve(page, String(token.attrGet('href')));
        isDropped = address === null;
        token.attrSet('href', address ?? '');
      }
      // A token without a content writes nothing.
      if (isDropped) token.type = 'text';
    }
  }
}

/** Divides tokens at tables, each with the heading above it: a region that scrolls needs a name. */
function tableNames(tokens: readonly Token[], headings: readonly Heading[]) {
  const parts: { part: Token[]; table: string }[] = [];
  const used = new Map<string, number>();
  let open: Token[] = [];
  let above = '';
  for (const token of tokens) {
    if (token.type === 'heading_open') {
      above = headings.find(({ id }) => id === token.attrGet('id'))?.text ?? '';
    }
    if (token.type === 'table_open') {
      parts.push({ part: open, table: '' });
      open = [];
    }
    open.push(token);
    if (token.type === 'table_close') {
      const count = (used.get(above) ?? 0) + 1;
      used.set(above, count);
      parts.push({ part: open, table: `Table: ${above}${count === 1 ? '' : ` (${count})`}` });
      open = [];
    }
  }
  return [...parts, { part: open, table: '' }];
}

function fenceHtml(tokens: readonly Token[], index: number): string {
  const title = tabOf(tokens[index]);
  if (title === null) return blockHtml(tokens[index]);
  const isFirst = tabOf(tokens[index - 1]) === null;
  const isLast = tabOf(tokens[index + 1]) === null;
  // Radio buttons switch without a script, and arrow keys move between them.
  const name = `tabs-${tokens.slice(0, index + 1).filter((token, at) => tabOf(token) !== null && tabOf(tokens[at - 1]) === null).length}`;
  const id = `${name}-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
  // A choice is one of a language: the client library is in JavaScript.
  const [language = ''] = (tokens[index]?.info ?? '').split(' ');
  const label = `<input type="radio" name="${name}" id="${id}" value="${escaped(language)}"${isFirst ? ' checked' : ''}><label for="${id}">${escaped(title)}</label>`;
  const tab = `${label}<div class="tab">${blockHtml(tokens[index])}</div>`;
  const legend = '<legend class="hidden">Language of the example</legend>';
  return `${isFirst ? `<fieldset class="tabs">${legend}` : ''}${tab}${isLast ? '</fieldset>\n' : ''}`;
}

/** The title of a fence that is one of several tabs: `sh tab=curl`. */
function tabOf(token: Token | undefined): string | null {
  return token?.type === 'fence' ? (/ tab=(.+)$/.exec(token.info)?.[1]?.trim() ?? null) : null;
}

/** Names of languages for screen readers. */
const NAMES: Readonly<Record<string, string>> = {
  sh: 'Shell commands',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  http: 'Request',
  html: 'HTML',
  sql: 'SQL',
};

const ALIASES: Readonly<Record<string, string>> = {
  sh: 'bash',
  js: 'javascript',
  ts: 'typescript',
  html: 'xml',
  yml: 'yaml',
};

function blockHtml(token: Token | undefined): string {
  const code = (token?.content ?? '').replace(/\n$/, '');
  const [word = ''] = (token?.info ?? '').split(' ');
  const language = ALIASES[word] ?? word;
  const isKnown = Object.hasOwn(LANGUAGES, language);
  const html = isKnown ? hljs.highlight(code, { language }).value : escaped(code);
  const name = NAMES[word] ?? 'Text';
  return `<div class="code"><pre tabindex="0" role="group" aria-label="${escaped(name)}"><code>${html}</code></pre><button type="button" class="copy" hidden>Copy</button></div>\n`;
}

/** The text below each heading, and each row of a table that has an anchor. Code blocks are no text. */
function passagesOf(tokens: readonly Token[], headings: readonly Heading[]): Passage[] {
  const passages: { heading: Heading; parts: string[] }[] = [];
  let row: { heading: Heading; parts: string[] } | null = null;
  tokens.forEach((token, index) => {
    const id = String(token.attrGet('id'));
    if (token.type === 'heading_open') {
      const heading = headings.find((each) => each.id === id);
      if (heading !== undefined) passages.push({ heading, parts: [] });
    } else if (token.type === 'tr_open' && token.attrGet('id') !== null) {
      row = { heading: { id, level: ROW_LEVEL, text: id }, parts: [] };
    } else if (token.type === 'tr_close' && row !== null) {
      // Behind the section that the table is in.
      passages.splice(-1, 0, row);
      row = null;
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      (row ?? passages.at(-1))?.parts.push(plainText(token));
    }
  });
  return passages.map(({ heading, parts }) => ({ ...heading, content: parts.join(' ') }));
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'softbreak')
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');
}

/** The anchor that GitHub makes of a heading. */
function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
