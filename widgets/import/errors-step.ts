import { HIDDEN } from '../../schemas/base/hidden.ts';
import { button, h } from '../shared/dom.ts';
import { type ErrorCount, type ImportStatus, type RowError, refusedBy } from './api.ts';
import { alertOf, type Card } from './card.ts';
import { type ListedRow, lookAtRows } from './look-at-rows.ts';
import { errorName, refusalLabel } from './reasons.ts';
import { type TableColumn, virtualTable } from './table.ts';
import { around, VALUE } from './values.ts';

interface RejectedRows {
  readonly headers: readonly string[];
  readonly rows: readonly ListedRow[];
}

export interface ErrorsReview {
  readonly status: ImportStatus;
  readonly errors: readonly RowError[];
  /** The line of a row in the file of the person, or undefined if the file was changed and this page does not know how. */
  readonly lineOf: (error: RowError) => number | undefined;
  /** All errors of the file; {@link errors} has the first ones. */
  readonly total: number;
  /** Reads the headers of the file, and the first rows that have an error, or the one of an entry of the counts. */
  readonly readRows: (error: ErrorCount | null) => Promise<RejectedRows>;
  readonly onAgain: () => void;
  readonly onColumns: () => void;
  /** @param onRows is told how many rows are there so far */
  readonly onDownload: (onRows: (count: number) => void) => Promise<void>;
}

/** Shows the errors of a file with filters by column and code, and the ways to correct them. */
export function showErrors(card: Card, review: ErrorsReview): void {
  const { errors, total } = review;
  const { rows, errorCounts } = review.status;
  const place = h('div', { class: 'moving' });
  const filter = h('select', {});
  filter.append(
    h('option', { value: '' }, card.text('all', total)),
    ...errorCounts.map(({ column, code, count }, index) =>
      h(
        'option',
        { value: index, dir: 'auto' },
        `${column ?? card.text('wholeRow')}: ${errorName(card.texts, code)} (${count})`,
      ),
    ),
  );
  const filtered = (): ErrorCount | null => errorCounts[Number(filter.value || -1)] ?? null;
  const { look, place: looked } = lookAtRows(card, async () => {
    const counted = filtered();
    const found = await review.readRows(counted);
    const headerOf = new Map(errors.map(({ column, source }) => [column, source]));
    const columns = sourceColumns(found.headers, headerOf);
    return { columns, rows: found.rows, total: counted?.count ?? rows.invalid };
  });
  const draw = (): void => {
    const counted = filtered();
    const listed = errors.filter(
      ({ column, code }) => counted === null || (counted.column === column && counted.code === code),
    );
    place.replaceChildren(tableOf(card, listed, review.lineOf));
    if (look.ariaExpanded === 'true') look.click();
  };
  filter.addEventListener('change', draw);
  draw();
  const said = h('p', { role: 'status' });
  const download = button(card.text('download', rows.invalid), () => {
    if (download.ariaDisabled === 'true') return;
    download.ariaDisabled = 'true';
    const say = (text: string) => {
      said.textContent = text;
    };
    review
      .onDownload((count) => say(card.text('sent', count, rows.invalid)))
      .then(
        () => say(''),
        (error: unknown) => say(card.text(refusalLabel(refusedBy(error)))),
      )
      .finally(() => {
        download.ariaDisabled = null;
      });
  });
  card.show(
    'stepCheck',
    alertOf(card.text('invalid', rows.invalid, rows.total), card.text('correct')),
    h('label', {}, card.text('filter'), filter),
    place,
    total > errors.length && h('p', {}, card.text('further', errors.length, total)),
    h(
      'div',
      { class: 'buttons' },
      card.action(card.text('again'), review.onAgain, { class: 'primary' }),
      card.action(card.text('columns'), review.onColumns),
      look,
      download,
    ),
    said,
    looked,
  );
}

function tableOf(card: Card, errors: readonly RowError[], lineOf: ErrorsReview['lineOf']): HTMLElement {
  const line = {
    head: card.text('atLine'),
    isNumber: true,
    cell: (error: RowError) => [[String(lineOf(error))]] as const,
  };
  return virtualTable<RowError>(
    card.text('errors'),
    [
      ...(errors.every(lineOf) ? [line] : []),
      { head: card.text('row'), isNumber: true, cell: ({ row }) => [[String(row)]] },
      {
        head: card.text('column'),
        cell: ({ source, column }) => [[source ?? column ?? card.text('wholeRow')]],
      },
      { head: card.text('value'), cell: (error) => [[valueText(card, error)], true] },
      { head: card.text('reason'), isSentence: true, cell: (error) => [reasonText(card, error)] },
    ],
    errors,
  );
}

/** An error about a whole row has no value. */
function valueText(card: Card, { column, value }: RowError): string {
  return shown(value) || (column === null ? '' : card.text('noValue'));
}

function reasonText(card: Card, { code, message }: RowError): (Node | string)[] {
  const name = errorName(card.texts, code);
  return message === '' ? [name] : around(card.text('explained', name, VALUE), h('bdi', {}, message));
}

/** A value with its characters without a shape visible, so that the page shows what the file has. */
function shown(value: string | null): string {
  return (value ?? '').replace(
    HIDDEN,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
}

/**
 * The columns of invalid rows, with the wrong cells marked.
 *
 * @param headerOf the header of the column that goes to a field, if an error has named it
 */
function sourceColumns(
  headers: readonly string[],
  headerOf: ReadonlyMap<string | null, string | null>,
): TableColumn<ListedRow>[] {
  return headers.map((head, index) => ({
    head,
    cell: ({ source, errors }) => [
      [source?.[index] ?? ''],
      errors.some(({ column }) => column !== null && headerOf.get(column) === head),
    ],
  }));
}
