import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/preact-query';
import { Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { Redirect, Route, Switch, useLocation } from 'wouter-preact';
import { hasStatus } from '../api/client.ts';
import { createQueries } from '../api/queries.ts';
import { sessionQuery } from '../api/session.ts';
import { continueRequests, type EndReason, endReason, onSessionEnd } from '../api/session-end.ts';
import { type Change, onOtherTab } from '../api/session-tabs.ts';
import { ProblemPanel } from '../parts/problem-panel.tsx';
import { forgetAllShown } from '../parts/shown-once.tsx';
import { PageSkeleton } from '../parts/skeleton.tsx';
import { Frame } from './frame.tsx';
import { NotFoundPage } from './not-found.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { PAGES, type Page, pagesFor } from './pages.ts';
import { tryService } from './service-away.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** The whole application: what the service answered, the session, and the page of the address. */
export function Console() {
  const [isSignedOut, setSignedOut] = useState(false);
  const [queries] = useState(() =>
    createQueries({
      onSignedOut: () => setSignedOut(true),
      onUnreachable: (cache) => void tryService(cache),
    }),
  );
  const onSignedIn = () => {
    setSignedOut(false);
    continueRequests();
  };
  useEffect(() => {
    onSessionEnd(() => {
      const hadSession = queries.getQueryData(sessionQuery.queryKey) !== undefined;
      if (hadSession) setSignedOut(true);
      return hadSession;
    });
  }, [queries]);
  useEffect(() => onOtherTab((change) => void follow(queries, change, onSignedIn)), [queries]);
  return (
    <QueryClientProvider client={queries}>
      <Switch>
        {PAGES.filter(({ kind }) => kind === 'alone').map(({ path, View }) => (
          <Route key={path} path={path}>
            {(params: Record<string, string>) => (
              <PageBoundary>
                <Suspense fallback={<PageSkeleton />}>
                  <View params={params} />
                </Suspense>
              </PageBoundary>
            )}
          </Route>
        ))}
        <Route>
          <SignedIn isSignedOut={isSignedOut} onSignedIn={onSignedIn} />
        </Route>
      </Switch>
    </QueryClientProvider>
  );
}

/** Further tries to learn who is signed in. */
const RETRIES_MAX = 3;

/**
 * Follows another tab. Signed out there, nothing stays readable here. Signed in there as the same person for the same
 * organization, this page continues with what was typed. As another person, it begins again.
 */
async function follow(queries: QueryClient, change: Change, onSame: () => void): Promise<void> {
  const before = queries.getQueryData(sessionQuery.queryKey);
  // A page without a session, such as the sign-in itself, has nothing to follow.
  if (before === undefined) return;
  if (change === 'ended') {
    forgetAllShown();
    location.assign(signInAddress(location.pathname + location.search));
    return;
  }
  // Without an answer it counts as another person, who must not read what was left on the page.
  const now = await queries
    .fetchQuery({ ...sessionQuery, staleTime: 0, retry: RETRIES_MAX })
    .catch(() => null);
  const isSame = now?.user.userId === before.user.userId && now.organizationId === before.organizationId;
  if (isSame) {
    onSame();
    return;
  }
  forgetAllShown();
  location.assign('/');
}

/** The sign-in page that leads back to an address. `problem`: why it is asked for. */
function signInAddress(back: string, problem?: EndReason): string {
  const query = new URLSearchParams(back === '/' ? {} : { return: back });
  if (problem === 'no member' || problem === 'no organization') query.set('problem', problem);
  return query.size === 0 ? '/sign-in' : `/sign-in?${query}`;
}

/** Between two looks at the session of an open page. A role that was lost takes private data from the page by then. */
const SESSION_POLL_MS = 60_000;

interface SignedInProps {
  readonly isSignedOut: boolean;
  readonly onSignedIn: () => void;
}

/**
 * The pages for a person who has signed in. Without a session they lead to the sign-in and back. A session that ends while
 * a page is open is asked for in a dialog above it, so that nothing typed is lost.
 */
function SignedIn({ isSignedOut, onSignedIn }: SignedInProps) {
  const session = useQuery({ ...sessionQuery, refetchInterval: SESSION_POLL_MS });
  const [address] = useLocation();
  if (session.data === undefined) {
    if (hasStatus(session.error, 401)) {
      const reason = endReason(session.error) ?? 'none';
      return <Redirect to={signInAddress(address + location.search, reason)} replace />;
    }
    if (session.error !== null) {
      return (
        <div class="solo">
          <main>
            <h1>Your sign-in could not be checked</h1>
            <ProblemPanel error={session.error} onRetry={() => void session.refetch()} />
          </main>
        </div>
      );
    }
    return <PageSkeleton />;
  }
  return (
    <>
      <Frame>
        <Switch>
          <Route path="/">
            <Redirect to="/agent-workspaces" replace />
          </Route>
          {pagesFor(session.data)
            .filter(({ kind }) => kind === 'frame')
            .map((page) => pageRoute(page))}
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Frame>
      {isSignedOut && <SignInAgain session={session.data} onSignedIn={onSignedIn} />}
    </>
  );
}

function pageRoute({ path, View }: Page) {
  return (
    <Route key={path} path={path}>
      {(params: Record<string, string>) => (
        // The key makes another entity another page: nothing of the one before stays in its state.
        <PageBoundary key={Object.values(params).join('/')}>
          <Suspense fallback={<PageSkeleton />}>
            <View params={params} />
          </Suspense>
        </PageBoundary>
      )}
    </Route>
  );
}
