import { describe, expect, it } from 'vitest';
import { EMPTY_ROOT } from '../../schemas/base/aggregate-root.ts';
import { LETTER_KEPT_MS } from '../../schemas/operations/dead-letters.ts';
import type { Row, Store } from '../../topics/ports/store.ts';
import { listLetters } from './dead-letters.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const idOf = (offset: number, at = NOW + offset) => `${String(at).padStart(15, '0')}-usage-1-0-${offset}`;

/** A store with these letters and nothing else. */
function storeOf(open: readonly string[], closed: readonly string[]): Store {
  const rowOf = (id: string): Row => ({
    ...{ kind: 'letter', id },
    document: {
      ...{ topic: 'usage', generation: 1, partition: 0, offset: 1, appendedAt: NOW, key: 'k', value: 'v' },
      ...{ reason: 'r', at: NOW, type: null, requestId: null, state: 'open', closedAt: null },
    },
  });
  const causes = Object.fromEntries(open.slice(0, 1).map((id) => [id, 'c']));
  const state = { open: [...open], closed: [...closed], causes, left: { c: 7 } };
  const document = { ...EMPTY_ROOT, state };
  const root = { version: 1, batchId: 'b', applied: { generation: 1, offset: 1 }, document };
  const read: Store['read'] = async (_, rows) => ({ root, rows: rows.map(({ id }) => rowOf(id)) });
  return { read } as Store;
}

/** The offsets on a page, and its cursor. */
async function page(
  open: readonly string[],
  closed: readonly string[],
  query: { state: 'open' | 'closed'; cursor?: string },
) {
  const { body } = await listLetters(storeOf(open, closed), { ...query, limit: 2 }, NOW);
  const { deadLetters, nextCursor, open: count } = body;
  return { ids: deadLetters.map(({ deadLetterId }) => deadLetterId), nextCursor, count };
}

describe('listLetters', () => {
  const [first = '', second = '', third = '', fourth = ''] = [1, 2, 3, 4].map((offset) => idOf(offset));

  it('continues behind a letter that was closed since', async () => {
    const before = await page([first, second, third, fourth], [], { state: 'open' });
    expect(before).toEqual({ ids: [fourth, third], nextCursor: third, count: 4 });
    const after = await page([first, second, fourth], [third], { state: 'open', cursor: third });
    expect(after).toEqual({ ids: [second, first], nextCursor: null, count: 3 });
  });

  it('lists closed letters in the order in which they were closed, and nothing behind one that has left', async () => {
    const closed = [third, first, second];
    expect(await page([], closed, { state: 'closed' })).toMatchObject({
      ids: [second, first],
      nextCursor: first,
    });
    expect(await page([], closed, { state: 'closed', cursor: first })).toMatchObject({ ids: [third] });
    expect(await page([], closed, { state: 'closed', cursor: fourth })).toMatchObject({ ids: [] });
  });

  it('says how many letters like an open one are not listed', async () => {
    const { body: listed } = await listLetters(
      storeOf([first, second], []),
      { state: 'open', limit: 2 },
      NOW,
    );
    expect(listed.deadLetters.map(({ notListed }) => notListed)).toEqual([0, 7]);
  });

  it('leaves out letters that have ended', async () => {
    const [old, young] = [idOf(1, NOW - LETTER_KEPT_MS), idOf(2, NOW - LETTER_KEPT_MS + 1)];
    expect(await page([old, young], [], { state: 'open' })).toEqual({
      ids: [young],
      nextCursor: null,
      count: 1,
    });
    expect(await page([], [old], { state: 'closed' })).toMatchObject({ ids: [] });
  });
});
