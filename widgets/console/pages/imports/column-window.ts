import type { Column } from './columns.ts';
import type { Range } from './row-window.ts';

/** The width of a column of numbers before those of the file, in pixels: room for five digits with their separator. */
export const NUMBER_PX = 70;

/** The number and the line of a row stand before the columns of the file. */
export const NUMBER_COLUMNS = 2;

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
 */
export function drawnColumns(leftPx: number, widthPx: number, columns: readonly Column[]): ColumnWindow {
  const { first, end } = seenColumns(leftPx, leftPx + SIDE_PX + widthPx, columns);
  return { columns: columns.slice(first, end), before: first, behind: columns.length - end };
}

function seenColumns(startPx: number, endPx: number, columns: readonly Column[]): Range {
  let first = 0;
  let end = 0;
  let at = NUMBER_COLUMNS * NUMBER_PX;
  for (const [index, { width }] of columns.entries()) {
    if (at + width <= startPx) first = index + 1;
    if (at < endPx) end = index + 1;
    at += width;
  }
  return { first, end };
}
