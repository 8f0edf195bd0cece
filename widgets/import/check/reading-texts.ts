import { readCalendarDate } from '../../../schemas/imports/fields/calendar-date.ts';
import type {
  DateFormat,
  FieldRule,
  FoundReading,
  Loss,
  Reading,
} from '../../../schemas/imports/values/values.ts';
import type { Field } from '../api.ts';
import type { Card } from '../card.ts';
import { labelName } from '../label-name.ts';

/** The years that two digits can stand for. */
const CENTURY = 100;
const DATE_LINE = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });
const TYPES: readonly string[] = ['text', 'integer', 'decimal', 'date', 'boolean'];

/** The rules of a field. A type that this release does not know is a text without a rule. */
export function ruleOf(field: Field): FieldRule {
  const { type, required } = field;
  return TYPES.includes(type) ? (field as FieldRule) : { type: 'text', required };
}

/** Describes a reading for the list from which a person chooses. */
export function readingText(card: Card, reading: Reading): string {
  switch (reading.kind) {
    case 'date': {
      const { order, yearsFrom, time, months } = reading;
      return [
        card.text(labelName('order', order)),
        ...(yearsFrom === undefined
          ? []
          : [card.text('yearsFrom', String(yearsFrom), String(yearsFrom + CENTURY - 1))]),
        ...(time === undefined ? [] : [card.text('withoutTime')]),
        ...(months === undefined ? [] : [card.text('monthsHr')]),
      ].join('; ');
    }
    case 'number': {
      const { decimal, percent } = reading;
      const signs = card.text(decimal === '.' ? 'decimalPoint' : 'decimalComma');
      return percent === undefined ? signs : `${signs}; ${card.text(labelName('percent', percent))}`;
    }
    case 'boolean':
      return card.text('wordsFor', reading.yes.join(' / '), reading.no.join(' / '));
    default:
      return card.text('asInFile');
  }
}

/** A value as the schema has it, so that a person cannot take a month for a day. */
export function valueInWords(field: FieldRule, text: string): string {
  if (field.type !== 'date') return text;
  const day = readCalendarDate(text, field.format ?? ('YYYY-MM-DD' satisfies DateFormat));
  return day === null ? text : DATE_LINE.format(new Date(`${day}T00:00:00Z`));
}

/** Names the losses of a reading in sentences. */
export function lossText(card: Card, losses: readonly Loss[]): string {
  return losses.map((loss) => card.text(labelName('lose', loss))).join(' ');
}

/** Asks about the first value that two readings write in two ways, or about that of a reading that loses something. */
export function questionText(
  card: Card,
  field: FieldRule,
  [one, ...others]: readonly FoundReading[],
): string {
  for (const { before, after } of one?.samples ?? [])
    for (const other of others) {
      const sample = other.samples.find((each) => each.before === before && each.after !== after);
      if (sample) return card.text('either', valueInWords(field, after), valueInWords(field, sample.after));
    }
  const [sample] = one?.samples ?? [];
  return sample === undefined ? '' : card.text('only', valueInWords(field, sample.after));
}
