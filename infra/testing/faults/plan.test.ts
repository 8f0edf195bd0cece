import { describe, expect, it } from 'vitest';
import { FAULTS, planFaults } from './plan.ts';
import { readRunSettings } from './settings.ts';

const KINDS = FAULTS.cluster;

describe('planFaults', () => {
  it('draws the same plan for the same seed, and others for others', () => {
    expect(planFaults(7, 3, KINDS)).toEqual(planFaults(7, 3, KINDS));
    expect(planFaults(7, 3, KINDS)).not.toEqual(planFaults(8, 3, KINDS));
  });

  it('injects every fault once a round', () => {
    const names = planFaults(1, 4, KINDS).map(({ fault }) => fault);
    for (let round = 0; round < 4; round += 1) {
      const own = names.slice(round * KINDS.length, (round + 1) * KINDS.length);
      expect([...own].sort()).toEqual([...KINDS].sort());
    }
  });
});

describe('readRunSettings', () => {
  it('runs every fault of both engines with a drawn seed, 20 faults or more on each', () => {
    const runs = readRunSettings({});
    expect(runs).toEqual([
      { engine: 'cluster', seed: expect.any(Number), rounds: 1, kinds: FAULTS.cluster },
      { engine: 'embedded', seed: expect.any(Number), rounds: 2, kinds: FAULTS.embedded },
    ]);
    for (const { rounds, kinds } of runs) expect(rounds * kinds.length).toBeGreaterThanOrEqual(20);
  });

  it('injects 200 faults or more on each engine of a long run', () => {
    for (const { rounds, kinds } of readRunSettings({ long: true }))
      expect(rounds * kinds.length).toBeGreaterThanOrEqual(200);
  });

  it('reads the environment, and the command line before it', () => {
    const variables = { FAULT_SEED: '7', FAULT_ROUNDS: '2', FAULT_KINDS: 'kill K,slow c', FAULT_ENGINE: '' };
    expect(readRunSettings({ engine: 'cluster', seed: '8' }, variables)).toEqual([
      { engine: 'cluster', seed: 8, rounds: 2, kinds: ['kill Kafka', 'slow connections'] },
    ]);
    expect(readRunSettings({}, { ...variables, FAULT_KINDS: 'kill R' }).map(({ engine }) => engine)).toEqual([
      'cluster',
    ]);
  });

  it.each([{ seed: 'x' }, { rounds: '0' }, { kinds: 'earthquake' }, { engine: 'steam' }])(
    'says what is wrong with %j',
    (options) => {
      expect(() => readRunSettings(options)).toThrow(Object.keys(options)[0]);
    },
  );
});
