// The part of the import widget that knows the fields of a schema: a module that the widget loads with the file.
import type { CountedChange } from '../../../schemas/imports/changed-texts.ts';
import { type Child, h } from '../../shared/dom.ts';
import type { Field } from '../api.ts';
import type { Card } from '../card.ts';
import { labelName } from '../label-name.ts';
import { nameOf } from '../mapping.ts';
import { around, VALUE } from '../values.ts';
import { COLUMN_LABELS } from './column-labels.ts';

// biome-ignore lint/performance/noBarrelFile: The widget loads everything about columns from this one file.
export { suggest } from './suggest.ts';

/** Makes the texts about each field by its key: type and rules, then the description. */
export function fieldTexts(card: Card, fields: readonly Field[]): ReadonlyMap<string, readonly Node[]> {
  card.add(COLUMN_LABELS);
  return new Map(
    fields.map((field) => {
      const { key, description } = field;
      const rules = h(
        'small',
        {},
        ...rulesOf(card, field)
          .flatMap((rule) => [', ', ...rule])
          .slice(1),
      );
      return [key, description ? [rules, h('small', { dir: 'auto' }, description)] : [rules]];
    }),
  );
}

function rulesOf(card: Card, { required, example, ...field }: Field): (readonly Child[])[] {
  const { maxLength, precision, scale } = field;
  return [
    [typeText(card, field)],
    ...(required ? [[card.text('ruleRequired')]] : []),
    ...(maxLength === undefined ? [] : [[card.text('ruleCharacters', maxLength)]]),
    ...(precision === undefined ? [] : [[card.text('ruleDigits', precision)]]),
    ...(scale === undefined ? [] : [[card.text('rulePlaces', scale)]]),
    ...(example === undefined
      ? []
      : [around(card.text('example', VALUE), h('bdi', { translate: 'no' }, example))]),
  ];
}

function typeText(card: Card, { type, format = 'YYYY-MM-DD' }: Pick<Field, 'type' | 'format'>): string {
  switch (type) {
    case 'text':
    case 'integer':
    case 'decimal':
    case 'boolean':
      return card.text(labelName('type', type));
    case 'date':
      return card.text('typeDate', format);
    default:
      // A type that this release does not know.
      return type;
  }
}

/** Lists what was changed before a file was sent. */
export function changeList(
  card: Card,
  changes: readonly CountedChange[],
  fields: readonly Field[],
): HTMLElement {
  card.add(COLUMN_LABELS);
  const lines = changes.map(({ kind, column, cells, rows, lines: count }) => {
    const field = fields.find(({ key }) => key === column);
    const facts = [
      field === undefined ? column : nameOf(field),
      cells === undefined ? undefined : card.text('countCells', cells),
      rows === undefined ? undefined : card.text('countRows', rows),
      count === undefined ? undefined : card.text('countLines', count),
    ].filter((fact) => fact !== undefined);
    const texts: Readonly<Record<string, string>> = card.texts;
    const words = texts[labelName('changed', kind)] ?? kind;
    return h('li', {}, facts.length === 0 ? words : `${words} (${facts.join(', ')})`);
  });
  return h('div', {}, h('p', {}, card.text('changedBefore')), h('ul', {}, ...lines));
}
