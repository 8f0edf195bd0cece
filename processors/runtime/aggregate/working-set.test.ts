import { describe, expect, it } from 'vitest';
import { accounts } from '../../../infra/testing/accounts.fixture.ts';
import { EMPTY_ROOT } from '../../../schemas/base/aggregate-root.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import { COMMIT_CHARACTERS_MAX, COMMIT_ROWS_MAX, WorkingSet } from './working-set.ts';

const entries: RowKey[] = Array.from({ length: 20 }, (_, index) => ({ kind: 'entry', id: `${index}` }));
const settings: RowKey = { kind: 'settings', id: 'all' };

/** A set that was there from the aggregate's first row on, with many rows of one kind and one of another. */
function wholeSet(): WorkingSet {
  const working = new WorkingSet(accounts, null);
  for (const key of [settings, ...entries]) working.set(key, { n: 1 });
  working.settle();
  return working;
}

const isKnown = (working: WorkingSet, { kind, id }: RowKey) => working.peek(kind, id) !== undefined;

describe('a working set that evicts', () => {
  it('of many keeps what there are few of', () => {
    const working = wholeSet();
    working.evict('many');
    expect(isKnown(working, settings)).toBe(true);
    expect(entries.filter((key) => isKnown(working, key))).toEqual([]);
    expect([working.size, working.evictedKeys]).toEqual([1, 20]);
  });

  it('of all keeps nothing, and still knows what was never there', () => {
    const working = wholeSet();
    working.evict('all');
    expect([settings, ...entries].filter((key) => isKnown(working, key))).toEqual([]);
    expect(working.peek('settings', 'of nobody')).toBeNull();
    expect([working.size, working.evictedKeys]).toEqual([0, 21]);
  });
});

describe('a working set of an aggregate', () => {
  it('writes members that only a newer release knows again', () => {
    const working = new WorkingSet(accounts, { ...EMPTY_ROOT, sequence: 1 });
    const document = { count: 1, added: { by: 'a newer release' } };
    const row = { kind: 'counter', id: 'x' };
    working.load([row], { root: null, rows: [{ ...row, document }] });
    const loaded = working.peek(row.kind, row.id);
    working.set(row, { ...loaded, count: 2 });
    expect(working.changes().put).toEqual([{ ...row, document: { ...document, count: 2 } }]);
    // A handler that writes the whole row does not know them.
    working.set(row, { count: 3 });
    expect(working.changes().put).toEqual([{ ...row, document: { ...document, count: 3 } }]);
    working.settle();
    working.set(row, null);
    working.set(row, { count: 4 });
    expect(working.changes().put).toEqual([{ ...row, document: { count: 4 } }]);
  });
});

describe('the size of a working set', () => {
  it('counts a row once, however often it is written, and a removed one until its commit', () => {
    const working = new WorkingSet(accounts, null);
    for (const n of [1, 2, 3]) working.set(settings, { n });
    for (const key of entries) working.set(key, { n: 1 });
    expect(working.size).toBe(21);
    working.settle();
    expect(working.size).toBe(21);
    for (const key of entries) working.set(key, null);
    expect(working.size).toBe(41);
    working.settle();
    expect(working.size).toBe(1);
  });

  it('is full with the rows that one commit takes, and empty after it', () => {
    const working = new WorkingSet(accounts, null);
    for (let count = 1; count < COMMIT_ROWS_MAX; count += 1)
      working.set({ kind: 'entry', id: `${count}` }, null);
    for (let count = 1; count < COMMIT_ROWS_MAX; count += 1)
      working.set({ kind: 'entry', id: `${count}` }, null);
    expect(working.isFull).toBe(false);
    working.set(settings, { n: 1 });
    expect(working.isFull).toBe(true);
    working.settle();
    expect(working.isFull).toBe(false);
  });

  it('is full with the characters that one commit takes', () => {
    const working = new WorkingSet(accounts, null);
    const half = { text: 'x'.repeat(COMMIT_CHARACTERS_MAX / 2) };
    working.set({ kind: 'entry', id: 'first' }, half);
    expect(working.isFull).toBe(false);
    working.set({ kind: 'entry', id: 'second' }, half);
    expect(working.isFull).toBe(true);
  });
});
