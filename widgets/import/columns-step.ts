import { type Attributes, h } from '../shared/dom.ts';
import type { Field, Source } from './api.ts';
import type { Card } from './card.ts';
import { assign, type Mapping, missing, nameOf } from './mapping.ts';
import { around, listOf, VALUE } from './values.ts';

/** The number of sample values of a column. */
const SAMPLES_MAX = 3;

/** The choice of how the columns of a file are written. */
export interface WrittenColumns {
  readonly heads: readonly string[];
  /** Makes the cells of a column. */
  readonly cells: (index: number) => readonly HTMLElement[];
  /** Takes a mapping. Calls back at each change that may follow. */
  readonly follow: (mapping: Mapping, changed: () => void) => void;
  /** Says what is still to be chosen, or null. */
  readonly lacks: () => readonly (Node | string)[] | null;
}

export interface ColumnsChoice {
  readonly source: Source;
  readonly fields: readonly Field[];
  /** The texts about a field, by its key. */
  readonly texts: ReadonlyMap<string, readonly Node[]>;
  readonly mapping: Mapping;
  /** The number of rows, if it is known. */
  readonly rows: number | null;
  readonly onCheck: (mapping: Mapping) => void;
  /** Leads back to the file; null if this page does not have it. */
  readonly onBack: ((mapping: Mapping) => void) | null;
  /** Null before the file was sent. */
  readonly onCancel: (() => void) | null;
  readonly written?: WrittenColumns;
}

/** Shows which column goes to which field. Rows cannot be checked before every required field has a column. */
export function showColumns(
  card: Card,
  { source, fields, texts, rows: count, written, onCheck, onBack, onCancel, ...choice }: ColumnsChoice,
): void {
  let { mapping } = choice;
  const lacks = h('p', { id: 'lacks', role: 'status' });
  const check = card.action(
    count === null ? card.text('check') : card.text('checkRows', count),
    () => onCheck(mapping),
    {
      class: 'primary',
      'aria-describedby': 'lacks',
    },
  );
  const ordered = [...fields].sort((left, right) => Number(right.required) - Number(left.required));
  const abouts = source.headers.map((_, index) => h('div', { id: `about-${index}` }));
  const selects = source.headers.map((header, index) => {
    const select = fieldSelect(card, ordered, {
      'aria-label': `${card.text('goesTo')}, ${header}`,
      'aria-describedby': `about-${index}`,
    });
    select.addEventListener('change', () => {
      mapping = assign(mapping, index, select.value === '' ? null : select.value);
      update();
    });
    return select;
  });
  const update = (): void => {
    selects.forEach((select, index) => {
      const key = mapping[index] ?? '';
      select.value = key;
      abouts[index]?.replaceChildren(...(texts.get(key) ?? []));
    });
    written?.follow(mapping, lack);
    lack();
  };
  const lack = (): void => {
    const names = missing(mapping, fields);
    const text = names.length > 0 ? around(card.text('missing', VALUE), listOf(names)) : written?.lacks();
    check.disabled = text != null;
    lacks.replaceChildren(...(text ?? []));
  };
  const rows = source.headers.map((header, index) =>
    h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row', translate: 'no' },
        h('bdi', {}, header),
        h('small', {}, samplesOf(source, index)),
      ),
      h('td', {}, selects[index] ?? null, abouts[index] ?? null),
      ...(written?.cells(index) ?? []),
    ),
  );
  const heads = [card.text('yourColumn'), card.text('goesTo'), ...(written?.heads ?? [])].map((head) =>
    h('th', { scope: 'col' }, head),
  );
  const table = h(
    'table',
    { class: written ? 'map values' : 'map' },
    h('thead', {}, h('tr', {}, ...heads)),
    h('tbody', {}, ...rows),
  );
  update();
  const cancel = onCancel && card.action(card.text('cancel'), onCancel);
  const back = onBack && card.action(card.text('back'), () => onBack(mapping));
  card.show('stepColumns', table, h('div', { class: 'buttons' }, check, back, cancel), lacks);
}

function fieldSelect(card: Card, fields: readonly Field[], names: Attributes): HTMLSelectElement {
  const select = h('select', names);
  select.append(
    h('option', { value: '' }, card.text('leaveOut')),
    ...fields.map((field) =>
      h(
        'option',
        { value: field.key, translate: 'no', dir: 'auto' },
        field.required ? card.text('required', nameOf(field)) : nameOf(field),
      ),
    ),
  );
  return select;
}

function samplesOf({ sample }: Source, index: number): HTMLElement {
  const values = sample.flatMap((row) => (row?.[index] ? [row[index]] : []));
  return listOf(values.slice(0, SAMPLES_MAX));
}
