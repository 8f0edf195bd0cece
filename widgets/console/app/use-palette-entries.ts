import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { answer, api } from '../api/client.ts';
import { serverNow } from '../api/server-clock.ts';
import { mayDecide, useMembership } from '../api/session.ts';
import { actionPath, actionWords } from '../pages/workspaces/next-action.ts';
import { workspacesQuery } from '../pages/workspaces/queries.ts';
import { visibleText } from '../parts/visible-text.ts';
import { hasPage } from './pages.ts';
import { type Entry, fits, matchEntry, orderEntries, workspacePages } from './palette-entries.ts';
import { usePlaces } from './places.ts';

/** A search begins when no key was pressed for this long. */
const PAUSE_MS = 150;

/** The lines of the palette for a text: pages, what waits, and the resources that the service finds. */
export function usePaletteEntries(text: string, recent: readonly string[]) {
  const { role } = useMembership();
  const searched = useSettled(text.trim());
  const workspaces = useInfiniteQuery(workspacesQuery);
  const search = useQuery({
    queryKey: ['search', searched],
    queryFn: () => answer(api.GET('/v1/console/search', { params: { query: { text: searched } } })),
    enabled: searched !== '',
    placeholderData: keepPreviousData,
  });
  const listed = workspaces.data?.pages.flatMap((page) => page.workspaces) ?? [];
  const actions = listed.flatMap(({ workspaceId, name, next }): Entry[] =>
    next === null || !mayDecide(role)
      ? []
      : [
          {
            id: `do ${workspaceId}`,
            group: 'Do',
            label: actionWords(next).title,
            where: visibleText(name),
            to: `/agent-workspaces/${workspaceId}${actionPath(next)}`,
          },
        ],
  );
  const pages = usePlaces().map(
    ({ to, label }): Entry => ({ id: to, group: 'Go to', label, where: 'page', to }),
  );
  const own = [...actions, ...claimEntry(mayDecide(role)), ...pages].filter((entry) =>
    fits(entry, text.trim()),
  );
  const found =
    text.trim() === '' ? [] : (search.data?.matches ?? []).map((match) => matchEntry(match, serverNow()));
  const reachable = found.filter(({ to }) => to !== undefined && hasPage(to));
  const inside = text.trim() === '' ? [] : listed.flatMap(workspacePages);
  const places = inside.filter((entry) => hasPage(entry.to ?? '') && fits(entry, text.trim()));
  return {
    entries: orderEntries([...own, ...reachable, ...places], recent),
    isSearching: search.isFetching,
  };
}

function claimEntry(may: boolean): Entry[] {
  return may
    ? [{ id: 'claim', group: 'Do', label: 'Claim a workspace', where: 'paste a link', to: '/claim' }]
    : [];
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
