import { button, h } from '../shared/dom.ts';
import type { Card } from './card.ts';
import type { Examination } from './fix/examine.ts';
import type { Finding, FixFault, FixKind } from './fix/findings.ts';
import type { PreviewLine } from './fix/preview.ts';
import type { SvcImportFixLabel } from './svcimport-widget.d.ts';

/** Marks a button that does something with the file as it is on screen. */
export const OF_FILE = 'data-of-file';

/** The actions of a person. */
export interface FixActions {
  readonly onChoice: (kind: FixKind, isAgreed: boolean) => void;
  readonly onUpload: () => void;
  readonly onDownload: () => void;
  readonly onOther: () => void;
}

const SEPARATORS: Readonly<Record<string, SvcImportFixLabel>> = {
  ',': 'fixComma',
  ';': 'fixSemicolon',
  '\t': 'fixTab',
  '|': 'fixBar',
};

/** The service's reasons for a refusal. */
export const REFUSALS: Readonly<Record<FixFault, SvcImportFixLabel>> = {
  invalid_utf8: 'fixInvalidUtf8',
  nul_byte: 'fixNulByte',
  unclosed_quote: 'fixUnclosedQuote',
  stray_quote: 'fixStrayQuote',
  lone_cr: 'fixLoneCr',
  empty_header: 'fixEmptyHeader',
  duplicate_header: 'fixDuplicateHeader',
};

/** The names of two texts: the change, and what is seen. */
function textsOf(kind: FixKind): readonly [SvcImportFixLabel, SvcImportFixLabel] {
  const name = `fix${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as SvcImportFixLabel;
  return [name, `${name}Seen` as SvcImportFixLabel];
}

/** The service's reason for a refusal, with its line. */
export function refusalText(
  card: Card,
  { code, line }: { readonly code: FixFault; readonly line: number | null },
): string {
  return `${line === null ? '' : `${card.text('line', line)} `}${card.text(REFUSALS[code])}`;
}

function separatorText(card: Card, separator: string): string {
  return card.text(SEPARATORS[separator] ?? 'fixComma');
}

function seen(card: Card, { kind, examples, line }: Finding, encoding: string): string {
  const [, name] = textsOf(kind);
  const listed = examples.map((example) => visible(example)).join(', ');
  if (kind === 'encoding') {
    return listed === '' ? card.text('fixEncodingPlain', encoding) : card.text(name, encoding, listed);
  }
  if (kind === 'separator') return card.text(name, separatorText(card, examples[0] ?? ''));
  return card.text(name, examples.length > 0 ? listed : (line ?? 1));
}

/** Makes the content of the step: the findings with their boxes, the file before and after, and the buttons. */
export function fixContent(
  card: Card,
  name: string,
  examination: Examination,
  actions: FixActions,
  refusal: string | null,
): HTMLElement[] {
  const { encoding, separator, rows, findings, preview } = examination;
  const isChanged = examination.corrected !== null;
  const reading = card.text('fixRead', encoding, separatorText(card, separator), rows);
  const intro = h('p', {}, h('b', {}, card.text('fixTitle', name)), reading);
  const boxes = findings.map((finding) => box(card, finding, encoding, actions));
  const changes = h('fieldset', {}, h('legend', {}, card.text('fixChanges')), ...boxes);
  const upload = button(
    card.text(isChanged || refusal !== null ? 'fixUpload' : 'fixUploadUnchanged'),
    actions.onUpload,
    {
      class: 'primary',
      'aria-describedby': 'refusal',
      [OF_FILE]: '',
    },
  );
  upload.disabled = refusal !== null;
  const download = button(card.text('fixDownload'), actions.onDownload, { [OF_FILE]: '' });
  const buttons = [
    upload,
    ...(isChanged ? [download] : []),
    card.action(card.text('fixOther'), actions.onOther),
  ];
  const reason = h('p', { id: 'refusal', role: 'status' });
  if (refusal !== null) reason.append(h('b', {}, card.text('fixRefused')), refusal);
  return [
    intro,
    changes,
    h('p', {}, card.text('fixPromise')),
    before(card, preview),
    ...(refusal === null ? [after(card, preview)] : []),
    h('div', { class: 'buttons' }, ...buttons),
    reason,
  ];
}

function box(card: Card, finding: Finding, encoding: string, { onChoice }: FixActions): HTMLElement {
  const { kind, count, isAgreed } = finding;
  const input = h('input', { type: 'checkbox', name: kind });
  input.checked = isAgreed;
  input.addEventListener('change', () => onChoice(kind, input.checked));
  const [change] = textsOf(kind);
  const text = h('span', {}, card.text(change, count), h('small', {}, seen(card, finding, encoding)));
  return h('label', { class: 'fix' }, input, text);
}

function before(card: Card, preview: readonly PreviewLine[]): HTMLElement {
  const lines = preview.map(({ line, before: text }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row', class: 'n' }, String(line)),
      h('td', { class: 'raw' }, visible(text)),
    ),
  );
  return shown(card.text('fixBefore'), h('table', {}, h('tbody', {}, ...lines)));
}

function after(card: Card, preview: readonly PreviewLine[]): HTMLElement {
  const at = preview.findIndex((line) => line.after !== null);
  const width = Math.max(0, ...preview.map((line) => line.after?.length ?? 0));
  const lines = preview.map(({ line, after: cells }, index) => {
    const number = h('th', { scope: 'row', class: 'n' }, String(line));
    if (cells === null)
      return h('tr', {}, number, h('td', { colspan: width, class: 'out' }, card.text('fixLeftOut')));
    const each = cells.map((cell) =>
      index === at ? h('th', { scope: 'col' }, visible(cell)) : h('td', {}, visible(cell)),
    );
    return h('tr', {}, number, ...each);
  });
  return shown(card.text('fixAfter'), h('table', {}, h('tbody', {}, ...lines)));
}

function shown(label: string, table: HTMLElement): HTMLElement {
  const region = h('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, table);
  return h('div', { class: 'moving' }, h('p', {}, label), region);
}

/** A text with its control characters visible. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu, (character) => {
    const code = character.charCodeAt(0);
    // The picture of a control character.
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
  });
}
