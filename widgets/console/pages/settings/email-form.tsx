import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api, hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { sessionQuery } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { useDraft } from '../../parts/form/draft.ts';
import { askAgain, Field } from '../../parts/form/field.tsx';
import { useArrival, useAsked } from '../../parts/form/use-asked.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { OpenedForm } from './opened-form.tsx';

/** Changes the address that the person signs in with. Every other session ends. */
export function EmailForm() {
  const queries = useQueryClient();
  const [, ask] = useAsked('do');
  const draft = useDraft('email', { email: '' });
  const { email } = draft.values;
  const [password, setPassword] = useState('');
  const close = () => {
    draft.discard();
    setPassword('');
    ask(null);
  };
  const change = useChange({
    send: (body: Schemas['ChangeEmailRequest']) => answer(api.POST('/v1/console/email', { body })),
    afterLoss: async ({ email: wanted }) => {
      const { user } = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      return user.email === wanted.trim().toLowerCase() ? { answer: undefined } : null;
    },
    onError: (error) => hasStatus(error, 401) && askAgain('password'),
    onSuccess: () => {
      close();
      toast('E-mail changed. Every other session has ended.');
      void queries.invalidateQueries();
      void queries.refetchQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <section aria-labelledby="email" ref={useArrival('do', 'email')}>
      <div class="section-head">
        <h2 id="email">E-mail</h2>
        <p>You sign in with it, and members of your organizations see it</p>
      </div>
      <OpenedForm act="email" button="Change e-mail…" isPending={change.isPending}>
        <form
          class="panel-body form"
          onSubmit={(event) => {
            event.preventDefault();
            if (!change.isPending) change.mutate({ email, password });
          }}
        >
          {change.error !== null && <EmailFailure error={change.error} />}
          <Field
            label="New e-mail"
            type="email"
            name="email"
            autocomplete="email"
            value={email}
            onInput={(next) => draft.set({ email: next })}
            required
          />
          <Field
            label="Password"
            type="password"
            name="password"
            autocomplete="current-password"
            value={password}
            onInput={setPassword}
            required
          />
          <div class="row">
            <button type="submit" class="btn" aria-disabled={change.isPending}>
              {change.isPending ? 'Changing e-mail' : 'Change e-mail'}
            </button>
            <button
              type="button"
              class="btn quiet"
              aria-disabled={change.isPending}
              onClick={() => {
                if (!change.isPending) close();
              }}
            >
              Cancel
            </button>
          </div>
        </form>
      </OpenedForm>
    </section>
  );
}

function EmailFailure({ error }: { readonly error: Error }) {
  if (hasStatus(error, 401) && !isInDoubt(error)) {
    return (
      <ProblemPanel error={error} title="The password is wrong">
        The e-mail stays as it is.
      </ProblemPanel>
    );
  }
  return (
    <ProblemPanel
      error={error}
      act={{ thing: 'the e-mail', done: 'changed', failed: 'The e-mail stays as it is' }}
    />
  );
}
