import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { announce } from '../../../parts/frame/announce.tsx';
import { useShortcuts } from '../../../parts/frame/shortcuts.ts';
import { nextIndex } from '../../../parts/table/row-keys.ts';
import { type Column, wrongCells } from './columns.ts';
import type { RowPages } from './row-pages.ts';
import { ROW_PX } from './row-window.ts';

/** The selected row by its position in the list, and the column of its current wrong cell. */
export interface Selection {
  readonly index: number;
  /** `first`: that of its first wrong cell, once the row is loaded. */
  readonly column: number | 'first' | null;
}

interface RowKeysOptions {
  readonly pages: RowPages;
  readonly columns: readonly Column[];
  /** True if rows may be wrong. */
  readonly hasReasons: boolean;
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
  useFirstWrong(options);
  useRevealedColumn(scroller, selection);
  useAddress(options);
  const nextWrong = async () => {
    const found = await findNextWrong(options);
    if (found === null) announce('No further wrong cell');
    else setSelection(found);
  };
  // In a list of wrong rows, each is shown at its first wrong cell.
  const arrival = options.findWrong === null ? 'first' : null;
  /** Does what a key is for; false if it is for nothing here. */
  const act = (key: string): boolean => {
    const moved = nextIndex(key, selection?.index ?? -1, pages.length, rowsSeen(scroller.current));
    const side = { ArrowLeft: -SIDE_STEP_PX, ArrowRight: SIDE_STEP_PX }[key];
    if (moved !== -1) setSelection({ index: moved, column: arrival });
    else if (side !== undefined) scroller.current?.scrollBy({ left: side });
    else if (key.toLowerCase() === 'n') void nextWrong();
    else if (key === 'Escape') setSelection(null);
    else return false;
    return true;
  };
  const fromAnywhere = (keys: string, about: string) => ({
    keys,
    about,
    run() {
      scroller.current?.querySelector('table')?.focus({ preventScroll: true });
      act(keys);
    },
  });
  useShortcuts([
    fromAnywhere('ArrowDown', 'Go to the next row'),
    fromAnywhere('ArrowUp', 'Go to the row before'),
    ...(options.hasReasons ? [fromAnywhere('n', 'Go to the next wrong cell')] : []),
  ]);
  return (event: KeyboardEvent) => {
    if (hasModifier(event) || event.target !== event.currentTarget) return;
    if (act(event.key)) event.preventDefault();
  };
}

/** The rows that are seen at once, less the head and one that stays in view. */
function rowsSeen(scroller: HTMLDivElement | null): number {
  return Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / ROW_PX) - 2);
}

function hasModifier({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey;
}

/** The wrong cell behind the selection: in the same row, in a row that is loaded, or wherever the service finds one. */
async function findNextWrong(options: RowKeysOptions): Promise<Selection | null> {
  const { pages, columns, selection, findWrong } = options;
  const from = selection?.index ?? -1;
  const own = pages.row(from);
  const here = own === null ? [] : wrongCells(own, columns);
  const at = typeof selection?.column === 'number' ? selection.column : -1;
  const next = here.find((column) => column > at);
  if (next !== undefined) return { index: from, column: next };
  let index = from + 1;
  for (let row = pages.row(index); row !== null; row = pages.row(index)) {
    if (row.errors.length > 0) return { index, column: 'first' };
    index += 1;
  }
  if (index >= pages.length && pages.isComplete) return null;
  if (findWrong === null) return { index, column: 'first' };
  // In the list of all rows, the position of a row is its number less one.
  const found = await findWrong(index);
  return found === null ? null : { index: found - 1, column: 'first' };
}

/** Names the column of the first wrong cell of the selected row, once the row is loaded. */
function useFirstWrong({ pages, columns, selection, setSelection }: RowKeysOptions): void {
  const index = selection?.column === 'first' ? selection.index : null;
  const row = index === null ? null : pages.row(index);
  useLayoutEffect(() => {
    if (index !== null && row !== null) setSelection({ index, column: wrongCells(row, columns)[0] ?? null });
  }, [index, row, columns, setSelection]);
}

/** Scrolls sideways until the current wrong cell is seen, beside the reason, which lies over the cells. */
function useRevealedColumn(scroller: RefObject<HTMLDivElement>, selection: Selection | null): void {
  const column = typeof selection?.column === 'number' ? selection.column : null;
  useLayoutEffect(() => {
    const element = scroller.current;
    const head = element?.querySelector(`[data-column="${column}"]`);
    if (element === null || head == null) return;
    const [shown, cell] = [element.getBoundingClientRect(), head.getBoundingClientRect()];
    const reason = element.querySelector('thead .why-col')?.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(element).direction === 'rtl';
    const left = isRightToLeft ? (reason?.right ?? shown.left) : shown.left;
    const right = isRightToLeft ? shown.right : (reason?.left ?? shown.right);
    if (cell.left < left || cell.width > right - left) element.scrollLeft += cell.left - left;
    else if (cell.right > right) element.scrollLeft += cell.right - right;
  }, [scroller, selection?.index, column]);
}

/** Keeps the selected row and the address the same: a row that the address names is selected once it is found. */
function useAddress({
  pages,
  selection,
  setSelection,
  selectedRow,
  onSelectRow,
  findWrong,
}: RowKeysOptions): void {
  const followed = useRef<number | null>(null);
  const row = selection === null ? null : (pages.row(selection.index)?.row ?? null);
  const isAll = findWrong !== null;
  useEffect(() => {
    if (selectedRow === null || selectedRow === followed.current || selectedRow === row) return;
    const index = isAll ? Math.min(selectedRow, pages.length) - 1 : pages.indexOf(selectedRow);
    if (index === null || index < 0) return;
    followed.current = selectedRow;
    setSelection({ index, column: 'first' });
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
