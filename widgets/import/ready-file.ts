import { COLUMNS_MAX } from '../../schemas/csv/limits.ts';
import type { CountedChange } from '../../schemas/imports/changed-texts.ts';
import type { LegacyDecoder } from '../../schemas/imports/fix/decode.ts';
import type { Choices } from '../../schemas/imports/fix/findings.ts';
import type { Rows } from '../../schemas/imports/fix/row-list.ts';
import type { Child } from '../shared/dom.ts';
import type { Session } from './api.ts';
import { alertOf, type Card } from './card.ts';
import { isUtf8, kindFaultOf, sizeText } from './file-check.ts';
import { type FixResult, fixFile, type NextPart } from './fix-flow.ts';
import type { FixModules } from './load-fix.ts';
import { mappedPlaces } from './mapping.ts';

interface FileRequest {
  readonly card: Card;
  readonly file: File;
  readonly session: Session;
  readonly options: { readonly modules: FixModules };
  readonly choices: Choices;
  /** True if the user is asked about a file without a need too. */
  readonly asks: boolean;
  readonly signal: AbortSignal;
}

/** The facts that an examination has found of a file. */
interface Known {
  readonly rows: Rows | null;
  readonly changes: readonly CountedChange[];
  readonly choices: Choices;
  readonly next: NextPart | null;
}

/**
 * - `send`: these bytes are to be uploaded.
 * - `other`: the user chooses another file; a notice says why if it was not the user's wish.
 */
export type ReadyFile =
  | ({ readonly kind: 'send'; readonly bytes: ArrayBuffer } & Known)
  | { readonly kind: 'other'; readonly notice: HTMLElement | null };

/** Reads a file and lets the user correct it, until it can be sent. */
export async function readyFile(request: FileRequest): Promise<ReadyFile> {
  const { card, file, session, choices } = request;
  const { maxBytes } = session;
  const other = (text: readonly Child[]): ReadyFile => ({ kind: 'other', notice: alertOf(text) });
  if (file.size > maxBytes)
    return other(card.named('tooLarge', file.name, sizeText(file.size), sizeText(maxBytes)));
  // A file that has changed or gone since it was chosen cannot be read.
  const bytes = await file.arrayBuffer().catch(() => null);
  const fault = bytes === null ? 'unreadable' : kindFaultOf(new Uint8Array(bytes));
  if (bytes === null || fault !== null) return other(card.named(fault ?? 'unreadable', file.name));
  const fixed = await fix(request, bytes);
  if (fixed.kind !== 'unread') return fixed;
  if (!isUtf8(new Uint8Array(bytes))) {
    const legacy = await request.options.modules.decoding();
    const decoded = legacy && (await fix(request, bytes, legacy.decodeLegacy));
    return decoded !== null && decoded.kind !== 'unread' ? decoded : other(card.named('notUtf8', file.name));
  }
  return { kind: 'send', bytes, rows: null, changes: [], choices, next: null };
}

/** Lets the user correct a file before it is sent. `unread` leaves the decision about the file to the service. */
async function fix(
  request: FileRequest,
  bytes: ArrayBuffer,
  decodeLegacy?: LegacyDecoder,
): Promise<FixResult> {
  const { card, file, session, choices, asks, signal } = request;
  const { modules } = request.options;
  const [module, columns] = await Promise.all([modules.examining(), modules.columns()]);
  if (module === null) return { kind: 'unread' };
  return await fixFile({
    card,
    name: file.name,
    bytes: new Uint8Array(bytes),
    maxBytes: session.maxBytes,
    asks,
    choices,
    limits: {
      rows: session.maxRows,
      columns: COLUMNS_MAX,
      wanted: (names) => mappedPlaces(columns?.suggest(names, session.fields) ?? []),
      columnName: card.texts.fixColumnName,
      ...(decodeLegacy && { decodeLegacy }),
    },
    examineFile: module.examineFile,
    loadAsking: modules.asking,
    signal,
  });
}
