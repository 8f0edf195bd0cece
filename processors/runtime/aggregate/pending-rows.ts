import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import type { Row, RowKey } from '../../../topics/ports/store.ts';
import { type PendingEffect, pendingEffectSchema, pendingSchema } from '../effects/follow-up.ts';
import { loadDocument, UnreadableDocumentError } from './unreadable.ts';

/** The effects that an aggregate has stored and not carried out, and their rows. */
export interface PendingRows {
  readonly effects: PendingEffect[];
  /** The rows of which all effects can be read. */
  readonly rows: RowKey[];
  /** The first row with effects that cannot be read; null if there is none. */
  readonly unreadable: UnreadableDocumentError | null;
  /** The rows with effects that cannot be read. */
  readonly unreadableRows: RowKey[];
}

/** Reads the pending rows of an aggregate in their order. Of a row that cannot be read, it returns the effects that can. */
export function readPendingRows(rows: readonly Row[]): PendingRows {
  const pending = rows
    .filter(({ kind }) => kind === RUNTIME_KINDS.pending)
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ kind, id, document }) => ({ key: { kind, id }, ...effectsOf(document) }));
  const isReadable = ({ error }: (typeof pending)[number]) => error === null;
  return {
    effects: pending.flatMap(({ effects }) => effects),
    rows: pending.filter(isReadable).map(({ key }) => key),
    unreadable: pending.find(({ error }) => error !== null)?.error ?? null,
    unreadableRows: pending.filter((each) => !isReadable(each)).map(({ key }) => key),
  };
}

interface ReadEffects {
  readonly effects: readonly PendingEffect[];
  readonly error: UnreadableDocumentError | null;
}

function effectsOf(document: Row['document']): ReadEffects {
  try {
    return { effects: loadDocument('pending effects', pendingSchema, document).effects, error: null };
  } catch (error) {
    if (!(error instanceof UnreadableDocumentError)) throw error;
    const stored = document['effects'];
    const parsed = Array.isArray(stored) ? stored.map((each) => pendingEffectSchema.safeParse(each)) : [];
    return { effects: parsed.flatMap(({ success, data }) => (success ? [data] : [])), error };
  }
}
