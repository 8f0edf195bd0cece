import { HIDDEN } from '../../../schemas/base/hidden.ts';
import type { Examination } from '../../../schemas/imports/fix/examination.ts';
import type { Choices, Finding, FixKind, HeaderChoice, Part } from '../../../schemas/imports/fix/findings.ts';
import type { PreviewLine } from '../../../schemas/imports/fix/preview.ts';
import { canSeparate } from '../../../schemas/imports/fix/rows.ts';
import { button, type Child, h } from '../../shared/dom.ts';
import type { Card } from '../card.ts';
import { OF_FILE } from '../fix-refusals.ts';
import { labelName } from '../label-name.ts';
import type { Label } from '../labels.ts';
import { around, listOf, VALUE } from '../values.ts';

/** The actions of a person. */
export interface FixActions {
  readonly onChoice: (change: (choices: Choices) => Choices) => void;
  readonly onUpload: () => void;
  readonly onDownload: () => void;
  readonly onOther: () => void;
}

const SEPARATORS: Readonly<Record<string, Label>> = {
  ',': 'fixComma',
  ';': 'fixSemicolon',
  '\t': 'fixTab',
  '|': 'fixBar',
};
/** Separators that have no name but themselves. */
const SIGNS = ['^', '~', ':'];

/** The rows that a header may take. */
const HEADER_LINES_MAX = 20;
/** Lines that a person can leave out by their numbers: more than a plan allows. */
const LINES_MAX = 100_000;

function separatorText(card: Card, separator: string): string {
  const label = SEPARATORS[separator];
  return label === undefined ? separator.replace(' ', '\u2423') : card.text(label);
}

function seen(card: Card, { kind, count, limit, examples, line }: Finding, encoding: string): Child[] {
  const name = `${labelName('fix', kind)}Seen` as const;
  const hasExamples = examples.length > 0;
  const withExamples = (text: string) => around(text, listOf(examples.map(visible)));
  if (kind === 'encoding')
    return hasExamples
      ? withExamples(card.text(name, encoding, VALUE))
      : [card.text('fixEncodingPlain', encoding)];
  if (kind === 'separator') return [card.text(name, separatorText(card, examples[0] ?? ''))];
  if (limit !== null) return [card.text(name, count, limit)];
  return hasExamples ? withExamples(card.text(name, VALUE)) : [card.text(name, line ?? 1)];
}

/** The content of the step. */
export interface FixContent {
  readonly card: Card;
  readonly name: string;
  readonly examination: Examination;
  readonly choices: Choices;
  readonly actions: FixActions;
  readonly refusal: readonly Child[] | null;
}

/** Makes the content of the step: the findings with their boxes, the file before and after, and the buttons. */
export function fixContent(content: FixContent): HTMLElement[] {
  const { card, name, examination, actions, refusal } = content;
  const { encoding, separator, rows, findings, preview } = examination;
  const isChanged = examination.corrected !== null;
  const reading = card.text('fixRead', encoding, separatorText(card, separator), rows.length);
  const intro = h(
    'p',
    {},
    h('b', {}, ...card.named(findings.length > 0 ? 'fixTitle' : 'fixShown', name)),
    reading,
  );
  const boxes = findings.map((finding) => box(content, finding));
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
  if (refusal !== null) reason.append(h('b', {}, card.text('fixRefused')), h('span', {}, ...refusal));
  return [
    intro,
    h('div', { class: 'places' }, separatorChoice(content), otherSeparator(content)),
    ...(boxes.length > 0 ? [changes] : []),
    h('p', {}, card.text('fixPromise')),
    before(content),
    h('div', { class: 'places' }, ...headerPlace(content), furtherLines(content)),
    ...(refusal === null ? [after(card, preview)] : []),
    h('div', { class: 'buttons' }, ...buttons),
    reason,
  ];
}

function box(content: FixContent, finding: Finding): HTMLElement {
  const { card, examination, actions } = content;
  const { kind, count, limit, isAgreed, parts } = finding;
  const input = h('input', { type: 'checkbox', name: kind });
  input.checked = isAgreed;
  input.indeterminate = !isAgreed && parts.some((part) => part.isAgreed);
  input.addEventListener('change', () =>
    actions.onChoice((choices) => decided(choices, kind, input.checked)),
  );
  const change = labelName('fix', kind);
  const text = h(
    'span',
    {},
    card.text(change, count),
    h('small', {}, ...seen(card, finding, examination.encoding)),
  );
  const label = h('label', { class: 'fix' }, input, text);
  if (kind === 'encoding') return h('div', {}, label, encodingChoice(content));
  if (kind === 'rows' && isAgreed) return h('div', {}, label, rowParts(content, count, limit ?? count));
  if (kind === 'tables') return h('div', {}, label, tableChoice(content, parts));
  if (parts.length === 0) return label;
  const name = card.text(change, count);
  const list = parts.map((part) => partBox(finding, part, actions));
  return h(
    'div',
    {},
    label,
    h('div', { class: 'scroll', role: 'group', 'aria-label': name, tabindex: 0 }, ...list),
    ...(count > parts.length ? [h('small', {}, card.text('firstRows', parts.length, count))] : []),
  );
}

/** The choice of an encoding, each with words as they are in it. */
function encodingChoice({ card, examination, actions }: FixContent): HTMLElement | null {
  const { encoding, encodings } = examination;
  if (encodings.length < 2) return null;
  const names = encodings.map(({ name }) => name);
  return choiceOf(card.text('fixEncodingChoice'), 'encodings', names, encoding, {
    textOf: (name) =>
      `${name}: ${visible(encodings.find((each) => each.name === name)?.words.join(', ') ?? '')}`,
    isOfFile: true,
    onChoose: (name) =>
      actions.onChoice((choices) => ({ ...undecided(choices, 'encoding'), encoding: name })),
  });
}

/** The choices after a decision about a whole change. */
function decided(choices: Choices, kind: FixKind, isAgreed: boolean): Choices {
  const { header, separator, leftOut, columns, part, ...others } = choices;
  return {
    ...others,
    agreed: new Map([...choices.agreed, [kind, isAgreed]]),
    ...(header !== undefined && (isAgreed || kind !== 'titles') && { header }),
    ...(separator !== undefined && kind !== 'separator' && { separator }),
    ...(leftOut !== undefined && kind !== 'notes' && { leftOut }),
    ...(columns !== undefined && kind !== 'columns' && { columns }),
    ...(part !== undefined && kind !== 'rows' && { part }),
  };
}

/** The choices without the decisions about these changes, so that they follow from another one. */
function undecided({ agreed, ...choices }: Choices, ...kinds: readonly FixKind[]): Choices {
  return { ...choices, agreed: new Map([...agreed].filter(([kind]) => !kinds.includes(kind))) };
}

/** The box of one row or column. The others stay as they are chosen, also those whose choice is not on screen yet. */
function partBox({ kind }: Finding, { at, text, isAgreed }: Part, { onChoice }: FixActions): HTMLElement {
  const member = kind === 'columns' ? 'columns' : 'leftOut';
  const input = h('input', { type: 'checkbox', name: `${kind}-${at}` });
  input.checked = isAgreed;
  input.addEventListener('change', () =>
    onChoice((choices) => ({
      ...choices,
      [member]: new Map([...(choices[member] ?? []), [at, input.checked] as const]),
    })),
  );
  const number = kind === 'columns' ? at + 1 : at;
  return h(
    'label',
    { class: 'fix' },
    input,
    h('span', { translate: 'no' }, `${number}: `, h('bdi', {}, visible(text))),
  );
}

/** The choice of one part of more rows than are allowed. */
function rowParts({ card, choices, actions }: FixContent, count: number, limit: number): HTMLElement {
  const parts = [...Array(Math.ceil(count / limit)).keys()].map((at) => at + 1);
  const range = (part: number) =>
    card.text('fixRowsOf', (part - 1) * limit + 1, Math.min(count, part * limit));
  return choiceOf(card.text('fixRowsPart'), 'part', parts, choices.part ?? 1, {
    textOf: range,
    onChoose: (part) => actions.onChoice((before) => ({ ...before, part })),
  });
}

/** The choice of one of several tables. A header that was chosen can be one of another table. */
function tableChoice({ card, actions }: FixContent, parts: readonly Part[]): HTMLElement {
  const chosen = parts.find(({ isAgreed }) => isAgreed);
  return choiceOf(card.text('fixRowsPart'), 'table', parts, chosen ?? null, {
    textOf: (part) => visible(part.text),
    isOfFile: true,
    onChoose: ({ at }) =>
      actions.onChoice((choices) => {
        const { header, ...others } = undecided(choices, 'tables', 'titles', 'joined', 'noHeader');
        return { ...others, table: at };
      }),
  });
}

interface ChoiceTexts<Value> {
  readonly textOf: (value: Value) => string;
  readonly onChoose: (value: Value) => void;
  /** True for texts of the file, which no browser may translate. */
  readonly isOfFile?: boolean;
}

/** A list of which one value is chosen. */
function choiceOf<Value>(
  label: string,
  name: string,
  values: readonly Value[],
  chosen: Value | null,
  { textOf, onChoose, isOfFile }: ChoiceTexts<Value>,
): HTMLElement {
  const options = values.map((value, at) => h('option', { value: at, dir: 'auto' }, textOf(value)));
  const select = h('select', { name, ...(isOfFile && { translate: 'no' }) }, ...options);
  select.selectedIndex = chosen === null ? -1 : values.indexOf(chosen);
  select.addEventListener('change', () => {
    const value = values[select.selectedIndex];
    if (value !== undefined) onChoose(value);
  });
  return h('label', {}, label, select);
}

const LISTED = [...Object.keys(SEPARATORS), ...SIGNS];

/** The choice of the separator. */
function separatorChoice({ card, examination, actions }: FixContent): HTMLElement {
  return choiceOf(card.text('fixSeparatorChoice'), 'separators', LISTED, examination.separator, {
    textOf: (separator) => separatorText(card, separator),
    onChoose: (separator) => actions.onChoice((choices) => withSeparator(choices, separator)),
  });
}

/** A field for a separator that is not listed. */
function otherSeparator({ card, examination: { separator }, actions }: FixContent): HTMLElement {
  const input = h('input', { type: 'text', name: 'sign', maxlength: 1, autocomplete: 'off' });
  input.value = LISTED.includes(separator) ? '' : separator;
  input.addEventListener('change', () => {
    const { value } = input;
    const isWrong = value !== '' && !canSeparate(value);
    input.setCustomValidity(isWrong ? card.text('fixSeparatorWrong') : '');
    if (input.reportValidity() && value !== '') actions.onChoice((choices) => withSeparator(choices, value));
  });
  return h('label', {}, card.text('fixSeparatorOther'), input);
}

function withSeparator(choices: Choices, separator: string): Choices {
  return { ...undecided(choices, 'separator', 'titles', 'joined', 'noHeader'), separator };
}

function headerPlace({ card, examination: { header, lastLine }, actions }: FixContent): HTMLElement[] {
  const choose = (place: HeaderChoice) => actions.onChoice((choices) => withHeader(choices, place));
  const line = h('input', { type: 'number', name: 'header', min: 1, max: lastLine });
  line.value = String(header.line);
  line.addEventListener('change', () => {
    // The browser says which lines there are.
    if (line.reportValidity() && line.value !== '') choose({ line: Number(line.value), lines: header.lines });
  });
  const counts = [...Array(HEADER_LINES_MAX + 1).keys()];
  return [
    h('label', {}, card.text('fixHeaderAt'), line),
    choiceOf(card.text('fixHeaderLines'), 'header-lines', counts, header.lines, {
      textOf: (lines) => (lines === 0 ? card.text('fixNoHeaderLines') : lines.toLocaleString()),
      onChoose: (lines) => choose({ line: header.line, lines }),
    }),
  ];
}

function withHeader(choices: Choices, header: HeaderChoice): Choices {
  return { ...undecided(choices, 'titles', 'joined', 'noHeader'), header };
}

/** A field for lines that are no rows of the table. */
function furtherLines({ card, choices, actions }: FixContent): HTMLElement {
  const input = h('input', { type: 'text', name: 'lines', autocomplete: 'off' });
  const chosen = [...(choices.leftOut ?? [])];
  input.value = linesText(chosen.flatMap(([line, isOut]) => (isOut ? [line] : [])));
  input.addEventListener('change', () =>
    actions.onChoice((before) => {
      const kept = [...(before.leftOut ?? [])].filter(([, isOut]) => !isOut);
      const named = [...linesIn(input.value)].map((line) => [line, true] as const);
      return { ...before, leftOut: new Map([...kept, ...named]) };
    }),
  );
  return h('label', {}, card.text('fixLines'), input);
}

/** The text of numbers, such as `3, 7-9`. */
function linesText(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of [...lines].sort((left, right) => left - right)) {
    const last = ranges.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** The numbers of a text such as `3, 7-9`. */
function linesIn(text: string): Set<number> {
  const lines = new Set<number>();
  for (const [, from, to] of text.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)) {
    for (let line = Number(from); line <= Number(to ?? from) && lines.size < LINES_MAX; line += 1)
      lines.add(line);
  }
  return lines;
}

/** The first lines as they are. A press on the number of one makes it the header. */
function before({ card, examination: { preview, header }, actions }: FixContent): HTMLElement {
  const lines = preview.map(({ line, before: text }) => {
    if (line === null) return null;
    const isHeader = header.lines > 0 && line === header.line;
    const choose = button(
      line.toLocaleString(),
      () => actions.onChoice((choices) => withHeader(choices, { line, lines: 1 })),
      // For pointers: a keyboard has the field for the line.
      { tabindex: -1, 'aria-pressed': isHeader, 'aria-label': card.text('fixHeaderLine', line) },
    );
    return h(
      'tr',
      {},
      h('th', { scope: 'row', class: 'n' }, choose),
      h('td', { class: 'raw', translate: 'no' }, visible(text)),
    );
  });
  return shown(
    card.text('fixBefore'),
    h('table', {}, h('tbody', {}, ...lines)),
    card.text('fixChooseHeader'),
  );
}

function after(card: Card, preview: readonly PreviewLine[]): HTMLElement {
  const checked = preview.filter(({ isChecked }) => isChecked);
  const at = checked.findIndex((line) => line.after !== null);
  const width = Math.max(0, ...checked.map((line) => line.after?.length ?? 0));
  const lines = checked.map(({ line, after: cells }, index) => {
    const number = h('th', { scope: 'row', class: 'n' }, line?.toLocaleString() ?? '');
    if (cells === null)
      return h('tr', {}, number, h('td', { colspan: width, class: 'out' }, card.text('fixLeftOut')));
    const each = cells.map((cell) =>
      index === at
        ? h('th', { scope: 'col', translate: 'no' }, h('bdi', {}, visible(cell)))
        : h('td', { translate: 'no' }, h('bdi', {}, visible(cell))),
    );
    return h('tr', {}, number, ...each);
  });
  return shown(card.text('fixAfter'), h('table', {}, h('tbody', {}, ...lines)));
}

function shown(label: string, table: HTMLElement, hint = ''): HTMLElement {
  const region = h('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, table);
  return h('div', { class: 'moving' }, h('p', {}, `${label} `, h('small', {}, hint)), region);
}

/** A text with its characters without a shape visible. */
function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    // The picture of a control character.
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
  });
}
