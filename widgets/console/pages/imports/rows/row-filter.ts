import { ROW_ERRORS, type RowErrorCode } from '../import-state.ts';
import type { ImportDetail } from '../queries.ts';

export type Shown = 'all' | 'valid' | 'invalid';

/** Which rows of an import are shown. All but the text stand in the address; the text is private like the cells. */
export interface RowFilter {
  readonly shown: Shown;
  readonly field: string | null;
  readonly code: RowErrorCode | null;
}

/** Reads the filter from the parameters of the address. Without any, what needs a person comes first: wrong rows. */
export function filterOf(search: URLSearchParams, { rows }: Pick<ImportDetail, 'rows'>): RowFilter {
  const named = search.get('rows');
  const usual = rows.invalid > 0 ? 'invalid' : 'all';
  const shown = named === 'all' || named === 'valid' || named === 'invalid' ? named : usual;
  const code = search.get('code');
  return {
    shown,
    field: search.get('field'),
    code: code !== null && Object.hasOwn(ROW_ERRORS, code) ? (code as RowErrorCode) : null,
  };
}

/** Writes a filter into the parameters of the address. The selected row is another list's, so it goes. */
export function withFilter(search: URLSearchParams, { shown, field, code }: RowFilter): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set('rows', shown);
  for (const [name, value] of [
    ['field', field],
    ['code', code],
  ] as const) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  next.delete('row');
  return next;
}

/** The aim of a search in the rows. */
export type Wanted =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'value'; readonly text: string };

/** Reads what was typed: digits name a row of the import, anything else, and digits in quotes, is a value. */
export function wantedOf(typed: string, total: number): Wanted {
  if (typed.trim() === '') return { kind: 'nothing' };
  const digits = /^\s*([0-9]{1,9})\s*$/.exec(typed)?.[1];
  const row = Number(digits);
  if (digits !== undefined && row >= 1 && row <= total) return { kind: 'row', row };
  const quoted = /^"(.+)"$/s.exec(typed.trim())?.[1];
  return { kind: 'value', text: quoted ?? typed };
}
