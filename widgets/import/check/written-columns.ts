import type {
  ColumnReadings,
  FieldRule,
  FoundReading,
  Reading,
} from '../../../schemas/imports/values/values.ts';
import { SAME } from '../../../schemas/imports/values/values.ts';
import { type Child, h } from '../../shared/dom.ts';
import type { Field } from '../api.ts';
import type { Card } from '../card.ts';
import type { WrittenColumns } from '../columns-step.ts';
import type { Mapping } from '../mapping.ts';
import { around, listOf, VALUE } from '../values.ts';
import { lossText, questionText, readingText, ruleOf, valueInWords } from './reading-texts.ts';

/** The values that stay out, of which some are listed. */
const OUT_SHOWN_MAX = 3;

/** The choice for one column, as far as it is known. */
export interface ColumnWriting {
  readonly field: Field;
  /** Null while the column is read. */
  readonly found: ColumnReadings | null;
  /** The reading that the person or, where it is ready chosen, the engine has chosen. */
  readonly reading: Reading | null;
  /** Words for nothing that are ticked. */
  readonly nothing: readonly string[];
}

/** Reads a column with some words for nothing. */
export type ReadColumn = (
  index: number,
  field: FieldRule,
  nothing: readonly string[],
) => Promise<ColumnReadings>;

/** The part of the Columns step in which a person chooses how each column is written. */
export class WritingChoice implements WrittenColumns {
  readonly heads: readonly string[];
  readonly #card: Card;
  readonly #headers: readonly string[];
  readonly #fields: readonly Field[];
  readonly #read: ReadColumn;
  readonly #writings: Map<number, ColumnWriting>;
  readonly #places: (readonly [written: HTMLElement, becomes: HTMLElement])[] = [];
  /** The columns that are read. */
  readonly #reading = new WeakSet<ColumnWriting>();
  #changed = (): void => undefined;

  /** @param writings the choices, which are changed in place */
  constructor(
    card: Card,
    table: { readonly headers: readonly string[]; readonly fields: readonly Field[] },
    writings: Map<number, ColumnWriting>,
    read: ReadColumn,
  ) {
    this.#card = card;
    this.#headers = table.headers;
    this.#fields = table.fields;
    this.#writings = writings;
    this.#read = read;
    this.heads = [card.text('writtenAs'), card.text('becomes')];
  }

  cells(index: number): readonly HTMLElement[] {
    const places = [h('td', {}), h('td', { id: `becomes-${index}`, class: 'becomes' })] as const;
    this.#places[index] = places;
    this.#draw(index);
    return places;
  }

  follow(mapping: Mapping, changed: () => void): void {
    this.#changed = changed;
    mapping.forEach((key, index) => {
      const field = this.#fields.find((each) => each.key === key);
      const known = this.#writings.get(index);
      if (field === undefined) {
        if (this.#writings.delete(index)) this.#draw(index);
      } else if (known?.field.key !== field.key) this.#begin(index, field, []);
      // A choice of an earlier page.
      else if (known.found === null && !this.#reading.has(known))
        this.#begin(index, field, known.nothing, known.reading);
    });
  }

  lacks(): readonly (Node | string)[] | null {
    for (const [index, { found, reading }] of this.#writings) {
      if (found === null) return [this.#card.text('readingColumn')];
      if (reading === null)
        return around(this.#card.text('chooseFirst', VALUE), listOf([this.#headers[index] ?? '']));
    }
    return null;
  }

  /** Reads a column for a field. A choice stays while the column still has it. */
  #begin(index: number, field: Field, nothing: readonly string[], chosen: Reading | null = null): void {
    const started: ColumnWriting = { field, found: null, reading: chosen, nothing };
    this.#reading.add(started);
    this.#set(index, started);
    this.#read(index, ruleOf(field), nothing).then(
      (found) => {
        // Another field or word was chosen meanwhile.
        if (this.#writings.get(index) !== started) return;
        const kept = [SAME, ...found.readings.map(({ reading }) => reading)].find((each) =>
          isEqual(each, chosen),
        );
        this.#set(index, { ...started, found, reading: kept ?? found.chosen });
      },
      // The widget is gone.
      () => undefined,
    );
  }

  #set(index: number, writing: ColumnWriting): void {
    this.#writings.set(index, writing);
    this.#draw(index);
    this.#changed();
  }

  #draw(index: number): void {
    const [written, becomes] = this.#places[index] ?? [];
    const writing = this.#writings.get(index);
    const root = written?.getRootNode() as Document | ShadowRoot | undefined;
    const focused = root?.activeElement?.getAttribute('data-at');
    const asks = writing?.found != null && writing.reading === null;
    written?.parentElement?.classList.toggle('ask', asks);
    written?.replaceChildren(...(writing ? this.#written(index, writing) : []));
    becomes?.replaceChildren(...(writing ? this.#becomes(writing) : []));
    // A control that was made again keeps the focus.
    if (focused != null) {
      const all = written?.querySelectorAll<HTMLElement>('[data-at]') ?? [];
      [...all].find((each) => each.getAttribute('data-at') === focused)?.focus();
    }
  }

  #written(index: number, writing: ColumnWriting): readonly Node[] {
    const card = this.#card;
    const { found, field, reading, nothing } = writing;
    if (found === null) return [h('small', { 'aria-busy': 'true' }, card.text('readingColumn'))];
    const options = found.readings.length === 0 ? [] : [...found.readings.map((each) => each.reading), SAME];
    const select = h('select', {
      'aria-label': `${card.text('writtenAs')}, ${this.#headers[index]}`,
      'aria-describedby': `becomes-${index}`,
      'data-at': `${index}`,
    });
    if (reading === null) select.append(h('option', { value: '' }, card.text('chooseWriting')));
    select.append(
      ...options.map((each, at) => h('option', { value: at, dir: 'auto' }, readingText(card, each))),
    );
    select.value = reading === null ? '' : String(options.findIndex((each) => isEqual(each, reading)));
    select.addEventListener('change', () =>
      this.#set(index, { ...writing, reading: options[Number(select.value)] ?? null }),
    );
    const words = [...nothing.map((word) => ({ word, cells: 0 })), ...found.nothing];
    const ticks = words.map(({ word, cells }) => {
      const box = h('input', { type: 'checkbox', 'data-at': `${index} ${word}` });
      box.checked = nothing.includes(word);
      box.addEventListener('change', () => {
        const others = nothing.filter((each) => each !== word);
        this.#begin(index, field, box.checked ? [...others, word] : others, reading);
      });
      const text = around(card.text('isNothing', VALUE), h('bdi', { translate: 'no' }, word));
      const count = cells === 0 ? [] : [' ', h('small', {}, card.text('cellsOf', cells))];
      return h('label', { class: 'word' }, box, h('span', {}, ...text, ...count));
    });
    return [
      options.length === 0 ? h('span', { class: 'quiet' }, card.text('asItIs')) : select,
      ...(ticks.length === 0 ? [] : [h('div', { class: 'words' }, ...ticks)]),
    ];
  }

  #becomes({ found, field, reading }: ColumnWriting): readonly Node[] {
    if (found === null) return [];
    const card = this.#card;
    const rule = ruleOf(field);
    const first = found.readings[0];
    if (reading === null) {
      const question = h('bdi', { translate: 'no' }, questionText(card, rule, found.readings));
      return [h('b', {}, question), h('small', {}, first ? lossText(card, first.loses) : '')];
    }
    const chosen = found.readings.find((each) => isEqual(each.reading, reading)) ?? found.same;
    const values = chosen.samples.map(({ after }) => after);
    const inWords =
      chosen.samples[0] && rule.type === 'date' ? valueInWords(rule, chosen.samples[0].after) : null;
    return [
      listOf(values),
      ...(inWords === null || inWords === values[0] ? [] : [h('small', { translate: 'no' }, inWords)]),
      ...this.#counts(found, chosen, rule),
    ];
  }

  #counts(found: ColumnReadings, chosen: FoundReading, { required }: FieldRule): readonly Node[] {
    const card = this.#card;
    const isWrong = chosen.outCells > 0;
    const fit = h('small', { class: isWrong ? 'wrong' : '' }, card.text('fit', chosen.fits, found.cells));
    const out = chosen.out.slice(0, OUT_SHOWN_MAX).map(({ value, cells }) => {
      const text = around(card.text('outValue', VALUE, cells), h('bdi', { translate: 'no' }, value));
      return h('small', {}, ...(text as Child[]));
    });
    const empty =
      required && found.empty > 0
        ? [h('small', { class: 'wrong' }, card.text('emptyCells', found.empty))]
        : [];
    return [fit, ...out, ...empty];
  }
}

/** True for two readings that are the same. Their members are in one order. */
function isEqual(one: Reading, other: Reading | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
