import { describe, expect, it } from 'vitest';
import { countsToCome, EVERY_STEP, funnelRows, percent, type Summary } from './funnel.ts';

function summary(completed: readonly number[], complete: number): Summary {
  return {
    cohort: 'live',
    enrollments: 346,
    complete,
    steps: completed.map((each, at) => ({ key: `step-${at}`, completed: each })),
  };
}

describe('funnelRows', () => {
  it('has a row for each step and one for all of them, with the change of the first cohort', () => {
    expect(funnelRows([summary([318, 287, 174, 180, 180], 127), summary([22, 21, 18, 9, 9], 8)])).toEqual([
      { key: 'step-0', completed: [318, 22], lost: [0, 0], change: null },
      {
        key: 'step-1',
        completed: [287, 21],
        lost: [31, 1],
        change: { text: '31 fewer, 10 %', warns: false },
      },
      {
        key: 'step-2',
        completed: [174, 18],
        lost: [113, 3],
        change: { text: '113 fewer, 39 %', warns: true },
      },
      { key: 'step-3', completed: [180, 9], lost: [0, 9], change: { text: '6 more', warns: false } },
      { key: 'step-4', completed: [180, 9], lost: [0, 0], change: { text: 'no change', warns: false } },
      {
        key: EVERY_STEP,
        completed: [127, 8],
        lost: [53, 1],
        change: { text: '53 fewer, 29 %', warns: false },
      },
    ]);
  });

  it('is empty without a summary, and warns of nothing among zeros', () => {
    expect(funnelRows([])).toEqual([]);
    expect(funnelRows([summary([0, 0], 0)]).map(({ change }) => change)).toEqual([null, null, null]);
  });
});

describe('percent', () => {
  it.each([
    [127, 346, '37 %'],
    [0, 5, '0 %'],
    [0, 0, '–'],
  ])('of %d in %d is %s', (part, whole, text) => {
    expect(percent(part, whole)).toBe(text);
  });
});

describe('countsToCome', () => {
  it('has the rows of the funnel that it stands for', () => {
    const steps = [{ key: 'step-0' }, { key: 'step-1' }];
    const rows = (summaries: Summary[]) => funnelRows(summaries).map(({ key }) => key);
    expect(rows([countsToCome(steps, 'live')])).toEqual(rows([summary([318, 287], 127)]));
  });
});
