import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../../parts/announce.tsx';
import { nextIndex } from '../../parts/row-keys.ts';
import { NUMBER_COLUMNS } from './column-window.ts';
import { type Column, wrongCells } from './columns.ts';
import type { Row, RowPages } from './row-pages.ts';
import { ROW_PX } from './row-window.ts';

/** The selected row by its position in the list, and the column of its current wrong cell. */
export interface Selection {
  readonly index: number;
  readonly column: number | null;
}

interface RowKeysOptions {
  readonly pages: RowPages;
  readonly columns: readonly Column[];
  readonly scroller: RefObject<HTMLDivElement>;
  readonly selection: Selection | null;
  readonly setSelection: (next: Selection | null) => void;
  readonly selectedRow: number | null;
  readonly onSelectRow: (row: number) => void;
  readonly findWrong: ((after: number) => Promise<number | null>) | null;
}

/** The distance of one step to the side, in pixels. */
const SIDE_STEP_PX = 96;

/** After this rest the address names the selected row: browsers bound how often it may change. */
const ADDRESS_MS = 250;

/** Moves the selection of a grid by keyboard, and follows the address. Returns the handler of keys on the grid. */
export function useRowKeys(options: RowKeysOptions) {
  const { pages, scroller, selection, setSelection } = options;
  const select = (next: Selection) => {
    setSelection(next);
    if (next.column !== null) reveal(scroller.current, next.column);
  };
  useAddress(options, select);
  const nextWrong = async () => {
    const found = await findNextWrong(options);
    if (found === null) announce('No further wrong cell');
    else select(found);
  };
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== event.currentTarget) return;
    const screen = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 2);
    const moved = nextIndex(event.key, selection?.index ?? -1, pages.length, screen);
    const side = { ArrowLeft: -SIDE_STEP_PX, ArrowRight: SIDE_STEP_PX }[event.key];
    if (moved !== -1) select({ index: moved, column: null });
    else if (side !== undefined) scroller.current?.scrollBy({ left: side });
    else if (event.key === 'n' || event.key === 'N') void nextWrong();
    else if (event.key === 'Escape') setSelection(null);
    else return;
    event.preventDefault();
  };
}

/** The wrong cell behind the selection: in the same row, in a row that is loaded, or wherever the service finds one. */
async function findNextWrong(options: RowKeysOptions): Promise<Selection | null> {
  const { pages, columns, selection, findWrong } = options;
  const from = selection?.index ?? -1;
  const own = pages.row(from);
  const here = own === null ? [] : wrongCells(own, columns);
  const next = here.find((column) => column > (selection?.column ?? -1));
  if (next !== undefined) return { index: from, column: next };
  let index = from + 1;
  for (let row = pages.row(index); row !== null; row = pages.row(index)) {
    if (row.errors.length > 0) return firstWrong(index, row, columns);
    index += 1;
  }
  if (index >= pages.length && pages.isComplete) return null;
  if (findWrong === null) return { index, column: null };
  // In the list of all rows, the position of a row is its number less one.
  const found = await findWrong(index);
  return found === null ? null : { index: found - 1, column: null };
}

function firstWrong(index: number, row: Row, columns: readonly Column[]): Selection {
  return { index, column: wrongCells(row, columns)[0] ?? null };
}

/** Scrolls sideways until a column is seen. */
function reveal(scroller: HTMLDivElement | null, column: number): void {
  const head = scroller?.querySelectorAll('thead th')[column + NUMBER_COLUMNS];
  if (scroller === null || !(head instanceof HTMLElement)) return;
  const [left, right] = [head.offsetLeft, head.offsetLeft + head.offsetWidth];
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  if (right > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = right - scroller.clientWidth;
}

/** Keeps the selected row and the address the same: a row that the address names is selected once it is found. */
function useAddress(
  { pages, selection, selectedRow, onSelectRow, findWrong }: RowKeysOptions,
  select: (next: Selection) => void,
): void {
  const followed = useRef<number | null>(null);
  const row = selection === null ? null : (pages.row(selection.index)?.row ?? null);
  const isAll = findWrong !== null;
  useEffect(() => {
    if (selectedRow === null || selectedRow === followed.current || selectedRow === row) return;
    const index = isAll ? Math.min(selectedRow, pages.length) - 1 : pages.indexOf(selectedRow);
    if (index === null || index < 0) return;
    followed.current = selectedRow;
    select({ index, column: null });
  });
  useEffect(() => {
    if (row === null || row === selectedRow) return;
    const timer = setTimeout(() => {
      followed.current = row;
      onSelectRow(row);
    }, ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [row]);
}
