import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { answer, api } from '../api/client.ts';
import { mayManage, membersQuery } from '../api/members.ts';
import { Problem } from '../api/problem.ts';
import { serverNow } from '../api/server-clock.ts';
import { mayDecide, useMembership, useSession } from '../api/session.ts';
import { isRequestId } from '../pages/audit/filters.ts';
import { overviewsQuery } from '../pages/keys/queries.ts';
import { actionPath, actionWords, isWaiting } from '../pages/workspaces/next-action.ts';
import { workspacesQuery } from '../pages/workspaces/queries.ts';
import { switchTheme } from '../parts/frame/theme.ts';
import type { FailedQuery } from '../parts/loading/problem-panel.tsx';
import { visibleText } from '../parts/table/visible-text.ts';
import { organizationActions, type Subjects, subjectActions } from './organization-actions.ts';
import { pageActions } from './page-actions.ts';
import { hasPage } from './pages.ts';
import {
  type Entry,
  fits,
  matchEntry,
  orderEntries,
  requestEntry,
  workspacePages,
} from './palette-entries.ts';
import { useSignOut } from './sign-out.ts';
import { useSwitchOrganization } from './switch-organization.ts';
import { usePlaces } from './top-level-pages.ts';

const SECOND_MS = 1_000;

/** A search begins when no key was pressed for this long. */
const PAUSE_MS = 150;

/** Further tries of a search that was refused or not answered. Until then the palette says that it searches. */
const SEARCH_RETRIES_MAX = 3;

/** A person does not wait longer for a search without a word. */
const RETRY_AFTER_SECONDS_MAX = 5;

/** A read without which the lines are not complete. */
export interface FailedRead {
  readonly query: FailedQuery;
  readonly title: string;
}

/** The lines of the palette for a text: what waits, what can be done, pages, and the resources that the service finds. */
export function usePaletteEntries(text: string, recent: readonly string[]) {
  const wanted = text.trim();
  const searched = useSettled(wanted);
  const { listed, isListing, unread, ...subjects } = useSubjects();
  const onPage = useMemo(pageActions, []);
  const frame = useFrameActions();
  const search = useQuery({
    queryKey: ['search', searched],
    queryFn: () => answer(api.GET('/v1/console/search', { params: { query: { text: searched } } })),
    enabled: searched !== '',
    placeholderData: keepPreviousData,
    retry: (failures, error) =>
      error instanceof Problem &&
      error.isRetriable &&
      retryAfterOf(error) <= RETRY_AFTER_SECONDS_MAX &&
      failures < SEARCH_RETRIES_MAX,
    retryDelay: (_, error) => retryAfterOf(error) * SECOND_MS,
  });
  const unsearched = wanted !== '' && search.isError;
  const failed = unsearched ? { query: search, title: 'The search was not answered' } : unread;
  const pages = usePlaces().map(
    ({ to, label, words = '' }): Entry => ({ id: to, group: 'Go to', label, where: 'page', words, to }),
  );
  const always = [
    ...waitingActions(listed, mayDecide(subjects.role)),
    ...onPage.filter(({ isInRow }) => isInRow !== true || wanted !== ''),
    ...organizationActions(subjects),
    ...frame,
    ...pages,
  ];
  const named = wanted === '' ? [] : [...subjectActions(subjects), ...listed.flatMap(workspacePages)];
  const found =
    wanted === '' ? [] : (search.data?.matches ?? []).map((match) => matchEntry(match, serverNow()));
  return {
    entries: orderEntries(
      [
        ...(mayDecide(subjects.role) && isRequestId(wanted) ? [requestEntry(wanted)] : []),
        ...[...always, ...named].filter((entry) => fits(entry, wanted)),
        ...found.filter(({ to }) => to !== undefined && hasPage(to)),
      ],
      recent,
    ),
    isSearching: isListing || (wanted !== '' && (wanted !== searched || search.isFetching)),
    failed,
  };
}

function retryAfterOf(error: Error): number {
  return (error instanceof Problem ? error.retryAfterSeconds : null) ?? 1;
}

/** A hook: everything in the organization that actions can be about. */
function useSubjects() {
  const { role } = useMembership();
  const { user } = useSession();
  const workspaces = useInfiniteQuery(workspacesQuery);
  const keys = useQuery({ ...overviewsQuery, refetchInterval: false });
  const members = useQuery(membersQuery);
  const lists = [workspaces, keys, members];
  const unreadList = lists.find(({ isLoadingError }) => isLoadingError);
  const unread: FailedRead | null =
    unreadList === undefined ? null : { query: unreadList, title: 'Some names could not be read' };
  const listed = workspaces.data?.pages.flatMap((page) => page.workspaces) ?? [];
  return {
    role,
    user,
    workspaces: listed,
    keys: keys.data?.keys ?? [],
    members:
      members.data?.members.filter((each) => each.userId !== user.userId && mayManage(role, each.role)) ?? [],
    listed,
    isListing: lists.some(({ isLoading }) => isLoading),
    unread,
  } satisfies Subjects & { listed: unknown; isListing: boolean; unread: unknown };
}

type Listed = ReturnType<typeof useSubjects>['listed'];

/** The same ones as in the number beside Workspaces. */
function waitingActions(listed: Listed, may: boolean): Entry[] {
  return listed.flatMap(({ workspaceId, name, next }) =>
    next === null || !isWaiting({ next }) || !may
      ? []
      : [
          {
            id: `do ${workspaceId}`,
            group: 'Waits for you' as const,
            label: actionWords(next).title,
            where: visibleText(name),
            to: `/agent-workspaces/${workspaceId}${actionPath(next)}`,
          },
        ],
  );
}

/** The actions of the frame: the theme, the organization, the session. */
function useFrameActions(): Entry[] {
  const signOut = useSignOut();
  const { others, show } = useSwitchOrganization();
  return [
    action('Switch theme', 'dark or light', switchTheme),
    ...others.map(({ organizationId, name }) =>
      action(`Switch to ${visibleText(name)}`, 'organization', () => show(organizationId)),
    ),
    action('Sign out', 'in every tab', signOut, 'log out'),
  ];
}

function action(label: string, where: string, run: () => void, words = ''): Entry {
  return { id: label, group: 'Do', label, where, words, run };
}

/** A value after it has not changed for a while. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
