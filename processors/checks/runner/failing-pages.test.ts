import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createSecuredServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificates } from '../../../infra/testing/e2e/operations/certificates.fixture.ts';
import { HostileRuns, HostileSite, SITE } from './hostile.fixture.ts';

describe('a page that fails', () => {
  let site: HostileSite;
  let runs: HostileRuns;

  beforeAll(async () => {
    site = await HostileSite.start();
    runs = new HostileRuns(site);
    site.html('/fine', '<title>Fine</title><h1>Done</h1>');
  });
  afterAll(async () => {
    await runs.close();
    await site.close();
  });

  async function reasonOf(html: string): Promise<string | undefined> {
    site.html('/failing', html);
    return (await runs.run('/failing')).failure?.reason;
  }

  it('ends as timed_out if it never answers', async () => {
    site.pages.set('/never', () => {});
    expect((await runs.run('/never', { timeoutMs: 1_500 })).failure?.reason).toBe('navigation_timeout');
  });

  it.each([
    ['a script behind its heading', '<h1>Done</h1><script src="/never"></script><p>More</p>'],
    ['a script that waits for the document', '<script defer src="/never"></script><h1>Done</h1>'],
    ['a module', '<script type="module" src="/never"></script><h1>Done</h1>'],
  ])('passes if %s never answers', async (_what, html) => {
    site.pages.set('/never', () => {});
    expect(await reasonOf(html)).toBeUndefined();
  });

  it('passes if its heading is there and its answer has no end, and waits for a heading', async () => {
    site.pages.set('/streamed', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).write('<p>First</p>');
      setTimeout(() => response.write('<h1>Done</h1>'), 6_000);
    });
    expect((await runs.run('/streamed')).failure).toBeNull();
  });

  it('ends as timed_out if a script in front of its heading never answers', async () => {
    site.html('/failing', '<script src="/never"></script><h1>Done</h1>');
    const { failure } = await runs.run('/failing', { timeoutMs: 4_000 });
    expect(failure).toMatchObject({
      reason: 'navigation_timeout',
      message: expect.stringContaining('script'),
    });
  });

  it('fails if it is blank', async () => {
    expect(await reasonOf('')).toBe('heading_missing');
  });

  it('passes if its heading appears late', async () => {
    const late = '<script>setTimeout(() => { document.body.innerHTML = "<h1>Done</h1>"; }, 1500)</script>';
    expect(await reasonOf(`<body>${late}`)).toBeUndefined();
  });

  it('fails for the script that failed before its heading', async () => {
    expect(await reasonOf('<script>throw new Error("broken")</script>')).toBe('script_error');
  });

  it('fails for endless recursion', async () => {
    expect(await reasonOf('<script>const f = () => f() + 1; f();</script>')).toBe('script_error');
  });

  it('fails if it is a download', async () => {
    site.pages.set('/download', (_request, response) => {
      response
        .writeHead(200, { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment' })
        .end('PK');
    });
    expect((await runs.run('/download')).failure?.reason).toBe('assertion');
  });

  it('fails with its status, and with the reason of the network', async () => {
    expect((await runs.run('/missing')).failure?.reason).toBe('http_status');
    site.names.set('site.example', [[]]);
    expect((await runs.run('/fine')).failure?.reason).toBe('dns');
    site.names.set('site.example', [['127.0.0.1']]);
    expect((await runs.run('/fine')).failure?.reason).toBe('dns');
    site.names.delete('site.example');
    expect((await runs.run('/fine')).finalUrl).toBe(`${SITE}/fine`);
  });

  it('ends as tls if its certificate is wrong', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-hostile-'));
    const { serverKey, serverCertificate } = makeCertificates(folder);
    const [key, cert] = [readFileSync(serverKey), readFileSync(serverCertificate)];
    const secured = await HostileSite.start(createSecuredServer({ key, cert }));
    secured.html('/fine', '<h1>Done</h1>');
    const ofSecured = new HostileRuns(secured);
    const { failure, finalUrl } = await ofSecured.run('/fine', { origin: 'https://site.example' });
    expect([failure?.reason, finalUrl]).toEqual(['tls', null]);
    expect(failure?.message).toContain('a certificate of an authority that browsers do not trust');
    await ofSecured.close();
    await secured.close();
    rmSync(folder, { recursive: true });
  });

  it('ends as internal if the process of the runner ends', async () => {
    const stopped = new HostileRuns(site);
    const asked = new Promise<void>((resolve) => {
      site.pages.set('/stopped', () => resolve());
    });
    const run = stopped.run('/stopped');
    await asked;
    stopped.stop();
    expect((await run).failure?.reason).toBe('internal');
    await stopped.close();
  });
});
