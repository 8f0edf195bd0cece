import { describe, expect, it } from 'vitest';
import type { RowKey } from '../../topics/ports/store.ts';
import { accounts } from './accounts.fixture.ts';
import { WorkingSet } from './working-set.ts';

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

describe('a working set that lets go', () => {
  it('of many keeps what there are few of', () => {
    const working = wholeSet();
    working.shed('many');
    expect(isKnown(working, settings)).toBe(true);
    expect(entries.filter((key) => isKnown(working, key))).toEqual([]);
    expect([working.size, working.letGo]).toEqual([1, 20]);
  });

  it('of all keeps nothing, and still knows what was never there', () => {
    const working = wholeSet();
    working.shed('all');
    expect([settings, ...entries].filter((key) => isKnown(working, key))).toEqual([]);
    expect(working.peek('settings', 'of nobody')).toBeNull();
    expect([working.size, working.letGo]).toEqual([0, 21]);
  });
});
