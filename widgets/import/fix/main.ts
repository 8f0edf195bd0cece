// The part of the import widget that corrects a file: a module that the widget loads once a file is chosen.
import { h } from '../../shared/dom.ts';
import { relabel } from '../../shared/labels.ts';
import { alertOf, type Card } from '../card.ts';
import { sizeText } from '../file-check.ts';
import { type Examination, examine } from './examine.ts';
import type { FixKind } from './findings.ts';
import { FixWords, fixContent } from './fix-step.ts';
import { FIX_LABELS } from './labels.ts';
import { inSlices } from './slices.ts';

export interface FixRequest {
  readonly card: Card;
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly maxBytes: number;
  /** The texts of the page. */
  readonly labels: unknown;
  readonly signal: AbortSignal;
}

/**
 * - `send`: these bytes are to be uploaded.
 * - `other`: the person chooses another file; a notice says why if it was not the person's wish.
 * - `unread`: the file cannot be examined.
 */
export type FixResult =
  | { readonly kind: 'send'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'other'; readonly notice: HTMLElement | null }
  | { readonly kind: 'unread' };

/** Looks at a file, and asks the person about every change that it needs. A file without a need is passed on at once. */
export async function fixFile(request: FixRequest): Promise<FixResult> {
  const { card, name, bytes } = request;
  const words = new FixWords(relabel(FIX_LABELS, request.labels));
  const looking = h('p', { 'aria-busy': 'true' }, words.text('fixLooking', name));
  card.show('stepFile', looking);
  const first = await examined(request, new Map());
  if (first === null) return { kind: 'unread' };
  const { refusal, findings } = first;
  if (refusal !== null && !refusal.canBeRemoved) {
    const reason = words.refusal(refusal, card.text('line', refusal.line ?? 1));
    return {
      kind: 'other',
      notice: alertOf(`${words.text('fixRefused')} `, `${reason} ${words.text('fixYourself')}`),
    };
  }
  if (!findings.some(({ isNeeded }) => isNeeded)) return { kind: 'send', bytes: bytes.buffer };
  return await ask(request, words, first);
}

function ask(request: FixRequest, words: FixWords, first: Examination): Promise<FixResult> {
  const { card, name, bytes, signal } = request;
  const place = h('div', { class: 'fixes' });
  const choices = new Map<FixKind, boolean>();
  let current = first;
  let asked = 0;
  return new Promise((resolve) => {
    const draw = (): void => {
      const chosen = focusedBox(place);
      const content = fixContent(words, name, current, actions, refusalOf(current));
      place.replaceChildren(...content);
      place.querySelector<HTMLElement>(`[name="${chosen}"]`)?.focus();
    };
    const refusalOf = ({ refusal, corrected }: Examination): string | null => {
      if (refusal !== null) return words.refusal(refusal, card.text('line', refusal.line ?? 1));
      const size = corrected?.length ?? bytes.length;
      if (size <= request.maxBytes) return null;
      return card.text('tooLarge', name, sizeText(size), sizeText(request.maxBytes));
    };
    const actions = {
      onChoice(kind: FixKind, isAgreed: boolean): void {
        choices.set(kind, isAgreed);
        asked += 1;
        const mine = asked;
        examined(request, choices).then(
          (examination) => {
            // A later choice has its own examination.
            if (mine !== asked || examination === null) return;
            current = examination;
            draw();
          },
          () => undefined,
        );
      },
      onUpload: () => resolve({ kind: 'send', bytes: (current.corrected ?? bytes).buffer }),
      onDownload: () => download(current.corrected ?? bytes, name),
      onOther: () => resolve({ kind: 'other', notice: null }),
    };
    signal.throwIfAborted();
    draw();
    card.show('stepFile', place);
  });
}

function examined(
  { bytes, signal }: FixRequest,
  choices: ReadonlyMap<FixKind, boolean>,
): Promise<Examination | null> {
  return inSlices(examine(bytes, new Map(choices)), signal);
}

function focusedBox(place: HTMLElement): string {
  const root = place.getRootNode();
  const focused = root instanceof ShadowRoot ? root.activeElement : null;
  return focused?.getAttribute('name') ?? '';
}

function download(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const href = URL.createObjectURL(new Blob([bytes], { type: 'text/csv' }));
  h('a', { href, download: `${name.replace(/\.[^.]*$/, '')}-corrected.csv` }).click();
  URL.revokeObjectURL(href);
}
