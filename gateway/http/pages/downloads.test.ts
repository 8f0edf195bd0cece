import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTS, type RunningGateway, startGateway } from '../gateway.fixture.ts';
import { describeDownloads } from './downloads.ts';

const TEXT = `console.log('${'a'.repeat(200)}');`;
const BYTES = Buffer.from(TEXT);
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const NAME = 'svc-cli-v1.2.3.js';
const FILE = {
  name: NAME,
  version: '1.2.3',
  content: { contentType: 'text/javascript; charset=utf-8', bytes: BYTES, coded: { gzip: gzipSync(BYTES) } },
};
const WELCOME = { json: {}, html: '', htmlPolicy: '', text: '' };

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway([], {
    pages: { console: null, welcome: WELCOME, docs: null, downloads: [FILE] },
  });
});
afterAll(() => gateway.close());

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${gateway.server.port}${path}`, { headers });
}

async function textAt(path: string, sent: Readonly<Record<string, string>> = {}) {
  const answer = await get(path, sent);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe('GET /downloads/', () => {
  it('lists the files for programs as the capabilities do', async () => {
    const answer = await get('/downloads/', { accept: 'application/json' });
    const body = (await answer.json()) as { downloads: unknown[] };
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('vary')).toBe('Accept');
    expect(body).toEqual({ downloads: describeDownloads([FILE], HOSTS) });
    expect(body.downloads[0]).toEqual({
      name: NAME,
      version: '1.2.3',
      url: `${HOSTS.base}/downloads/${NAME}`,
      bytes: BYTES.length,
      sha256: SHA256,
      integrity: `sha256-${createHash('sha256').update(BYTES).digest('base64')}`,
    });
  });

  it('lists the files for people, with links to the files and their checksums', async () => {
    const { headers, text } = await textAt('/downloads/', { accept: 'text/html' });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(`<a href="${HOSTS.base}/downloads/${NAME}">${NAME}</a>`);
    expect(text).toContain(`<a href="${HOSTS.base}/downloads/${NAME}.sha256"><code>${SHA256}</code></a>`);
    const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? '';
    expect(headers.get('content-security-policy')).toContain(
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    );
  });

  it.each(['/downloads', '/downloads/other.js', `/downloads/${NAME}/`])('returns 404 at %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

describe('GET /downloads/{name}', () => {
  it('returns the bytes, which any page may load and every cache may keep', async () => {
    const { status, headers, text } = await textAt(`/downloads/${NAME}`);
    expect([status, text]).toEqual([200, TEXT]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  it('compresses for a caller that accepts it, and answers 304 to one that has the file', async () => {
    const coded = await get(`/downloads/${NAME}`, { 'accept-encoding': 'gzip' });
    expect(coded.headers.get('content-encoding')).toBe('gzip');
    const etag = coded.headers.get('etag') ?? '';
    const again = await get(`/downloads/${NAME}`, { 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect(again.status).toBe(304);
  });

  it('has the checksum beside it, in the form of sha256sum', async () => {
    const { headers, text } = await textAt(`/downloads/${NAME}.sha256`);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('cache-control')).toContain('immutable');
    expect(text).toBe(`${SHA256}  ${NAME}\n`);
  });
});

const SCRIPT = {
  ...FILE,
  name: 'widget-v0.1.0.js',
  version: '0.1.0',
  forPages: { rolling: '/v1/widget.v1.js' },
};

describe('downloads of hosts that are set apart', () => {
  const hosts = {
    ...HOSTS,
    ingest: 'http://ingest.example',
    console: 'http://console.example',
    dashboard: 'http://console.example',
  };
  let apart: RunningGateway;
  beforeAll(async () => {
    const downloads = [FILE, SCRIPT];
    apart = await startGateway([], {
      hosts,
      pages: { console: null, welcome: WELCOME, docs: null, downloads },
    });
  });
  afterAll(() => apart.close());

  it.each([
    [`/downloads/${NAME}`, [200, 404, 404, 404]],
    ['/downloads/', [200, 404, 404, 404]],
    ['/downloads/widget-v0.1.0.js', [200, 200, 404, 404]],
    ['/downloads/widget-v0.1.0.js.sha256', [200, 200, 404, 404]],
    ['/v1/widget.v1.js', [404, 200, 404, 404]],
  ])('%s is at the base host, and for pages at the ingest host', async (path, expected) => {
    const statuses = [];
    for (const host of ['127.0.0.1:8787', 'ingest.example', 'console.example', 'other.example']) {
      statuses.push((await apart.send({ method: 'HEAD', path, headers: { host } })).status);
    }
    expect(statuses).toEqual(expected);
  });

  it('are asked for again after minutes at a rolling address', async () => {
    const headers = { host: 'ingest.example' };
    const answer = await apart.send({ method: 'HEAD', path: '/v1/widget.v1.js', headers });
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^"/),
    });
    expect(describeDownloads([SCRIPT], hosts)[0]?.url).toBe(
      'http://ingest.example/downloads/widget-v0.1.0.js',
    );
  });
});
