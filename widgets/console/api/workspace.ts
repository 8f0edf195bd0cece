import { queryOptions } from '@tanstack/preact-query';
import { answer, api } from './client.ts';

/** One workspace of the organization: its name, state and products. */
export function workspaceQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId],
    queryFn: () =>
      answer(api.GET('/v1/console/workspaces/{workspaceId}', { params: { path: { workspaceId } } })),
  });
}

/** The activity, the limits and the next action of one workspace. */
export function overviewQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'overview'],
    queryFn: () =>
      answer(api.GET('/v1/console/workspaces/{workspaceId}/overview', { params: { path: { workspaceId } } })),
  });
}
