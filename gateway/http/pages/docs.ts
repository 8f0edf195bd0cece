// Serves the documentation, in HTML for people and in Markdown for programs, with the addresses of this service in its examples.
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { ERROR_CODES, ERRORS } from '../../../schemas/base/error-codes.ts';
import type { Hosts } from '../../services.ts';
import { pageHeaders } from '../browsers/security-headers.ts';
import { accepts } from '../headers.ts';
import type { WholeAnswer } from '../routing/exchange.ts';
import type { Route } from '../routing/route.ts';
import { answerFile, answerMissing, type FileContent, type ServedFile, servedFile } from './served-file.ts';

/** A page by its title, and the path of its Markdown. */
export interface DocsPage {
  readonly title: string;
  readonly path: string;
}

/** The documentation as it was built. */
export interface DocsFiles {
  /** The pages of the navigation, in its order. Pages of single operations and decisions are listed on one of them. */
  readonly pages: readonly DocsPage[];
  /** The addresses in its texts that stand for those of the service. */
  readonly placeholders: Readonly<Record<'base' | 'console', string>>;
  /** A file by its name in the folder of the build; null if there is none. */
  read(name: string): FileContent | null;
}

export interface ServedDocs {
  /** Answers a request for a part of the documentation; null for every other path, and where nothing is for this caller. */
  answer(path: string, request: IncomingMessage): WholeAnswer | null;
  /** Answers `/` to a person who is not signed in. */
  answerLanding(request: IncomingMessage): WholeAnswer | null;
}

/** The first segment of the addresses of the documentation. */
export const DOCS = 'docs';

/** The page that explains the errors of the registry, each at its code. */
export const ERRORS_PATH = `/${DOCS}/errors`;

/** The most bytes of read files that a process keeps. A whole site takes about twice as many. */
const KEPT_BYTES_MAX = 8 * 1_024 * 1_024;

const TEXT = 'text/plain; charset=utf-8';
const YEAR_SECONDS = 365 * 24 * 3_600;
const PAGE = { ...pageHeaders(), 'Cache-Control': 'no-cache', Vary: 'Accept' };
const LANDING = { ...pageHeaders(), 'Cache-Control': 'private, no-cache', Vary: 'Accept, Cookie' };
/** A name has a digest, so a browser never asks for the same file again. */
const ASSET = { 'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable` };

/** Makes the answers of the documentation. A file is read with its first request. */
export function serveDocs(files: DocsFiles, hosts: Hosts, routes: readonly Route[]): ServedDocs {
  const kept = new LRUCache<string, ServedFile>({ maxSize: KEPT_BYTES_MAX, sizeCalculation: sizeOf });
  const hostOf = new Map(routes.map(({ name, host }) => [`api/${name}`, host === 'any' ? 'base' : host]));

  const read = (name: string): ServedFile | null => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const content = files.read(name);
    if (content === null) return null;
    const base = hosts[hostOf.get(name.replace(/\.\w+$/, '')) ?? 'base'];
    const served = servedFile(withAddresses(content, files.placeholders, { base, console: hosts.console }));
    kept.set(name, served);
    return served;
  };
  const page = (request: IncomingMessage, name: string, headers: Readonly<Record<string, string>>) => {
    const file = read(name);
    return file === null ? null : answerFile(request, file, headers);
  };

  return {
    answer: (path, request) => {
      if (path !== `/${DOCS}` && !path.startsWith(`/${DOCS}/`)) return null;
      const name = path.slice(DOCS.length + 2).replace(/\/$/, '') || 'index';
      if (name.startsWith('assets/')) return page(request, name, ASSET);
      if (name.endsWith('.md')) return page(request, name, PAGE);
      if (!accepts(request, 'text/html')) return page(request, `${name}.md`, PAGE);
      const found = page(request, `${name}.html`, PAGE);
      if (found !== null) return found;
      const missing = read('missing.html');
      return missing === null ? null : answerMissing(request, missing, PAGE);
    },
    answerLanding: (request) => page(request, 'landing.html', LANDING),
  };
}

/**
 * Answers where the documentation was not built: with the errors, to which answers link, and with how to build the rest.
 */
export function serveErrorList(): ServedDocs {
  const codes = ERROR_CODES.map((code) => `${code} (${ERRORS[code].status}): ${ERRORS[code].meaning}`);
  const text = ['The documentation is not built: npm ci && npm run build', '', ...codes, ''].join('\n');
  const file = servedFile({ contentType: TEXT, bytes: Buffer.from(text), coded: {} });
  return {
    answer: (path, request) =>
      [`/${DOCS}`, `/${DOCS}/`, ERRORS_PATH].includes(path) ? answerFile(request, file, PAGE) : null,
    answerLanding: () => null,
  };
}

/** Puts the addresses of the service into a text and compresses it. Other files stay as they were built. */
function withAddresses(
  content: FileContent,
  placeholders: DocsFiles['placeholders'],
  addresses: DocsFiles['placeholders'],
): FileContent {
  if (!/^text\/(html|markdown)/.test(content.contentType)) return content;
  const text = Buffer.from(content.bytes)
    .toString()
    .replaceAll(placeholders.base, addresses.base)
    .replaceAll(placeholders.console, addresses.console);
  const bytes = Buffer.from(text);
  return { contentType: content.contentType, bytes, coded: { gzip: gzipSync(bytes) } };
}

function sizeOf({ bytes, coded }: ServedFile): number {
  return Object.values(coded).reduce((sum, each) => sum + each.length, bytes.length);
}
