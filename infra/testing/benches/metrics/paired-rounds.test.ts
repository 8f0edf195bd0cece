import { expect, it } from 'vitest';
import type { ServiceName } from '../events/protocol.ts';
import { costOf, pairedRounds, ROUNDS_LEAST } from './paired-rounds.ts';

it('the cost is the median of the rounds, within the ranks that hold it with 95 %', () => {
  const ratios = Array.from({ length: 24 }, (_, index) => 1 + index / 100);
  expect(costOf(ratios, [3, 1, 2])).toEqual({
    ratio: 1.11,
    from: 1.07,
    to: 1.16,
    cpuMicroseconds: 2,
    rounds: 24,
  });
});

it('each service is first in every second round, and the round in which code is compiled does not count', async () => {
  const turns: ServiceName[] = [];
  const cost = await pairedRounds('fold', 0, async (service) => {
    turns.push(service);
    if (turns.length <= 2) return 1_000;
    return service === 'usual' ? 3 : 2;
  });
  expect(turns.slice(0, 6)).toEqual(['usual', 'unmetered', 'unmetered', 'usual', 'usual', 'unmetered']);
  expect(cost).toEqual({ ratio: 1.5, from: 1.5, to: 1.5, cpuMicroseconds: 3, rounds: ROUNDS_LEAST });
});
