import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { visibleText } from '../table/visible-text.ts';

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  /** Null: nothing is chosen yet, and a form with it is not sent. */
  readonly value: Value | null;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly hint?: ComponentChildren;
}

/** A choice from a short list, with its label above it and its hint below it. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  onChange,
  hint,
}: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        class="select"
        id={id}
        value={value ?? ''}
        required={value === null}
        aria-describedby={hint === undefined ? undefined : `${id}-about`}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {value === null && <option value="">Choose one</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {visibleText(option.label)}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <span class="hint" id={`${id}-about`}>
          {hint}
        </span>
      )}
    </div>
  );
}
