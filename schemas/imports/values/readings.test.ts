import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATE_FORMATS, readCalendarDate } from '../fields/calendar-date.ts';
import { FIELD_TYPES } from '../fields/registry.ts';
import { faultOf } from './acceptance.ts';
import { applyReadings, writerOf } from './apply.ts';
import { ended } from './ended.fixture.ts';
import { readingsOf } from './readings-of.ts';
import type { FieldRule, Reading } from './values.ts';

const decimalRule = fc.record(
  { precision: fc.integer({ min: 20, max: 38 }), scale: fc.nat(20) },
  { requiredKeys: [] },
);
const ruleOf: fc.Arbitrary<FieldRule> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), required: fc.boolean(), maxLength: fc.nat(8) }),
  fc.record({ type: fc.constant('integer' as const), required: fc.boolean() }),
  decimalRule.map((rule) => ({ type: 'decimal' as const, required: false, ...rule })),
  fc.record({
    type: fc.constant('date' as const),
    required: fc.boolean(),
    format: fc.constantFrom(...DATE_FORMATS),
  }),
  fc.record({ type: fc.constant('boolean' as const), required: fc.boolean() }),
);

const sign = fc.constantFrom(...'0123456789012345.,-+/ :%$€()eET\u00a0’٣٫年月日');
const word = fc.constantFrom(
  'true',
  'false',
  'yes',
  'Ja',
  'Jan',
  'März',
  '01/02/2026',
  '1.234',
  '12:00',
  'UTC',
);
const cell = fc.oneof(
  fc.string({ unit: sign, maxLength: 14 }),
  fc.array(fc.oneof(word, sign), { maxLength: 4 }).map((parts) => parts.join('')),
);

const READINGS: readonly Reading[] = [
  { kind: 'same' },
  ...(['dmy', 'mdy', 'ymd'] as const).flatMap((order): Reading[] => [
    { kind: 'date', order },
    { kind: 'date', order, yearsFrom: 1950, time: 'dropped' },
    { kind: 'date', order, yearsFrom: 1900, months: 'hr' },
  ]),
  ...(['.', ','] as const).flatMap((decimal): Reading[] => [
    { kind: 'number', decimal },
    { kind: 'number', decimal, percent: 'number' },
    { kind: 'number', decimal, percent: 'fraction' },
  ]),
  { kind: 'boolean', yes: ['yes', 'ja', '1'], no: ['no', '0'] },
];

const KIND_OF: Readonly<Record<string, string>> = { integer: 'number', decimal: 'number' };

/** The readings of the kind of a field. */
function readingsFor(field: FieldRule): Reading[] {
  return READINGS.filter(({ kind }) => kind === 'same' || kind === (KIND_OF[field.type] ?? field.type));
}

function serviceReads(field: FieldRule, text: string) {
  return FIELD_TYPES.reader({ key: 'f', ...field })(text);
}

/** The digits that count in a number: without signs, and without zeros on either side. */
function significant(text: string): string {
  const [mantissa = ''] = text.split(/e/i);
  const digits = mantissa.replaceAll(/٣/gu, '3').replaceAll(/\D/g, '');
  return digits.replace(/^0+/, '').replace(/0+$/, '');
}

function write(field: FieldRule, reading: Reading, text: string) {
  return writerOf({ target: 'f', field, reading })(text);
}

/** Expects that the service accepts what was written, or that the fault is the service's. */
function expectAccepted(field: FieldRule, reading: Reading, text: string): void {
  const [written, fault] = write(field, reading, text);
  if (fault === 'unread') {
    expect(written).toBe(text);
    return;
  }
  const typed = serviceReads(field, written);
  expect(fault).toBe(typed.kind === 'error' ? typed.code : null);
  // A written cell stays as it is.
  if (fault === null) expect(write(field, { kind: 'same' }, written)).toEqual([written, null]);
}

describe('faultOf', () => {
  it('refuses what the service refuses, with its code', () => {
    fc.assert(
      fc.property(ruleOf, cell, (field, text) => {
        const typed = serviceReads(field, text);
        expect(faultOf(field, text)).toBe(typed.kind === 'error' ? typed.code : null);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('writerOf', () => {
  it('writes what the service accepts, or names the rule that it breaks', () => {
    fc.assert(
      fc.property(ruleOf, cell, (field, text) => {
        for (const reading of readingsFor(field)) expectAccepted(field, reading, text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('keeps every digit of a number', () => {
    fc.assert(
      fc.property(cell, (text) => {
        for (const reading of readingsFor({ type: 'decimal', required: false })) {
          const [written, fault] = write({ type: 'decimal', required: false }, reading, text);
          if (fault === null) expect(significant(written)).toBe(significant(text));
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads a number back exactly, however it was written', () => {
    const group = fc.constantFrom('', ' ', '\u00a0', '\u202f', '\u2009', "'", '’');
    const signs = fc.oneof(
      fc.record({ decimal: fc.constant('.' as const), group: fc.oneof(group, fc.constant(',')) }),
      fc.record({ decimal: fc.constant(',' as const), group: fc.oneof(group, fc.constant('.')) }),
    );
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 30 });
    const around = fc.oneof(
      fc
        .constantFrom('-#', '#-', '(#)', '- #', '−#', '-$#', '$-#', '($#)', '-# €', '# €-')
        .map((shape) => ['-', shape]),
      fc.constantFrom('#', '+#', '+ $#', '# EUR', ' # ', 'CHF #', '#kr.').map((shape) => ['', shape]),
    );
    const whole = fc.bigInt({ min: 0n, max: 10n ** 40n });
    fc.assert(
      fc.property(
        whole,
        digits,
        signs,
        around,
        (number, fraction, { decimal, group: separator }, [minus, shape]) => {
          const grouped = String(number).replaceAll(/\B(?=(\d{3})+$)/g, separator);
          const text = shape?.replace('#', () => grouped + (fraction && decimal + fraction)) ?? '';
          const meant = `${minus}${number}${fraction && `.${fraction}`}`;
          expect(write({ type: 'decimal', required: false }, { kind: 'number', decimal }, text)).toEqual([
            meant,
            null,
          ]);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('moves the point by an exponent or a percent sign', () => {
    const field: FieldRule = { type: 'decimal', required: false };
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        fc.integer({ min: -40, max: 40 }),
        (digits, places) => {
          const [written] = write(field, { kind: 'number', decimal: '.' }, `${digits}E${places}`);
          const [whole = '', fraction = ''] = written.split('.');
          // Both sides times 10^40 are whole numbers.
          const scaled = BigInt(whole + fraction) * 10n ** BigInt(40 - fraction.length);
          expect(scaled).toBe(digits * 10n ** BigInt(40 + places));
          const percent = write(field, { kind: 'number', decimal: '.', percent: 'fraction' }, `${digits}%`);
          expect(percent).toEqual(write(field, { kind: 'number', decimal: '.' }, `${digits}E-2`));
        },
      ),
    );
  });

  it('reads a day back in every order, separator and format', () => {
    const days = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    const style = fc.record({
      order: fc.constantFrom('dmy' as const, 'mdy' as const, 'ymd' as const),
      separator: fc.constantFrom('/', '-', '.', ' ', '. ', ' / '),
      isPadded: fc.boolean(),
      format: fc.constantFrom(...DATE_FORMATS),
    });
    fc.assert(
      fc.property(days, style, (day, { order, separator, isPadded, format }) => {
        const iso = day.toISOString().slice(0, 10);
        const [y = '', m = '', d = ''] = iso.split('-');
        const short = (part: string): string => (isPadded ? part : String(Number(part)));
        const parts = { d: short(d), m: short(m), y };
        const text = [...order].map((part) => parts[part as 'd']).join(separator);
        const [written, fault] = write(
          { type: 'date', required: false, format },
          { kind: 'date', order },
          text,
        );
        expect([fault, readCalendarDate(written, format)]).toEqual([null, iso]);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    '99,-',
    '99.-',
    '5,--',
    '5k',
    '5k€',
    '5M$',
    '50¢',
    '1-2',
    '10:30',
    '5 kg',
    '1/2',
    '0x10',
    '1e9999',
    'Infinity',
    '12 34',
    '5²',
    '½',
  ])('leaves %s out of the numbers', (text) => {
    for (const reading of readingsFor({ type: 'decimal', required: false })) {
      expect(write({ type: 'decimal', required: false }, reading, text)).toEqual([text, 'not_decimal']);
    }
  });

  it.each([
    ...['2026-02-30', '31/04/2026', '2026', '08/2020', 'Aug 2020', '2026-W05', '2026-032', '45678', '210426'],
    ...[
      '1/2/3',
      '01/02-2026',
      '12/25/2026 25:00',
      'Thu, 25 Nov 2026',
      '25 Nov 2026 and more',
      '2 พ.ศ. มกราคม 2569',
    ],
  ])('leaves %s out of the days', (text) => {
    for (const reading of readingsFor({ type: 'date', required: false })) {
      expect(write({ type: 'date', required: false }, reading, text)).toEqual([text, 'not_date']);
    }
  });

  it('reports a cell that the service would accept in another meaning', () => {
    const field: FieldRule = { type: 'date', required: false, format: 'MM/DD/YYYY' };
    expect(write(field, { kind: 'date', order: 'dmy' }, '01/25/2026')).toEqual(['01/25/2026', 'unread']);
    expect(write({ type: 'decimal', required: false }, { kind: 'number', decimal: ',' }, '1.5')).toEqual([
      '1.5',
      'unread',
    ]);
  });

  it('leaves out zeros that a scale does not take, but no other digit', () => {
    const field: FieldRule = { type: 'decimal', required: false, precision: 6, scale: 2 };
    const reading: Reading = { kind: 'number', decimal: '.' };
    expect(write(field, reading, '4.6000')).toEqual(['4.60', null]);
    expect(write(field, reading, '4.6050')).toEqual(['4.6050', 'out_of_range']);
    expect(write(field, reading, '12345.00')).toEqual(['12345.00', 'out_of_range']);
  });
});

describe('readingsOf', () => {
  it('never chooses between two readings that read every cell', () => {
    const column = fc.oneof(
      fc.array(
        cell.filter((text) => text !== ''),
        { minLength: 1, maxLength: 3 },
      ),
      fc
        .array(fc.tuple(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 1, max: 15 })), {
          minLength: 1,
          maxLength: 4,
        })
        .map((days) => days.map(([day, month]) => `${day}/${month}/2026`)),
      fc.array(fc.constantFrom('1.234', '1,234', '12', '1.5', '0,5', '1.234.567'), {
        minLength: 1,
        maxLength: 3,
      }),
    );
    fc.assert(
      fc.property(ruleOf, column, (field, cells) => {
        const { chosen } = ended(readingsOf(cells, field));
        if (chosen === null || chosen.kind === 'same') return;
        // In a field without limits, a text is written if a reading reads it.
        const open = { ...field, scale: undefined, precision: undefined };
        const results = (reading: Reading) => cells.map((text) => write(open, reading, text));
        const isRead = (all: ReturnType<typeof results>): boolean => all.every(([, fault]) => fault === null);
        const mine = results(chosen);
        for (const reading of readingsFor(field)) {
          const others = results(reading);
          if (reading.kind !== 'same' && isRead(mine) && isRead(others)) expect(others).toEqual(mine);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('counts every cell once, and keeps what is in the form of the schema without a question', () => {
    fc.assert(
      fc.property(ruleOf, fc.array(cell, { maxLength: 8 }), (field, cells) => {
        const all = ended(readingsOf(cells, field));
        expect(all.cells + all.empty).toBe(cells.length);
        for (const { fits, outCells } of [...all.readings, all.same]) expect(fits + outCells).toBe(all.cells);
        if (all.same.fits === all.cells && all.readings.length <= 1) expect(all.chosen).not.toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it('asks about an integer that could have decimals', () => {
    const field: FieldRule = { type: 'integer', required: true };
    const { chosen, readings } = ended(readingsOf(['1,234', '5,678', ''], field));
    expect(chosen).toBeNull();
    expect(readings.map(({ reading, fits, samples }) => [reading, fits, samples[0]?.after])).toEqual([
      [{ kind: 'number', decimal: '.' }, 2, '1234'],
      [{ kind: 'number', decimal: ',' }, 0, '1.234'],
    ]);
  });

  it('chooses once the words for nothing are ticked', () => {
    const cells = ['31.12.2026', '1.2.2026', 'k.A.', 'k.A.', '--', ' k.A.'];
    const field: FieldRule = { type: 'date', required: false };
    const before = ended(readingsOf(cells, field));
    expect(before.chosen).toBeNull();
    expect(before.nothing).toEqual([
      { word: 'k.A.', cells: 3 },
      { word: '--', cells: 1 },
    ]);
    const after = ended(readingsOf(cells, field, { nothing: ['k.A.', '--'] }));
    expect(after).toMatchObject({ chosen: { kind: 'date', order: 'dmy' }, cells: 2, empty: 4, nothing: [] });
  });

  it('counts words for true and false that a person names', () => {
    const also: Reading[] = [{ kind: 'boolean', yes: ['open'], no: ['shut'] }];
    const { readings } = ended(
      readingsOf(['open', 'Shut', 'ajar'], { type: 'boolean', required: true }, { also }),
    );
    expect(readings[0]).toMatchObject({
      fits: 2,
      samples: [
        { before: 'open', after: 'true' },
        { before: 'Shut', after: 'false' },
      ],
      out: [{ value: 'ajar', cells: 1, fault: 'not_boolean' }],
    });
  });

  it('yields after every few thousand cells', () => {
    const cells = Array.from({ length: 10_000 }, (_, at) => `${at}.5`);
    const work = readingsOf(cells, { type: 'decimal', required: false });
    let steps = 0;
    while (work.next().done !== true) steps += 1;
    expect(steps).toBeGreaterThan(20);
  });
});

describe('applyReadings', () => {
  it('writes columns, and lists the cells that break a rule', () => {
    const [written] = ended(
      applyReadings([
        {
          target: 'amount',
          field: { type: 'decimal', required: true },
          cells: ['1,50', 'n/a', '1.5', 'x'],
          reading: { kind: 'number', decimal: ',' },
          nothing: ['n/a'],
        },
      ]),
    );
    expect(written).toEqual({
      target: 'amount',
      cells: ['1.50', '', '1.5', 'x'],
      faults: new Map([
        [1, 'required'],
        [2, 'unread'],
        [3, 'not_decimal'],
      ]),
    });
  });
});
