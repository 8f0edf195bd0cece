import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useOpened } from '../../../parts/form/use-asked.ts';
import { count } from '../../../parts/table/numbers.ts';
import { type ColumnWindow, drawnColumns, type Edges, edgesOf, NUMBER_PX } from './column-window.ts';
import type { Column } from './columns.ts';
import { FIRST_ROWS, ROWS_A_PAGE, type Row, type RowPages } from './row-pages.ts';
import { addTitle, hasDetail, RowDetail, RowView, rowId } from './row-view.tsx';
import { drawnRows, HEAD_PX, offsetOf, revealingTop, type TallRow } from './row-window.ts';
import { type Selection, useRowKeys } from './use-row-keys.ts';
import { useArrivingRows } from './use-row-pages.ts';
import { useScrollPlace } from './use-scroll-place.ts';
import { WholeCell } from './whole-cell.tsx';

/** A jump to a far place is followed by a request after this rest, so that places scrolled past are not asked for. */
const SETTLE_MS = 80;

interface RowsTableProps {
  readonly pages: RowPages;
  /** The rows to draw before the first ones are read. */
  readonly awaited: number;
  readonly columns: readonly Column[];
  /** True if rows may be wrong: then the last column says why. */
  readonly hasReasons: boolean;
  /** The field whose errors are looked at: a row names that error before its others. */
  readonly group: string | null;
  /** The number of the row that the address selects. */
  readonly selectedRow: number | null;
  readonly onSelectRow: (row: number) => void;
  /** Finds the next wrong row behind a row where the list holds all rows; null otherwise. */
  readonly findWrong: ((after: number) => Promise<number | null>) | null;
}

/** The rows of an import as a virtual grid: only those around the viewport are in the page and in memory. */
export function RowsTable({ pages, awaited, columns, hasReasons, group, ...selecting }: RowsTableProps) {
  useArrivingRows(pages);
  const scroller = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [explained, setExplained] = useState<TallRow | null>(null);
  const tall = explained?.index === selection?.index ? explained : null;
  const place = useScrollPlace(scroller);
  const edges = useMemo(() => edgesOf(place.widthPx, hasReasons), [place.widthPx, hasReasons]);
  const shown = useMemo(
    () => drawnColumns(place.leftPx, place.widthPx, columns, edges.numbers),
    [place.leftPx, place.widthPx, columns, edges],
  );
  const drawn = drawnRows(place.topPx, place.heightPx, pages.length, tall);
  const onKeyDown = useRowKeys({
    pages,
    columns,
    hasReasons,
    scroller,
    selection,
    setSelection,
    ...selecting,
  });
  useRevealed(scroller, selection, tall, place.look);
  useShownRange(pages, drawn.first, drawn.end - 1);
  const [read, setRead] = useOpened<{ readonly row: Row; readonly column: Column }>();
  const span = columns.length + edges.numbers + (hasReasons ? 1 : 0);
  const width = edges.numbers * NUMBER_PX + columns.reduce((sum, each) => sum + each.width, edges.reasonPx);
  return (
    <>
      <div class="table rows window" ref={scroller}>
        <table
          class="dense fixed"
          tabIndex={0}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are moved through by arrow keys.
          role="grid"
          aria-label="Rows table"
          aria-rowcount={pages.isComplete ? pages.length + 1 : -1}
          aria-activedescendant={selection === null ? undefined : rowId(selection.index)}
          style={{ minWidth: `${width}px` }}
          onKeyDown={onKeyDown}
        >
          <ColumnHeads columns={columns} edges={edges} />
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys. */}
          <tbody
            onClick={(event) => {
              const index = (event.target as HTMLElement).closest<HTMLElement>('tr[data-index]')?.dataset[
                'index'
              ];
              if (index !== undefined) setSelection({ index: Number(index), column: null });
            }}
            onPointerOver={addTitle}
          >
            {pages.length === 0 &&
              Array.from({ length: Math.min(awaited, FIRST_ROWS) }, (_, at) => (
                <LoadingRow key={at} index={at} span={span} />
              ))}
            <Spacer height={offsetOf(drawn.first, tall)} span={span} />
            {Array.from({ length: drawn.end - drawn.first }, (_, at) => (
              <RowAt
                key={drawn.first + at}
                index={drawn.first + at}
                {...{ pages, columns, shown, edges, group, span, selection }}
                onHeight={setExplained}
                onRead={(row, column) => setRead({ row, column })}
              />
            ))}
            <Spacer height={offsetOf(pages.length, tall) - offsetOf(drawn.end, tall)} span={span} />
          </tbody>
        </table>
      </div>
      {read !== null && <WholeCell {...read} onClose={() => setRead(null)} />}
    </>
  );
}

/** Scrolls as little as brings the selected row into view, in the list and on the page: when another is selected, and when it has grown. */
function useRevealed(
  scroller: RefObject<HTMLElement>,
  selection: Selection | null,
  tall: TallRow | null,
  look: () => void,
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (selection === null || element === null) return;
    const heightPx = element.clientHeight - HEAD_PX;
    const top = revealingTop(selection.index, element.scrollTop, heightPx, tall);
    const isMoved = top !== element.scrollTop;
    if (isMoved) element.scrollTop = top;
    const startPx = element.getBoundingClientRect().top + HEAD_PX - element.scrollTop;
    revealOnPage(startPx + offsetOf(selection.index, tall), startPx + offsetOf(selection.index + 1, tall));
    if (isMoved) look();
  }, [scroller, selection, tall?.index, tall?.extraPx, look]);
}

/** The place that stays free beside a row that the page was scrolled to: the bar of a narrow page lies above it. */
const PAGE_EDGE_PX = 96;

/** Scrolls the page as little as brings a strip of it into view, by its edges in the window. */
function revealOnPage(topPx: number, bottomPx: number): void {
  const toTop = topPx - PAGE_EDGE_PX;
  if (topPx < 0) scrollBy({ top: toTop });
  // What is higher than the window is shown from its beginning.
  else if (bottomPx > innerHeight) scrollBy({ top: Math.min(toTop, bottomPx + PAGE_EDGE_PX - innerHeight) });
}

/** Tells the pages what is seen: at once while it moves on, after a rest where it jumps. */
function useShownRange(pages: RowPages, first: number, last: number): void {
  const shown = useRef(0);
  useEffect(() => {
    const show = () => {
      shown.current = first;
      pages.show(first, last);
    };
    if (Math.abs(first - shown.current) <= ROWS_A_PAGE) {
      show();
      return;
    }
    const timer = setTimeout(show, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [pages, first, last]);
}

interface HeadsProps {
  readonly columns: readonly Column[];
  readonly edges: Edges;
}

function ColumnHeads({ columns, edges: { numbers, reasonPx } }: HeadsProps) {
  return (
    <>
      <colgroup>
        <col style={{ width: `${NUMBER_PX}px` }} />
        {numbers === 2 && <col style={{ width: `${NUMBER_PX}px` }} />}
        {columns.map(({ field, width }) => (
          <col key={field.key} style={{ width: `${width}px` }} />
        ))}
        {reasonPx > 0 && <col style={{ width: `${reasonPx}px` }} />}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col" class="n" aria-sort="ascending">
            Row
          </th>
          {numbers === 2 && (
            <th scope="col" class="n">
              Line
            </th>
          )}
          {columns.map(({ field, isNumber }, at) => (
            <th
              key={field.key}
              scope="col"
              class={isNumber ? 'n clip' : 'clip'}
              title={field.key}
              data-column={at}
            >
              {field.key}
            </th>
          ))}
          {reasonPx > 0 && (
            <th scope="col" class="why-col">
              Reason
            </th>
          )}
        </tr>
      </thead>
    </>
  );
}

interface RowAtProps extends HeadsProps {
  readonly pages: RowPages;
  readonly index: number;
  readonly shown: ColumnWindow;
  readonly group: string | null;
  readonly span: number;
  readonly selection: Selection | null;
  readonly onHeight: (tall: TallRow) => void;
  readonly onRead: (row: Row, column: Column) => void;
}

function RowAt({ pages, index, selection, onHeight, onRead, ...props }: RowAtProps) {
  const { columns, shown, edges, group, span } = props;
  const row = pages.row(index);
  const isSelected = selection?.index === index;
  const isExplained = isSelected && row !== null && hasDetail(row, columns);
  const grow = useCallback((extraPx: number) => onHeight({ index, extraPx }), [onHeight, index]);
  if (row === null)
    return pages.error === null ? (
      <LoadingRow index={index} span={span} />
    ) : (
      <UnreadRow index={index} span={span} />
    );
  return (
    <>
      <RowView
        row={row}
        index={index}
        shown={shown}
        isSelected={isSelected}
        current={isSelected && selection.column !== 'first' ? selection.column : null}
        edges={edges}
        group={group}
      />
      {isExplained && (
        <RowDetail
          row={row}
          columns={columns}
          span={span}
          onHeight={grow}
          onRead={(column) => onRead(row, column)}
        />
      )}
    </>
  );
}

function LoadingRow({ index, span }: { readonly index: number; readonly span: number }) {
  return (
    <tr id={rowId(index)} data-index={index} aria-rowindex={index + 2} aria-busy="true">
      <td colSpan={span}>
        <div class="bone" />
        <span class="vh">Place {count(index + 1)} is loading</span>
      </td>
    </tr>
  );
}

/** A row that nothing loads until the person tries again. */
function UnreadRow({ index, span }: { readonly index: number; readonly span: number }) {
  return (
    <tr id={rowId(index)} data-index={index} aria-rowindex={index + 2}>
      <td colSpan={span} class="muted">
        Place {count(index + 1)} is not loaded
      </td>
    </tr>
  );
}

/** Takes the place of the rows before or behind those that are drawn. */
function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr class="spacer" aria-hidden="true">
      <td colSpan={span} style={{ height: `${height}px` }} />
    </tr>
  );
}
