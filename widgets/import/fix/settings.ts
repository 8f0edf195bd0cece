import type { Choices, FixKind, HeaderChoice } from '../../../schemas/imports/fix/findings.ts';
import { canSeparate } from '../../../schemas/imports/fix/rows.ts';
import { h } from '../../shared/dom.ts';
import type { Card } from '../card.ts';
import type { Label } from '../labels.ts';
import { type FixContent, visible } from './content-parts.ts';

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

/** The name of a separator. */
export function separatorText(card: Card, separator: string): string {
  const label = SEPARATORS[separator];
  return label === undefined ? separator.replace(' ', '\u2423') : card.text(label);
}

/** Makes the settings with which a file is read, behind one line. */
export function settings(content: FixContent, isOpen: boolean): HTMLElement {
  const { card } = content;
  return h(
    'details',
    { class: 'more', ...(isOpen && { open: '' }) },
    h('summary', { name: 'settings' }, card.text('fixSettings')),
    h(
      'div',
      { class: 'places' },
      separatorChoice(content),
      otherSeparator(content),
      ...headerPlace(content),
      furtherLines(content),
    ),
  );
}

/** The choices without the decisions about these changes, so that they follow from another one. */
export function undecided({ agreed, ...choices }: Choices, ...kinds: readonly FixKind[]): Choices {
  return { ...choices, agreed: new Map([...agreed].filter(([kind]) => !kinds.includes(kind))) };
}

/** The choice of an encoding, each with words as they are in it. */
export function encodingChoice({ card, examination, actions }: FixContent): HTMLElement | null {
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

interface ChoiceTexts<Value> {
  readonly textOf: (value: Value) => string;
  readonly onChoose: (value: Value) => void;
  /** True for texts of the file, which no browser may translate. */
  readonly isOfFile?: boolean;
}

/** A list of which one value is chosen. */
export function choiceOf<Value>(
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
    if (line.reportValidity() && line.value !== '') choose({ line: Number(line.value), lines: 1 });
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

/** The choices with a header on another line. */
export function withHeader(choices: Choices, header: HeaderChoice): Choices {
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
