import { describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Consumer } from '../../../topics/ports/log.ts';
import type { EnginePart } from '../engine/ports.ts';
import { readinessOf } from './readiness.ts';

const agreeing = { aheadMs: () => 0 };
const answering = { parts: [part('kafka', async () => {})], logClock: agreeing };

function part(name: EnginePart['name'], answers: EnginePart['answers']): EnginePart {
  return { name, answers };
}

function consumer(halted: string | null): Consumer {
  const status = [{ topic: 'imports', partition: 0, records: 0, lag: 0, halted } as const];
  return { status: async () => status, stop: async () => {} };
}

describe('a process', () => {
  it('is ready while its engine answers and its consumers run', async () => {
    expect(await readinessOf(answering, [consumer(null), consumer(null)]).unready()).toBeNull();
  });

  it('is not ready with a partition that stands still', async () => {
    const { unready } = readinessOf(answering, [consumer(null), consumer('reading offset 7')]);
    expect(await unready()).toBe('Partition 0 of imports has halted.');
  });

  it.each([
    [5_000, null],
    [5_001, "The clock of this process is 5 s ahead of the log's; at most 5 s are allowed."],
    [-30_000, "The clock of this process is 30 s behind the log's; at most 5 s are allowed."],
  ])('whose clock is %d ms ahead of the log is ready: %s', async (aheadMs, reason) => {
    const engine = { ...answering, logClock: { aheadMs: () => aheadMs } };
    expect(await readinessOf(engine, [consumer(null)]).unready()).toBe(reason);
  });

  it('names the engines that are away, and is ready again afterwards', async () => {
    const away = new Set(['kafka', 'redis']);
    const parts = (['kafka', 'cassandra', 'redis'] as const).map((name) =>
      part(name, async () => {
        if (away.has(name)) throw new EngineUnavailableError('store');
      }),
    );
    const { unready } = readinessOf({ parts, logClock: agreeing }, []);
    expect(await unready()).toBe('An engine does not answer: kafka, redis.');
    away.delete('kafka');
    expect(await unready()).toBe('An engine does not answer: redis.');
    away.clear();
    expect(await unready()).toBeNull();
  });

  it('names an engine that does not answer within a bound, and asks once for all probes of that time', async () => {
    let asked = 0;
    const answers = () => {
      asked += 1;
      return Promise.withResolvers<void>().promise;
    };
    const engine = { parts: [part('cassandra', async () => {}), part('redis', answers)], logClock: agreeing };
    const { unready } = readinessOf(engine, []);
    const reason = 'An engine does not answer: redis.';
    expect(await Promise.all([unready(), unready(), unready()])).toEqual([reason, reason, reason]);
    expect(asked).toBe(1);
  });

  it('names the engine that is away rather than the consumers that stand still with it', async () => {
    const lost = { ...consumer(null), status: () => Promise.reject(new EngineUnavailableError('log')) };
    const away = part('kafka', () => Promise.reject(new EngineUnavailableError('log')));
    const { unready } = readinessOf({ parts: [away], logClock: agreeing }, [lost]);
    expect(await unready()).toBe('An engine does not answer: kafka.');
    const running = readinessOf(answering, [lost]);
    expect(await running.unready()).toBe('An engine does not answer.');
  });
});
