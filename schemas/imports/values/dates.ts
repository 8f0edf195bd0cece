import { isCalendarDay } from '../fields/calendar-date.ts';
import { namedDay } from './named-days.ts';
import { plainSigns } from './signs.ts';
import type { DateFormat, DateReading, Loss } from './values.ts';

/** A cell with three parts of a day, in its order. */
export interface DateCell {
  readonly parts: readonly [number, number, number];
  /** The place of the year of four digits, or -1. */
  readonly yearAt: number;
  /** The place of the month that has a name, or -1. */
  readonly namedAt: number;
  /** The month in Croatian, where that is another one. */
  readonly croatian: number;
  /** The places of parts with two digits, as bits. */
  readonly twoDigits: number;
  /** Eight digits without a separator, or null: their order decides where the parts are. */
  readonly digits: string | null;
  readonly hasTime: boolean;
  /** The day of the week that stands in front, from 0 for Sunday, or -1. */
  readonly weekday: number;
}

/** Years of eight digits without a separator: otherwise day and month could be read as a year. */
const COMPACT_YEARS = [1900, 2099] as const;

/** The hundred years that are offered for years of two digits, by their first one. */
const CENTURIES = [1950, 1930, 2000, 1900] as const;

const NUMERIC = /^(\d{1,4})( ?[-/._] ?| )(\d{1,2})( ?[-/._] ?| )(\d{1,4})\.?(?: ?(?:г|р|d)\.?)?$/u;
const CJK = /^(\d{2}|\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]$/u;
const COMPACT = /^\d{8}$/;
const ENGLISH_WEEKDAY = /^(sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}[.,]? (?=.)/i;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const ZONE =
  /(?: ?\(?(?:z|[a-z]{2,5})\)?)?(?: ?[-+](?:0?\d|1[0-4])(?::?[0-5]\d)?)?(?: ?\([a-z ]+\))?(?:\[[a-z/_]+\])?/iu;
const HALF_DAY =
  /[ap]\. ?m\.?|[ap]m|[pm]\. ?d\.?|오전|오후|凌晨|清晨|早上|上午|中午|下午|晚上|午前|午後|ص|م|π\.?μ\.?|μ\.?μ\.?/iu;
const CLOCK =
  /(?:[01]?\d|2[0-3])(?:(?:[:.]| ?h ?)[0-5]\d(?:(?:[:.]| ?min ?)(?:[0-5]\d|60)(?:[.,:]\d{1,9})?)?(?: ?(?:h|s|uhr|hrs|ч|ω)\.?)?|(?= ?[ap]\.?m))/iu;
/** Most times, which are read without a look at languages. */
const PLAIN_TIME = /^([\d/.-]{6,10})[T ](?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
/** A time with its zone, behind `T`, a comma or a space, and in some languages a word. */
const TIME = new RegExp(
  `^(.{6,}?)(?:t|,? (?:(?:at|um|kl\\.?|klo|à|alle(?: ore)?|a las|às|om|в|во|о|ob|u|στις) )?)\\(?(?:(?:${HALF_DAY.source}) ?)?${CLOCK.source}(?: ?(?:${HALF_DAY.source}))?\\)?${ZONE.source}$`,
  'iu',
);
/** A zone behind a day without a time, as XML has it. */
const DAY_WITH_ZONE = /^(\d{4}-\d\d-\d\d)(?:z|[-+]\d\d:\d\d)$/i;

/** Reads the parts of a day, or returns null for a cell that is none in any reading. */
export function dateCell(cell: string): DateCell | null {
  const whole = plainSigns(cell);
  const [, dayBefore] = PLAIN_TIME.exec(whole) ?? [];
  if (dayBefore !== undefined) return partsOf(dayBefore, true, -1);
  const plain = partsOf(whole, false, -1);
  if (plain !== null) return plain;
  const [, name = ''] = ENGLISH_WEEKDAY.exec(whole) ?? [];
  const weekday = WEEKDAYS.indexOf(name.toLowerCase());
  const text = weekday < 0 ? whole : whole.replace(ENGLISH_WEEKDAY, '');
  if (weekday >= 0) {
    const dated = partsOf(text, false, weekday);
    if (dated !== null) return dated;
  }
  const [, before] = TIME.exec(text) ?? DAY_WITH_ZONE.exec(text) ?? [];
  return before === undefined ? null : partsOf(before.trim(), true, weekday);
}

function partsOf(text: string, hasTime: boolean, weekday: number): DateCell | null {
  if (COMPACT.test(text)) {
    const none = { parts: [0, 0, 0], yearAt: -1, namedAt: -1, croatian: 0, twoDigits: 0 } as const;
    return { ...none, digits: text, hasTime, weekday };
  }
  const numeric = NUMERIC.exec(text);
  if (numeric !== null) {
    const [, first = '', left = '', second = '', right = '', third = ''] = numeric;
    if (left.trim() !== right.trim()) return null;
    return cellOf([first, second, third], -1, 0, hasTime, weekday);
  }
  const [, year = '', month = '', day = ''] = CJK.exec(text) ?? [];
  if (year !== '') return cellOf([year, month, day], -1, 0, hasTime, weekday);
  const named = namedDay(text);
  return named && cellOf(named.parts, named.at, named.croatian, hasTime, weekday);
}

function cellOf(
  texts: readonly string[],
  namedAt: number,
  croatian: number,
  hasTime: boolean,
  weekday: number,
): DateCell | null {
  const [first = '', second = '', third = ''] = texts;
  const yearAt = texts.findIndex(({ length }) => length === 4);
  if (texts.some(({ length }) => length > 4 || length === 3) || second.length === 4) return null;
  if (first.length === 4 && third.length === 4) return null;
  const twoDigits = texts.reduce((bits, { length }, at) => (length === 2 ? bits | (1 << at) : bits), 0);
  const parts = [Number(first), Number(second), Number(third)] as const;
  return { parts, yearAt, namedAt, croatian, twoDigits, digits: null, hasTime, weekday };
}

/** The places of year, month and day, or null if a cell has no such order. */
function placesIn(cell: DateCell, order: DateReading['order']): readonly number[] | null {
  const { yearAt, namedAt } = cell;
  if (namedAt >= 0) return placesAround(cell, order);
  if (yearAt === 0) return [0, 1, 2];
  if (order === 'ymd') return yearAt < 0 ? [0, 1, 2] : null;
  return order === 'dmy' ? [2, 1, 0] : [2, 0, 1];
}

/** The places of year, month and day where the month has a name: a year of four digits shows where the day is. */
function placesAround({ yearAt, namedAt }: DateCell, order: DateReading['order']): readonly number[] | null {
  if (namedAt === 0) return yearAt === 1 ? null : [2, 0, 1];
  if (namedAt === 2) return yearAt === 0 ? [0, 2, 1] : null;
  const isYearFirst = yearAt < 0 ? order === 'ymd' : yearAt === 0;
  return isYearFirst ? [0, 1, 2] : [2, 1, 0];
}

/** The day of a cell in a reading, as the number that its digits make in the order year, month, day; 0 if it is not read. */
function dayIn(cell: DateCell, reading: DateReading): number {
  if (cell.hasTime && reading.time !== 'dropped') return 0;
  const [year, month, day] =
    cell.digits === null ? spacedDay(cell, reading) : compactDay(cell.digits, reading);
  if (!isCalendarDay(year, month, day)) return 0;
  if (cell.weekday >= 0 && new Date(Date.UTC(year, month - 1, day)).getUTCDay() !== cell.weekday) return 0;
  return year * 10_000 + month * 100 + day;
}

type Day = readonly [year: number, month: number, day: number];

const NO_DAY: Day = [0, 0, 0];

function spacedDay(cell: DateCell, { order, yearsFrom, months }: DateReading): Day {
  const [yearPlace = 0, monthPlace = 0, dayPlace = 0] = placesIn(cell, order) ?? [-1];
  if (yearPlace < 0) return NO_DAY;
  const [year = 0, named = 0, day = 0] = [yearPlace, monthPlace, dayPlace].map((at) => cell.parts[at]);
  const month = cell.namedAt >= 0 && months === 'hr' ? cell.croatian : named;
  if (cell.yearAt === yearPlace) return [year, month, day];
  if (yearsFrom === undefined || (cell.twoDigits & (1 << yearPlace)) === 0) return NO_DAY;
  return [yearsFrom + ((((year - yearsFrom) % 100) + 100) % 100), month, day];
}

function compactDay(digits: string, { order }: DateReading): Day {
  const at = { ymd: [0, 4, 6], dmy: [4, 2, 0], mdy: [4, 0, 2] }[order] as [number, number, number];
  const year = Number(digits.slice(at[0], at[0] + 4));
  if (year < COMPACT_YEARS[0] || year > COMPACT_YEARS[1]) return NO_DAY;
  return [year, Number(digits.slice(at[1], at[1] + 2)), Number(digits.slice(at[2], at[2] + 2))];
}

/** Writes days in the format of a field. */
export function dayWriter(reading: DateReading, format: DateFormat): (cell: DateCell) => string | null {
  const texts = new Map<number, string>();
  return (cell) => {
    const day = dayIn(cell, reading);
    if (day === 0) return null;
    const known = texts.get(day);
    if (known !== undefined) return known;
    const digits = String(day).padStart(8, '0');
    const text = format
      .replace('YYYY', digits.slice(0, 4))
      .replace('MM', digits.slice(4, 6))
      .replace('DD', digits.slice(6));
    texts.set(day, text);
    return text;
  };
}

/** The readings that can matter for cells, the likeliest order first. */
export function dateReadings(cells: readonly DateCell[]): DateReading[] {
  const times = cells.some(({ hasTime }) => hasTime) ? (['dropped', undefined] as const) : [undefined];
  const centuries = cells.some(isShort) ? [...CENTURIES, undefined] : [undefined];
  const isCroatian = ({ namedAt, parts, croatian }: DateCell): boolean =>
    namedAt >= 0 && parts[namedAt] !== croatian;
  const months = cells.some(isCroatian) ? ([undefined, 'hr'] as const) : [undefined];
  return times.flatMap((time) =>
    centuries.flatMap((yearsFrom) =>
      months.flatMap((names) =>
        ordersOf(cells).map(
          (order): DateReading => ({
            kind: 'date',
            order,
            ...(yearsFrom !== undefined && { yearsFrom }),
            ...(time !== undefined && { time }),
            ...(names !== undefined && { months: names }),
          }),
        ),
      ),
    ),
  );
}

/** The orders, that of the first cell first: of two with the same result, the first one is named. */
function ordersOf(cells: readonly DateCell[]): readonly DateReading['order'][] {
  const orders = ['dmy', 'mdy', 'ymd'] as const;
  const [first] = cells;
  if (first === undefined) return [];
  const [own] = first.yearAt === 0 ? (['ymd'] as const) : first.namedAt === 0 ? (['mdy'] as const) : orders;
  const isFixed = ({ yearAt, namedAt }: DateCell): boolean => yearAt === 0 || (yearAt > 0 && namedAt >= 0);
  return cells.every(isFixed) ? [own] : [own, ...orders.filter((order) => order !== own)];
}

/** The losses of a reading that reads these cells. */
export function dateLosses(cells: readonly DateCell[]): Loss[] {
  const losses: Loss[] = [];
  if (cells.some(({ hasTime }) => hasTime)) losses.push('time');
  if (cells.some(isShort)) losses.push('century');
  return losses;
}

/** True for a day with a year of two digits. */
function isShort({ yearAt, digits }: DateCell): boolean {
  return yearAt < 0 && digits === null;
}
