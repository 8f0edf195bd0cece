import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { answer, api, hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { problemOf } from '../../api/problem.ts';
import { serverNow } from '../../api/server-clock.ts';
import type { Session } from '../../api/session.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { useChange } from '../../api/use-change.ts';
import { Field, useFirstField } from '../../parts/form/field.tsx';
import { askBeforeLossInTabs } from '../../parts/form/shown-once.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { absoluteTime, duration } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';

interface CredentialsFormProps {
  /** A known address is not asked for again. */
  readonly email?: string;
  readonly onSignedIn: (session: Session) => void;
  readonly children?: ComponentChildren;
}

/** E-mail and password. A refusal does not tell whether there is an account, and keeps the address that was typed. */
export function CredentialsForm({ email: known, onSignedIn, children }: CredentialsFormProps) {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const signIn = useChange({
    // The values come with the call: what a mutation closes over may be older than what a password manager typed.
    send: (body: Schemas['SignInRequest']) => answer(api.POST('/v1/console/sign-in', { body })),
    onSuccess: onSignedIn,
    onError: (error, tried) => {
      if (!hasStatus(error, 401)) return;
      setRefusals([...refusals, addressOf(tried.email)]);
      setPassword('');
      form.current?.querySelector<HTMLInputElement>('input[name=password]')?.focus();
    },
  });
  const form = useFirstField();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (signIn.isPending) return;
    const act = () => signIn.mutate({ email, password });
    if (known === undefined) void askBeforeLossInTabs(act, email);
    else act();
  };
  const refused = refusals.filter((address) => address === addressOf(email)).length;
  return (
    <form class="form" ref={form} onSubmit={submit}>
      {signIn.error !== null && (
        <SignInFailure
          error={signIn.error}
          refused={refused}
          onRetry={() => signIn.mutate({ email, password })}
        />
      )}
      <Field
        label="E-mail"
        type="email"
        name="email"
        autocomplete="username"
        value={known === undefined ? email : visibleText(known)}
        onInput={setEmail}
        readOnly={known !== undefined}
        required
      />
      <Field
        label="Password"
        type="password"
        name="password"
        autocomplete="current-password"
        value={password}
        onInput={setPassword}
        hint={<Forgotten />}
        required
      />
      <button type="submit" class="btn primary large wide" aria-disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in' : 'Sign in'}
      </button>
      {children}
    </form>
  );
}

/** The way to a new password: by mail, or by an owner. */
function Forgotten() {
  const { data } = useQuery(signInOptionsQuery);
  if (data?.mail === true) return <PageLink to="/forgot-password">Forgot password?</PageLink>;
  return <>Forgotten? An owner of your organization makes a reset link.</>;
}

/** Upper and lower case and spaces around an address make no other account. */
function addressOf(email: string): string {
  return email.trim().toLowerCase();
}

interface SignInFailureProps {
  readonly error: Error;
  /** Refusals of this address on this page. Others may have tried elsewhere. */
  readonly refused: number;
  readonly onRetry: () => void;
}

function SignInFailure({ error, refused, onRetry }: SignInFailureProps) {
  const options = useQuery(signInOptionsQuery);
  const { status, retryAfterSeconds } = problemOf(error);
  if (status === 401) {
    return (
      <ProblemPanel error={error} title="E-mail and password do not match" isOwnMistake>
        {options.data === undefined
          ? 'Check both and sign in again.'
          : attemptsLeft(options.data.attempts, refused)}
      </ProblemPanel>
    );
  }
  if (status === 429 && retryAfterSeconds !== null) {
    const wait = retryAfterSeconds * 1_000;
    const end = new Date(serverNow() + wait).toISOString();
    return (
      <ProblemPanel error={error} title="Too many wrong passwords">
        Sign-in is paused until {absoluteTime(end)}, {duration(wait + 59_999)} from now. The right password is
        refused too until then.
      </ProblemPanel>
    );
  }
  return <ProblemPanel error={error} title="You are not signed in at this browser" onRetry={onRetry} />;
}

/** "At most 4 attempts left, then a pause of up to 15 min": attempts in other browsers count too. */
function attemptsLeft({ limit, windowSeconds }: { limit: number; windowSeconds: number }, refused: number) {
  const pause = `a pause of up to ${duration(windowSeconds * 1_000)}`;
  const left = Math.max(0, limit - refused);
  return left === 0
    ? `No attempt is left; ${pause} begins.`
    : `At most ${counted(left, 'attempt')} left, then ${pause}.`;
}
