import { describe, expect, it } from 'vitest';
import { bars, hourLabels, peakOf, totalOf } from './hourly-activity.ts';

const lane = (...hours: readonly number[]) => ({ label: 'Imports', hours });

describe('bars', () => {
  it('stand on the base line, the highest one for the most in an hour', () => {
    expect(bars(lane(0, 4, 2))).toEqual([
      { x: 11.5, y: 12, height: 28 },
      { x: 21.5, y: 26, height: 14 },
    ]);
  });

  it('shows one event beside very many', () => {
    expect(bars(lane(1, 100_000))[0]?.height).toBe(0.9);
  });

  it('draws nothing for hours without anything', () => {
    expect(bars(lane(0, 0))).toEqual([]);
    expect([peakOf(lane(0, 0)), totalOf(lane(1, 2))]).toEqual([0, 3]);
  });
});

describe('hourLabels', () => {
  it('goes over midnight', () => {
    const labels = hourLabels('2026-09-17T15:00:00.000Z');
    expect([labels[0], labels[9], labels[23]]).toEqual(['15:00', '00:00', '14:00']);
  });
});
