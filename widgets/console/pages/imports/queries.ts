import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { serverNow } from '../../api/server-clock.ts';

export type ImportState = Schemas['ImportState'];
export type ListedImport = Schemas['WorkspaceImport'];
export type ImportDetail = Schemas['ImportDetail'];
export type ImportField = Schemas['ImportField'];

export interface Place {
  readonly workspaceId: string;
  readonly importId: string;
}

/** Between two looks at an import that is being validated, and at one that waits for a machine. */
const VALIDATING_POLL_MS = 1_000;
const WAITING_POLL_MS = 5_000;

/** Between two looks at a list that agents and pages add to. */
const LIST_POLL_MS = 15_000;

/** The longest wait for the end of private data: a browser that slept counts on from here. */
const END_POLL_MS_MAX = 3_600_000;

/** The time until an import is looked at again; false if no machine changes it. Every import that has not ended does so in time. */
function pollMs({ status, expiresAt }: Pick<ListedImport, 'status' | 'expiresAt'>): number | false {
  if (status === 'validating') return VALIDATING_POLL_MS;
  if (['reserved', 'uploaded', 'approved'].includes(status)) return WAITING_POLL_MS;
  if (ENDED_STATES.includes(status)) return false;
  return Math.min(END_POLL_MS_MAX, Math.max(WAITING_POLL_MS, Date.parse(expiresAt) - serverNow()));
}

/** The states after which no private data are left. */
const ENDED_STATES: readonly ImportState[] = ['cancelled', 'expired', 'erased'];

export interface ImportFilters {
  readonly schemaId: string | null;
  readonly status: ImportState | null;
}

/** The imports of a workspace, newest first. They are looked at more often while one of them is under way. */
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
      const imports = data?.pages.flatMap((page) => page.imports) ?? [];
      const waits = imports.map(pollMs).filter((wait) => wait !== false);
      if (imports.length === 0) return data === undefined ? false : WAITING_POLL_MS;
      return Math.min(LIST_POLL_MS, ...waits);
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
    refetchInterval: ({ state: { data } }) => data !== undefined && pollMs(data),
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
