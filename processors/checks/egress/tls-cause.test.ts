import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EgressGuard } from './guard.ts';
import { createProofReader } from './read-proof.ts';

const HOST = 'site.example';
const CONTENT = 'svccheck=ori_aaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbb';

/** The configuration of an authority that signs for any time. */
const AUTHORITY = `
[ca]
default_ca = any
[any]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any_name
copy_extensions = copy
[any_name]
commonName = supplied
`;

describe('the cause of a connection that is not secure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'));
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  const openssl = (...command: string[]) => execFileSync('openssl', command, { cwd: folder, stdio: 'pipe' });
  const textOf = (name: string) => readFileSync(join(folder, `${name}.pem`), 'utf8');

  /** Makes a certificate, signed by another one unless it signs itself. */
  function certify(
    name: string,
    signer: string | null,
    host: string | null,
    times: readonly string[] = [],
  ): void {
    const kind = host === null ? 'basicConstraints=critical,CA:TRUE' : `subjectAltName=DNS:${host}`;
    const files = ['-keyout', `${name}-key.pem`, '-out', signer === null ? `${name}.pem` : `${name}.csr`];
    const key = ['-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-addext', kind];
    openssl('req', ...(signer === null ? ['-x509', '-days', '2'] : ['-new']), ...key, ...files);
    if (signer === null) return;
    const by = ['-cert', `${signer}.pem`, '-keyfile', `${signer}-key.pem`];
    const made = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-notext', '-batch'];
    openssl('ca', '-config', 'authority.cnf', ...by, ...made, ...(times.length > 0 ? times : ['-days', '2']));
  }

  beforeAll(() => {
    writeFileSync(join(folder, 'authority.cnf'), AUTHORITY);
    writeFileSync(join(folder, 'index.txt'), '');
    certify('root', null, null);
    certify('between', 'root', null);
    certify('fine', 'between', HOST);
    certify('other', 'root', 'other.example');
    certify('expired', 'root', HOST, ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z']);
    certify('early', 'root', HOST, ['-startdate', '20480101000000Z', '-enddate', '20490101000000Z']);
    certify('alone', null, HOST);
    certify('private', null, null);
    certify('inside', 'private', HOST);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    rmSync(folder, { recursive: true });
  });

  const secured = (name: string, chain: readonly string[], more: object = {}) =>
    createServer(
      { key: textOf(`${name}-key`), cert: chain.map(textOf).join(''), ...more },
      (_request, response) =>
        response.writeHead(200, { 'Content-Type': 'text/plain', Connection: 'close' }).end(CONTENT),
    );
  const version = (only: SecureVersion) => ({ minVersion: only, maxVersion: only });
  const old = { ...version('TLSv1.1'), ciphers: 'DEFAULT@SECLEVEL=0' };
  const asking = { requestCert: true, rejectUnauthorized: true };
  const says = (text: string) => createSocketServer((socket) => socket.on('error', () => {}).end(text));

  const SERVERS: readonly (readonly [what: string, serve: () => Server, cause: string | null])[] = [
    ['the full chain', () => secured('fine', ['fine', 'between']), null],
    ['no intermediate certificate', () => secured('fine', ['fine']), 'chain'],
    ['a private authority', () => secured('inside', ['inside', 'private']), 'authority'],
    ['a self-signed certificate', () => secured('alone', ['alone']), 'self-signed'],
    ['another name', () => secured('other', ['other']), 'name'],
    ['an expired certificate', () => secured('expired', ['expired']), 'expired'],
    ['a certificate of a later time', () => secured('early', ['early']), 'early'],
    ['an old version of TLS', () => secured('fine', ['fine', 'between'], old), 'protocol'],
    ['plain HTTP', () => createHttpServer((_request, response) => response.end(CONTENT)), 'plain'],
    ['a banner of another protocol', () => says('SSH-2.0-OpenSSH_9.6\r\n'), 'plain'],
    ['no answer to the handshake', () => says(''), 'closed'],
    [
      'a question for a client certificate',
      () => secured('fine', ['fine', 'between'], { ...asking, ...version('TLSv1.3') }),
      'client-certificate',
    ],
    [
      'no certificate for the name',
      () =>
        secured('fine', ['fine', 'between'], {
          SNICallback: (_name: string, done: (error: Error) => void) => done(new Error('unknown name')),
        }),
      'closed',
    ],
  ];

  it.each(SERVERS)('is known for %s', async (_what, serve, cause) => {
    const server = serve();
    servers.push(server);
    server.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const guard = new EgressGuard({
      resolver: { resolve: async () => ['93.184.215.14'] },
      loopbackPorts: [],
      ownHosts: [],
      dial: () => connect({ host: '127.0.0.1', port }),
    });
    const reader = createProofReader({ guard, clientName: 'SvcCheck/1', ca: textOf('root') });
    const reading = await reader.read({
      url: `https://${HOST}/.well-known/svccheck/a.txt`,
      content: CONTENT,
    });
    expect(reading).toEqual(cause === null ? { kind: 'matches' } : { kind: 'failed', reason: 'tls', cause });
  });
});
