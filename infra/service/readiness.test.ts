import { describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { Consumer } from '../../topics/ports/log.ts';
import { readinessOf } from './readiness.ts';

const answering = { answers: async () => {} };

function consumer(halted: string | null): Consumer {
  const status = [{ topic: 'imports', partition: 0, lag: 0, halted } as const];
  return { status: async () => status, stop: async () => {} };
}

describe('a process', () => {
  it('is ready while its engine answers and its consumers go on', async () => {
    expect(await readinessOf(answering, [consumer(null), consumer(null)]).ready()).toBe(true);
  });

  it('is not ready with a partition that stands still', async () => {
    expect(await readinessOf(answering, [consumer(null), consumer('reading offset 7')]).ready()).toBe(false);
  });

  it('is not ready while its engine is away, and is ready again afterwards', async () => {
    let isAway = true;
    const answers = async () => {
      if (isAway) throw new EngineUnavailableError('store');
    };
    const { ready } = readinessOf({ answers }, []);
    expect(await ready()).toBe(false);
    isAway = false;
    expect(await ready()).toBe(true);
  });

  it('says so within a bound when nobody answers, and asks once for all who probe meanwhile', async () => {
    let asked = 0;
    const answers = () => {
      asked += 1;
      return Promise.withResolvers<void>().promise;
    };
    const { ready } = readinessOf({ answers }, []);
    expect(await Promise.all([ready(), ready(), ready()])).toEqual([false, false, false]);
    expect(asked).toBe(1);
  });
});
