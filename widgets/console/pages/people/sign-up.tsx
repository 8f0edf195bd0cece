import { useQuery } from '@tanstack/preact-query';
import { useSearchParams } from 'wouter-preact';
import { answer, api, hasStatus } from '../../api/client.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { useChange } from '../../api/use-change.ts';
import { askBeforeLossInTabs } from '../../parts/form/shown-once.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { type Account, AccountForm } from './account-form.tsx';
import { useEnter } from './enter.ts';
import { ownAddress } from './own-address.ts';
import { Solo } from './solo.tsx';

/** `/sign-up?return=…`: a person with an organization, where that is open. */
export function SignUpPage() {
  const [params] = useSearchParams();
  const options = useQuery(signInOptionsQuery);
  const wanted = params.get('return');
  const signIn = wanted === null ? '/sign-in' : `/sign-in?return=${encodeURIComponent(wanted)}`;
  return (
    <Solo title="Create an account" hint="You need it to claim a workspace and to approve an import.">
      <ProblemPanel error={options.error} onRetry={() => void options.refetch()} />
      {options.data !== undefined &&
        (options.data.signUp === 'open' ? (
          <SignUpForm to={ownAddress(wanted, location.origin)} signIn={signIn} />
        ) : (
          <div class="notice">
            <div>
              <strong>New people need an invitation here</strong>
              An owner or admin of your organization makes one under Members, and sends you its link.
            </div>
          </div>
        ))}
      {!options.isPending && (
        <p class="hint">
          Have an account? <PageLink to={signIn}>Sign in</PageLink>
        </p>
      )}
    </Solo>
  );
}

const CREATION = { thing: 'the account', done: 'created' };

function SignUpForm({ to, signIn }: { readonly to: string; readonly signIn: string }) {
  const enter = useEnter();
  const creation = useChange({
    send: (account: Account) => answer(api.POST('/v1/console/sign-up', { body: account })),
    onSuccess: (session) => enter(session, to),
  });
  const { error } = creation;
  const failure =
    error !== null &&
    (hasStatus(error, 409) && isInDoubt(error) ? (
      <ProblemPanel error={error} act={CREATION}>
        There is an account with this address now. <PageLink to={signIn}>Sign in</PageLink> with the password
        to see.
      </ProblemPanel>
    ) : hasStatus(error, 409) ? (
      <ProblemPanel error={error} title="No account was created with this address">
        If you have used it here before, <PageLink to={signIn}>sign in</PageLink>. Otherwise check it for
        mistakes.
      </ProblemPanel>
    ) : (
      <ProblemPanel error={error} act={CREATION} />
    ));
  const mutate = (account: Account) =>
    void askBeforeLossInTabs(() => creation.mutate(account), account.email);
  return <AccountForm verb="Create account" creation={{ ...creation, mutate }} failure={failure} />;
}
