import { describe, expect, it } from 'vitest';
import { writerOf } from './apply.ts';
import { ended } from './ended.fixture.ts';
import { readingsOf } from './readings-of.ts';
import type { FieldRule, Reading } from './values.ts';

/** Locales of sixty languages and countries. */
const LOCALES =
  'en-US en-GB en-CA en-AU en-IN en-ZA de-DE de-AT de-CH fr-FR fr-CA fr-CH es-ES es-MX es-AR pt-BR pt-PT it-IT nl-NL nl-BE da-DK sv-SE nb-NO nn-NO fi-FI is-IS ca-ES eu-ES gl-ES cy-GB ga-IE pl-PL cs-CZ sk-SK hu-HU sl-SI hr-HR bs-BA sr-RS ro-RO sq-AL tr-TR et-EE lv-LV lt-LT ru-RU uk-UA be-BY bg-BG mk-MK el-GR he-IL ar-EG ar-AE fa-IR vi-VN th-TH id-ID ja-JP ko-KR zh-CN zh-TW'.split(
    ' ',
  );

/** The cells that a reading writes. */
function written(cells: readonly string[], field: FieldRule, reading: Reading): string[] {
  const write = writerOf({ target: 'f', field, reading });
  return cells.map((cell) => write(cell)[0]);
}

/** Expects that one of the readings means what the platform wrote, and that a chosen one does. */
function expectMeaning(cells: readonly string[], field: FieldRule, meant: readonly string[]): void {
  const { readings, chosen } = ended(readingsOf(cells, field));
  const results = readings.map(({ reading }) => written(cells, field, reading).join('|'));
  expect(results, cells.join('|')).toContain(meant.join('|'));
  if (chosen !== null) expect(written(cells, field, chosen)).toEqual(meant);
}

const DAYS = Array.from({ length: 24 }, (_, at) => new Date(Date.UTC(2019 + (at % 9), at % 12, 1 + at)));
const ISO_DAYS = DAYS.map((day) => day.toISOString().slice(0, 10));
const EARLY_DAYS = DAYS.filter((day) => day.getUTCDate() <= 12);

const DAY_FORMS: readonly Intl.DateTimeFormatOptions[] = [
  { dateStyle: 'short' },
  { dateStyle: 'medium' },
  { dateStyle: 'long' },
  { year: 'numeric', month: 'numeric', day: 'numeric' },
  { year: 'numeric', month: '2-digit', day: '2-digit' },
  { year: 'numeric', month: 'short', day: '2-digit' },
  { dateStyle: 'short', timeStyle: 'short' },
  { dateStyle: 'medium', timeStyle: 'medium' },
];

/** Forms that stay out: the time stands in front, or words of a language stand around it. */
const UNREAD = new Set(['vi-VN 6', 'vi-VN 7']);

/** Numbers as text: `Intl` formats them without rounding. */
const NUMBERS = [
  '1234567.89',
  '-1234.56',
  '12.30',
  '-0.07',
  '999.99',
  '1000000.00',
  '98765432109876543210.12',
];
const SMALL_NUMBERS = ['1234', '5678', '9012'];

const NUMBER_FORMS: readonly Intl.NumberFormatOptions[] = [
  {},
  { useGrouping: false },
  { style: 'currency', currency: 'EUR' },
  { style: 'currency', currency: 'EUR', currencyDisplay: 'code' },
  { style: 'currency', currency: 'USD', currencySign: 'accounting' },
  { style: 'percent' },
];

function numberFormat(locale: string, form: Intl.NumberFormatOptions, digits: number) {
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(locale, { ...form, ...places });
  return (text: string): string => format.format(text as Intl.StringNumericLiteral);
}

/** The currency of a country, as its amounts are written there. */
const CURRENCY_OF: Readonly<Record<string, string>> = {
  US: 'USD',
  GB: 'GBP',
  CA: 'CAD',
  AU: 'AUD',
  IN: 'INR',
  ZA: 'ZAR',
  CH: 'CHF',
  MX: 'MXN',
  AR: 'ARS',
  BR: 'BRL',
  DK: 'DKK',
  SE: 'SEK',
  NO: 'NOK',
  IS: 'ISK',
  PL: 'PLN',
  CZ: 'CZK',
  HU: 'HUF',
  BA: 'BAM',
  RS: 'RSD',
  RO: 'RON',
  AL: 'ALL',
  TR: 'TRY',
  RU: 'RUB',
  UA: 'UAH',
  BY: 'BYN',
  BG: 'BGN',
  MK: 'MKD',
  IL: 'ILS',
  EG: 'EGP',
  AE: 'AED',
  IR: 'IRR',
  VN: 'VND',
  TH: 'THB',
  ID: 'IDR',
  JP: 'JPY',
  KR: 'KRW',
  CN: 'CNY',
  TW: 'TWD',
};

describe.each(LOCALES)('a column of %s', (locale) => {
  it('has a reading for the days that the platform writes', () => {
    const field: FieldRule = { type: 'date', required: false };
    DAY_FORMS.forEach((form, at) => {
      if (UNREAD.has(`${locale} ${at}`)) return;
      const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory`, { ...form, timeZone: 'UTC' });
      expectMeaning(
        DAYS.map((day) => format.format(day)),
        field,
        ISO_DAYS,
      );
    });
  });

  it('does not choose the order of days that fit two', () => {
    const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory`, {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone: 'UTC',
    });
    const cells = EARLY_DAYS.map((day) => format.format(day));
    const { chosen, readings } = ended(readingsOf(cells, { type: 'date', required: false }));
    expect(chosen === null).toBe(readings.length > 1);
    expectMeaning(
      cells,
      { type: 'date', required: false },
      EARLY_DAYS.map((day) => day.toISOString().slice(0, 10)),
    );
  });

  it('has a reading for the numbers that the platform writes', () => {
    const own = CURRENCY_OF[locale.slice(3)] ?? 'EUR';
    for (const form of [...NUMBER_FORMS, { style: 'currency', currency: own } as const]) {
      const format = numberFormat(locale, form, 2);
      // A percentage is a hundred times the number.
      const meant = form.style === 'percent' ? NUMBERS.map((text) => `${timesHundred(text)}.00`) : NUMBERS;
      expectMeaning(NUMBERS.map(format), { type: 'decimal', required: false }, meant);
    }
  });

  it('does not choose the decimal sign of numbers that fit both', () => {
    const format = numberFormat(locale, {}, 0);
    const cells = SMALL_NUMBERS.map(format);
    const isOpen = cells.some((cell) => /[.,]/.test(cell));
    expect(ended(readingsOf(cells, { type: 'decimal', required: false })).chosen === null).toBe(isOpen);
    expectMeaning(cells, { type: 'integer', required: false }, SMALL_NUMBERS);
  });
});

/** A hundred times a number with two places. */
function timesHundred(text: string): string {
  return text.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1');
}
