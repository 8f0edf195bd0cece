import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../../schemas/base/time.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { WAIT } from '../../testing/contracts/engine.fixture.ts';
import { doneWith } from '../../testing/contracts/log-probe.fixture.ts';
import { type EmbeddedEngine, openEmbeddedEngine } from './engine.ts';

const KILLS = 8;
const ACKNOWLEDGED_BEFORE_KILL_MAX = 300;
/** Above the number of keys: a kill may leave a key whose first check was counted and not answered. */
const KEYS_MAX = 10_000;

type Victim = ChildProcessByStdio<null, Readable, Readable>;

describe('kill -9', () => {
  let folder: string;
  const victims: Victim[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-crash-'));
  });
  afterEach(async () => {
    for (const victim of victims) victim.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  function startVictim(run: string): Victim {
    const path = join(import.meta.dirname, 'crash-victim.fixture.ts');
    const victim = spawn(process.execPath, [path, folder, run], { stdio: ['ignore', 'pipe', 'pipe'] });
    victims.push(victim);
    return victim;
  }

  /** Runs a process until it has acknowledged `count` writes, kills it, and returns all that it acknowledged. */
  async function killAfter(run: string, count: number): Promise<string[]> {
    const victim = startVictim(run);
    const lines: string[] = [];
    for await (const line of createInterface({ input: victim.stdout })) {
      lines.push(line);
      if (lines.length === count) victim.kill('SIGKILL');
    }
    return lines;
  }

  const open = () =>
    openEmbeddedEngine({
      folder,
      clock: { now: () => Date.now() },
      onFatal: (error) => {
        throw error;
      },
    });

  it('keeps every acknowledged write exactly once, whenever the process is killed', async () => {
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const count = 1 + Math.floor(Math.random() * ACKNOWLEDGED_BEFORE_KILL_MAX);
      const lines = await killAfter(`run${kill}`, count);
      expect(lines.length).toBeGreaterThanOrEqual(count);
      acknowledged.push(...lines);
    }
    const engine = open();
    try {
      await expectAppended(engine, wordsOf(acknowledged, 'append'));
      for (const [id, step] of lastSteps(acknowledged, 'commit')) await expectCommitted(engine, id, step);
      for (const [id, step] of lastSteps(acknowledged, 'blob')) await expectBlobs(engine, id, step);
      for (const [id, step] of lastSteps(acknowledged, 'lookup')) {
        const target = await engine.digestIndex.get({ kind: 'credential', digest: id });
        expect(target?.['step']).toBeGreaterThanOrEqual(step);
      }
      for (const [id, step] of lastSteps(acknowledged, 'take')) {
        const { remaining } = await engine.counters.take(id, 1_000_000, DAY_MS);
        expect(1_000_000 - remaining).toBeGreaterThan(step);
      }
      await expectCounted(engine, lastSteps(acknowledged, 'check'));
    } finally {
      await engine.close();
    }
  });

  it('releases the lock of the data folder', async () => {
    const victim = startVictim('first');
    await once(victim.stdout, 'data');
    expect(open).toThrow(`locking the data folder ${folder}: another process is using it`);
    const second = startVictim('second');
    expect(await text(second.stderr)).toContain('another process is using it');
    expect(second.exitCode).not.toBe(0);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    const engine = open();
    expect(open).toThrow('another process is using it');
    await engine.close();
  });
});

async function expectAppended(engine: EmbeddedEngine, values: readonly string[]): Promise<void> {
  const records: LogRecord[] = [];
  const consumer = await engine.log.consume({
    group: 'check',
    topic: 'imports',
    batchRecordsMax: 10_000,
    open: () => ({
      handle: async (batch) => {
        records.push(...batch);
        return doneWith(batch);
      },
      idle: async () => 'done' as const,
      close: async () => {},
    }),
  });
  await vi.waitFor(async () => {
    expect((await consumer.status()).map(({ lag }) => lag)).toEqual(Array(8).fill(0));
  }, WAIT);
  await consumer.stop();
  // Both records of a call are there, and none twice.
  const counts = new Map<string, number>();
  for (const { value } of records) counts.set(value, (counts.get(value) ?? 0) + 1);
  expect(Math.max(...counts.values())).toBe(1);
  for (const value of values) {
    expect(counts.get(`${value}-a`)).toBe(1);
    expect(counts.get(`${value}-b`)).toBe(1);
  }
  for (let partition = 0; partition < 8; partition += 1) {
    const offsets = records.filter((record) => record.partition === partition).map(({ offset }) => offset);
    expect(offsets).toEqual(offsets.map((_, index) => index));
  }
}

async function expectCommitted(engine: EmbeddedEngine, id: string, step: number): Promise<void> {
  const aggregate = { table: 'imports', id } as const;
  const { root } = await engine.store.load(aggregate, []);
  const rows = await engine.store.list(aggregate, 'step', { limit: 100_000 });
  expect(root?.version).toBeGreaterThanOrEqual(step);
  // The root and its rows are of one commit.
  expect(rows).toHaveLength(root?.version ?? 0);
  expect(rows.at(-1)?.document).toEqual({ step: root?.version });
}

/** Expects every answered check in the unpublished usage. */
async function expectCounted(
  engine: EmbeddedEngine,
  steps: readonly [id: string, step: number][],
): Promise<void> {
  const counts = await engine.limiter.pendingUsage(KEYS_MAX);
  for (const [id, step] of steps) {
    const ofKey = counts.filter(({ keyId }) => keyId === id);
    const calls = ofKey.reduce((sum, { allowed }) => sum + allowed, 0);
    expect(calls).toBeGreaterThanOrEqual(step);
    // Beyond the answered calls, at most the one that was under way at the kill.
    expect(calls).toBeLessThanOrEqual(step + 1);
  }
}

async function expectBlobs(engine: EmbeddedEngine, id: string, step: number): Promise<void> {
  for (let number = 1; number <= step; number += 1) {
    const pieces = await engine.blobs.read({ owner: id, group: 'blobs', name: String(number) });
    let length = 0;
    for await (const piece of pieces ?? []) {
      length += piece.length;
      expect(Buffer.alloc(piece.length, number).equals(piece)).toBe(true);
    }
    expect(length).toBe(300_000);
  }
}

function wordsOf(lines: readonly string[], port: string): string[] {
  return lines.filter((line) => line.startsWith(`${port} `)).map((line) => line.slice(port.length + 1));
}

/** Returns the last acknowledged step of each chain on a port. */
function lastSteps(lines: readonly string[], port: string): [id: string, step: number][] {
  const steps = new Map<string, number>();
  for (const words of wordsOf(lines, port)) {
    const [id, step] = words.split(' ') as [string, string];
    steps.set(id, Number(step));
  }
  return [...steps];
}
