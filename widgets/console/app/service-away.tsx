import { type QueryClient, useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { isAway } from '../parts/loading/away.ts';
import { AwayNotice } from '../parts/loading/away-notice.tsx';

/** Between two tries to reach a service that did not answer. */
const TRY_MS = 3_000;

let isTrying = false;

/** Finds out whether the service answers at all. Once it does again, everything that is shown is read again. */
export async function tryService(queries: QueryClient): Promise<void> {
  if (isTrying) return;
  isTrying = true;
  const isThere = await fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(TRY_MS) }).then(
    ({ status }) => status < 500,
    () => false,
  );
  isTrying = false;
  const wasAway = isAway.get();
  isAway.set(!isThere);
  if (isThere && wasAway) await queries.invalidateQueries();
}

/** The one bar that says that the service cannot be reached. It tries again by itself. */
export function ServiceAway() {
  const queries = useQueryClient();
  const shown = isAway.use();
  useEffect(() => {
    const onLine = () => void tryService(queries);
    const onOffline = () => isAway.set(true);
    addEventListener('online', onLine);
    addEventListener('offline', onOffline);
    return () => {
      removeEventListener('online', onLine);
      removeEventListener('offline', onOffline);
    };
  }, [queries]);
  useEffect(() => {
    if (!shown) return;
    const timer = setInterval(() => void tryService(queries), TRY_MS);
    return () => clearInterval(timer);
  }, [queries, shown]);
  return (
    <div class="away" role="status">
      <AwayNotice />
    </div>
  );
}
