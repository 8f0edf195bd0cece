import { useState } from 'preact/hooks';
import { announce } from '../frame/announce.tsx';
import { Icon } from '../frame/icon.tsx';

/** The characters of an id that stay at its start and at its end. */
const SHOWN_START = 8;
const SHOWN_END = 4;

/** Shortens the middle: `e0f6f372…9c41`. A value that is hardly longer stays whole. */
export function shortened(value: string): string {
  if (value.length <= SHOWN_START + SHOWN_END + 2) return value;
  return `${value.slice(0, SHOWN_START)}…${value.slice(-SHOWN_END)}`;
}

/** An id or digest: short to look at, whole when copied. `name`: what it is the id of. */
export function Identifier({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <span class="id">
      <code title={value}>{shortened(value)}</code>
      <CopyButton value={value} label={`Copy ${name}`} />
    </span>
  );
}

/** Copies a value. With `children` it is a button with words, else an icon with a label. */
export function CopyButton({
  value,
  label,
  children,
}: {
  readonly value: string;
  readonly label: string;
  readonly children?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      announce('Copied');
    } catch {
      announce('The browser refused to copy. Select the text and copy it by hand.');
    }
  };
  return (
    <button
      type="button"
      class={children === undefined ? 'copy' : 'btn'}
      aria-label={label}
      title={isCopied ? 'Copied' : label}
      onClick={() => void copy()}
      onBlur={() => setCopied(false)}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
      {children}
    </button>
  );
}
