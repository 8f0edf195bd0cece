import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query';
import { answer, api } from './client.ts';

/** The import schemas of a workspace. There are a few at most. */
export function importSchemasQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'schemas'],
    queryFn: () =>
      answer(api.GET('/v1/console/workspaces/{workspaceId}/schemas', { params: { path: { workspaceId } } })),
  });
}

/** One schema in its current revision, with its browser sessions. */
export function importSchemaQuery(workspaceId: string, schemaId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'schemas', schemaId],
    queryFn: () =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/schemas/{schemaId}', {
          params: { path: { workspaceId, schemaId } },
        }),
      ),
  });
}

/** Every revision of a schema, newest first. */
export function schemaRevisionsQuery(workspaceId: string, schemaId: string) {
  return infiniteQueryOptions({
    queryKey: ['workspace', workspaceId, 'schemas', schemaId, 'revisions'],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/schemas/{schemaId}/revisions', {
          params: {
            path: { workspaceId, schemaId },
            query: pageParam === null ? {} : { cursor: pageParam },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One revision of a schema, which never changes; null if there is none of this number. */
export function schemaRevisionQuery(workspaceId: string, schemaId: string, revision: number) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'schemas', schemaId, 'revision', revision],
    queryFn: async () => {
      const { revisions } = await answer(
        api.GET('/v1/console/workspaces/{workspaceId}/schemas/{schemaId}/revisions', {
          // The cursor is the revision before which the page begins.
          params: { path: { workspaceId, schemaId }, query: { cursor: String(revision + 1), limit: 1 } },
        }),
      );
      return revisions.find((found) => found.revision === revision) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
