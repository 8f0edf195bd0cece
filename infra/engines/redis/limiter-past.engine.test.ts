import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Check, CheckResult } from '../../../topics/ports/limiter.ts';
import { WAIT } from '../../testing/contracts/engine.fixture.ts';
import { activate, ask, checkWith } from '../../testing/contracts/limiter-probe.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { TcpProxy } from '../shared/tcp-proxy.fixture.ts';
import type { RedisSettings } from './connection.ts';
import { RedisLimiter } from './limiter.ts';
import { RedisServer } from './server.fixture.ts';

/** Closes every server and client of a test at its end. */
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const prefix = `svc_test_${randomUUID()}:`;

async function opened(address: string): Promise<RedisLimiter> {
  const settings: RedisSettings = { url: `redis://${address}`, prefix };
  const limiter = await RedisLimiter.open(settings);
  closers.push(() => limiter.close());
  return limiter;
}

async function started(settings: readonly string[]): Promise<RedisServer> {
  const server = new RedisServer(await freePort(), settings);
  closers.push(() => server.stop());
  await server.start();
  return server;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-past-'));
  closers.push(() => rm(folder, { recursive: true }));
  return folder;
}

/** Returns the limiter's result once it is connected again. */
function answerOf(limiter: RedisLimiter, check: Check): Promise<CheckResult> {
  return vi.waitUntil(() => limiter.check(check).catch(() => null), WAIT);
}

const close = async () => undefined;
const activated = (limiter: RedisLimiter) => activate({ limiter, close }, checkWith());
const revoke = (limiter: RedisLimiter, { account, keyId }: Check) =>
  limiter.putKeyStatus({ account, keyId, status: 'revoked', version: 2 });

/** Expects that neither the gateway of before nor a new one treats the key as active. */
async function expectUnknown(limiter: RedisLimiter, address: string, check: Check): Promise<void> {
  for (const gateway of [limiter, await opened(address)]) {
    expect(await answerOf(gateway, check)).toMatchObject({ kind: 'status-missing' });
    expect(await gateway.readKeyStatus(check)).toMatchObject({ kind: 'status-missing' });
  }
}

describe('RedisLimiter, after the server has lost its latest writes', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await newFolder();
  });

  it('requests a status again after a restart from an older snapshot', async () => {
    const server = await started(['--dir', folder]);
    const address = `127.0.0.1:${server.port}`;
    const limiter = await opened(address);
    const check = await activated(limiter);
    await server.command('SAVE');
    await copyFile(join(folder, 'dump.rdb'), join(folder, 'older.rdb'));
    await revoke(limiter, check);
    await server.command('SAVE');
    await server.stop();
    await copyFile(join(folder, 'older.rdb'), join(folder, 'dump.rdb'));
    await server.start();
    await expectUnknown(limiter, address, check);
  });

  it('requests a status again after the end of the append-only file was lost', async () => {
    const server = await started(['--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always']);
    const address = `127.0.0.1:${server.port}`;
    const limiter = await opened(address);
    const check = await activated(limiter);
    const files = join(folder, 'appendonlydir');
    const names = await readdir(files);
    const file = join(files, names.find((name) => name.endsWith('.incr.aof')) ?? '');
    const { size } = await stat(file);
    await revoke(limiter, check);
    await server.stop();
    expect((await stat(file)).size).toBeGreaterThan(size);
    await truncate(file, size);
    await server.start();
    await expectUnknown(limiter, address, check);
  });

  it('keeps a persisted revocation for ever', async () => {
    const server = await started(['--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always']);
    const limiter = await opened(`127.0.0.1:${server.port}`);
    const check = await activated(limiter);
    await revoke(limiter, check);
    await server.stop();
    await server.start();
    expect(await answerOf(limiter, check)).toEqual({ kind: 'revoked' });
    expect(await limiter.readKeyStatus(check)).toBe('revoked');
  });

  it('ignores a status that was read before the server restarted', async () => {
    const server = await started(['--dir', folder]);
    const limiter = await opened(`127.0.0.1:${server.port}`);
    const check = checkWith();
    const asked = await limiter.check(check);
    if (asked.kind !== 'status-missing') throw new Error('the status was not requested');
    await server.stop();
    await server.start();
    await answerOf(limiter, check);
    const { account, keyId } = check;
    const entry = { account, keyId, status: 'active', version: 1 } as const;
    await limiter.putKeyStatus({ ...entry, memory: asked.memory });
    const again = await limiter.check(check);
    if (again.kind !== 'status-missing') throw new Error('the status was not requested');
    await limiter.putKeyStatus({ ...entry, memory: again.memory });
    expect(await ask({ limiter, close }, check)).toMatchObject({ allowed: true });
  });
});

describe('RedisLimiter, after a lagging replica was promoted', () => {
  /** Starts a primary and a replica in sync, with a proxy in between that can be cut. */
  async function pair() {
    const [primary, replica] = [
      await started(['--dir', await newFolder(), '--repl-diskless-sync-delay', '0']),
      await started(['--dir', await newFolder(), '--repl-diskless-sync-delay', '0']),
    ];
    const between = await TcpProxy.open(`127.0.0.1:${primary.port}`);
    closers.push(() => between.refuse());
    const [host = '', port = ''] = between.address.split(':');
    await replica.command('REPLICAOF', host, port);
    return { primary, replica, between };
  }

  async function inStep(primary: RedisServer): Promise<void> {
    await vi.waitFor(async () => expect(await primary.command('WAIT', '1', '100')).toBe(1), WAIT);
  }

  it('requests a status again', async () => {
    const { primary, replica, between } = await pair();
    const address = `127.0.0.1:${primary.port}`;
    const limiter = await opened(address);
    const check = await activated(limiter);
    await inStep(primary);
    await between.refuse();
    await revoke(limiter, check);
    await primary.stop();
    await replica.command('REPLICAOF', 'NO', 'ONE');
    // Takes over the address, like a failover.
    await replica.command('CONFIG', 'SET', 'port', String(primary.port));
    await expectUnknown(limiter, address, check);
  });

  it('requests a status again when the first primary returns with the data of the other', async () => {
    const { primary, replica, between } = await pair();
    const address = `127.0.0.1:${primary.port}`;
    const limiter = await opened(address);
    const check = await activated(limiter);
    await inStep(primary);
    await between.refuse();
    await revoke(limiter, check);
    await replica.command('REPLICAOF', 'NO', 'ONE');
    await primary.command('REPLICAOF', '127.0.0.1', String(replica.port));
    await inStep(replica);
    // Any command makes the gateway notice that the server is a replica.
    await expect(limiter.pendingUsage(1)).rejects.toThrow();
    await primary.command('REPLICAOF', 'NO', 'ONE');
    await expectUnknown(limiter, address, check);
  });
});
