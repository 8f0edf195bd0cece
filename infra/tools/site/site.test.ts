import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../schemas/base/error-codes.ts';
import { SETTING_NAMES } from '../../service/settings/settings.ts';
import { readApi } from './openapi.ts';

const BUILT = join(import.meta.dirname, '../../../widgets/dist/docs');
const CONSOLE = join(import.meta.dirname, '../../../widgets/console');
const PAGE_BYTES_MAX = 150 * 1_024;

const pages = new Map(
  globSync('**/*.html', { cwd: BUILT }).map((name) => [
    addressOf(name),
    readFileSync(join(BUILT, name), 'utf8'),
  ]),
);
const anchors = new Map([...pages].map(([address, html]) => [address, idsOf(html)]));

function addressOf(name: string): string {
  const path = name.replace(/\.html$/, '');
  if (path === 'landing') return '/';
  return path === 'index' ? '/docs' : `/docs/${path}`;
}

function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
}

/** Targets of links that the service answers, or the application. */
const BESIDE = /^(\/llms\.txt|\/openapi\.json|http:\/\/console\.invalid\/(sign-in|set-up))$/;

describe('the documentation site', () => {
  it('has a page for each operation, a row for each error code and each setting', () => {
    const missing = readApi().operations.filter(({ name }) => !pages.has(`/docs/api/${name}`));
    expect(missing).toEqual([]);
    expect(ERROR_CODES.filter((code) => !anchors.get('/docs/errors')?.has(code))).toEqual([]);
    expect(SETTING_NAMES.filter((name) => !anchors.get('/docs/settings')?.has(name))).toEqual([]);
  });

  it('links only to pages and anchors that exist, and loads nothing from elsewhere', () => {
    const broken = [...pages].flatMap(([address, html]) => {
      const links = [...html.matchAll(/ (?:href|src|data-index)="([^"]*)"/g)].map(([, link = '']) => link);
      return links.filter((link) => !leadsSomewhere(address, link)).map((link) => `${address}: ${link}`);
    });
    expect(broken).toEqual([]);
  });

  it('has every page and anchor that the console links to', () => {
    const sources = globSync('**/*.{ts,tsx}', { cwd: CONSOLE, exclude: ['**/*.test.ts'] });
    const links = sources.flatMap((name) => {
      const text = readFileSync(join(CONSOLE, name), 'utf8');
      return [...text.matchAll(/['"`](\/docs\b[^'"`$]*)/g)].map(([, link = '']) => link);
    });
    expect(links).toContain('/docs/csv-import');
    expect(links.filter((link) => !leadsSomewhere('', link))).toEqual([]);
  });

  it('gives no two parts of a page the same id', () => {
    const repeated = [...pages].flatMap(([address, html]) => {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${address}#${id}`);
    });
    expect(repeated).toEqual([]);
  });

  it('has no inline script, style or handler, which the policy of the pages forbids', () => {
    const inline = [...pages].filter(([, html]) =>
      /<script(?![^>]* src=)|<style| style=| on[a-z]+="/.test(withoutCode(html)),
    );
    expect(inline.map(([address]) => address)).toEqual([]);
  });

  it('keeps each page and the index below 150 KB compressed', () => {
    const files = globSync('{**/*.html,assets/*.{js,css,json}}', { cwd: BUILT });
    const large = files.filter((name) => gzipSync(readFileSync(join(BUILT, name))).length >= PAGE_BYTES_MAX);
    expect(files.length).toBeGreaterThan(200);
    expect(large).toEqual([]);
  });

  it('has each page in Markdown, whose links lead to Markdown', () => {
    const names = globSync('**/*.md', { cwd: BUILT });
    const known = new Set(names.map((name) => `/docs/${name}`));
    const broken = names.flatMap((name) => {
      const text = readFileSync(join(BUILT, name), 'utf8').replaceAll(/^```.*?^```$|`[^`\n]*`/gms, '');
      const links = [...text.matchAll(/\]\((\/docs[^)#\s]*)/g)].map(([, link = '']) => link);
      return links.filter((link) => !known.has(link)).map((link) => `${name}: ${link}`);
    });
    expect(names.length).toBe(pages.size - 2);
    expect(broken).toEqual([]);
  });
});

function leadsSomewhere(page: string, link: string): boolean {
  if (BESIDE.test(link)) return true;
  const [path = '', anchor] = link.split('#');
  // The documents name pages of others, too. A page only loads what is here.
  if (/^https:\/\//.test(path)) return true;
  const address = path === '' ? page : path;
  if (anchor !== undefined && anchor !== '') return anchors.get(address)?.has(anchor) === true;
  return pages.has(address) || globSync(address.slice('/docs/'.length), { cwd: BUILT }).length > 0;
}

function withoutCode(html: string): string {
  return html.replaceAll(/<code>.*?<\/code>/gs, '');
}
