// The part of the import widget that asks about a file: a module that the widget loads if it has to ask.
import { changesMade } from '../../../schemas/imports/fix/changes-made.ts';
import type { Examination } from '../../../schemas/imports/fix/examination.ts';
import type { Choices } from '../../../schemas/imports/fix/findings.ts';
import { type Child, h } from '../../shared/dom.ts';
import { sizeText } from '../file-check.ts';
import type { FixRequest, FixResult, NextPart } from '../fix-flow.ts';
import { OF_FILE, refusalText } from '../fix-refusals.ts';
import { saveFile } from '../save-file.ts';
import { ASK_LABELS } from './ask-labels.ts';
import { fixContent } from './content.ts';

/** Shows a file and asks the person about its changes, until it is sent or another one is chosen. */
export function ask(request: FixRequest, first: Examination): Promise<FixResult> {
  const { card, name, bytes, limits, signal } = request;
  card.add(ASK_LABELS);
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
      const isOpen = place.querySelector('details')?.open ?? request.asks;
      const { examination } = shown;
      place.replaceChildren(
        ...fixContent({ card, name, ...shown, actions, refusal: refusalOf(examination), isOpen }),
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
        signal.addEventListener('abort', () => mine.abort(), { signal: mine.signal });
        looking = mine;
        const choices = change(wanted);
        wanted = choices;
        setBusy(place);
        void request
          .examineFile(bytes, choices, limits, mine.signal)
          .catch(() => null)
          .then((examination) => {
            // A later choice has its own examination.
            if (mine.signal.aborted) return;
            // Without a result, the decisions are as they were.
            if (examination !== null) shown = { examination, choices };
            draw();
          });
      },
      onUpload: onShown((file) => {
        const { examination, choices } = shown;
        const { rows } = examination;
        const changes = changesMade(examination, choices);
        resolve({ kind: 'send', bytes: file.buffer, rows, changes, choices, next: nextPart(shown) });
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

/** Says that the file on screen is about to change. The choices stay as they are, for further ones. */
function setBusy(place: HTMLElement): void {
  place.setAttribute('aria-busy', 'true');
  for (const each of place.querySelectorAll(`[${OF_FILE}]`)) each.setAttribute('aria-disabled', 'true');
}

function focusedBox(place: HTMLElement): string {
  const root = place.getRootNode();
  const focused = root instanceof ShadowRoot ? root.activeElement : null;
  return focused?.getAttribute('name') ?? '';
}
