import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { listPollMs, pollMs, WATCH_MS } from './run-pace.ts';

export type Origin = Schemas['CheckOrigin'];
export type Suite = Schemas['CheckSuite'];
export type Profile = Schemas['AccessProfile'];
export type Run = Schemas['CheckRun'];
export type RunStatus = Schemas['CheckRunStatus'];

/** The run of a page. */
export interface Place {
  readonly workspaceId: string;
  readonly runId: string;
}

export function originsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'origins'],
    queryFn: () =>
      answer(api.GET('/v1/console/workspaces/{workspaceId}/origins', { params: { path: { workspaceId } } })),
    refetchInterval: WATCH_MS,
  });
}

/** The suites of a workspace. A suite never changes. */
export function suitesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'suites'],
    queryFn: () =>
      answer(api.GET('/v1/console/workspaces/{workspaceId}/suites', { params: { path: { workspaceId } } })),
  });
}

export function profilesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'access-profiles'],
    queryFn: () =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/access-profiles', {
          params: { path: { workspaceId } },
        }),
      ),
  });
}

/** The runs of a workspace or of one of its suites, newest first, with their live states. */
export function runsQuery(workspaceId: string, suiteId: string | null) {
  return infiniteQueryOptions({
    queryKey: ['workspace', workspaceId, 'runs', { suiteId }],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/runs', {
          params: {
            path: { workspaceId },
            query: {
              ...(pageParam === null ? {} : { cursor: pageParam }),
              ...(suiteId === null ? {} : { suiteId }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? [];
      return listPollMs(
        pages.flatMap(({ runs }) => runs),
        pages.length,
      );
    },
  });
}

export function runQuery(place: Place) {
  return queryOptions({
    queryKey: ['workspace', place.workspaceId, 'run', place.runId],
    queryFn: () =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/runs/{runId}', { params: { path: { ...place } } }),
      ),
    refetchInterval: ({ state: { data } }) => (data === undefined ? false : pollMs(data)),
  });
}

/** The last page of a run as a picture. The audit log records each look, so it is read once, and not kept behind the page. */
export function screenshotQuery(place: Place) {
  return queryOptions({
    queryKey: ['workspace', place.workspaceId, 'run', place.runId, 'screenshot'],
    queryFn: async (): Promise<Blob> =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/runs/{runId}/screenshot', {
          params: { path: { ...place } },
          parseAs: 'blob',
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
