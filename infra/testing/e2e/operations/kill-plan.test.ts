import { describe, expect, it } from 'vitest';
import { KILLS, planKills } from './kill-plan.fixture.ts';

const STEPS = 28;
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

describe('a plan of kills', () => {
  it('follows from its seed', () => {
    expect(planKills(7)).toEqual(planKills(7));
    expect(planKills(7)).not.toEqual(planKills(8));
  });

  it('has ten kills, each at another step or at a start', () => {
    for (const seed of SEEDS) {
      const plan = planKills(seed);
      const starts = plan.filter(({ againAfterMs }) => againAfterMs !== null).length;
      expect(plan.length + starts).toBe(KILLS);
      expect(new Set(plan.map(({ step }) => step)).size).toBe(plan.length);
    }
  });

  it('leaves no step and no magnitude of delay out', () => {
    const kills = SEEDS.flatMap(planKills);
    expect(new Set(kills.map(({ step }) => step)).size).toBe(STEPS);
    const within = (from: number, to: number) =>
      kills.filter(({ afterMs }) => from <= afterMs && afterMs < to).length / kills.length;
    expect(within(1, 10)).toBeGreaterThan(0.25);
    expect(within(10, 100)).toBeGreaterThan(0.25);
    expect(within(100, 601)).toBeGreaterThan(0.2);
  });
});
