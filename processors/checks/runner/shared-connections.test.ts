import { createHash, X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeCertificates } from '../../../infra/testing/e2e/operations/certificates.fixture.ts';
import type { FlowStep } from '../../../schemas/checks/configuration.ts';
import { Canary } from './canary.fixture.ts';
import { HostileRuns, HostileSite, RUNNER_SETTINGS } from './hostile.fixture.ts';
import { findProgram, type RunnerSettings } from './program.ts';
import { openUnguarded } from './unguarded.fixture.ts';

const WAIT = { timeout: 90_000, interval: 50 };
/** All of them are in the one certificate of the site, so that a browser may ask for each on a connection to another. */
const HOSTS = ['site.example', 'twin.example', 'private.example'];

describe('a site that speaks HTTP/2', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-http2-'));
  /** Host and connection of each request that has arrived. */
  const arrived: { readonly host: string; readonly connection: object }[] = [];
  /** Passwords that requests have brought along. */
  const passwords: string[] = [];
  let settings: RunnerSettings;
  let canary: Canary;
  let site: HostileSite;
  let runs: HostileRuns;

  beforeAll(async () => {
    const { serverCertificate, serverKey } = makeCertificates(folder, HOSTS);
    const cert = readFileSync(serverCertificate);
    settings = { ...RUNNER_SETTINGS, chromium: trusting(cert) };
    canary = await Canary.start();
    site = await HostileSite.start(createSecureServer({ cert, key: readFileSync(serverKey) }));
    runs = new HostileRuns(site, { program: findProgram(settings) });
    site.names.set('private.example', [['127.0.0.1']]);
    site.otherwise = (request, response) => {
      const { authority, stream } = request as unknown as Http2ServerRequest;
      const { authorization, 'proxy-authorization': ofProxy } = request.headers;
      passwords.push(...[authorization, ofProxy].filter((password) => password !== undefined));
      const asked = ASKS[request.url ?? ''];
      if (asked !== undefined) {
        response.writeHead(...asked).end();
        return;
      }
      arrived.push({ host: authority.replace(/:\d+$/, ''), connection: stream.session ?? stream });
      response.writeHead(200, {
        'Content-Type': 'text/html',
        'Access-Control-Allow-Origin': '*',
        'Alt-Svc': `h3=":${canary.port}"; ma=60, h2=":${canary.port}"; ma=60`,
      });
      response.end(`<h1>Ready</h1><script type="module">${request.url === '/' ? '' : ASKING}</script>`);
    };
  });
  afterAll(async () => {
    await runs.close();
    await site.close();
    await canary.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    arrived.length = 0;
    site.guard.asked.length = 0;
    canary.reset();
  });

  /** Writes a program that starts Chromium so that it trusts this certificate and no other of its kind. */
  function trusting(certificate: Buffer): string {
    const found = findProgram(RUNNER_SETTINGS);
    if ('missing' in found) throw new Error(found.missing);
    const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
    const path = join(folder, 'chromium');
    const option = `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`;
    writeFileSync(path, `#!/bin/sh\nexec '${found.program.path}' '${option}' "$@"\n`);
    for (const each of [folder, path]) chmodSync(each, 0o755);
    return path;
  }

  const connectionsOf = (hosts: readonly string[]) =>
    new Set(arrived.filter(({ host }) => hosts.includes(host)).map(({ connection }) => connection)).size;

  it('gets requests for other hosts on one connection, and sends the browser elsewhere, if nothing guards it', async () => {
    const port = `:${site.port}`;
    await openUnguarded(
      `https://site.example${port}/${port}`,
      () =>
        vi.waitFor(() => {
          expect(HOSTS.filter((host) => connectionsOf([host]) === 0)).toEqual([]);
          expect(canary.reached).toBeGreaterThan(0);
        }, WAIT),
      settings,
    );
    expect(connectionsOf(['twin.example', 'private.example'])).toBe(1);
  });

  it('gets a request for another host only on a connection that the guard has opened for that host', async () => {
    const { failure, blockedRequests } = await runs.run('/:443', {
      origin: 'https://site.example',
      steps: [{ action: 'expect_heading', text: 'Asked 12' }],
    });
    expect(failure).toBeNull();
    expect(blockedRequests).toBeGreaterThan(0);
    expect([...new Set(site.guard.asked.map(({ host }) => host))].sort()).toEqual([...HOSTS].sort());
    expect([connectionsOf(['private.example']), connectionsOf(HOSTS)]).toEqual([0, 2]);
  });

  it('gets the password of the proxy from no browser, however it asks for it', async () => {
    const steps = Object.entries(ASKS).flatMap(([path, [status]]): FlowStep[] => [
      { action: 'goto', url: `https://site.example${path}` },
      { action: 'expect_status', status },
    ]);
    const { failure } = await runs.run('/:443', { origin: 'https://site.example', steps });
    expect(failure).toBeNull();
    expect(passwords).toEqual([]);
  });

  it('sends the browser to no other port, and to none over UDP', async () => {
    const { failure } = await runs.run(`/:${site.port}`, {
      origin: `https://127.0.0.1:${site.port}`,
      steps: [{ action: 'expect_heading', text: 'Asked 12' }],
    });
    expect(failure).toBeNull();
    expect(canary.reached).toBe(0);
    expect(site.guard.asked.filter(({ port }) => port === canary.port)).toEqual([]);
  });
});

/** Statuses and headers by which servers and proxies ask for a password, by path. */
const ASKS: Readonly<Record<string, [number, Record<string, string>]>> = {
  '/407': [407, { 'Proxy-Authenticate': 'Basic realm="run"' }],
  '/401': [401, { 'WWW-Authenticate': 'Basic realm="run"' }],
};

/** Asks all hosts at the port that the path of the page names, one after the other and several times, then says so. */
const ASKING = `
const port = location.pathname.slice(1);
let asked = 0;
for (let round = 0; round < 4; round += 1) {
  for (const host of ${JSON.stringify(HOSTS)}) {
    await fetch('https://' + host + port + '/').catch(() => {});
    asked += 1;
  }
}
document.querySelector('h1').textContent = 'Asked ' + asked;
`;
