import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../../../schemas/base/json.ts';
import type { Hosts } from '../../services.ts';
import { LOOPBACK } from '../browsers/same-host.ts';
import { pageHeaders } from '../browsers/security-headers.ts';
import { sessionSecret } from '../callers/session-cookie.ts';
import { accepts, singleHeader } from '../headers.ts';
import type { WholeAnswer } from '../routing/exchange.ts';
import type { Route } from '../routing/route.ts';
import type { Site } from '../routing/sites.ts';
import { DOCS, type DocsFiles, type ServedDocs, serveDocs, serveErrorList } from './docs.ts';
import { DOWNLOADS, type DownloadFile, type ServedDownloads, serveDownloads } from './downloads.ts';
import { SECURITY_PATH } from './security-text.ts';
import { answerFile, answerMissing, type FileContent, type ServedFile, servedFile } from './served-file.ts';

/** The console as it was built: one page for every address, and the files that it loads. */
export interface ConsoleFiles {
  readonly page: FileContent;
  /** The addresses of its pages, such as `/keys/:keyId`. The page is 404 at every other one; null: at none. */
  readonly paths: readonly string[] | null;
  /** By name in `/assets/`. A name has a digest of the file, so its content never changes. */
  readonly assets: ReadonlyMap<string, FileContent>;
}

/** The pages that people get besides the interface. */
export interface PageOptions {
  /** Null: the console was not built, and its host answers people as every other host. */
  readonly console: ConsoleFiles | null;
  readonly welcome: WelcomeContent;
  /** Served by the base host and the console's; null: the documentation was not built, and the errors are listed in its place. */
  readonly docs: DocsFiles | null;
  /** Served by the base host, those for pages by the ingest host as well. */
  readonly downloads: readonly DownloadFile[];
  /** Makes the text at {@link SECURITY_PATH}; absent: there is none. */
  readonly securityText?: (() => string) | undefined;
}

/** The answers at `/` on a host without the application, by the type that a caller accepts. */
export interface WelcomeContent {
  readonly json: JsonObject;
  readonly html: string;
  /** The `Content-Security-Policy` of the page. */
  readonly htmlPolicy: string;
  /** Also at {@link GUIDE_PATH}. */
  readonly text: string;
}

/** The address at which agents look for a text about a site (llmstxt.org). */
export const GUIDE_PATH = '/llms.txt';

/** Answers a request that no route answers; null: there is nothing here either. */
export type Pages = (request: IncomingMessage) => WholeAnswer | null;

const ASSETS = 'assets';

/** Names that programs look for at the root of a host by themselves. */
const ASKED_BY_PROGRAMS = ['healthz', 'favicon.ico', 'robots.txt', 'llms.txt', '.well-known', DOWNLOADS];

const YEAR_SECONDS = 365 * 24 * 3_600;

/** A name has a digest, so a browser never asks for the same file again. */
const ASSET_HEADERS = { 'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable` };
const WELCOME_HEADERS = { 'Cache-Control': 'no-cache', Vary: 'Accept' };

/**
 * Makes the pages of all hosts: the console and the downloads on their hosts, and on every host what `/` answers. The result
 * returns those of one host.
 */
export function createPages(
  routes: readonly Route[],
  hosts: Hosts,
  { console, welcome: content, docs: documentation, downloads: files, securityText }: PageOptions,
): (site: Pick<Site, 'isConsole' | 'isBase' | 'isIngest'>) => Pages {
  const application = console === null ? null : serveConsole(console, hosts);
  const docs = documentation === null ? serveErrorList() : serveDocs(documentation, hosts, routes);
  // A person who is signed in gets the application in its place.
  const landing = (request: IncomingMessage) =>
    sessionSecret(request, hosts) === null ? docs.answerLanding(request) : null;
  const downloadsOf = serveDownloads(files, hosts);
  const reserved = new Set([
    ASSETS,
    DOCS,
    ...ASKED_BY_PROGRAMS,
    ...routes.map(({ path }) => firstSegment(path)),
  ]);
  const welcome: Welcome = {
    page: servedFile({ contentType: HTML, bytes: Buffer.from(content.html), coded: {} }),
    pageHeaders: { ...WELCOME_HEADERS, 'Content-Security-Policy': content.htmlPolicy },
    text: servedFile({ contentType: TEXT, bytes: Buffer.from(content.text), coded: {} }),
    json: { status: 200, headers: { Vary: 'Accept' }, body: content.json },
  };
  return ({ isConsole, ...host }) => {
    const site = {
      hosts,
      application: isConsole ? application : null,
      hasConsole: application !== null,
      // Pages of customers get no further pages on their host.
      docs: isConsole || host.isBase ? docs : null,
      landing: host.isBase ? landing : null,
      downloads: downloadsOf(host),
      reserved,
      welcome,
      securityText,
    };
    return (request) => {
      const path = pathOf(request);
      return path === null ? null : answerAt(path, request, site);
    };
  };
}

interface Served {
  readonly hosts: Hosts;
  /** Null on other hosts than the console's, and where it was not built. */
  readonly application: ServedConsole | null;
  /** True if the console was built, whichever host serves it. */
  readonly hasConsole: boolean;
  /** Null where the documentation is not served. */
  readonly docs: ServedDocs | null;
  /** Answers `/` to a person who is not signed in; null where another page does. */
  readonly landing: ((request: IncomingMessage) => WholeAnswer | null) | null;
  readonly downloads: ServedDownloads;
  /** First segments of paths that are never the application's. */
  readonly reserved: ReadonlySet<string>;
  readonly welcome: Welcome;
  readonly securityText: PageOptions['securityText'];
}

function answerAt(path: string, request: IncomingMessage, served: Served): WholeAnswer | null {
  const file = answerOfFiles(path, request, served);
  if (file !== null) return file;
  if (accepts(request, 'text/html')) return answerPerson(path, request, served);
  return path === '/' ? answerProgram(request, served.welcome) : null;
}

/** A file that is the same for people and programs, or null. */
function answerOfFiles(
  path: string,
  request: IncomingMessage,
  { application, docs, downloads, welcome, securityText }: Served,
): WholeAnswer | null {
  const file = downloads(path, request) ?? docs?.answer(path, request) ?? null;
  if (file !== null) return file;
  const asset = application?.assets.get(path);
  if (asset !== undefined) return answerFile(request, asset, ASSET_HEADERS);
  if (path === GUIDE_PATH) return answerFile(request, welcome.text, WELCOME_HEADERS);
  if (path !== SECURITY_PATH || securityText === undefined) return null;
  const attachment = { text: securityText(), contentType: 'text/plain', fileName: null };
  return { status: 200, headers: { 'Cache-Control': 'no-cache' }, attachment };
}

/** A page for a person, or null. */
function answerPerson(
  path: string,
  request: IncomingMessage,
  { hosts, application, hasConsole, landing, reserved, welcome }: Served,
): WholeAnswer | null {
  const isReserved = reserved.has(firstSegment(path));
  const elsewhere = hasConsole && !isReserved ? ownAddress(request, hosts) : null;
  if (elsewhere !== null) {
    return { status: 307, headers: { Location: elsewhere, 'Cache-Control': 'no-store' } };
  }
  const first = path === '/' ? landing?.(request) : null;
  if (first != null) return first;
  if (application !== null && !isReserved) {
    const headers = { ...application.pageHeaders, ...sessionHint(request, hosts) };
    const answer = application.hasPage(path) ? answerFile : answerMissing;
    return answer(request, application.page, headers);
  }
  return path === '/' ? answerFile(request, welcome.page, welcome.pageHeaders) : null;
}

/**
 * Returns the console's own address of a page that a person opened by another name of this machine, or null. Forms are refused from
 * every other origin. Names of other machines lead nowhere, because a proxy may have written them: it would go round in circles.
 */
function ownAddress(request: IncomingMessage, hosts: Hosts): string | null {
  const own = new URL(hosts.console);
  const asked = URL.parse(`${own.protocol}//${singleHeader(request, 'host') ?? ''}`);
  if (asked === null || asked.port !== own.port) return null;
  if (![asked, own].every(({ hostname }) => LOOPBACK.test(hostname))) return null;
  const isKnown = Object.values(hosts).some((address: string) => new URL(address).host === asked.host);
  return isKnown ? null : `${own.origin}${request.url}`;
}

/**
 * Tells the page if the browser has a session, so that the page of a visitor sends no request that can only be refused. Both
 * values are sent: a browser that keeps the page replaces the header with that of a 304.
 */
function sessionHint(request: IncomingMessage, hosts: Hosts): Readonly<Record<string, string>> {
  return { 'Server-Timing': `session;desc=${sessionSecret(request, hosts) === null ? 'none' : 'sent'}` };
}

function answerProgram(request: IncomingMessage, { text, json }: Welcome): WholeAnswer {
  return accepts(request, 'text/plain') ? answerFile(request, text, WELCOME_HEADERS) : json;
}

/** The answers at `/` where there is no application. */
interface Welcome {
  readonly page: ServedFile;
  readonly pageHeaders: Readonly<Record<string, string>>;
  readonly text: ServedFile;
  readonly json: WholeAnswer;
}

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

interface ServedConsole {
  readonly page: ServedFile;
  readonly pageHeaders: Readonly<Record<string, string>>;
  hasPage(path: string): boolean;
  /** By path. */
  readonly assets: ReadonlyMap<string, ServedFile>;
}

function serveConsole({ page, paths, assets }: ConsoleFiles, { console, ingest }: Hosts): ServedConsole {
  const forFiles = new URL(ingest).origin;
  const isApart = forFiles !== new URL(console).origin;
  return {
    page: servedFile(page),
    pageHeaders: {
      ...pageHeaders({ others: isApart ? [forFiles] : [], styles: stylesIn(page) }),
      'Cache-Control': 'no-cache',
      Vary: 'Accept',
    },
    hasPage: (path) => path === '/' || paths === null || paths.some((pattern) => matches(pattern, path)),
    assets: new Map([...assets].map(([name, file]) => [`/${ASSETS}/${name}`, servedFile(file)])),
  };
}

/** True if a path is one of a page. A parameter stands for one segment, and a slash at the end changes nothing. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.replace(/\/$/, '').split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => part === given[at] || (part.startsWith(':') && given[at] !== ''))
  );
}

/** The digests of the styles in a page itself. */
function stylesIn({ bytes }: FileContent): string[] {
  const styles = Buffer.from(bytes)
    .toString()
    .matchAll(/<style>(.*?)<\/style>/gs);
  return Array.from(styles, ([, style = '']) => createHash('sha256').update(style).digest('base64'));
}

function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/** The path of a request that reads; null for every other one. */
function pathOf({ method, url = '/' }: IncomingMessage): string | null {
  return method === 'GET' || method === 'HEAD' ? (url.split('?', 1)[0] ?? '/') : null;
}
