import { button, h } from '../../shared/dom.ts';
import { fillIn } from '../../shared/labels.ts';
import type { SvcImportFixLabel } from '../svcimport-widget.d.ts';
import type { Examination } from './examine.ts';
import type { Finding, FixFault, FixKind } from './findings.ts';
import type { PreviewLine } from './preview.ts';

export type FixTexts = Readonly<Record<SvcImportFixLabel, string>>;

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

/** Fills the texts of the step that corrects a file. */
export class FixWords {
  readonly #texts: FixTexts;

  constructor(texts: FixTexts) {
    this.#texts = texts;
  }

  text(name: SvcImportFixLabel, ...values: readonly (string | number)[]): string {
    return fillIn(this.#texts[name], ...values.map((value) => value.toLocaleString()));
  }

  refusal(
    { code, line }: { readonly code: FixFault; readonly line: number | null },
    lineText: string,
  ): string {
    return `${line === null ? '' : `${lineText} `}${this.text(REFUSALS[code])}`;
  }

  separator(separator: string): string {
    return this.text(SEPARATORS[separator] ?? 'fixComma');
  }

  seen({ kind, examples, line }: Finding, encoding: string): string {
    const [, seen] = textsOf(kind);
    const listed = examples.map((example) => visible(example)).join(', ');
    if (kind === 'encoding') {
      return listed === '' ? this.text('fixEncodingPlain', encoding) : this.text(seen, encoding, listed);
    }
    if (kind === 'separator') return this.text(seen, this.separator(examples[0] ?? ''));
    return this.text(seen, examples.length > 0 ? listed : (line ?? 1));
  }
}

/** Makes the content of the step: the findings with their boxes, the file before and after, and the buttons. */
export function fixContent(
  words: FixWords,
  name: string,
  examination: Examination,
  actions: FixActions,
  refusal: string | null,
): HTMLElement[] {
  const { encoding, separator, rows, findings, preview } = examination;
  const isChanged = examination.corrected !== null;
  const reading = words.text('fixRead', encoding, words.separator(separator), rows);
  const intro = h('p', {}, h('b', {}, words.text('fixTitle', name)), reading);
  const boxes = findings.map((finding) => box(words, finding, encoding, actions));
  const changes = h('fieldset', {}, h('legend', {}, words.text('fixChanges')), ...boxes);
  const upload = button(
    words.text(isChanged || refusal !== null ? 'fixUpload' : 'fixUploadUnchanged'),
    actions.onUpload,
    {
      class: 'primary',
      'aria-describedby': 'refusal',
    },
  );
  upload.disabled = refusal !== null;
  const download = button(words.text('fixDownload'), actions.onDownload);
  const buttons = [upload, ...(isChanged ? [download] : []), button(words.text('fixOther'), actions.onOther)];
  const reason = h('p', { id: 'refusal', role: 'status' });
  if (refusal !== null) reason.append(h('b', {}, words.text('fixRefused')), refusal);
  return [
    intro,
    changes,
    h('p', {}, words.text('fixPromise')),
    before(words, preview),
    ...(refusal === null ? [after(words, preview)] : []),
    h('div', { class: 'buttons' }, ...buttons),
    reason,
  ];
}

function box(words: FixWords, finding: Finding, encoding: string, { onChoice }: FixActions): HTMLElement {
  const { kind, count, isAgreed } = finding;
  const input = h('input', { type: 'checkbox', name: kind });
  input.checked = isAgreed;
  input.addEventListener('change', () => onChoice(kind, input.checked));
  const [change] = textsOf(kind);
  const text = h('span', {}, words.text(change, count), h('small', {}, words.seen(finding, encoding)));
  return h('label', { class: 'fix' }, input, text);
}

function before(words: FixWords, preview: readonly PreviewLine[]): HTMLElement {
  const lines = preview.map(({ line, before: text }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row', class: 'n' }, String(line)),
      h('td', { class: 'raw' }, visible(text)),
    ),
  );
  return shown(words.text('fixBefore'), h('table', {}, h('tbody', {}, ...lines)));
}

function after(words: FixWords, preview: readonly PreviewLine[]): HTMLElement {
  const at = preview.findIndex((line) => line.after !== null);
  const width = Math.max(0, ...preview.map((line) => line.after?.length ?? 0));
  const lines = preview.map(({ line, after: cells }, index) => {
    const number = h('th', { scope: 'row', class: 'n' }, String(line));
    if (cells === null)
      return h('tr', {}, number, h('td', { colspan: width, class: 'out' }, words.text('fixLeftOut')));
    const each = cells.map((cell) =>
      index === at ? h('th', { scope: 'col' }, visible(cell)) : h('td', {}, visible(cell)),
    );
    return h('tr', {}, number, ...each);
  });
  return shown(words.text('fixAfter'), h('table', {}, h('tbody', {}, ...lines)));
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
