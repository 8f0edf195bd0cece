import { describe, expect, it } from 'vitest';
import { drawnRows, offsetOf, ROW_PX, revealingTop, STEP_PX } from './row-window.ts';

const HEIGHT_PX = 20 * ROW_PX;
const TALL = { index: 100, extraPx: 90 };

/** The rows of which any part is in the viewport, found one by one. */
function seenRows(topPx: number, rows: number, tall: typeof TALL | null): number[] {
  return Array.from({ length: rows }, (_, index) => index).filter(
    (index) => offsetOf(index + 1, tall) > topPx && offsetOf(index, tall) < topPx + HEIGHT_PX,
  );
}

describe('drawnRows', () => {
  it.each([
    ['without a tall row', null],
    ['with a tall row', TALL],
  ] as const)('holds every row that is seen from any place of its step, %s', (_name, tall) => {
    for (let topPx = 0; topPx < 300 * ROW_PX; topPx += 7) {
      const { first, end } = drawnRows(Math.floor(topPx / STEP_PX) * STEP_PX, HEIGHT_PX, 300, tall);
      const seen = seenRows(topPx, 300, tall);
      expect(seen.every((index) => index >= first && index < end)).toBe(true);
      expect(end - first).toBeLessThanOrEqual(30);
    }
  });

  it('stays in the list', () => {
    expect(drawnRows(0, HEIGHT_PX, 5, null)).toEqual({ first: 0, end: 5 });
    expect(drawnRows(50 * STEP_PX, HEIGHT_PX, 5, null)).toEqual({ first: 5, end: 5 });
    expect(drawnRows(0, HEIGHT_PX, 0, null)).toEqual({ first: 0, end: 0 });
  });
});

describe('revealingTop', () => {
  it('stays where the row is in view', () => {
    expect(revealingTop(12, 10 * ROW_PX, HEIGHT_PX, null)).toBe(10 * ROW_PX);
  });

  it('moves as little as shows a row above or below in full', () => {
    expect(revealingTop(9, 10 * ROW_PX, HEIGHT_PX, null)).toBe(9 * ROW_PX);
    expect(revealingTop(30, 10 * ROW_PX, HEIGHT_PX, null)).toBe(11 * ROW_PX);
    expect(revealingTop(TALL.index, 0, HEIGHT_PX, TALL)).toBe(101 * ROW_PX + TALL.extraPx - HEIGHT_PX);
  });

  it('begins at the start of a row that is taller than the viewport', () => {
    expect(revealingTop(100, 99 * ROW_PX, HEIGHT_PX, { index: 100, extraPx: HEIGHT_PX })).toBe(100 * ROW_PX);
  });
});
