import { describe, expect, it } from 'vitest';
import { FAULTS, planFaults } from './plan.ts';
import { readRunSettings } from './settings.ts';

describe('planFaults', () => {
  it('draws the same plan for the same seed, and others for others', () => {
    expect(planFaults(7, 3, FAULTS)).toEqual(planFaults(7, 3, FAULTS));
    expect(planFaults(7, 3, FAULTS)).not.toEqual(planFaults(8, 3, FAULTS));
  });

  it('injects every fault once a round', () => {
    const names = planFaults(1, 4, FAULTS).map(({ fault }) => fault);
    for (let round = 0; round < 4; round += 1) {
      const own = names.slice(round * FAULTS.length, (round + 1) * FAULTS.length);
      expect([...own].sort()).toEqual([...FAULTS].sort());
    }
  });
});

describe('readRunSettings', () => {
  it('selects every fault once and draws a seed unless the environment names others', () => {
    expect(readRunSettings({})).toEqual({ seed: expect.any(Number), rounds: 1, kinds: FAULTS });
    const told = { FAULT_SEED: '7', FAULT_ROUNDS: '2', FAULT_KINDS: 'kill K,slow' };
    expect(readRunSettings(told)).toEqual({ seed: 7, rounds: 2, kinds: ['kill Kafka', 'slow connections'] });
  });

  it.each([{ FAULT_SEED: 'x' }, { FAULT_ROUNDS: '0' }, { FAULT_KINDS: 'earthquake' }])(
    'says what is wrong with %j',
    (variables) => {
      expect(() => readRunSettings(variables)).toThrow(Object.keys(variables)[0]);
    },
  );
});
