import { describe, expect, it } from 'vitest';
import type { ImportField } from '../queries.ts';
import { choiceFaults, fieldsToMap, firstChoice, mappingOf } from './mapping-choice.ts';

const CODE: ImportField = { key: 'order_code', type: 'text', required: true };
const NOTE: ImportField = { key: 'note', type: 'text', required: false };
const DAY: ImportField = { key: 'day', type: 'date', required: true };
const FIELDS = [NOTE, CODE, DAY];

describe('fieldsToMap', () => {
  it('puts required fields first, each group in the order of the schema', () => {
    expect(fieldsToMap(FIELDS).map(({ key }) => key)).toEqual(['order_code', 'day', 'note']);
  });
});

describe('firstChoice', () => {
  it('begins with the mapping there is', () => {
    const mapping = mappingOf(FIELDS, { day: 'D', order_code: 'C' }, 1);
    expect(firstChoice(FIELDS, { headers: ['Day', 'D', 'C'], mapping }, [])).toEqual({
      day: 'D',
      order_code: 'C',
    });
  });

  it('begins with columns that are named like a field', () => {
    const headers = ['Order Code', 'DAY', 'Remark'];
    const chosen = { order_code: 'Order Code', day: 'DAY' };
    expect(firstChoice(FIELDS, { headers, mapping: null }, [])).toEqual(chosen);
  });

  it('suggests what the widget suggests: by other names, and by the first cells', () => {
    const fields = [{ ...DAY, aliases: ['Buchungstag'] }, NOTE];
    const headers = ['Buchungstag', 'Note day'];
    expect(firstChoice(fields, { headers, mapping: null }, [['05.11.2026', 'x']])).toEqual({
      day: 'Buchungstag',
      note: 'Note day',
    });
  });
});

describe('choiceFaults', () => {
  it('names required fields without a column, and a column that fills two fields', () => {
    expect(choiceFaults(FIELDS, { note: 'A', day: 'A' })).toEqual({
      note: 'This column fills day too. One column fills one field.',
      order_code: 'Required: choose a column.',
      day: 'This column fills note too. One column fills one field.',
    });
    expect(choiceFaults(FIELDS, { order_code: 'A', day: 'B' })).toEqual({});
  });
});

describe('mappingOf', () => {
  it('lists the chosen columns in the order of the schema', () => {
    expect(mappingOf(FIELDS, { day: 'D', order_code: 'C' }, 3)).toEqual({
      version: 'svcimport.mapping.v1',
      revision: 3,
      columns: [
        { source: 'C', target: 'order_code' },
        { source: 'D', target: 'day' },
      ],
    });
  });
});
