import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { lettersQuery, summaryQuery } from './queries.ts';

/** Between two readings of the number beside Operations. The page itself reads more often. */
const WATCH_MS = 30_000;

/** A hook: the number of findings and open dead letters that an operator should look at. */
export function useAttention(): number {
  const seldom = { staleTime: WATCH_MS, refetchInterval: WATCH_MS };
  const summary = useQuery({ ...summaryQuery, ...seldom });
  const letters = useInfiniteQuery({ ...lettersQuery('open'), ...seldom });
  return (summary.data?.findings.length ?? 0) + (letters.data?.pages[0]?.open ?? 0);
}
