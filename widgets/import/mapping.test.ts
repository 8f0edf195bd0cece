import { describe, expect, it } from 'vitest';
import { assign, jsonList, missing, recall, remember } from './mapping.ts';

const field = (key: string, required = false) => ({ key, type: 'text', required });

describe('recall', () => {
  it('leaves out the columns of a field that is gone', () => {
    remember('sch_1', ['a', 'b'], ['first', 'second']);
    expect(recall('sch_1', ['a', 'b'], [field('second'), field('a')])).toEqual([null, 'second']);
    expect(recall('sch_1', ['b', 'a'], [field('second')])).toBeUndefined();
  });
});

describe('assign', () => {
  it('moves a target to another column', () => {
    expect(assign(['a', null, 'b'], 1, 'a')).toEqual([null, 'a', 'b']);
    expect(assign(['a', null], 0, null)).toEqual([null, null]);
  });
});

describe('missing', () => {
  it('names the required fields without a column', () => {
    const labelled = { ...field('d', true), label: 'Day' };
    expect(missing(['a'], [field('a', true), field('b', true), field('c'), labelled])).toEqual(['b', 'Day']);
  });
});

describe('jsonList', () => {
  it('is JSON also where a library has given arrays a method toJSON', () => {
    Object.defineProperty(Array.prototype, 'toJSON', { value: () => 'broken', configurable: true });
    try {
      expect(jsonList([{ kind: 'rows', rows: 2 }, { kind: 'edited' }])).toBe(
        '[{"kind":"rows","rows":2},{"kind":"edited"}]',
      );
    } finally {
      Reflect.deleteProperty(Array.prototype, 'toJSON');
    }
  });
});
