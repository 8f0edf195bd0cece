import type { Session } from './api.ts';
import type { Card } from './card.ts';
import type { ChosenFile, KeptTable } from './check/kept-table.ts';
import type { ValueTable } from './check/value-table.ts';
import { isSame } from './file-check.ts';
import type { FlowOptions } from './flow-options.ts';
import { remember } from './mapping.ts';
import type { FileToSend } from './sending.ts';

export interface ValuesRequest {
  readonly card: Card;
  readonly session: Session;
  readonly options: Pick<FlowOptions, 'modules' | 'keepFile'>;
  readonly signal: AbortSignal;
}

/**
 * Opens a file whose values the user brings into the form of the schema before it is sent. Null if every field is a text, or if a
 * part cannot be loaded: then the service alone checks the values.
 *
 * @param before the file that was open, which stays if nothing about it has changed
 */
export async function openValues(
  request: ValuesRequest,
  file: FileToSend,
  chosen: ChosenFile,
  before: ValueTable | null,
): Promise<ValueTable | null> {
  if (before !== null && isSame(before.bytes, file.bytes)) return before;
  const { card, session, options, signal } = request;
  const { fields, schemaId } = session;
  before?.forget();
  const lines = chosen.rows;
  if (lines === null || fields.every(({ type }) => type === 'text')) return null;
  const [engine, part, columns] = await loaded(options);
  const kept = options.keepFile === false ? null : { schemaId, chosen };
  return (
    engine && part && (await part.openTable({ card, fields, engine, columns, signal, file, lines }, kept))
  );
}

/** Finds the file that was open before the page was loaded again, or resolves with null. */
export async function restoreValues(request: ValuesRequest): Promise<KeptTable | null> {
  const { card, session, options, signal } = request;
  const { fields, schemaId } = session;
  if (options.keepFile === false || !isKept(schemaId)) return null;
  const [engine, part, columns] = await loaded(options);
  if (engine === null || part === null) return null;
  const kept = await part.restoreTable({ card, fields, engine, columns, signal }, schemaId);
  if (kept !== null) remember(schemaId, kept.table.source.headers, kept.table.mapping);
  return kept;
}

function loaded({ modules }: ValuesRequest['options']) {
  return Promise.all([modules.values(), modules.checking(), modules.columns()]);
}

/** True if the tab has the key of a file. */
function isKept(schemaId: string): boolean {
  try {
    return sessionStorage.getItem(`svcimport-kept-${schemaId}`) !== null;
  } catch {
    // A page without storage.
    return false;
  }
}
