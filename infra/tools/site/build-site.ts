// Builds the documentation site: pages, their Markdown, the search index, and what the pages load.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { z } from 'zod';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { SEARCH_OPTIONS, type SearchedPassage } from '../../../widgets/docs/search-options.ts';
import { compress } from '../browser/compress.ts';
import { ADDRESS } from './examples.ts';
import { landingPage } from './landing.ts';
import { type Assets, CONSOLE_ADDRESS, createLayout, missingPage } from './layout.ts';
import { linksBetween, markdownAddress, servedMarkdown } from './links.ts';
import { SECTIONS } from './navigation.ts';
import { readApi } from './openapi.ts';
import { addressOf, type Page, titleOf } from './page.ts';
import { readPages } from './pages.ts';
import { createRenderer, type Rendered } from './render.ts';
import { SEARCH_WORDS } from './search-words.ts';

const BROWSER = join(import.meta.dirname, '../../../widgets/docs');

/** The letters of a digest in a name. */
const DIGEST_LENGTH = 8;

const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), css: z.array(z.string()).optional(), isEntry: z.boolean().optional() }),
);

/** Builds the whole site into a folder. The folder has each file at the path of its address. */
export async function buildSite(folder: string): Promise<void> {
  const pages = readPages();
  const resolve = linksBetween(pages);
  const render = createRenderer(resolve, requestLinks());
  const rendered = pages.map((page) => ({ page, parts: render(page) }));
  const assets = await buildAssets(folder, rendered);
  const layout = createLayout({ assets, pages });
  for (const { page, parts } of rendered) {
    const name = page.path === '' ? 'index' : page.path;
    write(folder, `${name}.html`, layout(page, parts));
    write(folder, `${name}.md`, servedMarkdown(page, resolve));
  }
  write(folder, 'missing.html', missingPage(assets));
  write(folder, 'landing.html', landingPage(assets));
  // What a gateway has to know: addresses that stand in the pages for its own, and the list of the pages.
  const placeholders = { base: ADDRESS, console: CONSOLE_ADDRESS };
  write(folder, 'site.json', JSON.stringify({ placeholders, pages: listedPages(pages) }));
}

/** The pages of the navigation with the addresses of their Markdown. */
function listedPages(pages: readonly Page[]): { readonly title: string; readonly path: string }[] {
  const listed = SECTIONS.flatMap((section) => section.pages.map(({ path }) => path));
  return pages
    .filter(({ path }) => listed.includes(path))
    .map((page) => ({ title: titleOf(page), path: markdownAddress(addressOf(page.path)) }));
}

/** The pages of requests that a text names: `POST /v1/check`, by that text. */
function requestLinks(): Map<string, string> {
  return new Map(
    readApi().operations.map(({ method, path, name }) => [`${method} ${path}`, addressOf(`api/${name}`)]),
  );
}

interface RenderedPage {
  readonly page: Page;
  readonly parts: Rendered;
}

async function buildAssets(folder: string, rendered: readonly RenderedPage[]): Promise<Assets> {
  await build({
    configFile: false,
    root: BROWSER,
    base: '/docs/',
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: false,
      manifest: 'manifest.json',
      // The licence of the package that searches goes where its code goes. It is no page.
      license: { fileName: 'LICENSES' },
      // A data: address would need its own word in the Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      rolldownOptions: { input: join(BROWSER, 'main.ts') },
    },
  });
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  const files = Object.values(manifest);
  const entry = files.find(({ isEntry }) => isEntry === true);
  const style = entry?.css?.[0];
  if (entry === undefined || style === undefined)
    throw new Error('building the site: it has no script or style');
  const loaded = join(folder, 'assets');
  const search = writeIndex(folder, rendered);
  for (const name of readdirSync(loaded)) compress(join(loaded, name));
  return {
    script: `/docs/${entry.file}`,
    style: `/docs/${style}`,
    icon: `/docs/${copyIcon(folder)}`,
    fonts: files.filter(({ file }) => file.endsWith('.woff2')).map(({ file }) => `/docs/${file}`),
    search: `/docs/${search}`,
  };
}

/** Copies the icon of the console under a name with a digest of it. */
function copyIcon(folder: string): string {
  const icon = readFileSync(join(BROWSER, '../console/icon.svg'), 'utf8');
  const name = `assets/icon-${sha256Hex(icon).slice(0, DIGEST_LENGTH)}.svg`;
  write(folder, name, icon);
  return name;
}

/** Writes the prepared index and returns its name, which has a digest of it. */
function writeIndex(folder: string, rendered: readonly RenderedPage[]): string {
  const index = new MiniSearch<SearchedPassage>({ ...SEARCH_OPTIONS, autoVacuum: false });
  index.addAll(rendered.flatMap(({ page, parts }) => passagesOf(page, parts)));
  const text = JSON.stringify(index);
  const name = `assets/search-${sha256Hex(text).slice(0, DIGEST_LENGTH)}.json`;
  write(folder, name, text);
  return name;
}

/** Passages of a page. An operation is one passage: its tables say much the same as those of the others. */
function passagesOf(page: Page, { passages }: Rendered): SearchedPassage[] {
  const title = titleOf(page);
  const address = addressOf(page.path);
  if (page.group !== null) {
    const [first] = passages;
    const fields = passages.filter(({ level }) => level > 2).map(({ text }) => text);
    const text = [page.path.replace('api/', ''), first?.content, ...fields].join(' ');
    return [{ id: address, title: `API · ${page.group}`, heading: title, text, words: wordsFor(address) }];
  }
  return passages.map(({ id, level, text, content }) => {
    const place = level === 1 ? address : `${address}#${id}`;
    const shown = { title: `${sectionOf(page.path)} · ${title}`, heading: text, text: content };
    return { id: place, ...shown, words: wordsFor(place) };
  });
}

function wordsFor(address: string): string {
  return SEARCH_WORDS[address.replace(/^\/docs\/?/, '')] ?? '';
}

function sectionOf(path: string): string {
  const section = SECTIONS.find(({ pages }) => pages.some((entry) => entry.path === path));
  return section?.title ?? 'How it works';
}

function write(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
