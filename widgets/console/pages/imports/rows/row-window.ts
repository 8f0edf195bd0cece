/** The height of a row, in pixels. */
export const ROW_PX = 32;

/** The height of the head, which covers the first rows while it sticks. */
export const HEAD_PX = 36;

/** Rows that are drawn beyond the viewport, on each side: with the step below, at most 30 rows are in the page. */
const OVERSCAN = 2;

/** The window moves in steps of some rows, so that a slow scroll seldom draws. */
export const STEP_PX = 4 * ROW_PX;

/** The one row that is taller than the others. */
export interface TallRow {
  readonly index: number;
  /** By how much, in pixels. */
  readonly extraPx: number;
}

/** Positions in a list, from the first up to the end, which is not in it. */
export interface Range {
  readonly first: number;
  readonly end: number;
}

/** The distance of a row from the top of the list, in pixels. All rows have one height, so that no row is measured. */
export function offsetOf(index: number, tall: TallRow | null): number {
  return index * ROW_PX + (tall !== null && index > tall.index ? tall.extraPx : 0);
}

/** The row at a distance from the top of the list. */
function rowAt(px: number, tall: TallRow | null): number {
  if (tall === null || px < offsetOf(tall.index, tall)) return Math.floor(px / ROW_PX);
  return Math.max(tall.index, Math.floor((px - tall.extraPx) / ROW_PX));
}

/**
 * The rows to draw, by how far the list is scrolled.
 *
 * @param topPx down to a multiple of {@link STEP_PX}
 */
export function drawnRows(topPx: number, heightPx: number, rows: number, tall: TallRow | null): Range {
  const first = rowAt(topPx, tall) - OVERSCAN;
  const end = rowAt(topPx + STEP_PX + heightPx, tall) + 1 + OVERSCAN;
  return { first: Math.min(rows, Math.max(0, first)), end: Math.min(rows, end) };
}

/**
 * The place of a scroller that shows a row in full: the nearest one.
 *
 * @param topPx its place now
 * @param heightPx of what it shows below the head
 */
export function revealingTop(index: number, topPx: number, heightPx: number, tall: TallRow | null): number {
  const [start, end] = [offsetOf(index, tall), offsetOf(index + 1, tall)];
  if (start < topPx || end - start > heightPx) return start;
  return Math.max(topPx, end - heightPx);
}
