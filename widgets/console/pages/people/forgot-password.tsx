import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { useChange } from '../../api/use-change.ts';
import { Field, useFirstField } from '../../parts/form/field.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { duration } from '../../parts/table/time.tsx';
import { Solo } from './solo.tsx';

/** `/forgot-password`: has a link for a new password mailed. Nothing tells whether an address has an account. */
export function ForgotPasswordPage() {
  const options = useQuery(signInOptionsQuery);
  const [email, setEmail] = useState('');
  const request = useChange({
    send: (body: Schemas['ForgotPasswordRequest']) =>
      answer(api.POST('/v1/console/forgot-password', { body })),
  });
  const form = useFirstField();
  if (options.data?.mail === false) {
    return (
      <Solo title="Forgot password" hint="This service sends no mail.">
        <p>An owner of your organization makes a reset link for you, under Members.</p>
        <PageLink to="/sign-in">Back to sign-in</PageLink>
      </Solo>
    );
  }
  if (request.isSuccess) {
    return (
      <Solo
        title="Look into your mailbox"
        hint={`If there is an account with this address, a link is on its way. It works once, for ${duration(request.data.linkSeconds * 1_000)}.`}
      >
        <p class="hint">
          Nothing there after a few minutes? Look into the spam folder, check the address, or ask an owner of
          your organization for a reset link.
        </p>
        <button type="button" class="btn large wide" onClick={() => request.reset()}>
          Try another address
        </button>
        <PageLink to="/sign-in">Back to sign-in</PageLink>
      </Solo>
    );
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!request.isPending) request.mutate({ email });
  };
  return (
    <Solo title="Forgot password" hint="You get a mail with a link for a new one.">
      <form class="form" ref={form} onSubmit={submit}>
        {request.error !== null && <Failure error={request.error} />}
        <Field
          label="E-mail"
          type="email"
          name="email"
          autocomplete="username"
          value={email}
          onInput={setEmail}
          required
        />
        <button type="submit" class="btn primary large wide" aria-disabled={request.isPending}>
          {request.isPending ? 'Requesting' : 'Mail a reset link'}
        </button>
        <PageLink to="/sign-in">Back to sign-in</PageLink>
      </form>
    </Solo>
  );
}

function Failure({ error }: { readonly error: Error }) {
  if (!isInDoubt(error)) return <ProblemPanel error={error} />;
  return (
    <ProblemPanel error={error} act={{ thing: 'the mail', done: 'requested' }}>
      Look into your mailbox, or request it again. The newest link is the one that works.
    </ProblemPanel>
  );
}
