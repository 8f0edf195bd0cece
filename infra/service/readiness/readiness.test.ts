import { describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Consumer } from '../../../topics/ports/log.ts';
import { readinessOf } from './readiness.ts';

const agreeing = { aheadMs: () => 0 };
const answering = { parts: [{ answers: async () => {} }], logClock: agreeing };
const SILENT = 'An engine does not answer.';

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

  it('is not ready while its engine is away, and is ready again afterwards', async () => {
    let isAway = true;
    const answers = async () => {
      if (isAway) throw new EngineUnavailableError('store');
    };
    const { unready } = readinessOf({ parts: [{ answers }], logClock: agreeing }, []);
    expect(await unready()).toBe(SILENT);
    isAway = false;
    expect(await unready()).toBeNull();
  });

  it('says so within a bound if no engine answers, and asks once for all probes of that time', async () => {
    let asked = 0;
    const answers = () => {
      asked += 1;
      return Promise.withResolvers<void>().promise;
    };
    const { unready } = readinessOf({ parts: [{ answers }], logClock: agreeing }, []);
    expect(await Promise.all([unready(), unready(), unready()])).toEqual([SILENT, SILENT, SILENT]);
    expect(asked).toBe(1);
  });
});
