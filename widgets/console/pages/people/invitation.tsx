import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { ROLES } from '../../api/members.ts';
import { personName } from '../../api/person-name.ts';
import { problemOf } from '../../api/problem.ts';
import { sessionQuery } from '../../api/session.ts';
import { endReason } from '../../api/session-end.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { useChange } from '../../api/use-change.ts';
import { useDraft } from '../../parts/form/draft.ts';
import { askAgain, Field, useFirstField } from '../../parts/form/field.tsx';
import { NewPassword } from '../../parts/form/new-password.tsx';
import { askBeforeLossInTabs } from '../../parts/form/shown-once.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { useEnter } from './enter.ts';
import { forgetCode, useLinkCode } from './link-code.ts';
import { LinkMissing } from './link-missing.tsx';
import { HOME, INVITATION } from './own-address.ts';
import { OrSingleSignOn } from './single-sign-on-link.tsx';
import { Solo } from './solo.tsx';

type Acceptance = Schemas['AcceptInvitationRequest'];

/** `/invitation#code`: joins an organization, as the person who is signed in or with an address and a password. */
export function InvitationPage() {
  const { number, code } = useLinkCode('invitation');
  if (code !== null) return <Invitation key={number} code={code} />;
  return <LinkMissing title="Join an organization">The person who invited you has sent it.</LinkMissing>;
}

type Inspected = Schemas['InspectedInvitation'];

function Invitation({ code }: { readonly code: string }) {
  const invitation = useQuery({
    queryKey: ['invitation', code],
    queryFn: () => answer(api.POST('/v1/console/invitations/inspect', { body: { code } })),
    // A person who has read it continues with it: accepting says if it has ended meanwhile.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (invitation.data !== undefined) return <OpenInvitation code={code} invitation={invitation.data} />;
  return (
    <Solo title="Join an organization">
      {invitation.error !== null && (
        <>
          <InvitationFailure error={invitation.error} onRetry={() => void invitation.refetch()} />
          <p class="hint">
            Have you joined already? <PageLink to="/sign-in">Sign in</PageLink>
          </p>
        </>
      )}
    </Solo>
  );
}

interface OpenInvitationProps {
  readonly code: string;
  readonly invitation: Inspected;
}

function OpenInvitation({ code, invitation }: OpenInvitationProps) {
  const { organization, role, invitedBy, expiresAt } = invitation;
  const session = useQuery({ ...sessionQuery, retry: false });
  const [isOther, setOther] = useState(false);
  const enter = useEnter();
  const acceptance = useChange({
    send: (person: Omit<Acceptance, 'code'>, key) => {
      const params = { header: { 'Idempotency-Key': key } };
      return answer(api.POST('/v1/console/invitations/accept', { params, body: { code, ...person } }));
    },
    afterLoss: 'repeat',
    onError: (error) => {
      if (problemOf(error).code === 'unauthorized') askAgain('password');
      // The session has ended, and with it the person of the button.
      if (endReason(error) !== null) setOther(true);
    },
    onSuccess: (joined) => {
      forgetCode('invitation');
      enter(joined);
    },
  });
  const join = (person: Required<Omit<Acceptance, 'code'>>) =>
    void askBeforeLossInTabs(() => acceptance.mutate(person), person.email);
  const belongsNowhere = endReason(session.error) === 'organization_required';
  const ofProvider = belongsNowhere ? 'the person of your single sign-on' : null;
  const signedIn = session.data === undefined ? ofProvider : personName(session.data.user);
  return (
    <Solo
      title={`Join ${visibleText(organization)}`}
      hint={invitedBy === null ? 'You are invited.' : `${visibleText(invitedBy)} invites you.`}
    >
      <Facts>
        <Fact name="Your role">
          {ROLES[role].word}: {ROLES[role].about}
        </Fact>
        <Fact name="Works once, until">
          <AbsoluteTime at={expiresAt} />
        </Fact>
      </Facts>
      {acceptance.error !== null && <InvitationFailure error={acceptance.error} />}
      {session.isPending ? null : signedIn !== null && !isOther ? (
        <div class="form">
          <button
            type="button"
            class="btn primary large wide"
            aria-disabled={acceptance.isPending}
            onClick={() => {
              if (!acceptance.isPending) acceptance.mutate({});
            }}
          >
            {acceptance.isPending ? 'Joining' : 'Join'} as {signedIn}
          </button>
          <button type="button" class="btn large wide" onClick={() => setOther(true)}>
            Join as another person
          </button>
        </div>
      ) : (
        <JoinForm isPending={acceptance.isPending} onJoin={join} />
      )}
    </Solo>
  );
}

interface JoinFormProps {
  readonly isPending: boolean;
  readonly onJoin: (person: Required<Omit<Acceptance, 'code'>>) => void;
}

function JoinForm({ isPending, onJoin }: JoinFormProps) {
  const options = useQuery(signInOptionsQuery);
  const draft = useDraft('join', { email: '' });
  const { email } = draft.values;
  const [password, setPassword] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending) onJoin({ email, password });
  };
  return (
    <form class="form" ref={useFirstField()} onSubmit={submit}>
      <Field
        label="E-mail"
        type="email"
        name="email"
        autocomplete="username"
        value={email}
        onInput={(next) => draft.set({ email: next })}
        required
      />
      <NewPassword label="Password" value={password} onInput={setPassword} mayBeKnown />
      <button type="submit" class="btn primary large wide" aria-disabled={isPending}>
        {isPending ? 'Joining' : 'Join'}
      </button>
      {options.data?.singleSignOn === true && <OrSingleSignOn returnTo={INVITATION} />}
    </form>
  );
}

interface FailureProps {
  readonly error: Error;
  readonly onRetry?: () => void;
}

function InvitationFailure({ error, onRetry }: FailureProps) {
  const { code } = problemOf(error);
  if (isInDoubt(error)) {
    return (
      <ProblemPanel error={error} title="It is not known whether you joined">
        Join again with the same values, or <PageLink to="/sign-in">sign in</PageLink> to see.
      </ProblemPanel>
    );
  }
  if (code === 'not_found') {
    return (
      <ProblemPanel error={error} title="This invitation is no longer valid">
        It was used, revoked, or has expired. Ask the person who sent it for another.
      </ProblemPanel>
    );
  }
  if (endReason(error) !== null) {
    return (
      <ProblemPanel error={error} title="Your session has ended">
        Choose below how to join.
      </ProblemPanel>
    );
  }
  if (code === 'unauthorized') {
    return (
      <ProblemPanel error={error} title="E-mail and password do not match">
        Check both and join again.
      </ProblemPanel>
    );
  }
  if (code === 'state_conflict') {
    return (
      <ProblemPanel error={error} title="You did not join">
        This person belongs to the organization already. <PageLink to={HOME}>Open the console</PageLink>
      </ProblemPanel>
    );
  }
  return (
    <ProblemPanel error={error} {...(onRetry === undefined ? { title: 'You did not join' } : { onRetry })} />
  );
}
