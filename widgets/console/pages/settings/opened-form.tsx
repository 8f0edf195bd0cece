import type { ComponentChildren } from 'preact';
import { useAsked, useHeldBack } from '../../parts/form/use-asked.ts';

interface OpenedFormProps {
  /** The act in the address while the form is open: `?do=password`. */
  readonly act: string;
  /** The words of the button that opens the form. */
  readonly button: string;
  readonly isPending: boolean;
  readonly children: ComponentChildren;
}

/** A form that opens by its button. The address says that it is open, so the palette and a reload open it too. */
export function OpenedForm({ act, button, isPending, children }: OpenedFormProps) {
  const [asked, ask] = useAsked('do');
  useHeldBack(isPending);
  if (asked === act) return <div class="panel">{children}</div>;
  return (
    <button type="button" class="btn" onClick={() => ask(act)}>
      {button}
    </button>
  );
}
