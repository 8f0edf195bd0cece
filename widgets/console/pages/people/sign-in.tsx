import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { SIGN_ON_REASONS, type SignOnReason } from '../../../../schemas/people/sign-on-reasons.ts';
import { tellOtherTabs } from '../../api/session-tabs.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { warm } from '../../parts/loading/warm.ts';
import { Shape } from '../../parts/table/state.tsx';
import { CredentialsForm } from './credentials.tsx';
import { useEnter } from './enter.ts';
import { CLAIM, HOME, INVITATION, INVITED, ownAddress, placeName } from './own-address.ts';
import { OrSingleSignOn } from './single-sign-on-link.tsx';
import { Solo } from './solo.tsx';

/** `/sign-in?return=…`: after it the person is where they wanted to go. `problem` is why single sign-on led back here. */
export function SignInPage() {
  const [params] = useSearchParams();
  const options = useQuery(signInOptionsQuery);
  const enter = useEnter();
  const to = ownAddress(params.get('return'), location.origin);
  useEffect(() => warm(to), [to]);
  const place = placeName(to);
  const query = params.has('return') ? `?return=${encodeURIComponent(to)}` : '';
  return (
    <Solo
      title="Sign in"
      hint={
        place === null ? undefined : (
          <>
            Then back to <strong>{place}</strong>. {KEPT.get(place) ?? 'Filters and tab are kept.'}
          </>
        )
      }
    >
      <SingleSignOnProblem
        code={params.get('problem')}
        reason={params.get('reason')}
        mayBegin={options.data?.signUp === 'open'}
      />
      <CredentialsForm onSignedIn={(session) => enter(session, to)}>
        {options.data?.singleSignOn === true && (
          <OrSingleSignOn returnTo={to} withOtherAccount={params.get('account') === 'other'} />
        )}
      </CredentialsForm>
      {options.data !== undefined && (
        <p class="hint">
          No account?{' '}
          {to.startsWith(INVITATION) ? (
            <>
              <PageLink to={INVITATION}>Join with e-mail and password</PageLink>; the invitation is kept.
            </>
          ) : options.data.signUp === 'open' ? (
            <>
              <PageLink to={`/sign-up${query}`}>Create one</PageLink>; you need it only to claim or approve.
            </>
          ) : (
            'An owner or admin of your organization invites you.'
          )}
        </p>
      )}
    </Solo>
  );
}

/** `/signed-in`: single sign-on in this tab is done. The tab that asked for it continues, and this one closes if it may. */
export function SignedInPage() {
  useEffect(() => {
    tellOtherTabs('began');
    // A script may close a tab only while it has been at no other page.
    if (history.length === 1) close();
  }, []);
  return (
    <Solo title="You are signed in" hint="You can close this tab. The page that you came from continues.">
      <PageLink to={HOME} class="btn large wide">
        Open the console here
      </PageLink>
    </Solo>
  );
}

/** The private part of a page that outlasts the sign-in, in words. */
const KEPT: ReadonlyMap<string, string> = new Map([
  [CLAIM, 'Link and code are kept.'],
  [INVITED, 'Its code is kept.'],
]);

interface Problem {
  readonly title: string;
  readonly cure: string;
}

/** The reasons of single sign-on that led back to this page, which its address names beside the code. */
const REASONS: Readonly<Record<SignOnReason, Problem>> = {
  not_started: {
    title: 'This sign-in has ended',
    cure: 'It took longer than ten minutes, or started in another browser. Start it again.',
  },
  denied: {
    title: 'The single sign-on provider refused the sign-in',
    cure: 'You declined there, or its rules do not allow it. Start it again, or ask the people who run it.',
  },
  not_confirmed: {
    title: 'The answer of the single sign-on provider could not be confirmed',
    cure: 'Start it again. If it fails again, ask the operator of this service: the log has the cause.',
  },
  misconfigured: {
    title: 'Single sign-on is not set up correctly',
    cure: 'Starting it again does not help. Ask the operator of this service: the log has the cause.',
  },
  unreachable: {
    title: 'The single sign-on provider does not answer',
    cure: 'Start it again in a minute, or sign in with e-mail and password.',
  },
};

/** The problems that led back to this page, by the code in its address. */
const PROBLEMS: ReadonlyMap<string, Problem> = new Map(
  Object.entries({
    unauthorized: {
      title: 'Single sign-on was not completed',
      cure: 'It took too long, started in another browser, or the provider refused it. Start it again.',
    },
    forbidden: {
      title: 'Single sign-on knows you, this service does not',
      cure: 'Continue with single sign-on as another account, which the provider asks for now. Or join by an invitation with e-mail and password. An owner or admin of your organization makes one.',
    },
    not_found: {
      title: 'There is no single sign-on here',
      cure: 'Sign in with e-mail and password.',
    },
    unavailable: {
      title: 'The single sign-on provider does not answer',
      cure: 'Start it again in a minute, or sign in with e-mail and password.',
    },
    organization_required: {
      title: 'You are signed in, and belong to no organization yet',
      cure: 'Open the link of your invitation in this browser.',
    },
    membership_ended: {
      title: 'You no longer belong to the organization',
      cure: 'Sign in to act for another organization of yours. An owner or admin can invite you again.',
    },
  }),
);

interface ProblemProps {
  readonly code: string | null;
  readonly reason: string | null;
  /** True if single sign-on makes an organization for a person who belongs to none. */
  readonly mayBegin: boolean;
}

const UNKNOWN: Problem = {
  title: 'Single sign-on failed',
  cure: 'Start it again, or sign in with e-mail and password.',
};

function SingleSignOnProblem({ code, reason, mayBegin }: ProblemProps) {
  if (code === null) return null;
  const known = SIGN_ON_REASONS.find((each) => each === reason);
  const { title, cure } = known === undefined ? (PROBLEMS.get(code) ?? UNKNOWN) : REASONS[known];
  return (
    <div class="notice warn" role="alert">
      <Shape tone="warn" />
      <div>
        <strong>{title}</strong>
        {cure}
        {code === 'organization_required' && mayBegin && ' Or continue with single sign-on, and get one.'}
      </div>
    </div>
  );
}
