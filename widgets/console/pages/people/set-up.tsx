import { useQuery } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { useChange } from '../../api/use-change.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { type Account, AccountForm } from './account-form.tsx';
import { useEnter } from './enter.ts';
import { forgetCode, useLinkCode } from './link-code.ts';
import { LinkMissing } from './link-missing.tsx';
import { Solo } from './solo.tsx';

/** `/set-up#code`: the first organization, which operates the service, and its owner. */
export function SetUpPage() {
  const { number, code } = useLinkCode('set-up');
  if (code !== null) return <SetUp key={number} code={code} />;
  return (
    <LinkMissing title="Set up">
      The first start of the service leaves it in the file <code>set-up-link</code> of the data folder.
    </LinkMissing>
  );
}

function SetUp({ code }: { readonly code: string }) {
  const enter = useEnter();
  const options = useQuery(signInOptionsQuery);
  const creation = useChange({
    send: (account: Account) => answer(api.POST('/v1/console/set-up', { body: { code, ...account } })),
    onSuccess: (session) => {
      forgetCode('set-up');
      enter(session);
    },
    // Another browser may have been faster: the options say so.
    onError: () => void options.refetch(),
  });
  if (options.isPending) return <Solo title="Set up">{null}</Solo>;
  if (options.data?.isSetUp === true && creation.isIdle) {
    return (
      <Solo title="Set up">
        <div class="notice">
          <div>
            <strong>This link was used</strong>
            The service has its first owner, who can invite you.
          </div>
        </div>
        <p class="hint">
          Have an account? <PageLink to="/sign-in">Sign in</PageLink>
        </p>
      </Solo>
    );
  }
  return (
    <Solo title="Set up" hint="You become the first owner. Your organization operates this service.">
      <AccountForm
        verb="Set up"
        creation={creation}
        failure={
          creation.error !== null && (
            <SetUpFailure error={creation.error} isSetUp={options.data?.isSetUp === true} />
          )
        }
      />
    </Solo>
  );
}

interface SetUpFailureProps {
  readonly error: Error;
  readonly isSetUp: boolean;
}

function SetUpFailure({ error, isSetUp }: SetUpFailureProps) {
  const { code } = problemOf(error);
  if (isSetUp) {
    return (
      <ProblemPanel error={error} title="This link was used">
        The service has its first owner. <PageLink to="/sign-in">Sign in</PageLink> instead.
      </ProblemPanel>
    );
  }
  if (code === 'forbidden') {
    return (
      <ProblemPanel error={error} title="This is not the set-up link of this service">
        Copy the whole link from the file <code>set-up-link</code> in the data folder, and open it again.
      </ProblemPanel>
    );
  }
  return <ProblemPanel error={error} act={{ thing: 'the account', done: 'created' }} />;
}
