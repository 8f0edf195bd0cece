import { useState } from 'preact/hooks';
import { answer, api, hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { useChange } from '../../api/use-change.ts';
import { useFirstField } from '../../parts/form/field.tsx';
import { NewPassword } from '../../parts/form/new-password.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { forgetCode, useLinkCode } from './link-code.ts';
import { LinkMissing } from './link-missing.tsx';
import { Solo } from './solo.tsx';

/** `/reset#code`: a new password by a one-time link. */
export function ResetPage() {
  const { number, code } = useLinkCode('reset');
  if (code !== null) return <Reset key={number} code={code} />;
  return (
    <LinkMissing title="New password">An owner of your organization makes it under Members.</LinkMissing>
  );
}

function Reset({ code }: { readonly code: string }) {
  const [password, setPassword] = useState('');
  const reset = useChange({
    send: (body: Schemas['ResetPasswordRequest'], key) =>
      answer(
        api.POST('/v1/console/password/reset', { params: { header: { 'Idempotency-Key': key } }, body }),
      ),
    afterLoss: 'repeat',
    onSuccess: () => forgetCode('reset'),
  });
  if (reset.isSuccess) {
    return (
      <Solo title="Password set" hint="All your sessions have ended. The link is no longer valid.">
        <PageLink to="/sign-in" class="btn primary large wide">
          Sign in
        </PageLink>
      </Solo>
    );
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!reset.isPending) reset.mutate({ code, password });
  };
  return (
    <Solo title="New password" hint="It ends every session of yours, in all browsers.">
      <form class="form" ref={useFirstField()} onSubmit={submit}>
        {reset.error !== null && <ResetFailure error={reset.error} />}
        <NewPassword label="New password" value={password} onInput={setPassword} />
        <button type="submit" class="btn primary large wide" aria-disabled={reset.isPending}>
          {reset.isPending ? 'Setting password' : 'Set password'}
        </button>
      </form>
    </Solo>
  );
}

function ResetFailure({ error }: { readonly error: Error }) {
  if (isInDoubt(error)) {
    return (
      <ProblemPanel error={error} act={{ thing: 'the new password', done: 'set' }}>
        Set the same one again, or <PageLink to="/sign-in">sign in</PageLink> with it to see.
      </ProblemPanel>
    );
  }
  if (!hasStatus(error, 404)) return <ProblemPanel error={error} />;
  return (
    <ProblemPanel error={error} title="This link is no longer valid">
      It was used, has expired, or a newer one took its place. Ask an owner of your organization for another.
    </ProblemPanel>
  );
}
