import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';

export type ImportState = Schemas['ImportState'];
export type ImportStatus = Schemas['ImportStatus'];
export type ImportDetail = Schemas['ImportDetail'];
export type ImportField = Schemas['ImportField'];

/** Which import. */
export interface Place {
  readonly workspaceId: string;
  readonly importId: string;
}

/** Between two looks at an import that is being validated, and at one that waits for a machine. */
const VALIDATING_POLL_MS = 1_000;
const WAITING_POLL_MS = 5_000;

/** The time until an import in this state is looked at again; false if no machine changes it. */
export function pollMs(state: ImportState | undefined): number | false {
  if (state === 'validating') return VALIDATING_POLL_MS;
  return state === 'reserved' || state === 'approved' ? WAITING_POLL_MS : false;
}

export interface ImportFilters {
  readonly schemaId: string | null;
  readonly status: ImportState | null;
}

/** The imports of a workspace, newest first, looked at again only while one of them is under way. */
export function importsQuery(workspaceId: string, { schemaId, status }: ImportFilters) {
  return infiniteQueryOptions({
    queryKey: ['workspace', workspaceId, 'imports', { schemaId, status }],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/imports', {
          params: {
            path: { workspaceId },
            query: {
              ...(pageParam === null ? {} : { cursor: pageParam }),
              ...(schemaId === null ? {} : { schemaId }),
              ...(status === null || status === 'erased' ? {} : { status }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state: { data } }) => {
      const states = data?.pages.flatMap((page) => page.imports.map((each) => each.status)) ?? [];
      const waits = states.map(pollMs).filter((wait) => wait !== false);
      if (states.length === 0) return data === undefined ? false : WAITING_POLL_MS;
      return waits.length === 0 ? false : Math.min(...waits);
    },
  });
}

/** Everything about one import begins with this key. */
export function importKey({ workspaceId, importId }: Place) {
  return ['workspace', workspaceId, 'import', importId] as const;
}

export function importQuery(place: Place) {
  return queryOptions({
    queryKey: [...importKey(place), 'detail'],
    queryFn: () =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/imports/{importId}', {
          params: { path: { ...place } },
        }),
      ),
    refetchInterval: ({ state: { data } }) => pollMs(data?.status),
  });
}

/** When the import reached its states. `version` changes with each change of state. */
export function provenanceQuery(place: Place, version: string) {
  return queryOptions({
    queryKey: [...importKey(place), 'provenance', version],
    queryFn: () =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/imports/{importId}/provenance', {
          params: { path: { ...place } },
        }),
      ),
  });
}

/** The header and the first rows of the file. The audit log records each look, so it is read once. */
export function sourceQuery(place: Place) {
  return queryOptions({
    queryKey: [...importKey(place), 'source'],
    queryFn: () =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/imports/{importId}/source', {
          params: { path: { ...place } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
