import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { codeInLink, keepClaim, type PendingClaim, takeClaim } from '../../api/claim-code.ts';
import { hasStatus } from '../../api/client.ts';
import { personName } from '../../api/person-name.ts';
import { type Session, sessionQuery } from '../../api/session.ts';
import { endReason } from '../../api/session-end.ts';
import { Announcements } from '../../parts/frame/announce.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ThemeButton } from '../../parts/frame/theme-button.tsx';
import { Toasts } from '../../parts/frame/toast.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { Shape } from '../../parts/table/state.tsx';
import { Changes } from './changes.tsx';
import { ClaimFlow } from './flow.tsx';
import { PasteLink } from './paste-link.tsx';
import { Steps } from './steps.tsx';

/** `/claim#…`: a person looks at a workspace, confirms that it is theirs, attaches it, and claims it. */
export function ClaimPage() {
  const [claim, setClaim] = useState(takeClaim);
  const session = useQuery(sessionQuery);
  useEffect(() => {
    document.title = 'Claim a workspace · svc';
    // A link that is opened in this tab while the page is shown only changes the fragment.
    const take = () => {
      if (codeInLink(location.hash) !== null) setClaim(takeClaim());
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  const change = (next: PendingClaim | null) => {
    keepClaim(next);
    setClaim(next);
  };
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Bar session={session.data} />
      <main class="flow" id="main" tabIndex={-1}>
        {claim === null ? (
          <PasteLink onCode={(code) => change({ code, confirm: '' })} />
        ) : session.data !== undefined ? (
          <ClaimFlow key={claim.code} claim={claim} session={session.data} onChange={change} />
        ) : hasStatus(session.error, 401) ? (
          <SignInFirst isHomeless={endReason(session.error) === 'organization_required'} />
        ) : session.error !== null ? (
          <ProblemPanel error={session.error} onRetry={() => void session.refetch()} />
        ) : null}
      </main>
      <Announcements />
      <Toasts />
    </>
  );
}

function Bar({ session }: { readonly session: Session | undefined }) {
  return (
    <header class="flow-bar">
      <strong>
        <span class="mark" aria-hidden="true">
          s
        </span>
        svc
      </strong>
      <div class="actions">
        {session !== undefined && (
          <>
            <span class="hide-narrow">Signed in as {personName(session.user)}</span>
            <PageLink to="/agent-workspaces" isCurrent={false}>
              Console
            </PageLink>
          </>
        )}
        <ThemeButton />
      </div>
    </header>
  );
}

interface SignInFirstProps {
  /** True for a person without an organization. */
  readonly isHomeless: boolean;
}

/** A claim is looked at by a person of an organization. The link waits in this tab meanwhile. */
function SignInFirst({ isHomeless }: SignInFirstProps) {
  return (
    <>
      <header class="head">
        <h1>Claim a workspace</h1>
        <p class="lede">
          A coding agent made a workspace for you, a preview that ends after 72 hours. Sign in to see its
          name, what is inside and who holds a credential; with the code from your terminal you add it to your
          organization. Claiming then keeps it, on the Free plan and without a card.
        </p>
      </header>
      <Steps now="look" look="Sign in first" />
      {isHomeless && (
        <div class="notice warn" role="alert">
          <Shape tone="warn" />
          <div>
            <strong>You are signed in, and belong to no organization yet</strong>
            Open the link of your invitation in this browser first, or create an account with an organization.
          </div>
        </div>
      )}
      <div class="row">
        <PageLink class="btn primary large" to="/sign-in?return=/claim" isCurrent={false}>
          Sign in
        </PageLink>
        <PageLink class="btn large" to="/sign-up?return=/claim" isCurrent={false}>
          Create an account
        </PageLink>
      </div>
      <p class="hint">
        Looking doesn’t use up the link. It stays in this tab until you come back, and isn’t saved in your
        browser history.
      </p>
      <Changes expiresAt={null} />
    </>
  );
}
