import { h, s } from '../shared/dom.ts';
import { alertOf, type Card } from './card.ts';
import { sizeText } from './file-check.ts';

export interface FileChoice {
  readonly maxBytes: number;
  readonly maxRows: number;
  /** The fault of the file that was chosen before, or null. */
  readonly notice: HTMLElement | null;
  readonly onFile: (file: File) => void;
  /** Called when the person wants to see each file, or no longer. */
  readonly onAsk: (asks: boolean) => void;
}

/** The kinds of files that pickers offer. Programs on phones give tables other types than `text/csv`. */
const ACCEPTED =
  '.csv,.tsv,.txt,text/csv,text/comma-separated-values,application/vnd.ms-excel,text/tab-separated-values,text/plain';

/** Shows the place where a file is chosen or dropped. */
export function showFile(card: Card, choice: FileChoice): void {
  const { maxBytes, maxRows, notice, onFile, onAsk } = choice;
  const input = h('input', { type: 'file', accept: ACCEPTED });
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file === undefined || input.disabled) return;
    if (files?.[1] !== undefined) {
      showFile(card, { ...choice, notice: alertOf(card.text('oneFile')) });
      return;
    }
    input.disabled = true;
    onFile(file);
  };
  input.addEventListener('change', () => take(input.files));
  const drop = h(
    'label',
    { class: 'drop' },
    s(
      'svg',
      { width: 20, height: 20, viewBox: '0 0 16 16', 'aria-hidden': 'true', stroke: 'currentColor' },
      s('path', { d: 'M8 10V2.75M4.9 5.6 8 2.5l3.1 3.1M2.75 13.25h10.5' }),
    ),
    h('b', {}, card.text('drop')),
    h('small', {}, card.text('bounds', sizeText(maxBytes), maxRows)),
    input,
  );
  for (const name of ['dragover', 'dragleave', 'drop'] as const) {
    drop.addEventListener(name, (event) => {
      drop.classList.toggle('over', name === 'dragover');
      if (name === 'drop') take(event.dataTransfer?.files);
    });
  }
  const asks = h('input', { type: 'checkbox', name: 'asks' });
  asks.addEventListener('change', () => onAsk(asks.checked));
  onAsk(false);
  card.show('stepFile', notice, drop, h('label', { class: 'fix' }, asks, card.text('fixAsk')));
}
