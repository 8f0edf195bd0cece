import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretFrom } from '../../../schemas/base/secrets.ts';
import { HOSTS, type RunningGateway, startGateway } from '../gateway.fixture.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';
import type { FileContent } from './served-file.ts';

const STYLE = 'html{background:#fff}';
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64');
const PAGE = `<!doctype html><title>svc</title><style>${STYLE}</style>`;
const SCRIPT = `export const text = '${'a'.repeat(500)}';`;
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const CONSOLE = {
  page: file('text/html; charset=utf-8', PAGE),
  paths: [
    '/sign-in',
    '/agent-workspaces',
    '/agent-workspaces/claim',
    '/agent-workspaces/:workspaceId/imports',
  ],
  assets: new Map<string, FileContent>([
    ['index-1a2b.js', file('text/javascript; charset=utf-8', SCRIPT)],
    ['inter-3c4d.woff2', { contentType: 'font/woff2', bytes: Buffer.from('font'), coded: {} }],
  ]),
};

const WELCOME = {
  json: { service: 'svc' },
  html: '<!doctype html><title>welcome</title>',
  htmlPolicy: "default-src 'none'",
  text: '# svc',
};

function file(contentType: string, text: string): FileContent {
  const bytes = Buffer.from(text);
  return { contentType, bytes, coded: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes) } };
}

interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Reads an answer as it was sent, still compressed. */
async function raw(
  gateway: RunningGateway,
  path: string,
  lines: readonly string[] = [],
  method = 'GET',
  host = '127.0.0.1:8787',
) {
  const text = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines, '', ''];
  const { port } = gateway.server;
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text.join('\r\n')));
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...rest] = bytes.subarray(0, end).toString().split('\r\n');
  const headers = rest.map((line) => line.split(/: (.*)/s, 2) as [string, string]);
  return {
    status: Number(first.split(' ')[1]),
    headers: new Headers(headers),
    bytes: bytes.subarray(end + 4),
  } satisfies Fetched;
}

describe('a gateway with a console', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway(TEST_ROUTES, {
      pages: { console: CONSOLE, welcome: WELCOME, docs: null, downloads: [] },
    });
  });
  afterAll(() => gateway.close());

  it.each([
    ['localhost:8787', '/', 'http://127.0.0.1:8787/'],
    ['LOCALHOST:8787', '/set-up?x=1', 'http://127.0.0.1:8787/set-up?x=1'],
    ['[::1]:8787', '//other.example', 'http://127.0.0.1:8787//other.example'],
  ])('leads a person from %s%s to the name of the console', async (host, path, location) => {
    const { status, headers } = await raw(gateway, path, [`Accept: ${HTML.accept}`], 'GET', host);
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
      307,
      location,
      'no-store',
    ]);
  });

  it.each([
    ['another port, which a proxy may have written', 'localhost:3000', HTML.accept, 200],
    ['another machine, which a proxy may have written', 'svc.internal:8787', HTML.accept, 200],
    ['a program', 'localhost:8787', 'application/json', 200],
  ])('leads nowhere from %s', async (_what, host, accept, expected) => {
    expect((await raw(gateway, '/', [`Accept: ${accept}`], 'GET', host)).status).toBe(expected);
  });

  it.each(['/nothing', '/agent-workspaces/', '/agent-workspaces//imports', '/agent-workspaces/x/y?z=1'])(
    'answers a person at %s as the list of pages says',
    async (path) => {
      const known = path === '/agent-workspaces/';
      const first = await raw(gateway, path, [`Accept: ${HTML.accept}`]);
      expect([first.status, first.bytes.toString()]).toEqual([known ? 200 : 404, PAGE]);
      const etag = (await raw(gateway, '/', [`Accept: ${HTML.accept}`])).headers.get('etag');
      const again = await raw(gateway, path, [`Accept: ${HTML.accept}`, `If-None-Match: ${etag}`]);
      expect([again.status, again.bytes.toString()]).toEqual(known ? [304, ''] : [404, PAGE]);
    },
  );

  it.each(['/', '/agent-workspaces', '/agent-workspaces/claim', '/agent-workspaces/a/imports?x=1'])(
    'answers a person at %s with the application',
    async (path) => {
      const { status, headers, bytes } = await raw(gateway, path, [`Accept: ${HTML.accept}`]);
      expect([status, bytes.toString()]).toEqual([200, PAGE]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding',
        etag: expect.stringMatching(/^"[\w-]{43}"$/),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'content-security-policy':
          `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${STYLE_DIGEST}'; ` +
          "font-src 'self'; img-src 'self' data: blob:; " +
          "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types 'none'",
      });
    },
  );

  it.each([
    ['without a session', 'a=b', 'none'],
    ['with one', `svc_session_8787=${secretFrom('session', Buffer.alloc(32, 1))}`, 'sent'],
  ])('tells the application of a browser %s', async (_name, cookie, word) => {
    const lines = [`Accept: ${HTML.accept}`, `Cookie: ${cookie}`];
    const first = await raw(gateway, '/sign-in', lines);
    const again = await raw(gateway, '/sign-in', [...lines, `If-None-Match: ${first.headers.get('etag')}`]);
    expect([first.status, again.status]).toEqual([200, 304]);
    for (const { headers } of [first, again]) {
      expect(headers.get('server-timing')).toBe(`session;desc=${word}`);
    }
  });

  it.each(['/v1/nowhere', '/v1', '/assets/old-9z.js', '/assets/', '/favicon.ico', '/healthz', '/livez/x'])(
    'answers 404 as JSON at %s, to a person too',
    async (path) => {
      const { status, headers, bytes } = await raw(gateway, path, [`Accept: ${HTML.accept}`]);
      expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
      expect(JSON.parse(bytes.toString()).error.code).toBe('not_found');
    },
  );

  it('answers routes before pages', async () => {
    const { bytes } = await raw(gateway, '/livez', [`Accept: ${HTML.accept}`]);
    expect(JSON.parse(bytes.toString())).toEqual({ status: 'ok' });
  });

  it.each(['*/*', 'application/json', 'text/html;q=0'])(
    'answers 404 to a program that accepts %s at an address of the application',
    async (accept) => {
      expect((await raw(gateway, '/agent-workspaces', [`Accept: ${accept}`])).status).toBe(404);
    },
  );

  it.each(['POST', 'PUT', 'DELETE'])('answers 404 to %s at an address of the application', async (method) => {
    const headers = [`Accept: ${HTML.accept}`, 'Content-Length: 0'];
    expect((await raw(gateway, '/agent-workspaces', headers, method)).status).toBe(404);
  });

  it.each(['*/*', 'application/json', ''])(
    'answers a program that accepts "%s" at / in JSON',
    async (accept) => {
      const { headers, bytes } = await raw(gateway, '/', accept === '' ? [] : [`Accept: ${accept}`]);
      expect(headers.get('vary')).toBe('Accept');
      expect(JSON.parse(bytes.toString())).toEqual(WELCOME.json);
    },
  );

  it.each([
    ['/', 'text/plain'],
    ['/llms.txt', '*/*'],
    ['/llms.txt', HTML.accept],
  ])('answers %s to a caller that accepts %s with the text', async (path, accept) => {
    const { headers, bytes } = await raw(gateway, path, [`Accept: ${accept}`]);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(bytes.toString()).toBe(WELCOME.text);
  });
});

describe('a file of the console', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway([], {
      pages: { console: CONSOLE, welcome: WELCOME, docs: null, downloads: [] },
    });
  });
  afterAll(() => gateway.close());

  const PATH = '/assets/index-1a2b.js';

  it('may be kept for ever', async () => {
    const { headers } = await raw(gateway, PATH);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['*, br;q=0.000', 'gzip'],
    ['identity', null],
    ['', null],
  ])('is sent to a caller that accepts "%s" as %s', async (accepted, coding) => {
    const { headers, bytes } = await raw(gateway, PATH, [`Accept-Encoding: ${accepted}`]);
    expect(headers.get('content-encoding')).toBe(coding);
    expect(headers.get('content-length')).toBe(String(bytes.length));
    if (coding === 'br') expect(brotliDecompressSync(bytes).toString()).toBe(SCRIPT);
    if (coding === null) expect(bytes.toString()).toBe(SCRIPT);
  });

  it('is sent as it is where compression does not shrink it', async () => {
    const { headers, bytes } = await raw(gateway, '/assets/inter-3c4d.woff2', ['Accept-Encoding: br']);
    expect([headers.get('content-encoding'), bytes.toString()]).toEqual([null, 'font']);
  });

  it('has an entity tag for each coding, and answers 304 to the caller that has it', async () => {
    const plain = (await raw(gateway, PATH)).headers.get('etag');
    const coded = (await raw(gateway, PATH, ['Accept-Encoding: br'])).headers.get('etag');
    expect(coded).toBe(`${plain?.slice(0, -1)}-br"`);
    const again = await raw(gateway, PATH, ['Accept-Encoding: br', `If-None-Match: "x", W/${coded}`]);
    expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, coded]);
    expect((await raw(gateway, PATH, [`If-None-Match: ${coded}`])).status).toBe(200);
  });

  it('answers HEAD with the headers alone', async () => {
    const get = await raw(gateway, PATH, ['Accept-Encoding: gzip']);
    const head = await raw(gateway, PATH, ['Accept-Encoding: gzip'], 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers.get('content-length')).toBe(String(get.bytes.length));
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  });
});

describe('hosts that are set apart', () => {
  const hosts = { ...HOSTS, base: 'http://api.example', console: 'https://app.example' };
  const at = (host: string, path: string) => ({ path, headers: { ...HTML, host } });
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway([], {
      hosts,
      pages: { console: CONSOLE, welcome: WELCOME, docs: null, downloads: [] },
    });
  });
  afterAll(() => gateway.close());

  /** The answer's text: the fixture parses JSON, and a page is none. */
  const text = async (host: string, path: string) => {
    const { bytes } = await raw(gateway, `http://${host}${path}`, [`Accept: ${HTML.accept}`]);
    return bytes.toString();
  };

  it('have the application on the console host only', async () => {
    expect(await text('app.example', '/agent-workspaces')).toBe(PAGE);
    expect((await gateway.send(at('api.example', '/agent-workspaces'))).status).toBe(404);
    expect((await gateway.send(at('api.example', '/assets/index-1a2b.js'))).status).toBe(404);
  });

  it('keep browsers to HTTPS where the host has it', async () => {
    const page = await raw(gateway, 'http://app.example/', [`Accept: ${HTML.accept}`]);
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('let the console send files to the ingest host', async () => {
    const { headers } = await raw(gateway, 'http://app.example/', [`Accept: ${HTML.accept}`]);
    const ingest = new URL(HOSTS.ingest).origin;
    expect(headers.get('content-security-policy')).toContain(`connect-src 'self' ${ingest};`);
  });

  it('lead a person at the base address on', async () => {
    expect(await text('api.example', '/')).toBe(WELCOME.html);
    expect(await text('api.example', '/llms.txt')).toBe(WELCOME.text);
  });
});

describe('a gateway whose console was not built', () => {
  it('leads a person at / on, and answers 404 elsewhere', async () => {
    const gateway = await startGateway([], {
      pages: { console: null, welcome: WELCOME, docs: null, downloads: [] },
    });
    const { status, headers } = await raw(gateway, '/', [`Accept: ${HTML.accept}`]);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await raw(gateway, '/sign-in', [`Accept: ${HTML.accept}`])).status).toBe(404);
    await gateway.close();
  });
});

describe('GET /.well-known/security.txt', () => {
  it.each<[string, (() => string) | undefined, number]>([
    ['with a contact', () => 'Contact: mailto:security@example.com\n', 200],
    ['without one', undefined, 404],
  ])('%s', async (_what, securityText, status) => {
    const pages = { console: CONSOLE, welcome: WELCOME, docs: null, downloads: [], securityText };
    const gateway = await startGateway(TEST_ROUTES, { pages });
    for (const accept of [HTML.accept, '*/*']) {
      const answer = await raw(gateway, '/.well-known/security.txt', [`Accept: ${accept}`]);
      expect(answer.status).toBe(status);
      if (status === 200) {
        expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
        expect(answer.bytes.toString()).toBe(securityText?.());
      }
    }
    await gateway.close();
  });
});

describe('a gateway whose documentation was not built', () => {
  it('lists the errors where answers link to, and says how to build it', async () => {
    const gateway = await startGateway(TEST_ROUTES, {
      pages: { console: null, welcome: WELCOME, docs: null, downloads: [] },
    });
    const { headers } = await raw(gateway, '/unknown');
    const link = /^<(.+)#(\w+)>; rel="help"$/.exec(headers.get('link') ?? '');
    const { pathname } = new URL(link?.[1] ?? '');
    for (const accept of [HTML.accept, '*/*']) {
      const answer = await raw(gateway, pathname, [`Accept: ${accept}`]);
      expect([answer.status, answer.bytes.toString()]).toEqual([
        200,
        expect.stringContaining(link?.[2] ?? ''),
      ]);
      expect((await raw(gateway, '/docs', [`Accept: ${accept}`])).bytes.toString()).toMatch(/npm run build/);
    }
    expect((await raw(gateway, '/docs/quick-start', [`Accept: ${HTML.accept}`])).status).toBe(404);
    await gateway.close();
  });
});
