import { MutationCache, QueryCache, QueryClient } from '@tanstack/preact-query';
import { hasStatus } from './client.ts';
import { Problem } from './problem.ts';
import { sessionQuery } from './session.ts';
import { endReason } from './session-end.ts';

/** The number of times a read is repeated by itself before its error is shown. */
const READ_RETRIES_MAX = 2;

/** The time in which an answer counts as fresh: going back to a page shows it without asking again. */
const FRESH_MS = 10_000;

/** The errors of reads: nothing that the person did failed. */
const readFailures = new WeakSet<Error>();

/** True if an error is that of a read, which is repeated by itself, and not of a change. */
export function isReadFailure(error: Error): boolean {
  return readFailures.has(error);
}

/** The listeners to what answers say about the session and the service. */
interface Listeners {
  /** Called for each answer that says that the session is over, if there was one. */
  onSignedOut(queries: QueryClient): void;
  /** Called for each request without an answer. */
  onUnreachable(queries: QueryClient): void;
}

/** Makes the cache of what the service answered. An answer 403 can mean another role, so that the session is read again. */
export function createQueries({ onSignedOut, onUnreachable }: Listeners): QueryClient {
  const onError = (error: Error) => {
    if (hasStatus(error, 403)) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    const hadSession = queries.getQueryData(sessionQuery.queryKey) !== undefined;
    if (error instanceof Problem && error.code === 'unreachable') onUnreachable(queries);
    if (hadSession && endReason(error) !== null) onSignedOut(queries);
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        readFailures.add(error);
        onError(error);
      },
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // A browser that is offline gets no answer, as from a service that is away, and the page says the same.
        networkMode: 'always',
        staleTime: FRESH_MS,
        retry: (failures, error) => {
          if (!(error instanceof Problem)) return false;
          if (error.code === 'unreachable') onUnreachable(queries);
          return failures < READ_RETRIES_MAX && error.isRetriable && error.code !== 'rate_limited';
        },
      },
      // The person decides whether to try again. A retry would need the same idempotency key.
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return queries;
}
