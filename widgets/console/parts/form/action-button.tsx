import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { workingWords } from './working.ts';

interface ActionButtonProps extends Omit<ButtonHTMLAttributes, 'onClick' | 'disabled' | 'class'> {
  /** Further classes: `primary`, `danger`, `large`. */
  readonly class?: string;
  /** Why it cannot be done now, and what makes it possible; null if it can. */
  readonly reason: string | null;
  readonly isPending?: boolean;
  readonly onAct: () => void;
  readonly children: ComponentChildren;
}

/**
 * A button whose action may be impossible: then it stays readable and in the tab order, and the reason stands below it, where
 * assistive technology finds it too.
 */
export function ActionButton({
  class: className = '',
  reason,
  isPending = false,
  onAct,
  children,
  ...button
}: ActionButtonProps) {
  const id = useId();
  const isOff = reason !== null || isPending;
  const element = (
    <button
      type="button"
      {...button}
      class={`btn ${className}`}
      aria-disabled={isOff}
      aria-describedby={reason === null ? undefined : id}
      onClick={() => {
        if (!isOff) onAct();
      }}
    >
      {isPending && typeof children === 'string' ? workingWords(children) : children}
    </button>
  );
  if (reason === null) return element;
  return (
    <div class="reasoned">
      {element}
      <span class="hint" id={id}>
        {reason}
      </span>
    </div>
  );
}
