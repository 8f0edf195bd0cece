import { useState } from 'preact/hooks';
import { answer, api, hasStatus } from '../../api/client.ts';
import { hasPassword } from '../../api/has-password.ts';
import type { Schemas } from '../../api/interface.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import type { NamedPerson } from '../../api/person-name.ts';
import { useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { DangerAction, DangerSection } from '../../parts/form/danger.tsx';
import { askAgain, Field } from '../../parts/form/field.tsx';
import { askBeforeLossInTabs } from '../../parts/form/shown-once.tsx';
import { leaveSession } from '../../parts/frame/leave-session.ts';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { counted } from '../../parts/table/numbers.ts';

/** Erases the person. It asks for the password, where there is one. */
export function EraseMyself() {
  const { user, organizations } = useSession();
  const isSecured = hasPassword(user);
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
        about={`You will leave every organization, and your address${isSecured ? ' and password' : ''} will be erased. Organizations stay with their other owners.`}
        verb="Erase"
        effects={{
          stops: `Every session of yours, and your place in ${counted(organizations.length, 'organization')}`,
          stays: `What you made, and the id ${user.userId.slice(0, 12)}… in audit logs`,
          cannotBeUndone: isSecured
            ? 'The account does not come back. The address is free for a new one'
            : 'The account does not come back. Your single sign-on then begins a new one',
        }}
        {...confirmationOf(user)}
        keep="Keep my account"
        isPending={erase.isPending}
        error={erase.error}
        failure={EraseFailure}
        onConfirm={() => {
          const body = { confirm: confirmationOf(user).name, ...(isSecured ? { password } : {}) };
          if (!erase.isPending) void askBeforeLossInTabs(() => erase.mutate(body));
        }}
      >
        {isSecured && (
          <Field
            label="Password"
            type="password"
            name="password"
            autocomplete="current-password"
            value={password}
            onInput={setPassword}
            required
          />
        )}
      </DangerAction>
    </DangerSection>
  );
}

/** The text that the person types, and what it is. */
function confirmationOf({ email, subject, userId }: NamedPerson) {
  if (email !== '') return { name: email, nameLabel: 'your e-mail address' };
  return subject == null
    ? { name: userId, nameLabel: 'your user id' }
    : { name: subject, nameLabel: 'your id at single sign-on' };
}

function EraseFailure({ error }: { readonly error: Error }) {
  if (hasStatus(error, 401) && !isInDoubt(error)) {
    return (
      <ProblemPanel error={error} title="The password is wrong">
        Nothing was erased.
      </ProblemPanel>
    );
  }
  return (
    <ProblemPanel error={error} act={{ thing: 'your account', done: 'erased' }}>
      {hasStatus(error, 409) && !isInDoubt(error)
        ? 'You are the last owner of an organization. Make another member an owner first, under Members.'
        : undefined}
    </ProblemPanel>
  );
}
