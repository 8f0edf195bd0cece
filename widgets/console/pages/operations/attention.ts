import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { lettersQuery, summaryQuery } from './queries.ts';

/** Between two readings of the number beside Operations. The page itself reads more often. */
const WATCH_MS = 30_000;

/**
 * A hook: the number of findings and open dead letters that an operator should look at. The findings come with the second reading:
 * the summary would make the first load of each page larger by a twentieth.
 */
export function useAttention(): number {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLoaded(true), WATCH_MS);
    return () => clearTimeout(timer);
  }, []);
  const seldom = { staleTime: WATCH_MS, refetchInterval: WATCH_MS };
  const summary = useQuery({ ...summaryQuery, ...seldom, enabled: isLoaded });
  const letters = useInfiniteQuery({ ...lettersQuery('open'), ...seldom });
  return (summary.data?.findings.length ?? 0) + (letters.data?.pages[0]?.open ?? 0);
}
