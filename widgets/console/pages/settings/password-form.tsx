import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api, hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { askAgain, Field } from '../../parts/form/field.tsx';
import { NewPassword } from '../../parts/form/new-password.tsx';
import { useArrival, useAsked } from '../../parts/form/use-asked.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { OpenedForm } from './opened-form.tsx';
import { sessionsQuery } from './sessions.tsx';

/** Sets another password. Every other session ends. */
export function PasswordForm() {
  const { user } = useSession();
  const queries = useQueryClient();
  const [, ask] = useAsked('do');
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const close = () => {
    setCurrent('');
    setNext('');
    ask(null);
  };
  const change = useChange({
    send: (body: Schemas['ChangePasswordRequest'], key) =>
      answer(api.POST('/v1/console/password', { params: { header: { 'Idempotency-Key': key } }, body })),
    afterLoss: 'repeat',
    onError: (error) => hasStatus(error, 401) && askAgain('current'),
    onSuccess: () => {
      close();
      toast('Password changed. Every other session has ended.');
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <section aria-labelledby="password" ref={useArrival('do', 'password')}>
      <div class="section-head">
        <h2 id="password">Password</h2>
        <p>Changing it ends all your other sessions</p>
      </div>
      <OpenedForm act="password" button="Change password…" isPending={change.isPending}>
        <form
          class="panel-body form"
          onSubmit={(event) => {
            event.preventDefault();
            if (!change.isPending) change.mutate({ current, next });
          }}
        >
          {change.error !== null && <PasswordFailure error={change.error} />}
          {/* A password manager needs to know whose password it is. */}
          <input
            class="vh"
            type="text"
            autocomplete="username"
            value={user.email}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          <Field
            label="Current password"
            type="password"
            name="current"
            autocomplete="current-password"
            value={current}
            onInput={setCurrent}
            required
          />
          <NewPassword label="New password" name="next" value={next} onInput={setNext} />
          <div class="row">
            <button type="submit" class="btn" aria-disabled={change.isPending}>
              {change.isPending ? 'Changing password' : 'Change password'}
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

function PasswordFailure({ error }: { readonly error: Error }) {
  if (isInDoubt(error)) {
    return (
      <ProblemPanel error={error} act={{ thing: 'the password', done: 'changed' }}>
        One of the two passwords is in force. Sign in with the new one in another window to see which.
      </ProblemPanel>
    );
  }
  const isWrong = hasStatus(error, 401);
  return (
    <ProblemPanel error={error} title={isWrong ? 'The current password is wrong' : 'The password stays'} />
  );
}
