import { useState } from 'preact/hooks';
import { answer, api, hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { DangerAction, DangerSection } from '../../parts/danger.tsx';
import { askAgain, Field } from '../../parts/field.tsx';
import { leaveSession } from '../../parts/leave-session.ts';
import { counted } from '../../parts/numbers.ts';
import { ProblemPanel } from '../../parts/problem-panel.tsx';

/** Erases the person. A person without a password, who signs in by single sign-on, leaves the password empty. */
export function EraseMyself() {
  const { user, organizations } = useSession();
  const [password, setPassword] = useState('');
  const erase = useChange({
    send: (body: Schemas['ErasePersonRequest']) => answer(api.POST('/v1/console/erase', { body })),
    onError: (error) => hasStatus(error, 401) && askAgain('password'),
    onSuccess: leaveSession,
  });
  return (
    <DangerSection>
      <DangerAction
        title="Erase my account"
        about="You will leave every organization, and your address and password will be erased. Organizations stay with their other owners."
        verb="Erase"
        effects={{
          stops: `Every session of yours, and your place in ${counted(organizations.length, 'organization')}`,
          stays: `What you made, and the id ${user.userId.slice(0, 12)}… in audit logs`,
          cannotBeUndone: 'The account does not come back. The address is free for a new one',
        }}
        name={user.email}
        nameLabel="your e-mail address"
        keep="Keep my account"
        isPending={erase.isPending}
        error={erase.error}
        failure={EraseFailure}
        onConfirm={() => erase.mutate({ confirm: user.email, ...(password === '' ? {} : { password }) })}
      >
        <Field
          label="Password"
          type="password"
          name="password"
          autocomplete="current-password"
          value={password}
          onInput={setPassword}
          hint="Left empty by those who sign in by single sign-on only."
        />
      </DangerAction>
    </DangerSection>
  );
}

function EraseFailure({ error }: { readonly error: Error }) {
  if (hasStatus(error, 401)) {
    return (
      <ProblemPanel error={error} title="The password is wrong">
        Nothing was erased.
      </ProblemPanel>
    );
  }
  return (
    <ProblemPanel error={error} title="Your account was not erased">
      {hasStatus(error, 409)
        ? 'You are the last owner of an organization. Make another member an owner first, under Members.'
        : undefined}
    </ProblemPanel>
  );
}
