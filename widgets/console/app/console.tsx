import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { Redirect, Route, Switch, useLocation } from 'wouter-preact';
import { hasStatus } from '../api/client.ts';
import { createQueries } from '../api/queries.ts';
import { type Session, sessionQuery } from '../api/session.ts';
import {
  askForSession,
  continueRequests,
  dropRequests,
  type EndReason,
  endReason,
  onSessionEnd,
} from '../api/session-end.ts';
import { type Change, onOtherTab, replyUnsaved } from '../api/session-tabs.ts';
import { forgetDrafts } from '../parts/form/draft.ts';
import { forgetAllShown, ShownOnceHost } from '../parts/form/shown-once.tsx';
import { unsavedWords } from '../parts/form/unsaved.ts';
import { ProblemPanel } from '../parts/loading/problem-panel.tsx';
import { PageSkeleton } from '../parts/loading/skeleton.tsx';
import { Frame } from './frame.tsx';
import { NotFoundPage } from './not-found.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { PAGES, type Page, pagesFor } from './pages.ts';
import { ServiceAway, tryService } from './service-away.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { showOrganization } from './switch-organization.ts';

/** The whole application: what the service answered, the session, and the page of the address. */
export function Console() {
  const [isSignedOut, setSignedOut] = useState(false);
  const [queries] = useState(() =>
    createQueries({
      onSignedOut: (cache) => {
        // A page that asks for no password, such as that of a claim, says itself that there is no session.
        if (!askForSession()) void cache.resetQueries({ queryKey: sessionQuery.queryKey });
      },
      onUnreachable: (cache) => void tryService(cache),
    }),
  );
  /** The same person is signed in again, for the same organization or for another one. */
  const continueAs = (before: Session, now: Session) => {
    setSignedOut(false);
    if (now.organizationId === before.organizationId) {
      queries.setQueryData(sessionQuery.queryKey, now);
      continueRequests();
      void queries.invalidateQueries();
    } else {
      dropRequests();
      showOrganization(queries, now);
    }
  };
  useEffect(() => onOtherTab((change) => void follow(queries, change, continueAs)), [queries]);
  useEffect(() => replyUnsaved((email) => (isOf(queries, email) ? [] : unsavedWords())), [queries]);
  return (
    <QueryClientProvider client={queries}>
      <Switch>
        {PAGES.filter(({ kind }) => kind === 'alone').map(({ path, View }) => (
          <Route key={path} path={path}>
            {(params: Record<string, string>) => (
              <>
                <Above />
                <PageBoundary>
                  <View params={params} />
                </PageBoundary>
              </>
            )}
          </Route>
        ))}
        <Route>
          <SignedIn
            isSignedOut={isSignedOut}
            onSignedOut={() => setSignedOut(true)}
            onSignedIn={continueAs}
          />
        </Route>
      </Switch>
    </QueryClientProvider>
  );
}

/** True if the person with this address has the session of this page. Letter case and spaces make no other address. */
function isOf(queries: QueryClient, email: string | null): boolean {
  const session = queries.getQueryData(sessionQuery.queryKey);
  return session !== undefined && session.user.email === email?.trim().toLowerCase();
}

/** The notices above a page without the frame. */
function Above() {
  return (
    <div class="above">
      <ServiceAway />
      <ShownOnceHost />
    </div>
  );
}

/** Further tries to learn who is signed in. */
const RETRIES_MAX = 3;

/**
 * Follows another tab. Signed out there, nothing stays readable here. Signed in there as the same person, this page continues
 * with what was typed and shown. As another person, it begins again.
 */
async function follow(
  queries: QueryClient,
  change: Change,
  onSame: (before: Session, now: Session) => void,
): Promise<void> {
  const { queryKey } = sessionQuery;
  const before = queries.getQueryData(queryKey);
  if (before === undefined) {
    if (change === 'began') void queries.invalidateQueries({ queryKey });
    return;
  }
  if (change === 'ended') {
    // The tab that ended the session has asked about the values of this one.
    forgetAllShown();
    forgetDrafts();
    location.replace(signInAddress(location.pathname + location.search));
    return;
  }
  // A look that is under way was sent with the session before.
  await queries.cancelQueries({ queryKey });
  // Without an answer it counts as another person, who must not read what was left on the page.
  const now = await queries
    .fetchQuery({ ...sessionQuery, staleTime: 0, retry: RETRIES_MAX })
    .catch(() => null);
  if (now?.user.userId === before.user.userId) {
    onSame(before, now);
    return;
  }
  forgetAllShown();
  forgetDrafts(now?.user.userId);
  location.replace('/');
}

/** The sign-in page that leads back to an address. `problem`: why it is asked for. */
function signInAddress(back: string, problem?: EndReason): string {
  const query = new URLSearchParams(back === '/' ? {} : { return: back });
  if (problem !== undefined && problem !== 'session_required') query.set('problem', problem);
  return query.size === 0 ? '/sign-in' : `/sign-in?${query}`;
}

/** Between two looks at the session of an open page. A role that was lost takes private data from the page by then. */
const SESSION_POLL_MS = 60_000;

interface SignedInProps {
  readonly isSignedOut: boolean;
  readonly onSignedOut: () => void;
  readonly onSignedIn: (before: Session, now: Session) => void;
}

/**
 * The pages for a person who has signed in. Without a session they lead to the sign-in and back. A session that ends while
 * a page is open is asked for in a dialog above it, so that nothing typed is lost.
 */
function SignedIn({ isSignedOut, onSignedOut, onSignedIn }: SignedInProps) {
  const session = useQuery({ ...sessionQuery, refetchInterval: SESSION_POLL_MS });
  const { data } = session;
  const hasSession = data !== undefined;
  useEffect(() => (hasSession ? onSessionEnd(onSignedOut) : undefined), [hasSession]);
  if (!hasSession) return <NoSession error={session.error} onRetry={() => void session.refetch()} />;
  return (
    <>
      <Frame>
        <Switch>
          <Route path="/">
            <Redirect to="/agent-workspaces" replace />
          </Route>
          {pagesFor(data)
            .filter(({ kind }) => kind === 'frame')
            .map((page) => pageRoute(page))}
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Frame>
      {isSignedOut && <SignInAgain session={data} onSignedIn={(now) => onSignedIn(data, now)} />}
    </>
  );
}

interface NoSessionProps {
  /** Null while the session is read. */
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** The way to the sign-in and back, and the reason where there is none. */
function NoSession({ error, onRetry }: NoSessionProps) {
  const [address] = useLocation();
  if (hasStatus(error, 401)) {
    return <Redirect to={signInAddress(address + location.search, endReason(error) ?? undefined)} replace />;
  }
  return (
    <>
      <Above />
      {error === null ? (
        <PageSkeleton />
      ) : (
        <div class="solo">
          <main>
            <h1>Your sign-in could not be checked</h1>
            <ProblemPanel error={error} onRetry={onRetry} />
          </main>
        </div>
      )}
    </>
  );
}

function pageRoute({ path, View }: Page) {
  return (
    <Route key={path} path={path}>
      {(params: Record<string, string>) => (
        // The key makes another entity another page: nothing of the one before stays in its state.
        <PageBoundary key={Object.values(params).join('/')}>
          <View params={params} />
        </PageBoundary>
      )}
    </Route>
  );
}
