import { describe, expect, it } from 'vitest';
import { filterOf, wantedOf, withFilter } from './row-filter.ts';

const rows = (invalid: number) => ({ rows: { total: 10, valid: 10 - invalid, invalid, blank: 0 } });

describe('filterOf', () => {
  it('shows wrong rows first, and all of an import without any', () => {
    expect(filterOf(new URLSearchParams(), rows(2)).shown).toBe('invalid');
    expect(filterOf(new URLSearchParams(), rows(0)).shown).toBe('all');
    expect(filterOf(new URLSearchParams('rows=valid'), rows(2)).shown).toBe('valid');
  });

  it('takes a code that there is, and no other', () => {
    expect(filterOf(new URLSearchParams('code=not_date'), rows(2)).code).toBe('not_date');
    expect(filterOf(new URLSearchParams('code=constructor&rows=x'), rows(2))).toEqual({
      shown: 'invalid',
      field: null,
      code: null,
    });
  });
});

describe('withFilter', () => {
  it('is read back as it was written, without the row of another list', () => {
    const filter = { shown: 'invalid', field: 'amount', code: 'required' } as const;
    const search = withFilter(new URLSearchParams('row=7&x=1'), filter);
    expect(filterOf(search, rows(0))).toEqual(filter);
    expect([search.get('row'), search.get('x')]).toEqual([null, '1']);
    expect(withFilter(search, { shown: 'all', field: null, code: null }).toString()).toBe('x=1&rows=all');
  });
});

describe('wantedOf', () => {
  it.each([
    ['', { kind: 'nothing' }],
    ['  ', { kind: 'nothing' }],
    ['118', { kind: 'row', row: 118 }],
    [' 900 ', { kind: 'row', row: 900 }],
    ['0', { kind: 'value', text: '0' }],
    ['901', { kind: 'value', text: '901' }],
    ['"118"', { kind: 'value', text: '118' }],
    ['4,6', { kind: 'value', text: '4,6' }],
    ['<b>', { kind: 'value', text: '<b>' }],
  ])('reads %j', (typed, wanted) => {
    expect(wantedOf(typed, 900)).toEqual(wanted);
  });
});
