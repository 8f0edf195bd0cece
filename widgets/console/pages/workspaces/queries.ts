import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import { personName } from '../../api/person-name.ts';

/** The workspaces that one request returns. */
const WORKSPACES_A_PAGE = 100;

/** The organization's workspaces with what waits in each, a page at a time, newest first. */
export const workspacesQuery = infiniteQueryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ pageParam }) =>
    answer(
      api.GET('/v1/console/workspace-overviews', {
        params: { query: { limit: WORKSPACES_A_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) } },
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
});

/** The names of the members, to say who did something. */
export const memberNamesQuery = queryOptions({
  queryKey: ['member-names'],
  queryFn: async () => {
    const { members } = await answer(api.GET('/v1/console/members'));
    return new Map(members.map((member) => [member.userId, personName(member)]));
  },
});
