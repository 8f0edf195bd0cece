import { describe, expect, it } from 'vitest';
import { type Configuration, differences, type Field, fieldText } from './differences.ts';

function configuration(fields: Field[], changes: Partial<Configuration> = {}): Configuration {
  const [first, ...others] = fields;
  if (first === undefined) throw new Error('a schema without fields');
  return {
    name: 'Orders',
    allowedOrigins: ['https://a.example'],
    schema: { version: 'svcimport.schema.v1', revision: 1, fields: [first, ...others] },
    ...changes,
  };
}

const CODE: Field = { key: 'code', type: 'text', required: true };
const AMOUNT: Field = { key: 'amount', type: 'decimal', required: false, scale: 2 };

describe('differences', () => {
  it('finds none between equal revisions', () => {
    expect(differences(configuration([CODE, AMOUNT]), configuration([CODE, { ...AMOUNT }]))).toEqual([]);
  });

  it('names what was added, removed and changed', () => {
    const now = configuration(
      [
        { ...CODE, maxLength: 8 },
        { key: 'day', type: 'date', required: true },
      ],
      {
        name: 'Sales',
        allowedOrigins: ['https://b.example'],
      },
    );
    expect(differences(configuration([CODE, AMOUNT]), now)).toEqual([
      { kind: 'changed', what: 'name', from: 'Orders', to: 'Sales' },
      { kind: 'removed', what: 'amount', from: 'decimal, optional, at most 2 decimal places', to: null },
      { kind: 'changed', what: 'code', from: 'text, required', to: 'text, required, at most 8 characters' },
      { kind: 'added', what: 'day', from: null, to: 'date, required, YYYY-MM-DD' },
      { kind: 'removed', what: 'origin', from: 'https://a.example', to: null },
      { kind: 'added', what: 'origin', from: null, to: 'https://b.example' },
    ]);
  });

  it('names the texts of a field', () => {
    const texts = { label: 'Code', description: 'As printed', example: 'A-1', aliases: ['Nummer', '番号'] };
    expect(differences(configuration([CODE]), configuration([{ ...CODE, ...texts }]))).toEqual([
      {
        kind: 'changed',
        what: 'code',
        from: 'text, required',
        to: 'text, required. Label: Code. As printed. Example: A-1. Also named Nummer, 番号',
      },
    ]);
  });

  it('sees another order of the same fields', () => {
    expect(differences(configuration([CODE, AMOUNT]), configuration([AMOUNT, CODE]))).toEqual([
      { kind: 'changed', what: 'order of fields', from: 'code, amount', to: 'amount, code' },
    ]);
  });

  it('shows everything of the first revision as added', () => {
    const kinds = differences(null, configuration([CODE])).map(({ kind, what }) => [kind, what]);
    expect(kinds).toEqual([
      ['added', 'name'],
      ['added', 'code'],
      ['added', 'origin'],
    ]);
  });
});

describe('fieldText', () => {
  it('names the type, then its rules', () => {
    expect(fieldText({ key: 'a', type: 'date', required: true, format: 'DD.MM.YYYY' })).toBe(
      'date, required, DD.MM.YYYY',
    );
  });
});
