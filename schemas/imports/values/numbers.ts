import { currencyOf } from './currencies.ts';
import { plainSigns } from './signs.ts';
import type { FieldRule, Loss, NumberReading } from './values.ts';

/** A cell with a number, in parts. */
export interface NumberCell {
  readonly isNegative: boolean;
  /** Digits with their decimal sign and group signs. */
  readonly body: string;
  readonly exponent: number;
  readonly isPercent: boolean;
  /** The sign or code of a currency, or an empty text. */
  readonly currency: string;
}

/** The largest exponent that is written out: that of the numbers that programs compute with. */
const EXPONENT_MAX = 400;

/** Most cells: they need no look at signs. */
const PLAIN = /^(-?)(\d[\d.,]*)$/;
const BODY = /^[\d.,' ٫]+$/u;
/** The number in the middle, with its exponent, and all before and behind it. */
const MIDDLE =
  /^([^\d.,٫]*?)((?:[.,٫](?=\d))?\d(?:[\d.,'٫ ]*\d)?[.,٫]?)(?:e([-+]?\d{1,4})(?![\d.,]))?([^\d]*)$/iu;

/** Reads the parts of a number, or returns null for a cell that is none in any reading. */
export function numberCell(cell: string): NumberCell | null {
  const plain = PLAIN.exec(cell);
  if (plain !== null) {
    const [, sign, body = ''] = plain;
    return { isNegative: sign === '-', body, exponent: 0, isPercent: false, currency: '' };
  }
  const [, before, body = '', exponent = '0', behind = ''] = MIDDLE.exec(plainSigns(cell)) ?? [];
  if (before === undefined || !BODY.test(body) || Math.abs(Number(exponent)) > EXPONENT_MAX) return null;
  // 99,- is an amount without cents, and 99.- could be a negative one.
  if (/[.,٫]$/u.test(body) && /^ ?[-+—]/.test(behind)) return null;
  const around = knownAround(before.trim(), behind.trim());
  return around === null ? null : { ...around, body, exponent: Number(exponent) };
}

type Around = Pick<NumberCell, 'isNegative' | 'isPercent' | 'currency'> | null;

/** The texts around numbers that were read before: a column has few such texts. */
const seen = new Map<string, Around>();
const SEEN_MAX = 64;

function knownAround(before: string, behind: string): Around {
  const key = `${before}0${behind}`;
  let around = seen.get(key);
  if (around !== undefined) return around;
  around = aroundNumber(before, behind);
  if (seen.size >= SEEN_MAX) seen.clear();
  seen.set(key, around);
  return around;
}

/** Reads the signs around a number. Returns null if it is anything but one sign, one currency, one percent sign and brackets. */
function aroundNumber(before: string, behind: string): Around {
  const opens = before.includes('(');
  if (opens !== behind.includes(')')) return null;
  const [ahead, isAhead] = without(opens ? before.replace('(', '') : before, /[-+]/);
  const [after, isAfter] = without(opens ? behind.replace(')', '') : behind, /[-+]/);
  if (Number(opens) + Number(isAhead !== '') + Number(isAfter !== '') > 1) return null;
  const [left, percentLeft] = without(ahead, /%/);
  const [right, percentRight] = without(after, /%/);
  if (percentLeft !== '' && percentRight !== '') return null;
  if (left !== '' && right !== '') return null;
  const currency = currencyOf(left + right);
  if (currency === null) return null;
  const isPercent = percentLeft + percentRight !== '';
  if (isPercent && currency !== '') return null;
  return { isNegative: opens || isAhead === '-' || isAfter === '-', isPercent, currency };
}

/** A text without the first sign of a kind, and this sign. */
function without(text: string, sign: RegExp): readonly [rest: string, sign: string] {
  const [found = ''] = sign.exec(text) ?? [];
  return [found === '' ? text : text.replace(found, '').trim(), found];
}

/** The whole part and the fraction of a body, as digits, or null if it does not have this decimal sign. */
function digitsIn(body: string, decimal: string): readonly [whole: string, fraction: string] | null {
  const sign = body.includes('٫') ? '٫' : decimal;
  const at = body.indexOf(sign);
  const whole = at < 0 ? body : body.slice(0, at);
  const fraction = at < 0 ? '' : body.slice(at + 1);
  if (fraction !== '' && !/^\d+$/.test(fraction)) return null;
  if (/^\d*$/.test(whole)) return [whole, fraction];
  return isGrouped(whole, sign) ? [whole.split(/\D/).join(''), fraction] : null;
}

const GROUPS_OF_THREE = /^[1-9]\d{0,2}([.,' ])\d{3}(?:\1\d{3})*$/;
const INDIAN_GROUPS = /^[1-9]\d?(?:,\d\d)+,\d{3}$/;

function isGrouped(whole: string, decimal: string): boolean {
  return !whole.includes(decimal) && (GROUPS_OF_THREE.test(whole) || INDIAN_GROUPS.test(whole));
}

/**
 * Writes a number in the form of the service, exactly: digits are moved, and none is rounded.
 *
 * @param placesMax the digits after the point that a field takes: zeros beyond them are left out
 * @returns null for a cell that the reading does not read
 */
function numberIn(cell: NumberCell, reading: NumberReading, placesMax: number): string | null {
  const { percent, decimal } = reading;
  if (cell.isPercent ? percent === undefined : percent === 'fraction') return null;
  const digits = digitsIn(cell.body, decimal);
  if (digits === null) return null;
  const shift = cell.exponent - (cell.isPercent && percent === 'fraction' ? 2 : 0);
  if (cell.exponent !== 0 && digits[0].length + digits[1].length + 1 < cell.body.length) return null;
  const [whole, fraction] = shifted(digits[0], digits[1], shift);
  const places = withoutZeros(fraction, placesMax);
  return `${cell.isNegative ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${places === '' ? '' : `.${places}`}`;
}

/** Moves the point: to the right for a positive number of places. */
function shifted(whole: string, fraction: string, places: number): readonly [string, string] {
  if (places === 0) return [whole, fraction];
  if (places < 0) {
    const digits = whole.padStart(1 - places, '0');
    return [digits.slice(0, places), digits.slice(places) + fraction];
  }
  const digits = fraction.padEnd(places, '0');
  return [whole + digits.slice(0, places), digits.slice(places)];
}

/** Leaves out zeros at the end of a fraction, only as many as a field does not take, and none if others do not fit either. */
function withoutZeros(fraction: string, placesMax: number): string {
  return fraction.length > placesMax && /^0*$/.test(fraction.slice(placesMax))
    ? fraction.slice(0, placesMax)
    : fraction;
}

/** Writes numbers in the form of a field. */
export function numberWriter(reading: NumberReading, field: FieldRule): (cell: NumberCell) => string | null {
  const places = field.type === 'decimal' ? field.scale : 0;
  return (cell) => numberIn(cell, reading, places ?? Number.POSITIVE_INFINITY);
}

/** The readings that can matter for cells. Without a sign for decimals or groups, one is enough. */
export function numberReadings(cells: readonly NumberCell[]): NumberReading[] {
  const isPlain = cells.every(({ body }) => !/[.,]/.test(body));
  const signs = isPlain ? (['.'] as const) : (['.', ','] as const);
  const decimals = signs.map((decimal): NumberReading => ({ kind: 'number', decimal }));
  if (!cells.some(({ isPercent }) => isPercent)) return decimals;
  const percents = (['number', 'fraction'] as const).flatMap((percent) =>
    decimals.map((reading) => ({ ...reading, percent })),
  );
  return [...percents, ...decimals];
}

/** The losses of a reading that reads these cells. */
export function numberLosses(cells: readonly NumberCell[]): Loss[] {
  const losses: Loss[] = [];
  if (cells.some(({ body }) => /^0\d/.test(body))) losses.push('zeros');
  if (cells.some(({ isPercent }) => isPercent)) losses.push('percent');
  const currencies = new Set(cells.map(({ currency }) => currency));
  currencies.delete('');
  if (currencies.size > 1) losses.push('currencies');
  return losses;
}
