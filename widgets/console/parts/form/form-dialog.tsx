import type { ComponentChildren, ComponentType } from 'preact';
import { ProblemPanel } from '../loading/problem-panel.tsx';
import { Dialog } from './dialog.tsx';
import type { Draft } from './draft.ts';
import { workingWords } from './working.ts';

interface FailureProps {
  readonly error: Error;
  readonly title: string;
  readonly onRetry: () => void;
}

interface FormDialogProps {
  readonly title: string;
  readonly hint: string;
  /** Called by Esc too, which keeps a draft. */
  readonly onClose: () => void;
  /** The values typed: the button that cancels discards them. */
  readonly draft?: Pick<Draft<unknown>, 'isTouched' | 'discard'>;
  /** The change that the form sends. */
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onSend: () => void;
  /** The failed change: "The key was not created". */
  readonly failed: string;
  /** Shows a failure in the words of the page. */
  readonly failure?: ComponentType<FailureProps>;
  /** The button that sends. */
  readonly verb: string;
  /** The fields. */
  readonly children: ComponentChildren;
}

/** A dialog with a form. While its change is under way, it sends no other one and stays open. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    hint,
    onClose,
    draft,
    change,
    onSend,
    failed,
    failure: Failure = ProblemPanel,
    verb,
  } = props;
  const { isPending, error } = change;
  return (
    <Dialog title={title} hint={hint} onClose={onClose} isPending={isPending}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) onSend();
        }}
      >
        {error !== null && <Failure error={error} title={failed} onRetry={onSend} />}
        {props.children}
        <div class="dialog-foot">
          <button
            type="button"
            class="btn quiet"
            aria-disabled={isPending}
            onClick={() => {
              if (isPending) return;
              draft?.discard();
              onClose();
            }}
          >
            {draft?.isTouched === true ? 'Discard' : 'Cancel'}
          </button>
          <button type="submit" class="btn primary" aria-disabled={isPending}>
            {isPending ? workingWords(verb) : verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
