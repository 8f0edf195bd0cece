import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../configuration.ts';
import { FIELD_TYPES } from './registry.ts';

type Rule<Type extends Field['type']> = Omit<Extract<Field, { type: Type }>, 'type' | 'key' | 'required'>;

const common = { key: 'f', required: false };
const integer: Field = { ...common, type: 'integer' };
const boolean: Field = { ...common, type: 'boolean' };
const text = (rule: Rule<'text'> = {}): Field => ({ ...common, type: 'text', ...rule });
const decimal = (rule: Rule<'decimal'> = {}): Field => ({ ...common, type: 'decimal', ...rule });
const date = (rule: Rule<'date'> = {}): Field => ({ ...common, type: 'date', ...rule });

/** The value, or the code of the error. */
function read(field: Field, cell: string) {
  const typed = FIELD_TYPES.reader(field)(cell);
  return typed.kind === 'value' ? { value: typed.value } : { code: typed.code };
}

describe('FIELD_TYPES.reader', () => {
  it.each([text(), integer, decimal(), date(), boolean])('reads an empty cell as null ($type)', (field) => {
    expect(read(field, '')).toEqual({ value: null });
    expect(read({ ...field, required: true }, '')).toEqual({ code: 'required' });
  });

  it.each(['007', '021000021', '1e5', '0x10', ' a ', 'true', '\u2028', 'e\u0301', '__proto__'])(
    'keeps %j as text',
    (cell) => {
      expect(read(text(), cell)).toEqual({ value: cell });
      expect(read({ ...text(), required: true }, cell)).toEqual({ value: cell });
    },
  );

  it('counts the length of a text in code points', () => {
    expect(read(text({ maxLength: 2 }), '😀😀')).toEqual({ value: '😀😀' });
    expect(read(text({ maxLength: 2 }), '😀😀x')).toEqual({ code: 'too_long' });
    expect(read(text({ maxLength: 1 }), '\u00e9')).toEqual({ value: '\u00e9' });
    expect(read(text({ maxLength: 1 }), 'e\u0301')).toEqual({ code: 'too_long' });
  });

  it.each(['0', '-0', '7', '-42', '12345678901234567890123456789'])(
    'accepts the integer %s as it is',
    (cell) => {
      expect(read(integer, cell)).toEqual({ value: cell });
    },
  );

  it.each(['00', '-', '+1', '01', '1.0', '1e5', '0x10', ' 1', '1 ', '1\n', '1,000', '١', '−1', 'NaN'])(
    'refuses %j as an integer',
    (cell) => {
      expect(read(integer, cell)).toEqual({ code: 'not_integer' });
    },
  );

  it.each(['0', '-0.0', '1.50', '0.1', '12345678901234567890.123456789012345678'])(
    'accepts the decimal %s as it is',
    (cell) => {
      expect(read(decimal(), cell)).toEqual({ value: cell });
    },
  );

  it.each(['.5', '5.', '01.5', '1,5', '1.2.3', '+1.0', '1e5', ' 1.0', '1.0\n', '--1', '-', 'Infinity'])(
    'refuses %j as a decimal',
    (cell) => {
      expect(read(decimal(), cell)).toEqual({ code: 'not_decimal' });
    },
  );

  it.each([
    ['123.45', { precision: 5, scale: 2 }, true],
    ['-123.45', { precision: 5, scale: 2 }, true],
    ['999', { precision: 5, scale: 2 }, true],
    ['1000', { precision: 5, scale: 2 }, false],
    ['12345', { precision: 5, scale: 2 }, false],
    ['-12345', { precision: 5, scale: 2 }, false],
    ['1234.5', { precision: 5, scale: 2 }, false],
    ['1.234', { precision: 5, scale: 2 }, false],
    ['0.12', { precision: 2, scale: 2 }, true],
    ['0', { precision: 2, scale: 2 }, true],
    ['1', { precision: 2, scale: 2 }, false],
    ['99', { precision: 2, scale: 0 }, true],
    ['100', { precision: 2, scale: 0 }, false],
    ['7', { precision: 1, scale: 0 }, true],
    ['7.0', { precision: 2, scale: 0 }, false],
    ['1.200', { scale: 2 }, false],
    ['1234567.20', { scale: 2 }, true],
    ['0.01', { precision: 2 }, true],
    ['0.001', { precision: 2 }, false],
    ['12.34', { precision: 4 }, true],
    ['12.340', { precision: 4 }, false],
    ['0', { precision: 1 }, true],
    ['100', { precision: 2 }, false],
  ])('compares %s with %j as SQL does with NUMERIC', (cell, rule, allowed) => {
    expect(read(decimal(rule), cell)).toEqual(allowed ? { value: cell } : { code: 'out_of_range' });
  });

  it('accepts with precision and scale exactly the numbers that a NUMERIC column stores unchanged', () => {
    const digits = fc.array(fc.constantFrom(...'0123456789'), { maxLength: 6 }).map((list) => list.join(''));
    const cells = fc.tuple(fc.boolean(), digits, digits).map(([negative, whole, fraction]) => {
      const integer = whole.replace(/^0+(?=.)/, '') || '0';
      return `${negative ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}`;
    });
    const rules = fc
      .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 8 }))
      .filter(([precision, scale]) => scale <= precision);
    fc.assert(
      fc.property(cells, rules, (cell, [precision, scale]) => {
        const fraction = cell.split('.')[1] ?? '';
        // Counted in units of the last place, a column of NUMERIC(p, s) holds the integers below 10^p.
        const units =
          BigInt(cell.replace('-', '').replace('.', '')) *
          10n ** BigInt(Math.max(0, scale - fraction.length));
        const stored = fraction.length <= scale && units < 10n ** BigInt(precision);
        expect(read(decimal({ precision, scale }), cell)).toEqual(
          stored ? { value: cell } : { code: 'out_of_range' },
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [{ precision: 5, scale: 2 }, 'Allowed: at most 3 digits before the point and at most 2 digits after it.'],
    [{ precision: 3, scale: 0 }, 'Allowed: at most 3 digits before the point and no digits after it.'],
    [{ precision: 2, scale: 2 }, 'Allowed: only 0 before the point and at most 2 digits after it.'],
    [{ precision: 1 }, 'Allowed: at most 1 digit in all.'],
    [{ scale: 1 }, 'Allowed: at most 1 digit after the point.'],
    [{ scale: 0 }, 'Allowed: no digits after the point.'],
  ])('says what %j allows', (rule, message) => {
    expect(FIELD_TYPES.reader(decimal(rule))('1234.5678')).toMatchObject({ message });
  });

  it('reads a date in the format of its field', () => {
    expect(read(date(), '2026-01-31')).toEqual({ value: '2026-01-31' });
    expect(read(date({ format: 'DD.MM.YYYY' }), '31.01.2026')).toEqual({ value: '2026-01-31' });
    expect(read(date({ format: 'DD.MM.YYYY' }), '31.02.2026')).toEqual({ code: 'not_date' });
    expect(read(date(), '31.01.2026')).toEqual({ code: 'not_date' });
  });

  it('reads the two booleans and no other word', () => {
    expect(read(boolean, 'true')).toEqual({ value: true });
    expect(read(boolean, 'false')).toEqual({ value: false });
    for (const cell of ['True', 'FALSE', '1', '0', 'yes', 'no', ' true', 'null']) {
      expect(read(boolean, cell)).toEqual({ code: 'not_boolean' });
    }
  });

  it('says what is allowed and never what was seen', () => {
    const secret = '4711-secret';
    const messages = [
      text({ maxLength: 1 }),
      integer,
      decimal(),
      date({ format: 'DD.MM.YYYY' }),
      boolean,
    ].map((field) => {
      const typed = FIELD_TYPES.reader(field)(secret);
      return typed.kind === 'error' ? typed.message : '';
    });
    for (const message of messages) {
      expect(message).toMatch(/^Allowed: .+\.$/);
      expect(message).not.toContain(secret);
    }
    expect(messages[0]).toBe('Allowed: at most 1 character.');
    expect(messages[3]).toContain('DD.MM.YYYY');
  });

  it('takes time in proportion to a cell', () => {
    for (const field of [integer, decimal({ precision: 38 }), date(), boolean]) {
      expect(FIELD_TYPES.reader(field)(`${'1'.repeat(65_536)}x`).kind).toBe('error');
    }
    expect(read(decimal({ precision: 38 }), `0.${'0'.repeat(65_000)}1`)).toEqual({ code: 'out_of_range' });
  });
});
