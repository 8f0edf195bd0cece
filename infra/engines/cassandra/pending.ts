import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import type { Changes, ListOptions, Row, RowKey } from '../../../topics/ports/store.ts';
import { documentFrom } from '../shared/stored-document.ts';

/** Every row of kind `pending` of an aggregate, as document texts by id. One cell holds all of them. */
export type PendingRows = ReadonlyMap<string, string>;

/** The effect of a commit on the pending rows. */
export interface PendingChanges {
  readonly put: PendingRows;
  readonly remove: ReadonlySet<string>;
}

/** True if a row is stored by itself, unlike the pending ones. */
export function isOrdinary({ kind }: RowKey): boolean {
  return kind !== RUNTIME_KINDS.pending;
}

export function pendingChanges({ put, remove }: Changes): PendingChanges {
  const rows = put.filter((row) => !isOrdinary(row));
  const keys = remove.filter((key) => !isOrdinary(key));
  return {
    put: new Map(rows.map(({ id, document }) => [id, JSON.stringify(document)])),
    remove: new Set(keys.map(({ id }) => id)),
  };
}

/** Returns the pending rows after a commit. */
export function changePending(rows: PendingRows, { put, remove }: PendingChanges): PendingRows {
  return new Map([...[...rows].filter(([id]) => !remove.has(id)), ...put]);
}

/** Returns the ids as one text, the same for the same ids in any order. */
export function idsText(ids: Iterable<string>): string {
  return JSON.stringify([...ids].sort());
}

/** Returns the content of the rows' cell: a JSON object of documents by id. */
export function pendingText(rows: PendingRows): string {
  return `{${[...rows].map(([id, text]) => `${JSON.stringify(id)}:${text}`).join(',')}}`;
}

/** Returns the rows of the cell. A damaged cell is one row with its text, which no schema takes. */
export function parsePending(text: string): PendingRows {
  const documents = documentFrom(text);
  if (typeof documents !== 'object' || documents === null) return new Map([['', text]]);
  return new Map(Object.entries(documents).map(([id, document]) => [id, JSON.stringify(document)]));
}

/** Returns the existing rows among the given ids. */
export function pickPending(rows: PendingRows, ids: Iterable<string>): Row[] {
  return [...ids].flatMap((id) => {
    const text = rows.get(id);
    return text === undefined ? [] : [{ kind: RUNTIME_KINDS.pending, id, document: documentFrom(text) }];
  });
}

/** Lists the rows in the order of the bytes of their ids, as `Store` promises. */
export function listPending(rows: PendingRows, options: ListOptions): Row[] {
  const { prefix = '', after, limit, reverse = false } = options;
  const direction = reverse ? -1 : 1;
  const ids = [...rows.keys()]
    .filter((id) => id.startsWith(prefix))
    .filter((id) => after === undefined || direction * compareBytes(id, after) > 0)
    .sort((left, right) => direction * compareBytes(left, right));
  return pickPending(rows, ids.slice(0, limit));
}

function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
