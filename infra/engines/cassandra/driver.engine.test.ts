import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { TlsOptions } from '../shared/tls.ts';
import { cassandraAddress, newOptions } from './cassandra-engine.fixture.ts';
import { CassandraSession } from './session.ts';

const STATEMENT = { query: 'SELECT key FROM system.local', params: [] };

describe('a session over TLS', () => {
  let folder: string;
  let server: Server;
  let certificate: string;
  let key: string;
  let clientsAreAsked = false;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tls-'));
    const request =
      '-x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=engine.test -addext subjectAltName=DNS:engine.test';
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
    execFileSync('openssl', ['req', ...request.split(' '), ...files], { stdio: 'pipe' });
    key = await readFile(join(folder, 'key.pem'), 'utf8');
    certificate = await readFile(join(folder, 'certificate.pem'), 'utf8');
    server = await tlsBefore(cassandraAddress());
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  /** Starts a TLS proxy in front of the server, because the server of the tests has no TLS. */
  async function tlsBefore(target: string): Promise<Server> {
    const [host = '', port] = target.split(':');
    const front = createServer(
      { key, cert: certificate, ca: certificate, requestCert: true, rejectUnauthorized: false },
      (near) => {
        if (clientsAreAsked && !near.authorized) {
          near.destroy();
          return;
        }
        const far = connect(Number(port), host);
        near.pipe(far).pipe(near);
        for (const socket of [near, far]) socket.on('error', () => near.destroy());
        near.on('close', () => far.destroy());
      },
    );
    front.on('tlsClientError', () => {});
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    return front;
  }

  const open = (tls: TlsOptions) => {
    const contactPoints = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
    return CassandraSession.open({ ...newOptions(), contactPoints, tls });
  };

  async function answers(tls: TlsOptions): Promise<boolean> {
    const session = await open(tls);
    const rows = await session.read('store', STATEMENT, 'LOCAL_QUORUM');
    await session.close();
    return rows.length === 1;
  }

  it('accepts a certificate of the configured authority with the configured name', async () => {
    expect(await answers({ ca: certificate, serverName: 'engine.test' })).toBe(true);
  });

  it('rejects a certificate of an unknown authority', async () => {
    await expect(open({ serverName: 'engine.test' })).rejects.toThrow(EngineUnavailableError);
  });

  it('rejects a certificate for another name or another address', async () => {
    await expect(open({ ca: certificate, serverName: 'other.test' })).rejects.toThrow(EngineUnavailableError);
    await expect(open({ ca: certificate })).rejects.toThrow(EngineUnavailableError);
  });

  it('presents its certificate to servers that request one', async () => {
    const known = { ca: certificate, serverName: 'engine.test' };
    clientsAreAsked = true;
    expect(await answers({ ...known, certificate, key })).toBe(true);
    await expect(open(known)).rejects.toThrow(EngineUnavailableError);
  });
});

describe('a session', () => {
  it('reports warnings, and nothing else', async () => {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const session = await CassandraSession.open({ ...newOptions(), onWarning });
    await session.read('store', STATEMENT, 'LOCAL_QUORUM');
    await session.close();
    expect(warnings).toEqual([]);
    const contactPoints = ['127.0.0.1:1'];
    await expect(CassandraSession.open({ ...newOptions(), contactPoints, onWarning })).rejects.toThrow();
    expect(warnings).not.toEqual([]);
  });

  it('rethrows the error of an invalid request', async () => {
    const session = await CassandraSession.open(newOptions());
    const wrong = { query: 'SELECT nonsense FROM system.local', params: [] };
    await expect(session.read('store', wrong, 'LOCAL_QUORUM')).rejects.toThrow('nonsense');
    await expect(session.writeIf('store', [wrong])).rejects.toThrow();
    await session.close();
  });
});
