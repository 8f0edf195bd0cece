import { describe, expect, it } from 'vitest';
import { forgetOutcome } from '../../../processors/runtime/sweeps/forgetting.ts';
import type { NewRecord } from '../../../topics/ports/log.ts';
import type { Emphasis } from './conditions.fixture.ts';
import { appending, rewritten } from './mutating.fixture.ts';
import { envelopeOf } from './refold.fixture.ts';
import { findingsOf, reportOf, seedsFor } from './seeds.fixture.ts';
import { type ForgettingMutation, simulateForgetting } from './simulate-forgetting.fixture.ts';

const { seeds, timeoutMs } = seedsFor(400);

describe(`a ledger that forgets its follow-ups, from SIM_SEED=${seeds[0]} on`, () => {
  it(`doubles nothing and keeps no follow-up for ever in ${seeds.length} runs`, {
    timeout: timeoutMs,
  }, async () => {
    expect(reportOf(await findingsOf(seeds, (seed) => simulateForgetting(seed)))).toBe('');
  });
});

/** The receiver forgets after the time alone, whatever its sender may still send. */
const withoutAsking: ForgettingMutation = {
  sweep: (sweep) => ({
    ...sweep,
    async due(command, aggregate) {
      const asked = await sweep.due(command, aggregate);
      return asked.map(({ input: { operation, key, at } }) =>
        forgetOutcome(sweep.topic, aggregate, {
          operation: String(operation),
          key: String(key),
          at: Number(at),
        }),
      );
    },
  }),
};

/** The receiver forgets with the confirmation, although an append of the follow-up may still be under way. */
const atOnce: ForgettingMutation = {
  engines: (engines) => appending(engines, (records) => engines.log.append(records.map(forgettingAtOnce))),
};

function forgettingAtOnce(record: NewRecord): NewRecord {
  return envelopeOf(record)['type'] === 'delivery-confirmed'
    ? rewritten(record, { type: 'forget-outcome', operation: 'forget-outcome' })
    : record;
}

/** No sender is asked. */
const never: ForgettingMutation = { sweep: (sweep) => ({ ...sweep, due: async () => [] }) };

interface Broken {
  readonly what: string;
  readonly mutation: ForgettingMutation;
  readonly under?: Emphasis;
}

const BROKEN: readonly Broken[] = [
  {
    what: 'a receiver forgets a follow-up that its sender has not confirmed',
    mutation: withoutAsking,
    under: { trouble: ['processor-crashes', 'partitions-move'] },
  },
  {
    what: 'a receiver forgets a follow-up as soon as its sender confirms it',
    mutation: atOnce,
    under: { trouble: 'processor-stands-still', appendsLate: 0.2 },
  },
  { what: 'a follow-up is remembered for ever', mutation: never },
];

/** Runs within which a broken rule has to be seen. */
const RUNS_MAX = 1_000;

describe('the simulation sees it when', () => {
  it.each(BROKEN)('$what', async ({ mutation, under }) => {
    for (let seed = 1; seed <= RUNS_MAX; seed += 1) {
      const { violations } = await simulateForgetting(seed, mutation, under);
      if (violations.length > 0) return;
    }
    expect.fail('a rule was broken and nothing was seen');
  });
});
