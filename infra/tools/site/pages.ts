// Reads: every page of the site. Most are documents of the repository; some are generated.
import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { apiPages } from './api-pages.ts';
import { SECTIONS } from './navigation.ts';
import { readApi } from './openapi.ts';
import type { Page } from './page.ts';
import { settingsPage } from './settings-page.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DOCS = 'infra/docs';

/** Returns every page, those of the navigation first. */
export function readPages(): Page[] {
  const { document, operations } = readApi();
  const settings = settingsPage(readFileSync(join(ROOT, '.env.example'), 'utf8'));
  const listed = SECTIONS.flatMap(({ pages }) => pages).filter(({ source }) => source !== null);
  return [
    ...listed.map(({ path, source }) => documentPage(path, join(DOCS, source ?? `${path}.md`))),
    ...decisionFiles().map((file) => documentPage(file.replace(/\.md$/, ''), join(DOCS, file))),
    ...apiPages(document, operations),
    { path: 'settings', markdown: settings, source: '.env.example', group: null },
  ];
}

function decisionFiles(): string[] {
  return globSync('decisions/[0-9]*.md', { cwd: join(ROOT, DOCS) }).sort();
}

function documentPage(path: string, source: string): Page {
  const file = normalize(source);
  const text = readFileSync(join(ROOT, file), 'utf8');
  return { path, markdown: withoutComments(text), source: file, group: null };
}

/** Comments are for tests and tools. In code they stay, as every other character does. */
function withoutComments(text: string): string {
  return text
    .split(/(^```.*?^```$)/ms)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/<!--.*?-->\n*/gs, '')))
    .join('');
}
