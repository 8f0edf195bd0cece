import { useEffect, useRef } from 'preact/hooks';
import { ProblemPanel } from '../loading/problem-panel.tsx';

/** The distance from the end of a list at which its next page is loaded, in pixels. */
const AHEAD_PX = 600;

/** The part of an infinite query that {@link LoadMore} reads. */
interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: Error | null;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** The end of a list: loads the next page before the end is reached, and has a button for it. Renders nothing at the last page. */
export function LoadMore({ query }: { readonly query: Paged }) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const isReady = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    const element = end.current;
    if (element === null || !isReady) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void fetchNextPage();
      },
      { rootMargin: `${AHEAD_PX}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isReady, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div class="more" ref={end}>
      {isFetchNextPageError && query.error !== null ? (
        <ProblemPanel error={query.error} onRetry={() => void fetchNextPage()} />
      ) : (
        <button
          type="button"
          class="btn quiet"
          aria-disabled={isFetchingNextPage}
          onClick={() => {
            if (isReady) void fetchNextPage();
          }}
        >
          {isFetchingNextPage ? 'Loading more' : 'Load more'}
        </button>
      )}
    </div>
  );
}
