import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CopyButton } from './identifier.tsx';
import { visibleText } from './visible-text.ts';

interface ShownOnceProps {
  /** The new thing: "Key “checkout-eu” created". */
  readonly title: string;
  /** The part of it that is kept here, and until when it works. */
  readonly hint: ComponentChildren;
  readonly value: string;
  /** The kind of value: "key", "invitation link". */
  readonly name: string;
  /** The sentence to confirm: "I have stored it where my service reads it". */
  readonly stored?: string;
  /** Further buttons, such as "Revoke it". */
  readonly actions?: ComponentChildren;
  readonly onClose: () => void;
}

/** A secret that is shown once: the panel stays until the person says that it is stored. Neither Esc nor time closes it. */
export function ShownOnce({ title, hint, value, name, stored, actions, onClose }: ShownOnceProps) {
  const id = useId();
  const [isStored, setStored] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // A person who made it by keyboard continues here.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="panel once" aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {visibleText(title)}
        </h2>
        <span>{hint}</span>
      </div>
      <div class="panel-body">
        <div class="secret">
          <code>{value}</code>
          <CopyButton value={value} label={`Copy ${name}`}>
            {`Copy ${name}`}
          </CopyButton>
        </div>
        <div class="row">
          <label class="check">
            <input
              type="checkbox"
              checked={isStored}
              onChange={(event) => setStored(event.currentTarget.checked)}
            />
            {stored ?? 'I have stored it'}
          </label>
          <div class="actions">
            {actions}
            <button type="button" class="btn" disabled={!isStored} onClick={onClose}>
              Close
            </button>
          </div>
        </div>
      </div>
    </section>
  );
}
