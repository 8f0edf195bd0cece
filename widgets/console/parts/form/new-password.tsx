import { useState } from 'preact/hooks';
import { counted } from '../table/numbers.ts';
import { EXACT_TEXT, Field } from './field.tsx';

/** The service's limits of a new password (infra/docs/reference/people.md). */
const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 200;

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly name?: string;
  /** True where an account's existing password fits too. */
  readonly mayBeKnown?: boolean;
}

/** A field for a password to be. A password manager may fill it, and the person may look at it. */
export function NewPassword({ label, value, onInput, name = 'password', mayBeKnown }: NewPasswordProps) {
  const [isShown, setShown] = useState(false);
  const [isLeft, setLeft] = useState(false);
  const length = Array.from(value).length;
  const isShort = isLeft && length > 0 && length < CHARACTERS_MIN;
  return (
    <div class="field">
      <Field
        label={label}
        type={isShown ? 'text' : 'password'}
        name={name}
        {...EXACT_TEXT}
        autocomplete="new-password"
        value={value}
        onInput={onInput}
        onBlur={() => setLeft(true)}
        minLength={CHARACTERS_MIN}
        maxLength={CHARACTERS_MAX}
        required
        hint={
          mayBeKnown === true
            ? `If you have an account here, its password. Otherwise a new one of ${CHARACTERS_MIN} characters or more.`
            : `${CHARACTERS_MIN} characters or more, of any kind. Length is what makes it strong.`
        }
        error={isShort ? `${counted(length, 'character')}; a password has ${CHARACTERS_MIN} or more.` : null}
      />
      <label class="check">
        <input type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} />
        Show it
      </label>
    </div>
  );
}
