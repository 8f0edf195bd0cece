import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommitUnknownError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { AggregateRef, Changes } from '../../../topics/ports/store.ts';
import { ManualClock, unique, WAIT } from '../../testing/contracts/engine.fixture.ts';
import { TcpProxy } from '../shared/tcp-proxy.fixture.ts';
import { CassandraEngineFixture, cassandraAddress } from './cassandra-engine.fixture.ts';
import { type CassandraEngine, openCassandraEngine } from './engine.ts';

const REQUEST_TIMEOUT_MS = 500;
/** Two attempts of one request each, and the tolerance for a busy machine. */
const ANSWERED_WITHIN_MS = 2 * REQUEST_TIMEOUT_MS + 10_000;

/** The opcode of a batch in the header of a frame (native protocol v4, section 2.4). */
const BATCH_OPCODE = 0x0d;
const OPCODE_AT = 4;

describe('a Cassandra that does not answer', () => {
  let direct: CassandraEngineFixture;
  let proxy: TcpProxy;
  let engine: CassandraEngine;
  let aggregate: AggregateRef;

  beforeAll(async () => {
    direct = await CassandraEngineFixture.open();
  });
  afterAll(async () => {
    await direct.close();
  });
  beforeEach(async () => {
    proxy = await TcpProxy.open(cassandraAddress());
    const options = {
      ...direct.options,
      contactPoints: [proxy.address],
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    };
    engine = await openCassandraEngine(options, new ManualClock());
    aggregate = { table: 'imports', id: unique('aggregate') };
    expect(await engine.store.commit(aggregate, 0, changesFor(1))).toBe('applied');
  });
  afterEach(async () => {
    await engine.close();
    await proxy.refuse();
  });

  const commit = (version: number) => engine.store.commit(aggregate, version - 1, changesFor(version));
  const storedRoot = async () => (await direct.store.load(aggregate, [])).root;

  it('rejects with CommitUnknownError if the answer of an applied commit is lost', async () => {
    proxy.condition = 'answers lost';
    await expect(commit(2)).rejects.toThrow(CommitUnknownError);
    expect(await storedRoot()).toEqual(changesFor(2).root);
    proxy.condition = 'sound';
    const { root } = await engine.store.load(aggregate, []);
    expect(root?.batchId).toBe(changesFor(2).root.batchId);
    expect(await commit(2)).toBe('stale');
    expect(await commit(3)).toBe('applied');
  });

  it('rejects with CommitUnknownError if a commit is lost on its way, and a repetition applies it', async () => {
    proxy.condition = 'requests lost';
    await expect(commit(2)).rejects.toThrow(CommitUnknownError);
    expect(await storedRoot()).toEqual(changesFor(1).root);
    proxy.condition = 'sound';
    expect(await commit(2)).toBe('applied');
  });

  it('rejects with CommitUnknownError if the connection breaks, and sends the commit once', async () => {
    let batches = 0;
    proxy.onRequest = (bytes) => {
      if (bytes[OPCODE_AT] !== BATCH_OPCODE) return;
      batches += 1;
      proxy.condition = 'answers lost';
      setImmediate(() => proxy.cut());
    };
    await expect(commit(2)).rejects.toThrow(CommitUnknownError);
    proxy.condition = 'sound';
    // Once the connection is back, a queued retry would have been sent, too.
    await vi.waitFor(() => engine.store.read(aggregate, []), WAIT);
    expect(batches).toBe(1);
  });

  it('is unavailable, and not unknown, while no connection can be made, and recovers by itself', async () => {
    await proxy.refuse();
    // A request sent before the end of the connection is noticed may have arrived; the client cannot know.
    await expect(engine.store.read(aggregate, [])).rejects.toThrow(EngineUnavailableError);
    const started = performance.now();
    await expect(commit(2)).rejects.toThrow(EngineUnavailableError);
    for (const call of callsThatCanBeRepeated()) await expect(call).rejects.toThrow(EngineUnavailableError);
    expect(performance.now() - started).toBeLessThan(ANSWERED_WITHIN_MS);
    expect(await storedRoot()).toEqual(changesFor(1).root);
    await proxy.accept();
    await vi.waitFor(() => engine.store.read(aggregate, []), WAIT);
    expect(await commit(2)).toBe('applied');
  });

  it('rejects within its timeout when all bytes are lost, and recovers by itself', async () => {
    proxy.condition = 'requests lost';
    const started = performance.now();
    const calls = await Promise.allSettled(callsThatCanBeRepeated());
    expect(performance.now() - started).toBeLessThan(ANSWERED_WITHIN_MS);
    for (const call of calls) expect(call).toMatchObject({ reason: expect.any(EngineUnavailableError) });
    proxy.condition = 'sound';
    await vi.waitFor(() => engine.store.read(aggregate, []), WAIT);
    expect(await commit(2)).toBe('applied');
  });

  it('replaces connections that have silently died', async () => {
    proxy.freeze();
    await vi.waitFor(() => engine.store.read(aggregate, []), WAIT);
    expect(await commit(2)).toBe('applied');
  });

  it('matches late answers to their requests', async () => {
    proxy.answerDelayMs = REQUEST_TIMEOUT_MS + 200;
    await expect(engine.store.read(aggregate, [])).rejects.toThrow(EngineUnavailableError);
    proxy.answerDelayMs = 0;
    const others = Array.from({ length: 50 }, () => ({ ...aggregate, id: unique('aggregate') }));
    await vi.waitFor(() => engine.store.read(aggregate, []), WAIT);
    for (const other of others) expect((await engine.store.read(other, [])).root).toBeNull();
    expect((await engine.store.read(aggregate, [])).root).toEqual(changesFor(1).root);
  });

  it('is unavailable after it was closed', async () => {
    await engine.close();
    await expect(commit(2)).rejects.toThrow(EngineUnavailableError);
    for (const call of callsThatCanBeRepeated()) await expect(call).rejects.toThrow(EngineUnavailableError);
  });

  it('rejects opening within its timeout if no server listens', async () => {
    await proxy.refuse();
    const options = { ...direct.options, contactPoints: [proxy.address] };
    await expect(openCassandraEngine(options, new ManualClock())).rejects.toThrow(EngineUnavailableError);
    await proxy.accept();
  });

  it('rejects opening within its timeout if the server does not answer', async () => {
    proxy.condition = 'requests lost';
    const options = {
      ...direct.options,
      contactPoints: [proxy.address],
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    };
    await expect(openCassandraEngine(options, new ManualClock())).rejects.toThrow(EngineUnavailableError);
  });

  function callsThatCanBeRepeated(): Promise<unknown>[] {
    const address = { owner: 'o', group: 'g', name: 'n' };
    const entry = { kind: 'credential', digest: 'd', target: null, version: 1, expiresAt: null } as const;
    return [
      engine.store.load(aggregate, []),
      engine.store.read(aggregate, []),
      engine.store.list(aggregate, 'kind', { limit: 1 }),
      engine.digestIndex.put(entry),
      engine.digestIndex.get(entry),
      engine.blobs.size(address),
      engine.blobs.remove(address),
      engine.blobs.removeGroup(address),
      engine.blobs.create(address, { expiresAt: null }).close(),
    ].map((call) => {
      // Handles rejections early: the test awaits the calls one after the other.
      call.catch(() => {});
      return call;
    });
  }
});

function changesFor(version: number): Changes {
  const root = {
    version,
    batchId: `batch-${version}`,
    applied: { generation: 1, offset: version },
    document: { version },
  };
  return { root, put: [{ kind: 'kind', id: 'id', document: { version } }], remove: [] };
}
