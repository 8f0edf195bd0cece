import { describe, expect, it } from 'vitest';
import { afterMove, type InboxPages, neighbour, submissionsOf } from './inbox-pages.ts';
import type { Submission } from './queries.ts';

const submission = (submissionId: string): Submission => ({
  submissionId,
  message: submissionId,
  rating: null,
  path: null,
  receivedAt: '2026-11-21T12:00:00.000Z',
  state: 'open',
});

const pages = (...ids: readonly (readonly string[])[]): InboxPages => ({
  pages: ids.map((page) => ({ submissions: page.map(submission), nextCursor: null })),
  pageParams: ids.map(() => null),
});

const idsOf = (shown: InboxPages | undefined) => submissionsOf(shown)?.map((each) => each.submissionId);

describe('submissionsOf', () => {
  it('has each submission once, also one that came with two pages', () => {
    expect(idsOf(pages(['c', 'b'], ['b', 'a']))).toEqual(['c', 'b', 'a']);
    expect(idsOf(undefined)).toBeUndefined();
  });
});

describe('afterMove', () => {
  it('takes a submission from the list of another state', () => {
    expect(idsOf(afterMove(pages(['c', 'b'], ['a']), 'open', 'b', 'done'))).toEqual(['c', 'a']);
  });

  it('changes it in its place in the list of all', () => {
    const shown = submissionsOf(afterMove(pages(['c', 'b']), null, 'b', 'held'));
    expect(shown?.map(({ submissionId, state }) => `${submissionId} ${state}`)).toEqual(['c open', 'b held']);
  });

  it('removes what is erased from every list', () => {
    expect(idsOf(afterMove(pages(['c', 'b']), null, 'c', null))).toEqual(['b']);
    expect(afterMove(undefined, null, 'c', null)).toBeUndefined();
  });
});

describe('neighbour', () => {
  it('is the next one, then the one before, then none', () => {
    const list = ['c', 'b', 'a'].map(submission);
    expect([neighbour(list, 'c'), neighbour(list, 'a'), neighbour(list, 'none')]).toEqual(['b', 'b', null]);
    expect(neighbour([submission('c')], 'c')).toBeNull();
  });
});
