import type { JsonObject } from '../../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import type { Changes, ListOptions, Row, RowKey } from '../../../topics/ports/store.ts';

/** Every row of kind `pending` of an aggregate: the texts of their documents by id. Kept together in one cell. */
export type PendingRows = ReadonlyMap<string, string>;

/** What a commit does to the pending rows. */
export interface PendingChanges {
  readonly put: PendingRows;
  readonly remove: ReadonlySet<string>;
}

/** Whether a row has a place of its own, unlike the pending ones. */
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

/** The pending rows after a commit. */
export function changePending(rows: PendingRows, { put, remove }: PendingChanges): PendingRows {
  return new Map([...[...rows].filter(([id]) => !remove.has(id)), ...put]);
}

/** The ids in one text, the same for the same ids. */
export function idsText(ids: Iterable<string>): string {
  return JSON.stringify([...ids].sort());
}

/** The cell that holds the rows: a JSON object of documents by id. */
export function pendingText(rows: PendingRows): string {
  return `{${[...rows].map(([id, text]) => `${JSON.stringify(id)}:${text}`).join(',')}}`;
}

export function parsePending(text: string): PendingRows {
  const documents: [string, JsonObject][] = Object.entries(JSON.parse(text));
  return new Map(documents.map(([id, document]) => [id, JSON.stringify(document)]));
}

/** The rows with the given ids, those that exist. */
export function pickPending(rows: PendingRows, ids: Iterable<string>): Row[] {
  return [...ids].flatMap((id) => {
    const text = rows.get(id);
    return text === undefined ? [] : [{ kind: RUNTIME_KINDS.pending, id, document: JSON.parse(text) }];
  });
}

/** A listing as the store promises it, by the bytes of the ids. */
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
