import type { ComponentChildren, InputHTMLAttributes, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Shape } from '../table/state.tsx';

interface FieldProps extends Omit<InputHTMLAttributes, 'id' | 'label' | 'onInput' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: ComponentChildren;
  /** The fault of the value: what was seen, what is allowed. */
  readonly error?: string | null;
}

/** Attributes of a field for an id, a name or an address: a phone would begin it with a capital, or correct it. */
export const EXACT_TEXT = {
  autocomplete: 'off',
  autocapitalize: 'none',
  autocorrect: 'off',
  spellcheck: false,
} as const satisfies InputHTMLAttributes;

/** A hook: the form of the returned reference begins with the focus in its first field that can be written. */
export function useFirstField(): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // A form that comes later takes the focus from nothing.
    if (document.activeElement !== document.body) return;
    const field = form.current?.querySelector<HTMLElement>('input:not([readonly])');
    // A field below the window would take the keys out of sight.
    if (field && field.getBoundingClientRect().bottom <= innerHeight) field.focus({ preventScroll: true });
  }, []);
  return form;
}

/** Leads to the field of this name, whose value was refused, and selects it: what is typed next takes its place. */
export function askAgain(name: string): void {
  const field = document.querySelector<HTMLInputElement>(`main input[name="${name}"]`);
  field?.focus();
  field?.select();
}

/**
 * The fault of a value that the browser refuses, in words below the field. The bubble of a browser covers the next label, and has
 * the language of the browser.
 */
function faultOf({ type, title, minLength, validity, validationMessage }: HTMLInputElement): string {
  if (validity.valueMissing) return 'Required';
  if (validity.tooShort) return `At least ${minLength} characters`;
  if (validity.patternMismatch && title !== '') return title;
  if (!validity.typeMismatch) return validationMessage;
  return type === 'email'
    ? 'Enter an e-mail address, such as ada@example.com'
    : 'Enter an address, such as https://app.example.com';
}

/** A text field with its label above it, and its hint or error below it, where assistive technology finds them. */
export function Field({
  label,
  value,
  onInput,
  hint,
  error: given = null,
  class: className,
  ...input
}: FieldProps) {
  const id = useId();
  const [fault, setFault] = useState<string | null>(null);
  const error = given ?? fault;
  const isDescribed = error !== null || hint !== undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        class={`input ${className ?? ''}`}
        id={id}
        value={value}
        onInput={(event) => {
          setFault(null);
          onInput(event.currentTarget.value);
        }}
        onInvalid={(event) => {
          event.preventDefault();
          const field = event.currentTarget;
          setFault(faultOf(field));
          // Without its bubble, a browser leaves the focus where it was.
          if (field.form?.querySelector(':invalid') === field) field.focus();
        }}
        aria-invalid={error !== null}
        aria-describedby={isDescribed ? `${id}-about` : undefined}
      />
      {isDescribed && (
        <span id={`${id}-about`} class={error === null ? 'hint' : 'error'}>
          {error === null ? (
            hint
          ) : (
            <>
              <Shape tone="bad" />
              {error}
            </>
          )}
        </span>
      )}
    </div>
  );
}
