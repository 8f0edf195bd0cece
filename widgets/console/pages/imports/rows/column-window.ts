import type { Column } from './columns.ts';
import type { Range } from './row-window.ts';

/** The width of a column of numbers before those of the file, in pixels: room for six digits with their separator. */
export const NUMBER_PX = 70;

/** Below this width of the table, in pixels, the line of a row is left out and the reason is narrow, so that a cell is seen between. */
const NARROW_PX = 600;

const REASON_PX = 220;
const NARROW_REASON_PX = 132;

/** The columns around those of the file, which are always drawn. */
export interface Edges {
  /** 1: the number of the row; 2: and its line in the file. */
  readonly numbers: 1 | 2;
  readonly reasonPx: number;
}

/** The edges of a table of this width. `hasReasons`: rows may be wrong, and the last column says why. */
export function edgesOf(widthPx: number, hasReasons: boolean): Edges {
  const isNarrow = widthPx < NARROW_PX;
  const reasonPx = isNarrow ? NARROW_REASON_PX : REASON_PX;
  return { numbers: isNarrow ? 1 : 2, reasonPx: hasReasons ? reasonPx : 0 };
}

/** The step of the window to the side, in pixels: less than the width of a column. */
export const SIDE_PX = 64;

/** The columns of the file that are drawn, and how many are left out on each side. */
export interface ColumnWindow {
  readonly columns: readonly Column[];
  readonly before: number;
  readonly behind: number;
}

/**
 * The columns that are seen, of which a file may have a hundred, by how far the table is scrolled to the side.
 *
 * @param leftPx down to a multiple of {@link SIDE_PX}
 * @param numbers the columns before them
 */
export function drawnColumns(
  leftPx: number,
  widthPx: number,
  columns: readonly Column[],
  numbers: Edges['numbers'],
): ColumnWindow {
  const start = leftPx - numbers * NUMBER_PX;
  const { first, end } = seenColumns(start, start + SIDE_PX + widthPx, columns);
  return { columns: columns.slice(first, end), before: first, behind: columns.length - end };
}

function seenColumns(startPx: number, endPx: number, columns: readonly Column[]): Range {
  let first = 0;
  let end = 0;
  let at = 0;
  for (const [index, { width }] of columns.entries()) {
    if (at + width <= startPx) first = index + 1;
    if (at < endPx) end = index + 1;
    at += width;
  }
  return { first, end };
}
