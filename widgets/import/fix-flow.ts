import { h } from '../shared/dom.ts';
import { alertOf, type Card } from './card.ts';
import { sizeText } from './file-check.ts';
import type { Examination } from './fix/examine.ts';
import type { FixKind } from './fix/findings.ts';
import type { examineFile } from './fix/main.ts';
import { fixContent, refusalText } from './fix-step.ts';

export interface FixRequest {
  readonly card: Card;
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly maxBytes: number;
  readonly examine: typeof examineFile;
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
  const { card, name, bytes, examine, signal } = request;
  card.show('stepFile', h('p', { 'aria-busy': 'true' }, card.text('fixLooking', name)));
  const first = await examine(bytes, new Map(), signal);
  if (first === null) return { kind: 'unread' };
  const { refusal, findings } = first;
  if (refusal !== null && !refusal.canBeRemoved) {
    const reason = `${refusalText(card, refusal)} ${card.text('fixYourself')}`;
    return { kind: 'other', notice: alertOf(`${card.text('fixRefused')} `, reason) };
  }
  if (!findings.some(({ isNeeded }) => isNeeded)) return { kind: 'send', bytes: bytes.buffer };
  return await ask(request, first);
}

function ask(request: FixRequest, first: Examination): Promise<FixResult> {
  const { card, name, bytes, examine, signal } = request;
  const place = h('div', { class: 'fixes' });
  const choices = new Map<FixKind, boolean>();
  let current = first;
  let asked = 0;
  return new Promise((resolve) => {
    const draw = (): void => {
      const chosen = focusedBox(place);
      const content = fixContent(card, name, current, actions, refusalOf(current));
      place.replaceChildren(...content);
      place.querySelector<HTMLElement>(`[name="${chosen}"]`)?.focus();
    };
    const refusalOf = ({ refusal, corrected }: Examination): string | null => {
      if (refusal !== null) return refusalText(card, refusal);
      const size = corrected?.length ?? bytes.length;
      if (size <= request.maxBytes) return null;
      return card.text('tooLarge', name, sizeText(size), sizeText(request.maxBytes));
    };
    const actions = {
      onChoice(kind: FixKind, isAgreed: boolean): void {
        choices.set(kind, isAgreed);
        asked += 1;
        const mine = asked;
        examine(bytes, new Map(choices), signal).then(
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
