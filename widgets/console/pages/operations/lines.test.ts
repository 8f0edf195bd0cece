import { describe, expect, it } from 'vitest';
import { axisMarks, highest, latest, pathOf, timeMarks } from './lines.ts';

describe('the lines of a chart', () => {
  it.each([
    [35_100, false, [40_000, 30_000, 20_000, 10_000, 0]],
    [20, false, [20, 15, 10, 5, 0]],
    [0.9, false, [1, 0.75, 0.5, 0.25, 0]],
    [3, true, [4, 3, 2, 1, 0]],
    [0, true, [4, 3, 2, 1, 0]],
  ])('have an axis that reaches %d', (most, isWhole, marks) => {
    expect(axisMarks(most, isWhole)).toEqual(marks);
  });

  it('have a gap where there was no reading, and show a single one', () => {
    expect(pathOf([0, 10, null, 5], 10, 300)).toBe('M0.0 100.0h0L100.0 0.0M300.0 50.0h0');
  });

  it('know their highest and their latest value', () => {
    expect([highest([[1, null], [3]]), highest([]), latest([1, 2, null]), latest([null])]).toEqual([
      3,
      0,
      2,
      null,
    ]);
  });

  it('have times at five places', () => {
    const times = Array.from({ length: 9 }, (_, index) => `2026-09-18T14:0${index}:00.000Z`);
    expect(timeMarks(times)).toEqual(['14:00', '14:02', '14:04', '14:06', '14:08 UTC']);
  });
});
