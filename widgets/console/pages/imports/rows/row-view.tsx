import { memo } from 'preact/compat';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { count } from '../../../parts/table/numbers.ts';
import { visibleText } from '../../../parts/table/visible-text.ts';
import { ROW_ERRORS } from '../import-state.ts';
import type { ColumnWindow, Edges } from './column-window.ts';
import { type Column, cellOf, longCells, shownCell } from './columns.ts';
import type { Row } from './row-pages.ts';

interface RowViewProps {
  readonly row: Row;
  readonly index: number;
  readonly shown: ColumnWindow;
  readonly isSelected: boolean;
  /** The column of the current wrong cell; null if there is none in this row. */
  readonly current: number | null;
  readonly edges: Edges;
  /** The field whose error is named first; null if there is none. */
  readonly group: string | null;
}

/** The id of a row's element, for the grid to name the active one. */
export function rowId(index: number): string {
  return `import-row-${index}`;
}

/** One row: its cells as they stand in the file, as text, and why it is wrong in the last column. */
export const RowView = memo(function RowView(props: RowViewProps) {
  const { row, index, shown, isSelected, current, edges, group } = props;
  const { columns, before, behind } = shown;
  const wrong = new Map(row.errors.map(({ column, code }) => [column, ROW_ERRORS[code]]));
  return (
    <tr id={rowId(index)} data-index={index} aria-rowindex={index + 2} aria-selected={isSelected}>
      <td class="n muted">{count(row.row)}</td>
      {edges.numbers === 2 && <td class="n muted">{count(row.line)}</td>}
      <LeftOut columns={before} />
      {columns.map((column, at) =>
        cell(row, column, wrong.get(column.field.key), current !== null && before + at === current),
      )}
      <LeftOut columns={behind} />
      {edges.reasonPx > 0 && <td class="why-col">{reasonOf(row, group)}</td>}
    </tr>
  );
});

/** Takes the place of the cells left or right of those that are drawn, so that the others stay in their columns. */
function LeftOut({ columns }: { readonly columns: number }) {
  return columns === 0 ? null : <td colSpan={columns} aria-hidden="true" />;
}

/** A cell. It is no component: a scroll draws some hundred of them in a frame. The table adds the titles of cells. */
function cell(row: Row, column: Column, fault: string | undefined, isCurrent: boolean) {
  const text = shownCell(row, column);
  const { key } = column.field;
  const align = column.isNumber ? 'n' : undefined;
  if (fault === undefined) {
    return (
      <td key={key} class={align}>
        {text}
      </td>
    );
  }
  return (
    <td key={key} class={['wrong', align, isCurrent && 'current'].filter(Boolean).join(' ')}>
      {text === '' ? <span class="none">empty</span> : <span>{text}</span>}
      <span class="vh">, {fault}</span>
    </td>
  );
}

/** Shows the text of a cell that the mouse points at, which its column may cut. A title on each cell would slow a scroll down. */
export function addTitle({ target }: Event): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  const text = cell?.firstChild?.textContent ?? '';
  if (cell !== null && cell.colSpan === 1 && cell.title !== text) cell.title = text;
}

/** `magnitude: not a decimal, 1 more`; empty for a valid row. */
function reasonOf({ errors, moreErrors }: Row, group: string | null): string {
  const ofGroup = group === null ? undefined : errors.find(({ column }) => column === group);
  const first = ofGroup ?? errors[0];
  if (first === undefined) return '';
  const fault = `${first.column === null ? '' : `${first.column}: `}${ROW_ERRORS[first.code]}`;
  const further = errors.length - 1 + moreErrors;
  return further === 0 ? fault : `${fault}, ${count(further)} more`;
}

/** True if a selected row has anything to say below itself. */
export function hasDetail(row: Row, columns: readonly Column[]): boolean {
  return row.errors.length > 0 || longCells(row, columns).length > 0;
}

interface RowDetailProps {
  readonly row: Row;
  readonly columns: readonly Column[];
  /** The cells of the table's rows. */
  readonly span: number;
  readonly onHeight: (height: number) => void;
  readonly onRead: (column: Column) => void;
}

/** Explains the selected row below itself: each of its errors, and its long cells with a way to read them. */
export function RowDetail({ row, columns, span, onHeight, onRead }: RowDetailProps) {
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    const shown = element.current;
    if (shown === null) return;
    const observer = new ResizeObserver(() => onHeight(shown.offsetHeight));
    observer.observe(shown);
    onHeight(shown.offsetHeight);
    return () => observer.disconnect();
  }, [onHeight]);
  return (
    <tr class="detail" ref={element}>
      <td colSpan={span}>
        <dl class="why">
          {row.errors.map((error) => (
            <div key={`${error.column}/${error.code}`}>
              <dt>{error.column ?? 'whole row'}</dt>
              <dd class="clip">{shownValue(row, columns, error.column)}</dd>
              <dd>{`${capital(ROW_ERRORS[error.code])}. ${visibleText(error.message)}`}</dd>
            </div>
          ))}
          {row.moreErrors > 0 && (
            <div>
              <dt>more</dt>
              <dd>{count(row.moreErrors)}</dd>
              <dd>Further errors of this row are only counted. Correct these, then validate again.</dd>
            </div>
          )}
          {longCells(row, columns).map((column) => (
            <div key={column.field.key}>
              <dt>{column.field.key}</dt>
              <dd class="muted">clipped</dd>
              <dd>
                <button type="button" class="link" onClick={() => onRead(column)}>
                  Read all {count(cellOf(row, column).length)} characters
                </button>
              </dd>
            </div>
          ))}
        </dl>
      </td>
    </tr>
  );
}

function shownValue(row: Row, columns: readonly Column[], key: string | null) {
  const column = columns.find(({ field }) => field.key === key);
  if (column === undefined) return <span class="muted">{row.source === null ? 'not decoded' : ''}</span>;
  const text = shownCell(row, column);
  return text === '' ? <span class="none">empty</span> : text;
}

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
