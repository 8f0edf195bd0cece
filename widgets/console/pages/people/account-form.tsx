import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useDraft } from '../../parts/form/draft.ts';
import { Field, useFirstField } from '../../parts/form/field.tsx';
import { NewPassword } from '../../parts/form/new-password.tsx';
import { workingWords } from '../../parts/form/working.ts';

/** The values that make an organization and its owner. */
export interface Account {
  readonly organization: string;
  readonly email: string;
  readonly password: string;
}

const NAME_CHARACTERS_MAX = 80;

interface AccountFormProps {
  readonly verb: string;
  readonly creation: { readonly isPending: boolean; readonly mutate: (account: Account) => void };
  /** The panel for the error of the creation. */
  readonly failure: ComponentChildren;
}

/** Organization, e-mail and password. The error stands above the fields, which keep what was typed. */
export function AccountForm({ verb, creation, failure }: AccountFormProps) {
  const draft = useDraft('account', { organization: '', email: '' });
  const { organization, email } = draft.values;
  const [password, setPassword] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!creation.isPending) creation.mutate({ organization, email, password });
  };
  return (
    <form class="form" ref={useFirstField()} onSubmit={submit}>
      {failure}
      <Field
        label="Organization"
        name="organization"
        autocomplete="organization"
        value={organization}
        onInput={(next) => draft.set({ organization: next })}
        maxLength={NAME_CHARACTERS_MAX}
        hint="Your company or team. Others join it by invitation."
        required
      />
      <Field
        label="E-mail"
        type="email"
        name="email"
        autocomplete="username"
        value={email}
        onInput={(next) => draft.set({ email: next })}
        required
      />
      <NewPassword label="Password" value={password} onInput={setPassword} />
      <button type="submit" class="btn primary large wide" aria-disabled={creation.isPending}>
        {creation.isPending ? workingWords(verb) : verb}
      </button>
    </form>
  );
}
