// Serves the files that agents and pages download, each with its SHA-256 beside it.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import type { Download } from '../../../schemas/workspaces/capabilities.ts';
import type { Hosts } from '../../services.ts';
import { accepts } from '../headers.ts';
import type { WholeAnswer } from '../routing/exchange.ts';
import { answerFile, type FileContent, type ServedFile, servedFile } from './served-file.ts';

/** A built file. Its name has its version, and a version never changes its bytes. */
export interface DownloadFile {
  readonly name: string;
  readonly version: string;
  readonly content: FileContent;
  /** Present for a file that pages load: the ingest host has it as well, so that their policies name one host. */
  readonly forPages?: {
    /** A further address on the ingest host, for the latest compatible version; null if there is none. */
    readonly rolling: string | null;
  };
}

/** Answers a request for a download of one host; null for every other path. */
export type ServedDownloads = (path: string, request: IncomingMessage) => WholeAnswer | null;

/** The first segment of the addresses of downloads. */
export const DOWNLOADS = 'downloads';

const YEAR_SECONDS = 365 * 24 * 3_600;
/** The time after which a browser asks for a rolling file again. */
const ROLLING_SECONDS = 300;

/** Pages of all origins may load the files, and check their digests (Subresource Integrity). */
const FILE_HEADERS = {
  'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const ROLLING_HEADERS = { ...FILE_HEADERS, 'Cache-Control': `public, max-age=${ROLLING_SECONDS}` };
const INDEX_HEADERS = { 'Cache-Control': 'no-cache', Vary: 'Accept' };

/** Describes files for the capabilities, in the order of the files. */
export function describeDownloads(files: readonly DownloadFile[], { base, ingest }: Hosts): Download[] {
  return files.map(({ name, version, content: { bytes }, forPages }) => ({
    name,
    version,
    url: `${forPages === undefined ? base : ingest}/${DOWNLOADS}/${name}`,
    bytes: bytes.length,
    sha256: sha256Hex(bytes),
    integrity: `sha256-${createHash('sha256').update(bytes).digest('base64')}`,
  }));
}

/**
 * Makes the answers of hosts. The base host has the index, the files and their checksums. The ingest host has those for
 * pages, and their rolling addresses.
 */
export function serveDownloads(
  files: readonly DownloadFile[],
  hosts: Hosts,
): (host: { readonly isBase: boolean; readonly isIngest: boolean }) => ServedDownloads {
  const downloads = describeDownloads(files, hosts);
  const index = indexPage(downloads);
  return ({ isBase, isIngest }) => {
    const own = files.filter(({ forPages }) => isBase || (isIngest && forPages !== undefined));
    const immutable = new Map(own.flatMap((file) => filesOf(file, downloads)));
    const rolling = new Map(isIngest ? own.flatMap(rollingOf) : []);
    return (path, request) => {
      const file = immutable.get(path);
      if (file !== undefined) return answerFile(request, file, FILE_HEADERS);
      const latest = rolling.get(path);
      if (latest !== undefined) return answerFile(request, latest, ROLLING_HEADERS);
      if (!isBase || path !== `/${DOWNLOADS}/`) return null;
      if (accepts(request, 'text/html')) {
        return answerFile(request, index.page, { ...INDEX_HEADERS, 'Content-Security-Policy': index.policy });
      }
      return { status: 200, headers: INDEX_HEADERS, body: { downloads } };
    };
  };
}

function filesOf({ name, content }: DownloadFile, downloads: readonly Download[]): [string, ServedFile][] {
  const sha256 = downloads.find((download) => download.name === name)?.sha256 ?? '';
  const path = `/${DOWNLOADS}/${name}`;
  return [
    [path, servedFile(content)],
    [`${path}.sha256`, checksum(name, sha256)],
  ];
}

function rollingOf({ forPages, content }: DownloadFile): [string, ServedFile][] {
  const rolling = forPages?.rolling ?? null;
  return rolling === null ? [] : [[rolling, servedFile(content)]];
}

/** The form that `sha256sum -c` reads. */
function checksum(name: string, sha256: string): ServedFile {
  const bytes = Buffer.from(`${sha256}  ${name}\n`);
  return servedFile({ contentType: 'text/plain; charset=utf-8', bytes, coded: {} });
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:60rem;padding:3rem 1rem}
div{overflow-x:auto}
td,th{padding:.25rem 1rem .25rem 0;text-align:left}`;

function indexPage(downloads: readonly Download[]): { readonly page: ServedFile; readonly policy: string } {
  const rows = downloads.map(
    ({ name, version, url, bytes, sha256 }) =>
      `<tr><td><a href="${url}">${name}</a></td><td>${version}</td><td>${bytes}</td><td><a href="${url}.sha256"><code>${sha256}</code></a></td></tr>`,
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Downloads · svc</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Downloads</h1>
<p>Compare the SHA-256 of a file before you use it: <code>sha256sum -c</code> reads the files behind the digests.</p>
<div tabindex="0" role="region" aria-label="Files">
<table>
<thead><tr><th scope="col">File</th><th scope="col">Version</th><th scope="col">Bytes</th><th scope="col">SHA-256</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>
</main>
</body>
</html>
`;
  const style = createHash('sha256').update(STYLE).digest('base64');
  return {
    page: servedFile({ contentType: 'text/html; charset=utf-8', bytes: Buffer.from(html), coded: {} }),
    policy: `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
