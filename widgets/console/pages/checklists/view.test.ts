import { describe, expect, it } from 'vitest';
import { viewOf, viewQuery } from './view.ts';

describe('viewOf', () => {
  it.each([
    ['', { revision: 3, against: 2, cohort: null }],
    ['revision=1', { revision: 1, against: null, cohort: null }],
    ['revision=1&against=3&cohort=test', { revision: 1, against: 3, cohort: 'test' }],
    ['revision=2&against=2', { revision: 2, against: null, cohort: null }],
    ['against=none', { revision: 3, against: null, cohort: null }],
    ['revision=4&against=x&cohort=all', { revision: 3, against: 2, cohort: null }],
    ['revision=1.5&against=-1', { revision: 3, against: 2, cohort: null }],
  ])('reads %j', (query, view) => {
    expect(viewOf(new URLSearchParams(query), 3)).toEqual(view);
  });
});

describe('viewQuery', () => {
  it('changes and removes choices and keeps the others', () => {
    const params = new URLSearchParams('revision=2&cohort=live');
    expect(viewQuery(params, { revision: 1, against: null })).toBe('?revision=1&cohort=live');
    expect(viewQuery(params, { revision: null, cohort: null })).toBe('');
  });
});
