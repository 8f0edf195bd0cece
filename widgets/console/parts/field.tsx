import type { ComponentChildren, InputHTMLAttributes, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Shape } from './state.tsx';

interface FieldProps extends Omit<InputHTMLAttributes, 'id' | 'label' | 'onInput' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: ComponentChildren;
  /** The fault of the value: what was seen, what is allowed. */
  readonly error?: string | null;
}

/** A hook: the form of the returned reference begins with the focus in its first field that can be written. */
export function useFirstField(): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('input:not([readonly])');
    field?.focus({ preventScroll: true });
  }, []);
  return form;
}

/** A text field with its label above it, and its hint or error below it, where assistive technology finds them. */
export function Field({ label, value, onInput, hint, error = null, class: className, ...input }: FieldProps) {
  const id = useId();
  const isDescribed = error !== null || hint !== undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        class={`input ${className ?? ''}`}
        id={id}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
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
