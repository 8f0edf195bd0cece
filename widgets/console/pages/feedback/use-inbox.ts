import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import type { OnOwnChange } from './inbox-changes.ts';
import { type InboxPages, submissionsOf } from './inbox-pages.ts';
import { type Counts, type InboxPlace, inboxQuery, type Submission } from './queries.ts';
import { countsKey, recounted } from './submission-state.ts';

/** The pages that are loaded at most to find a submission that the address names. */
const SEARCHED_PAGES_MAX = 20;

/** The list of an inbox as far as it is loaded. */
export interface InboxList {
  readonly list: UseInfiniteQueryResult<InboxPages>;
  /** Absent while the first page is read. */
  readonly submissions: readonly Submission[] | undefined;
  /** True if the list has changed and is not read again by itself, because a person is further down in it. */
  readonly hasNews: boolean;
  readonly showNews: () => void;
  readonly onOwnChange: OnOwnChange;
  /** True if the list, as far as it was searched, does not have the submission that the address names. */
  readonly isLost: boolean;
}

/**
 * Reads an inbox, and reads it again when its counts say that something has arrived or another person has changed it. Changes of
 * this page are no reason. A list of several pages waits for the person, who would lose the place in it.
 */
export function useInbox(place: InboxPlace, counts: Counts, wantedId: string | null): InboxList {
  const list = useInfiniteQuery(inboxQuery(place));
  const [hasNews, setNews] = useState(false);
  const known = useRef(counts);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = list;
  const submissions = submissionsOf(list.data);
  const pages = list.data?.pages.length ?? 0;
  const key = countsKey(counts);
  useEffect(() => setNews(false), [place.state]);
  useEffect(() => {
    if (countsKey(known.current) === key) return;
    known.current = counts;
    if (pages > 1) setNews(true);
    else void refetch();
  }, [key, counts, pages, refetch]);
  const isMissing =
    wantedId !== null &&
    submissions !== undefined &&
    !submissions.some(({ submissionId }) => submissionId === wantedId) &&
    !unreadableIn(list.data?.pages).some(({ id }) => id === wantedId);
  const isSearching = isMissing && hasNextPage && pages < SEARCHED_PAGES_MAX && !isFetchNextPageError;
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  return {
    list,
    submissions,
    hasNews,
    showNews: () => {
      setNews(false);
      void refetch();
    },
    onOwnChange: (from, to) => {
      known.current = recounted(known.current, from, to);
    },
    isLost: isMissing && !isSearching && !isFetching && !isFetchNextPageError,
  };
}
