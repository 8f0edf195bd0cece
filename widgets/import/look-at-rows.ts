import { button, h } from '../shared/dom.ts';
import { type Api, type ErrorCount, refusedBy } from './api.ts';
import type { Card } from './card.ts';
import { refusalLabel } from './reasons.ts';
import { type TableColumn, virtualTable } from './table.ts';

/** The rows that a person looks at; a file of all of them can be downloaded, or is the person's own. */
const LOOK_ROWS_MAX = 100;

/** A row as the service lists it. */
export interface ListedRow {
  readonly row: number;
  /** The cells as they stand in the file. */
  readonly source: readonly string[] | null;
  /** The values by field; null for an invalid row. */
  readonly values: Readonly<Record<string, string | boolean | null>> | null;
  readonly errors: readonly { readonly column: string | null }[];
}

export interface RowsLook {
  readonly columns: readonly TableColumn<ListedRow>[];
  readonly rows: readonly ListedRow[];
  /** The number of all such rows. */
  readonly total: number;
}

/**
 * Reads the first valid or invalid rows of an import.
 *
 * @param error leaves only rows with this error
 * @throws {Refused}
 */
export async function firstRows(
  api: Api,
  importId: string,
  filter: 'valid' | 'invalid',
  error: ErrorCount | null,
): Promise<readonly ListedRow[]> {
  const query = new URLSearchParams({ filter, limit: String(LOOK_ROWS_MAX) });
  if (error !== null) query.set('code', error.code);
  if (error?.column != null) query.set('field', error.column);
  return (await api.get<{ rows: ListedRow[] }>(`/imports/${importId}/rows?${query}`)).rows;
}

/** Makes a button that shows rows in a place below it, and hides them again. */
export function lookAtRows(
  card: Card,
  read: () => Promise<RowsLook>,
): { readonly look: HTMLButtonElement; readonly place: HTMLElement } {
  const place = h('div', { class: 'moving', role: 'status' });
  const look = button(
    card.text('look'),
    () => {
      const isShown = look.ariaExpanded === 'true';
      look.ariaExpanded = String(!isShown);
      place.replaceChildren();
      if (isShown) return;
      place.replaceChildren(card.text('loading'));
      const show = (content: readonly (Node | string)[]): void => {
        if (look.ariaExpanded === 'true') place.replaceChildren(...content);
      };
      read().then(
        (found) => show(tableOf(card, found)),
        (error: unknown) => show([card.text(refusalLabel(refusedBy(error)))]),
      );
    },
    { 'aria-expanded': false },
  );
  return { look, place };
}

function tableOf(card: Card, { columns, rows, total }: RowsLook): (Node | string)[] {
  const number = {
    head: card.text('row'),
    isNumber: true,
    cell: ({ row }: ListedRow) => [[String(row)]] as const,
  };
  const table = virtualTable<ListedRow>(card.text('rows'), [number, ...columns], rows);
  // The names of its columns are of the file, too.
  table.translate = false;
  return total > rows.length ? [table, h('p', {}, card.text('firstRows', rows.length, total))] : [table];
}

/** The columns of valid rows: one for each field that has a value. */
export function valueColumns(rows: readonly ListedRow[]): TableColumn<ListedRow>[] {
  return Object.keys(rows[0]?.values ?? {}).map((head) => ({
    head,
    cell: ({ values }) => [[String(values?.[head] ?? '')]],
  }));
}
