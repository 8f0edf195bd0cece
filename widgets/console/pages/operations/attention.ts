import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { lettersQuery, summaryQuery } from './queries.ts';

/** Between two readings of the number beside Operations. The page itself reads more often. */
const WATCH_MS = 30_000;

/** The reading begins so long after the frame was opened: what the person came for loads first. */
const BEGIN_MS = 3_000;

/** A hook: the number of findings and open dead letters that an operator should look at. */
export function useAttention(): number {
  const [enabled, begin] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => begin(true), BEGIN_MS);
    return () => clearTimeout(timer);
  }, []);
  const seldom = { enabled, staleTime: WATCH_MS, refetchInterval: WATCH_MS };
  const summary = useQuery({ ...summaryQuery, ...seldom });
  const letters = useInfiniteQuery({ ...lettersQuery('open'), ...seldom });
  return (summary.data?.findings.length ?? 0) + (letters.data?.pages[0]?.open ?? 0);
}
