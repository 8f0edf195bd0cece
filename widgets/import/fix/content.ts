import type { Choices, Finding, FixKind, Part } from '../../../schemas/imports/fix/findings.ts';
import { button, type Child, h } from '../../shared/dom.ts';
import type { Card } from '../card.ts';
import { OF_FILE } from '../fix-refusals.ts';
import { labelName } from '../label-name.ts';
import type { Label } from '../labels.ts';
import { around, listOf, VALUE } from '../values.ts';
import { type FixActions, type FixContent, visible } from './content-parts.ts';
import { before, pair } from './pair.ts';
import { choiceOf, encodingChoice, separatorText, settings, undecided } from './settings.ts';

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

/** Makes the content of the step: the findings with their boxes, the file before and after, and the buttons. */
export function fixContent(content: FixContent): HTMLElement[] {
  const { card, name, examination, actions, refusal } = content;
  const { encoding, separator, rows, findings } = examination;
  const isChanged = examination.corrected !== null;
  const reading = card.text('fixRead', encoding, separatorText(card, separator), rows.length);
  const intro = h(
    'p',
    {},
    h('b', {}, ...card.named(findings.length > 0 ? 'fixTitle' : 'fixShown', name)),
    reading,
  );
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
  const isUndecided = findings.some(({ isOpen }) => isOpen);
  const isRead = refusal === null || isUndecided;
  const reason = h('p', { id: 'refusal', role: 'status' });
  if (refusal !== null)
    reason.append(...(isUndecided ? [] : [h('b', {}, card.text('fixRefused'))]), h('span', {}, ...refusal));
  return [
    intro,
    ...(findings.length > 0 ? [sentences(content)] : []),
    isRead ? pair(content) : before(content),
    h('p', {}, card.text('fixPromise')),
    settings(content, content.isOpen || !isRead),
    h('div', { class: 'buttons' }, ...buttons),
    reason,
  ];
}

/** The findings, each as a sentence with its decision. */
function sentences(content: FixContent): HTMLElement {
  const { card, examination } = content;
  const items = examination.findings.map((finding) =>
    h('li', { ...(finding.isOpen && { class: 'open' }) }, sentence(content, finding)),
  );
  return h('ul', { class: 'sentences', 'aria-label': card.text('fixChanges') }, ...items);
}

/** A change of the form has a box. Every other one has two buttons, and none is pressed before the person decides. */
function sentence(content: FixContent, finding: Finding): HTMLElement {
  const { card, examination } = content;
  const { kind, count, limit, isAgreed, parts } = finding;
  const name = card.text(labelName('fix', kind), count);
  const text = h('span', {}, name, h('small', {}, ...seen(card, finding, examination.encoding)));
  const label = finding.isAsked ? decision(content, finding, text) : box(content, finding, text);
  if (kind === 'encoding') return h('div', {}, label, encodingChoice(content));
  if (kind === 'rows' && isAgreed) return h('div', {}, label, rowParts(content, count, limit ?? count));
  if (kind === 'tables') return h('div', {}, label, tableChoice(content, parts));
  if (parts.length === 0) return label;
  const list = parts.map((part) => partBox(finding, part, content.actions));
  return h(
    'div',
    {},
    label,
    h('div', { class: 'scroll', role: 'group', 'aria-label': name, tabindex: 0 }, ...list),
    ...(count > parts.length ? [h('small', {}, card.text('firstRows', parts.length, count))] : []),
  );
}

function box({ actions }: FixContent, { kind, isAgreed }: Finding, text: HTMLElement): HTMLElement {
  const input = h('input', { type: 'checkbox', name: kind });
  input.checked = isAgreed;
  input.addEventListener('change', () =>
    actions.onChoice((choices) => decided(choices, kind, input.checked)),
  );
  return h('label', { class: 'fix' }, input, text);
}

/** Changes that leave something out. */
const OMITTED: readonly FixKind[] = ['titles', 'notes', 'columns'];

function decision(
  { card, actions }: FixContent,
  { kind, isOpen, isAgreed }: Finding,
  text: HTMLElement,
): HTMLElement {
  const made = isOpen ? null : isAgreed;
  const press = (label: Label, isMade: boolean) =>
    button(card.text(label), () => actions.onChoice((before) => decided(before, kind, isMade)), {
      name: `${kind}-${isMade ? 'make' : 'keep'}`,
      'aria-pressed': made === isMade,
    });
  text.id = kind;
  const buttons = [press(OMITTED.includes(kind) ? 'fixOmit' : 'fixMake', true), press('fixKeep', false)];
  return h(
    'div',
    { class: 'decision' },
    text,
    h('div', { role: 'group', 'aria-labelledby': text.id }, ...buttons),
  );
}

/** The choices after a decision about a whole change. */
function decided(choices: Choices, kind: FixKind, isAgreed: boolean): Choices {
  const { header, separator, leftOut, columns, part, ...others } = choices;
  return {
    ...others,
    agreed: new Map([...choices.agreed, [kind, isAgreed]]),
    ...(header !== undefined && (isAgreed || kind !== 'titles') && { header }),
    ...(separator !== undefined && kind !== 'separator' && { separator }),
    // Single lines that were chosen before the first decision about all stay as they are.
    ...(leftOut !== undefined && (kind !== 'notes' || !choices.agreed.has('notes')) && { leftOut }),
    ...(columns !== undefined && kind !== 'columns' && { columns }),
    ...(part !== undefined && kind !== 'rows' && { part }),
  };
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
