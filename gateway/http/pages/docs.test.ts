import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../schemas/base/error-codes.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import { failureAnswer } from '../failures.ts';
import { HOSTS, type RunningGateway, SECRETS, startGateway } from '../gateway.fixture.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';
import type { DocsFiles } from './docs.ts';
import type { FileContent } from './served-file.ts';

const PERSON = { accept: 'text/html' };
const WELCOME = { json: {}, html: '<!doctype html>', htmlPolicy: "default-src 'none'", text: '# svc' };

const FILES: Readonly<Record<string, FileContent>> = {
  'index.html': file('text/html; charset=utf-8', '<!doctype html><title>first</title>'),
  'errors.html': file('text/html; charset=utf-8', '<a href="http://console.invalid/sign-in">Console</a>'),
  'errors.md': file('text/markdown; charset=utf-8', 'curl http://127.0.0.1:1/v1/check'),
  'landing.html': file('text/html; charset=utf-8', '<title>landing</title>'),
  'missing.html': file('text/html; charset=utf-8', '<title>missing</title>'),
  'assets/main-1a2b.js': file('text/javascript; charset=utf-8', 'export {};'),
};
const DOCS: DocsFiles = {
  pages: [],
  placeholders: { base: 'http://127.0.0.1:1', console: 'http://console.invalid' },
  read: (name) => FILES[name] ?? null,
};

function file(contentType: string, text: string): FileContent {
  return { contentType, bytes: Buffer.from(text), coded: {} };
}

let gateway: RunningGateway;
beforeAll(async () => {
  const console = {
    page: file('text/html; charset=utf-8', '<title>application</title>'),
    paths: null,
    assets: new Map(),
  };
  gateway = await startGateway(TEST_ROUTES, {
    pages: { console, welcome: WELCOME, docs: DOCS, downloads: [] },
  });
});
afterAll(() => gateway.close());

function get(path: string, headers: Record<string, string> = {}) {
  return fetch(`http://127.0.0.1:${gateway.server.port}${path}`, { headers });
}

describe('GET /docs', () => {
  it.each(['/docs', '/docs/'])(
    'answers a person at %s with the first page, under the policy of pages',
    async (path) => {
      const answer = await get(path, PERSON);
      expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html><title>first</title>']);
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(answer.headers.get('vary')).toContain('Accept');
    },
  );

  it('puts the addresses of the service into pages and their Markdown', async () => {
    expect(await (await get('/docs/errors', PERSON)).text()).toBe(
      `<a href="${HOSTS.console}/sign-in">Console</a>`,
    );
    expect(await (await get('/docs/errors.md')).text()).toBe(`curl ${HOSTS.base}/v1/check`);
  });

  it('answers a program that asks for no type with Markdown', async () => {
    const answer = await get('/docs/errors', { accept: '*/*' });
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  });

  it('lets a browser keep files whose name has a digest', async () => {
    const { headers } = await get('/docs/assets/main-1a2b.js');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each(['/docs/nowhere', '/docs/..%2f..%2fpackage.json'])('answers 404 at %s', async (path) => {
    const answer = await get(path, PERSON);
    expect([answer.status, await answer.text()]).toEqual([404, '<title>missing</title>']);
    expect((await get('/docs/nowhere')).headers.get('content-type')).toContain('application/json');
  });
});

describe('GET /', () => {
  it('shows a person who is not signed in what the service is', async () => {
    const answer = await get('/', PERSON);
    expect(await answer.text()).toBe('<title>landing</title>');
    expect(answer.headers.get('vary')).toContain('Cookie');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('shows a person who is signed in the application', async () => {
    const answer = await get('/', { ...PERSON, cookie: `svc_session_8787=${SECRETS.session}` });
    expect(await answer.text()).toBe('<title>application</title>');
  });
});

describe('a refusal', () => {
  it.each(ERROR_CODES)('with %s links to its code in the documentation', (code) => {
    const fault = code === 'internal_error' || code === 'unavailable' ? 'Text.' : ('seen' as never);
    const { headers } = failureAnswer(refusal(code, fault), 'req_1', HOSTS);
    expect(headers?.['Link']).toBe(`<${HOSTS.base}/docs/errors#${code}>; rel="help"`);
  });
});
