import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import { answerIfChanged } from '../../api/conditional.ts';
import type { Schemas } from '../../api/interface.ts';

export type Widget = Schemas['ListedWidget'];
export type Submission = Schemas['Submission'];
export type SubmissionState = Schemas['SubmissionState'];
export type Counts = Widget['counts'];

/** One list of submissions: those of a widget in one state, or in every state (null). */
export interface InboxPlace {
  readonly workspaceId: string;
  readonly widgetId: string;
  readonly state: SubmissionState | null;
}

/** Submissions arrive at any time: the page reads the counts this often while it is shown. */
const WATCH_MS = 15_000;

/** The widgets of a workspace with their counts. No read of them is in the audit log, so that it can be repeated. */
export function widgetsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'widgets'],
    queryFn: () =>
      answerIfChanged(`widgets of ${workspaceId}`, (headers) =>
        api.GET('/v1/console/workspaces/{workspaceId}/widgets', {
          params: { path: { workspaceId } },
          headers,
        }),
      ),
    refetchInterval: WATCH_MS,
  });
}

/** Everything about the submissions of a widget begins with this key. */
export function inboxesKey({ workspaceId, widgetId }: Omit<InboxPlace, 'state'>) {
  return ['workspace', workspaceId, 'submissions', widgetId] as const;
}

/**
 * The submissions of a widget, newest first. The audit log has every read of messages, so that they are read again only when the
 * counts of the widget have changed.
 */
export function inboxQuery({ state, ...place }: InboxPlace) {
  return infiniteQueryOptions({
    queryKey: [...inboxesKey(place), state ?? 'all'],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/widgets/{widgetId}/submissions', {
          params: {
            path: { ...place },
            query: {
              ...(pageParam === null ? {} : { cursor: pageParam }),
              ...(state === null ? {} : { state }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnWindowFocus: false,
  });
}
