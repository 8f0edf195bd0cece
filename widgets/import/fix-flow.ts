import type { Examination } from '../../schemas/imports/fix/examine.ts';
import type { Choices } from '../../schemas/imports/fix/findings.ts';
import type { Limits } from '../../schemas/imports/fix/limits.ts';
import { type Child, h } from '../shared/dom.ts';
import { alertOf, type Card } from './card.ts';
import { sizeText } from './file-check.ts';
import type { fixContent } from './fix/content.ts';
import type { examineFile } from './fix/main.ts';
import { OF_FILE, refusalText } from './fix-refusals.ts';
import { saveFile } from './save-file.ts';

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
  /** Loads what shows the file. */
  readonly loadLook: () => Promise<Look | null>;
  readonly signal: AbortSignal;
}

interface Look {
  readonly fixContent: typeof fixContent;
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
      readonly rows: number;
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
    return { kind: 'send', bytes: bytes.buffer, rows: first.rows, choices: request.choices, next: null };
  const look = await request.loadLook();
  return look === null ? { kind: 'unread' } : await ask(request, first, look);
}

function ask(request: FixRequest, first: Examination, { fixContent }: Look): Promise<FixResult> {
  const { card, name, bytes, limits, signal } = request;
  const place = h('div', { class: 'fixes' });
  let shown = { examination: first, choices: request.choices };
  let wanted = shown.choices;
  /** Of the examination under way, whose file takes the place of the one on screen. */
  let looking: AbortController | null = null;
  return new Promise((resolve) => {
    const draw = (): void => {
      looking = null;
      wanted = shown.choices;
      const chosen = focusedBox(place);
      const { examination } = shown;
      place.replaceChildren(
        ...fixContent({ card, name, ...shown, actions, refusal: refusalOf(examination) }),
      );
      place.removeAttribute('aria-busy');
      place.querySelector<HTMLElement>(`[name="${chosen}"]`)?.focus();
    };
    const refusalOf = ({ refusal, corrected }: Examination): readonly Child[] | null => {
      if (refusal !== null) return [refusalText(card, refusal)];
      const size = corrected?.length ?? bytes.length;
      if (size <= request.maxBytes) return null;
      return card.named('tooLarge', name, sizeText(size), sizeText(request.maxBytes));
    };
    /** Runs an action on the file that is on screen. */
    const onShown = (act: (file: Uint8Array<ArrayBuffer>) => void) => (): void => {
      if (looking === null) act(shown.examination.corrected ?? bytes);
    };
    const actions = {
      onChoice(change: (choices: Choices) => Choices): void {
        looking?.abort();
        const mine = new AbortController();
        looking = mine;
        const choices = change(wanted);
        wanted = choices;
        setBusy(place);
        void request
          .examineFile(bytes, choices, limits, AbortSignal.any([signal, mine.signal]))
          .catch(() => null)
          .then((examination) => {
            // A later choice has its own examination.
            if (mine.signal.aborted) return;
            // Without a result, the boxes are as they were.
            if (examination !== null) shown = { examination, choices };
            draw();
          });
      },
      onUpload: onShown((file) => {
        const { examination, choices } = shown;
        const { rows } = examination;
        resolve({ kind: 'send', bytes: file.buffer, rows, choices, next: nextPart(shown) });
      }),
      onDownload: onShown((file) => saveFile([file], `${name.replace(/\.[^.]*$/, '')}-corrected.csv`)),
      onOther: () => resolve({ kind: 'other', notice: null }),
    };
    signal.throwIfAborted();
    draw();
    card.show('stepFile', place);
  });
}

/** The part behind the one that is imported, or null if there is none. */
function nextPart({
  examination,
  choices,
}: {
  readonly examination: Examination;
  readonly choices: Choices;
}): NextPart | null {
  const rows = examination.findings.find(({ kind }) => kind === 'rows');
  const { part = 1 } = choices;
  if (rows?.limit == null || !rows.isAgreed || part * rows.limit >= rows.count) return null;
  const to = Math.min(rows.count, (part + 1) * rows.limit);
  return { from: part * rows.limit + 1, to, choices: { ...choices, part: part + 1 } };
}

/** Says that the file on screen is about to change. The boxes stay as they are, for further choices. */
function setBusy(place: HTMLElement): void {
  place.setAttribute('aria-busy', 'true');
  for (const each of place.querySelectorAll(`[${OF_FILE}]`)) each.setAttribute('aria-disabled', 'true');
}

function focusedBox(place: HTMLElement): string {
  const root = place.getRootNode();
  const focused = root instanceof ShadowRoot ? root.activeElement : null;
  return focused?.getAttribute('name') ?? '';
}
