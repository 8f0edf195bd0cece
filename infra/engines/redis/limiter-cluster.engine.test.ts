// All keys of an account have one slot of a Redis Cluster: a script that used another one would be refused there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS, utcMonth } from '../../../schemas/base/time.ts';
import { CHECK_EACH_MAX, type Check } from '../../../topics/ports/limiter.ts';
import { WAIT } from '../../testing/contracts/engine.fixture.ts';
import { checkWith } from '../../testing/contracts/limiter-probe.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { RedisLimiter } from './limiter.ts';
import { LimiterKeys } from './limiter-keys.ts';
import { RedisServer } from './server.fixture.ts';

const NODES = 3;
const SLOTS = 16_384;
const PREFIX = 'svc_test:';

let folder: string;
const nodes: RedisServer[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-redis-cluster-'));
  const buses: number[] = [];
  for (let count = 0; count < NODES; count += 1) {
    const [port, bus] = [await freePort(), await freePort()];
    const files = ['--dir', folder, '--cluster-config-file', `${port}.conf`];
    const node = new RedisServer(port, ['--cluster-enabled', 'yes', '--cluster-port', String(bus), ...files]);
    nodes.push(node);
    buses.push(bus);
    await node.start();
  }
  for (const [index, node] of nodes.entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((SLOTS * part) / NODES));
    await node.command('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1));
    if (index > 0) {
      await node.command('CLUSTER', 'MEET', '127.0.0.1', String(nodes[0]?.port), String(buses[0]));
    }
  }
  for (const node of nodes) {
    const state = async () => String(await node.command('CLUSTER', 'INFO'));
    await vi.waitFor(async () => expect(await state()).toMatch(/cluster_state:ok[\s\S]*known_nodes:3/), WAIT);
  }
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The node that has the slot of an account. Another one would answer MOVED. */
async function nodeOf(account: string): Promise<RedisServer> {
  const [first] = nodes;
  const slot = Number(await first?.command('CLUSTER', 'KEYSLOT', new LimiterKeys(PREFIX).windows(account)));
  const node = nodes.find((_, index) => slot < Math.floor((SLOTS * (index + 1)) / NODES));
  if (node === undefined) throw new Error(`finding the node of the slot ${slot}`);
  return node;
}

/** Makes a key active there: the index of accounts, which the limiter writes first, has another slot. */
async function activateOn(node: RedisServer, limiter: RedisLimiter, check: Check): Promise<void> {
  const missing = await limiter.check(check);
  if (missing.kind !== 'status-missing') throw new Error(`expecting no status, seen ${missing.kind}`);
  const status = ['status', 'active', 'version', '1', 'until', String(Date.now() + MINUTE_MS / 2)];
  await node.command('HSET', new LimiterKeys(PREFIX).state(check), ...status, 'memory', missing.memory);
  const { account, keyId } = check;
  await limiter.fillMonth({ account, keyId, month: utcMonth(Date.now()), used: 0 });
}

describe('RedisLimiter on a cluster of three nodes', () => {
  it('has all keys of an account in one slot, whatever the names are', async () => {
    const accounts = new Set<number>();
    for (let each = 0; each < 20; each += 1) {
      const check = checkWith({ quota: { minute: 1_000, month: 1_000 }, limit: 1 });
      const keys = new LimiterKeys(PREFIX);
      const idempotency = { digest: 'digest', inputDigest: 'input' };
      const names = [
        keys.state(check),
        keys.unpublished(check.account),
        keys.windows(check.account),
        ...keys.denied(check),
        keys.remembered(check, idempotency.digest),
        ...['{other}', '}{', '{}', 'plain'].map((identifier) =>
          keys.window({ ...check, identifier, namespace: identifier }),
        ),
      ];
      const slots = await Promise.all(names.map((name) => nodes[0]?.command('CLUSTER', 'KEYSLOT', name)));
      expect(new Set(slots).size).toBe(1);
      accounts.add(Number(slots[0]));
    }
    expect(accounts.size).toBeGreaterThan(1);
  });

  it('takes ten windows, and a hundred calls, in one run of the script, on the node of the account alone', async () => {
    const used = new Set<RedisServer>();
    const limiters = new Map<RedisServer, RedisLimiter>();
    for (const node of nodes) {
      limiters.set(node, await RedisLimiter.open({ url: `redis://127.0.0.1:${node.port}`, prefix: PREFIX }));
    }
    for (let each = 0; each < 12; each += 1) {
      const check = checkWith({ quota: { minute: 1_000, month: 1_000 }, limit: 1 });
      const node = await nodeOf(check.account);
      const limiter = limiters.get(node);
      if (limiter === undefined) throw new Error('finding the limiter of a node');
      await activateOn(node, limiter, check);
      const entries = Array.from({ length: 10 }, (_, entry) => ({ ...check, identifier: `{${entry}}` }));
      const idempotency = { digest: 'digest', inputDigest: 'input' };
      const first = await limiter.checkAll({ ...check, idempotency }, entries);
      expect(first).toMatchObject({ kind: 'answered', allowed: true });
      expect(await limiter.checkAll(check, entries)).toMatchObject({ kind: 'answered', allowed: false });
      expect(await limiter.endWindow(entries[0] ?? check)).toBe(true);
      const each = Array.from({ length: CHECK_EACH_MAX }, (_, entry) => ({
        ...check,
        identifier: `{${entry % 10}}`,
        idempotency: { digest: `digest ${entry}`, inputDigest: 'input' },
      }));
      const decided = await limiter.checkEach(check, each);
      if (decided.kind !== 'each-answered') throw new Error(`expecting results, seen ${decided.kind}`);
      // The window that was ended has room for one call.
      expect(decided.results.filter((result) => result.kind === 'answered' && result.allowed)).toHaveLength(
        1,
      );
      expect((await limiter.checkEach(check, each)).kind).toBe('each-answered');
      used.add(node);
    }
    for (const limiter of limiters.values()) await limiter.close();
    expect(used.size).toBeGreaterThan(1);
  });
});
