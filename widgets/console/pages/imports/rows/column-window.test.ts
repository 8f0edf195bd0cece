import { describe, expect, it } from 'vitest';
import { drawnColumns, NUMBER_PX, SIDE_PX } from './column-window.ts';
import type { Column } from './columns.ts';

const WIDTH_PX = 600;
const COLUMNS: readonly Column[] = Array.from({ length: 30 }, (_, index) => ({
  field: { key: `field_${index}`, type: 'text', required: false },
  source: `Field ${index}`,
  index,
  isNumber: false,
  width: 72 + 20 * (index % 5),
}));

/** The columns of which any part is in the viewport, found one by one. */
function seenFrom(leftPx: number): Column[] {
  let at = 2 * NUMBER_PX;
  return COLUMNS.filter(({ width }) => {
    at += width;
    return at > leftPx && at - width < leftPx + WIDTH_PX;
  });
}

describe('drawnColumns', () => {
  it('holds every column that is seen from any place of its step, and few others', () => {
    for (let leftPx = 0; leftPx < 3_000; leftPx += 7) {
      const drawn = drawnColumns(Math.floor(leftPx / SIDE_PX) * SIDE_PX, WIDTH_PX, COLUMNS, 2);
      expect(drawn.columns).toEqual(expect.arrayContaining(seenFrom(leftPx)));
      expect(drawn.columns.length).toBeLessThanOrEqual(9);
      expect(drawn.before + drawn.columns.length + drawn.behind).toBe(COLUMNS.length);
      expect(drawn.columns[0] ?? null).toBe(COLUMNS[drawn.before] ?? null);
    }
  });

  it('draws all columns of a narrow table', () => {
    expect(drawnColumns(0, 5_000, COLUMNS, 2)).toEqual({ columns: COLUMNS, before: 0, behind: 0 });
  });
});
