import { useQueryClient } from '@tanstack/preact-query';
import { useMemo, useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { EXACT_TEXT } from '../../../parts/form/field.tsx';
import { Icon } from '../../../parts/frame/icon.tsx';
import { ProblemPanel } from '../../../parts/loading/problem-panel.tsx';
import { count, counted } from '../../../parts/table/numbers.ts';
import { visibleText } from '../../../parts/table/visible-text.ts';
import { ROW_ERRORS } from '../import-state.ts';
import type { ImportDetail, ImportField } from '../queries.ts';
import { ColumnChoice, useHiddenColumns } from './column-choice.tsx';
import { arrangedColumns, mappedColumns } from './columns.ts';
import { type RowFilter, type Shown, wantedOf, withFilter } from './row-filter.ts';
import { FIRST_ROWS, type RowPages } from './row-pages.ts';
import { RowsTable } from './rows-table.tsx';
import {
  fetchRows,
  isWhole,
  listKey,
  type RowList,
  type ShownRows,
  useRowsOutline,
} from './use-row-pages.ts';

interface RowsSectionProps {
  readonly rows: ShownRows;
  readonly detail: ImportDetail;
  readonly fields: readonly ImportField[];
}

/** The private preview: all rows of a validated import, narrowed by state, column, code and text. */
export function RowsSection({ rows, detail, fields }: RowsSectionProps) {
  useRowsOutline(rows);
  const { list, pages, total, known, onFind } = rows;
  const { filter, contains } = list;
  const mapped = useMemo(() => mappedColumns(fields, detail), [fields, detail.headers, detail.mapping]);
  const [hidden, hide] = useHiddenColumns(detail.schemaId);
  const wrong = detail.errorCounts.flatMap(({ column }) => (column === null ? [] : [column]));
  const leading = leadingColumns(filter, wrong);
  const columns = useMemo(() => arrangedColumns(mapped, leading, hidden), [mapped, leading.join(), hidden]);
  return (
    <section aria-labelledby="rows">
      <div class="section-head">
        <h2 id="rows" tabIndex={-1}>
          Rows
        </h2>
        <p>{rowsSummary(pages, total, known)}</p>
      </div>
      <RowsToolbar {...{ detail, filter, total, contains, onFind }}>
        <ColumnChoice columns={mapped} wrong={wrong} hidden={hidden} onHide={hide} />
      </RowsToolbar>
      {pages.error !== null && (
        <ProblemPanel error={pages.error} title="The rows could not be read" onRetry={() => pages.retry()}>
          {visibleText(pages.error.message)}
          {pages.pagesKept > 0 && ' Rows already loaded are still shown.'}
        </ProblemPanel>
      )}
      <RowsOf key={listKey(list)} {...{ list, pages, known, columns }} hasReasons={detail.rows.invalid > 0} />
    </section>
  );
}

/** The columns beside the number of a row: among wrong rows, those with errors; of a group, its own first. */
function leadingColumns({ shown, field }: RowFilter, wrong: readonly string[]): readonly string[] {
  if (field !== null) return [field];
  return shown === 'invalid' ? wrong : [];
}

function rowsSummary(pages: RowPages, total: number, known: number | null): string {
  if (pages.length === total) return `${count(total)}, sorted by row`;
  // Before the first page is there, a search has found nothing yet.
  if (known === null && pages.length === 0 && !pages.isComplete)
    return pages.error === null ? `${count(total)}, being searched` : count(total);
  const isExact = pages.isComplete || known !== null;
  const found = `${count(isExact && !pages.isComplete ? (known ?? 0) : pages.length)}${isExact ? '' : ' or more'}`;
  return `${found} of ${count(total)}, sorted by row`;
}

interface RowsOfProps {
  readonly list: RowList;
  readonly pages: RowPages;
  readonly known: number | null;
  readonly columns: ReturnType<typeof mappedColumns>;
  readonly hasReasons: boolean;
}

function RowsOf({ list, pages, known, columns, hasReasons }: RowsOfProps) {
  const queries = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const row = Number(search.get('row'));
  const findWrong = async (after: number) => {
    const wrong: RowList = { ...list, filter: { shown: 'invalid', field: null, code: null } };
    const { rows } = await fetchRows(queries, wrong, String(after), 1);
    return rows[0]?.row ?? null;
  };
  if (pages.error !== null && pages.pagesKept === 0) return null;
  if (pages.isComplete && pages.length === 0) return <p class="hint under">No rows match.</p>;
  const hasMore =
    pages.error === null && !pages.isComplete && (pages.length > 0 || (known ?? 0) > FIRST_ROWS);
  return (
    <>
      <RowsTable
        pages={pages}
        awaited={known ?? 1}
        columns={columns}
        hasReasons={hasReasons}
        group={list.filter.field}
        selectedRow={Number.isInteger(row) && row > 0 ? row : null}
        onSelectRow={(next) =>
          setSearch(
            (now) => {
              now.set('row', String(next));
              return now;
            },
            { replace: true },
          )
        }
        findWrong={isWhole(list) ? findWrong : null}
      />
      {hasMore && <p class="hint under">More load as you scroll.</p>}
    </>
  );
}

interface ToolbarProps {
  readonly detail: ImportDetail;
  readonly filter: RowFilter;
  readonly total: number;
  readonly contains: string | null;
  readonly onFind: (text: string | null) => void;
  /** The choice of columns. */
  readonly children: preact.ComponentChildren;
}

function RowsToolbar({ detail: { rows, status }, filter, total, contains, onFind, children }: ToolbarProps) {
  const segment = (shown: Shown, label: string, number: number) => (
    <FilterLink filter={{ shown, field: null, code: null }} isCurrent={filter.shown === shown}>
      {`${label} ${count(number)}`}
    </FilterLink>
  );
  return (
    <div class="toolbar">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend in a line of links. */}
      <div class="segments" role="group" aria-label="Rows shown">
        {segment('all', 'All', total)}
        {segment('valid', 'Valid', rows.valid)}
        {segment('invalid', 'Invalid', rows.invalid)}
      </div>
      <FindRows total={total} filter={filter} contains={contains} onFind={onFind} />
      {(filter.field !== null || filter.code !== null) && (
        <span class="chip">
          {[
            ...(filter.field === null ? [] : [visibleText(filter.field)]),
            ...(filter.code === null ? [] : [ROW_ERRORS[filter.code]]),
          ].join(', ')}
          <FilterLink
            filter={{ ...filter, field: null, code: null }}
            class="copy"
            label="Show every column and code"
          >
            <Icon name="close" size={14} />
          </FilterLink>
        </span>
      )}
      <div class="actions hint">
        <kbd>↑</kbd>
        <kbd>↓</kbd> row{' '}
        {status === 'ready' && (
          <>
            <kbd>A</kbd> to approve
          </>
        )}
        {rows.invalid > 0 && (
          <>
            <kbd>N</kbd> next wrong cell
          </>
        )}
      </div>
      {children}
    </div>
  );
}

type FindProps = Pick<ToolbarProps, 'filter' | 'total' | 'contains' | 'onFind'>;

/** A row's number goes to that row; a value narrows the list. The value stays out of the address: it is private. */
function FindRows({ filter, total, contains, onFind }: FindProps) {
  const [typed, setTyped] = useState('');
  const [, setSearch] = useSearchParams();
  const find = () => {
    const wanted = wantedOf(typed, total);
    onFind(wanted.kind === 'value' ? wanted.text : null);
    if (wanted.kind !== 'row') return;
    setSearch((now) => {
      const next = withFilter(now, { shown: 'all', field: null, code: null });
      next.set('row', String(wanted.row));
      return next;
    });
  };
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <Icon name="search" size={14} />
      <label class="vh" for="find-rows">
        Find in rows
      </label>
      <input
        class="input small"
        id="find-rows"
        type="search"
        placeholder="Row number or value"
        {...EXACT_TEXT}
        value={typed}
        title={`Press Enter to search. A number up to ${count(total)} is a row; write it in quotes to search for the value.`}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          if (event.currentTarget.value === '' && contains !== null) onFind(null);
        }}
      />
      <span class="vh" role="status">
        {contains === null ? '' : `Rows with ${visibleText(contains)}, ${filter.shown}`}
      </span>
    </form>
  );
}

interface FilterLinkProps {
  readonly filter: RowFilter;
  readonly isCurrent?: boolean;
  readonly class?: string;
  readonly label?: string;
  readonly onClick?: () => void;
  readonly children: preact.ComponentChildren;
}

/** A link that narrows the rows. It keeps the place on the page. */
export function FilterLink({
  filter,
  isCurrent = false,
  class: className,
  label,
  onClick,
  children,
}: FilterLinkProps) {
  const [address] = useLocation();
  const [search] = useSearchParams();
  return (
    <Link
      href={`${address}?${withFilter(search, filter)}`}
      class={className}
      aria-label={label}
      onClick={onClick}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {children}
    </Link>
  );
}

/** `42 errors in 38 rows`. */
export function errorsInWords({ rows, errorCounts }: Pick<ImportDetail, 'rows' | 'errorCounts'>): string {
  const errors = errorCounts.reduce((sum, each) => sum + each.count, 0);
  return `${counted(errors, 'error')} in ${counted(rows.invalid, 'row')}`;
}
