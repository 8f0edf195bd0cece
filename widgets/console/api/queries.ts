import { MutationCache, QueryCache, QueryClient } from '@tanstack/preact-query';
import { hasStatus } from './client.ts';
import { Problem } from './problem.ts';
import { endReason, sessionQuery } from './session.ts';

/** The number of times a read is repeated by itself before its error is shown. */
const READ_RETRIES_MAX = 2;

/** The time in which an answer counts as fresh: going back to a page shows it without asking again. */
const FRESH_MS = 10_000;

/**
 * Makes the cache of what the service answered. `onSignedOut` is called for each answer that says that the session is over, if
 * there was one. An answer 403 can mean that the role is another one, so that the session is read again.
 */
export function createQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (hasStatus(error, 403)) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    const hadSession = queries.getQueryData(sessionQuery.queryKey) !== undefined;
    if (hadSession && endReason(error) !== null) onSignedOut();
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) =>
          failures < READ_RETRIES_MAX &&
          error instanceof Problem &&
          error.isRetriable &&
          error.code !== 'rate_limited',
      },
      // The person decides whether to try again. A retry would need the same idempotency key.
      mutations: { retry: false },
    },
  });
  return queries;
}
