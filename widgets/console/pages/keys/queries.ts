import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';

export type KeyOverview = Schemas['KeyOverview'];
export type ApiKey = Schemas['ApiKey'];
export type KeyOverviews = Schemas['KeyOverviewList'];
export type Subscription = Schemas['Subscription'];

/** Calls are published every few seconds. A page in a hidden tab does not ask. */
const USE_INTERVAL_MS = 15_000;

/** All active keys with their use, in one request. */
export const overviewsQuery = queryOptions({
  queryKey: ['keys', 'overviews'],
  queryFn: () => answer(api.GET('/v1/key-overviews')),
  refetchInterval: USE_INTERVAL_MS,
});

/** The subscription with the use of the month. */
export const subscriptionQuery = queryOptions({
  queryKey: ['keys', 'subscription'],
  queryFn: () => answer(api.GET('/v1/subscription')),
  refetchInterval: USE_INTERVAL_MS,
});

/** Keys of one answer. */
const KEYS_A_PAGE = 100;

/** All keys, a page at a time, newest first. The revoked ones are only here. */
export const allKeysQuery = infiniteQueryOptions({
  queryKey: ['keys', 'all'],
  queryFn: ({ pageParam }) =>
    answer(
      api.GET('/v1/keys', {
        params: { query: { limit: KEYS_A_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) } },
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
});

/** The calls of one key by hour or day. */
export function usageQuery(keyId: string, unit: 'hour' | 'day') {
  return queryOptions({
    queryKey: ['keys', 'usage', keyId, unit],
    queryFn: () =>
      answer(api.GET('/v1/keys/{keyId}/usage', { params: { path: { keyId }, query: { unit } } })),
    refetchInterval: USE_INTERVAL_MS,
  });
}

/** The identifiers that a key denied lately. */
export function deniedQuery(keyId: string) {
  return queryOptions({
    queryKey: ['keys', 'denied', keyId],
    queryFn: () => answer(api.GET('/v1/keys/{keyId}/denied', { params: { path: { keyId } } })),
    refetchInterval: USE_INTERVAL_MS,
  });
}
