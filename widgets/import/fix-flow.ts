import type { CountedChange } from '../../schemas/imports/changed-texts.ts';
import type { Examination } from '../../schemas/imports/fix/examination.ts';
import type { Choices } from '../../schemas/imports/fix/findings.ts';
import type { Limits } from '../../schemas/imports/fix/limits.ts';
import type { Rows } from '../../schemas/imports/fix/row-list.ts';
import { h } from '../shared/dom.ts';
import { alertOf, type Card } from './card.ts';
import type { examineFile } from './fix/main.ts';
import { refusalText } from './fix-refusals.ts';

export interface FixRequest {
  readonly card: Card;
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly maxBytes: number;
  readonly limits: Limits;
  /** True if the user is asked about a file without a need too. */
  readonly asks: boolean;
  /** The choices to begin with. */
  readonly choices: Choices;
  readonly examineFile: typeof examineFile;
  /** Loads the part that asks. */
  readonly loadAsking: () => Promise<Asking | null>;
  readonly signal: AbortSignal;
}

interface Asking {
  readonly ask: (request: FixRequest, first: Examination) => Promise<FixResult>;
}

/**
 * - `send`: these bytes are to be uploaded.
 * - `other`: the person chooses another file; a notice says why if it was not the person's wish.
 * - `unread`: the file cannot be examined.
 */
export type FixResult =
  | {
      readonly kind: 'send';
      readonly bytes: ArrayBuffer;
      /** With their lines in the file of the person. */
      readonly rows: Rows;
      readonly changes: readonly CountedChange[];
      readonly choices: Choices;
      readonly next: NextPart | null;
    }
  | { readonly kind: 'other'; readonly notice: HTMLElement | null }
  | { readonly kind: 'unread' };

/** The rows of a file that follow those of an import. */
export interface NextPart {
  readonly from: number;
  readonly to: number;
  /** With this part chosen. */
  readonly choices: Choices;
}

/**
 * Looks at a file, and asks the person about every change that it needs. A file without a need is passed on at once, unless
 * the person wants to see it.
 */
export async function fixFile(request: FixRequest): Promise<FixResult> {
  const { card, name, bytes, limits, signal } = request;
  card.show('stepFile', h('p', { 'aria-busy': 'true' }, ...card.named('fixLooking', name)));
  const first = await request.examineFile(bytes, request.choices, limits, signal);
  if (first === null) return { kind: 'unread' };
  const { refusal, findings } = first;
  if (refusal !== null && !refusal.canBeRemoved) {
    const reason = `${refusalText(card, refusal)} ${card.text('fixYourself')}`;
    return { kind: 'other', notice: alertOf(`${card.text('fixRefused')} `, reason) };
  }
  if (!request.asks && !findings.some(({ isNeeded }) => isNeeded))
    return {
      kind: 'send',
      bytes: bytes.buffer,
      rows: first.rows,
      changes: [],
      choices: request.choices,
      next: null,
    };
  const asking = await request.loadAsking();
  return asking === null ? { kind: 'unread' } : await asking.ask(request, first);
}
