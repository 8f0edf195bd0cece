/** Date formats that a field may name; the output is always `YYYY-MM-DD`. */
export const DATE_FORMATS = ['YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY', 'YYYY/MM/DD'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

const PATTERNS = {
  'YYYY-MM-DD': /^(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})$/,
  'MM/DD/YYYY': /^(?<month>[0-9]{2})\/(?<day>[0-9]{2})\/(?<year>[0-9]{4})$/,
  'DD/MM/YYYY': /^(?<day>[0-9]{2})\/(?<month>[0-9]{2})\/(?<year>[0-9]{4})$/,
  'DD.MM.YYYY': /^(?<day>[0-9]{2})\.(?<month>[0-9]{2})\.(?<year>[0-9]{4})$/,
  'YYYY/MM/DD': /^(?<year>[0-9]{4})\/(?<month>[0-9]{2})\/(?<day>[0-9]{2})$/,
} as const satisfies Record<DateFormat, RegExp>;

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const FEBRUARY = 2;

/**
 * Reads a date in exactly one format: all digits written out, nothing around them, a day that the Gregorian calendar
 * has, extended to the year 1. Nothing is rolled over: 31 February is no date.
 *
 * @returns the date as `YYYY-MM-DD`, or null
 */
export function readCalendarDate(text: string, format: DateFormat): string | null {
  const { year = '', month = '', day = '' } = PATTERNS[format].exec(text)?.groups ?? {};
  return isCalendarDay(Number(year), Number(month), Number(day)) ? `${year}-${month}-${day}` : null;
}

/** True for a day that the Gregorian calendar has, extended to the year 1. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  const days = DAYS_OF_MONTH[month - 1];
  if (days === undefined || year < 1 || day < 1) return false;
  return day <= (month === FEBRUARY && isLeapYear(year) ? days + 1 : days);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
