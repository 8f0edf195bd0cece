import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';

export type Summary = Schemas['OperationsSummary'];
export type Topic = Schemas['TopicSummary'];
export type History = Schemas['OperationsHistory'];
export type Range = History['range'];
export type Activity = Schemas['Activity'];
export type DeadLetter = Schemas['DeadLetter'];
export type LetterState = 'open' | 'closed';

/** The ranges of the charts, in the order of their choice. */
export const RANGES: readonly { readonly range: Range; readonly label: string }[] = [
  { range: '15m', label: '15 min' },
  { range: '1h', label: '1 h' },
  { range: '6h', label: '6 h' },
  { range: '24h', label: '24 h' },
];

/** Between two readings of what changes all the time. Processes report as often. */
const LIVE_MS = 5_000;
const HISTORY_MS = 10_000;
const ACTIVITY_MS = 15_000;

/** The numbers of all processes now. */
export const summaryQuery = queryOptions({
  queryKey: ['ops', 'summary'],
  queryFn: () => answer(api.GET('/v1/ops/summary')),
  refetchInterval: LIVE_MS,
});

export function historyQuery(range: Range) {
  return queryOptions({
    queryKey: ['ops', 'history', range],
    queryFn: () => answer(api.GET('/v1/ops/history', { params: { query: { range } } })),
    refetchInterval: HISTORY_MS,
    placeholderData: keepPreviousData,
  });
}

/** Workspaces, feedback and runs by the hour. */
export const activityQuery = queryOptions({
  queryKey: ['ops', 'activity'],
  queryFn: () => answer(api.GET('/v1/ops/activity')),
  refetchInterval: ACTIVITY_MS,
});

/** The topics with their partitions, while one of them is looked at. */
export const topicsQuery = queryOptions({
  queryKey: ['ops', 'topics'],
  queryFn: () => answer(api.GET('/v1/ops/topics')),
  refetchInterval: LIVE_MS,
});

/** A record may fail at any time: the page looks this often while it is shown. */
const LETTERS_MS = 15_000;

/** The records that could not be handled, a page at a time. Closed: an operator has sent them again or discarded them. */
export function lettersQuery(state: LetterState) {
  return infiniteQueryOptions({
    queryKey: ['dead-letters', state],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/v1/ops/dead-letters', {
          params: { query: { state, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: LETTERS_MS,
  });
}
