import { SelectField } from '../../parts/form/select.tsx';
import { absoluteTime, DAY_MS } from '../../parts/table/time.tsx';

/** `keep`: as it is; `none`: no end; a number: after that many days. */
export type Expiry = 'keep' | 'none' | '7' | '30' | '90' | '365';

const CHOICES = [
  { value: 'none', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;

interface ExpiryFieldProps {
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
  /** The present end of an existing key. */
  readonly current?: string | null;
}

/** When a key ends. */
export function ExpiryField({ value, onChange, current = null }: ExpiryFieldProps) {
  const kept = current === null ? [] : [{ value: 'keep', label: `On ${absoluteTime(current)}` } as const];
  return (
    <SelectField
      label="Expires"
      value={value}
      options={[...kept, ...CHOICES]}
      onChange={onChange}
      hint="From then on calls with it get 401."
    />
  );
}

/** The end that a choice means, as requests state it; undefined: it stays as it is. `from`: Unix milliseconds. */
export function expiresAtOf(choice: Expiry, from: number): string | null | undefined {
  if (choice === 'keep') return undefined;
  return choice === 'none' ? null : new Date(from + Number(choice) * DAY_MS).toISOString();
}
