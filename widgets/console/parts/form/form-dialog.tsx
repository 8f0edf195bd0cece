import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Act, isInDoubt } from '../../api/lost-answer.ts';
import { ProblemPanel } from '../loading/problem-panel.tsx';
import { Shape } from '../table/state.tsx';
import { Dialog } from './dialog.tsx';
import type { Draft } from './draft.ts';
import { workingWords } from './working.ts';

interface FailureProps {
  readonly error: Error;
  readonly act: Act;
  readonly onRetry: () => void;
}

/** The change that a form sends, as `useChange` returns it. */
export interface FormChange {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly isFindingOut: boolean;
  readonly repeat: () => void;
  readonly forget: () => void;
}

interface FormDialogProps {
  readonly title: string;
  readonly hint: string;
  /** Called by Esc too, which keeps a draft. */
  readonly onClose: () => void;
  /** The values typed: the button that cancels discards them. */
  readonly draft?: Pick<Draft<unknown>, 'isTouched' | 'discard'>;
  readonly change: FormChange;
  readonly onSend: () => void;
  /** The change in words: "the key" is "created". */
  readonly act: Act;
  /** Shows a failure in the words of the page. */
  readonly failure?: ComponentType<FailureProps>;
  /** The button that sends. */
  readonly verb: string;
  /** The fields. */
  readonly children: ComponentChildren;
}

/**
 * A dialog with a form. While its change is under way, it sends no other one and stays open. While it is not known whether the
 * change was made, it sends nothing but the same once more.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, hint, onClose, draft, change, act, failure: Failure = ProblemPanel, verb } = props;
  const { isPending, error, isFindingOut } = change;
  const inDoubt = !isPending && isInDoubt(error);
  const onSend = inDoubt ? change.repeat : props.onSend;
  const button = useRef<HTMLButtonElement>(null);
  const fields = useRef<HTMLFieldSetElement>(null);
  const note = useId();
  useEffect(() => {
    if (!inDoubt || fields.current === null) return;
    button.current?.focus();
    return lock(fields.current);
  }, [inDoubt]);
  return (
    <Dialog title={title} hint={hint} onClose={onClose} isPending={isPending}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) onSend();
        }}
      >
        {error !== null && <Failure error={error} act={act} onRetry={onSend} />}
        <div role="status">
          {isPending && isFindingOut && (
            <p class="notice warn">
              <Shape tone="warn" />
              <span>
                This was sent before, and no answer arrived. Finding out whether {act.thing} was {act.done}.
              </span>
            </p>
          )}
        </div>
        <fieldset class="fields" ref={fields} aria-describedby={inDoubt ? note : undefined}>
          {inDoubt && (
            <p class="hint" id={note}>
              The values below were sent. They stay as they are until it is known what became of them.
            </p>
          )}
          {props.children}
        </fieldset>
        <div class="dialog-foot">
          <button
            type="button"
            class="btn quiet"
            aria-disabled={isPending}
            onClick={() => {
              if (isPending) return;
              draft?.discard();
              if (inDoubt) change.forget();
              else onClose();
            }}
          >
            {inDoubt ? 'Start over' : draft?.isTouched === true ? 'Discard' : 'Cancel'}
          </button>
          <button ref={button} type="submit" class="btn primary" aria-disabled={isPending}>
            {isPending ? workingWords(verb) : verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Locks the controls of a form. Texts can still be focused, read and copied. Returns what unlocks them. */
function lock({ elements }: HTMLFieldSetElement): () => void {
  const texts = [...elements].filter(isOpenText);
  const others = [...elements].filter((each) => !isText(each) && each.matches(':enabled'));
  for (const text of texts) text.readOnly = true;
  for (const other of others) other.toggleAttribute('disabled', true);
  return () => {
    for (const text of texts) text.readOnly = false;
    for (const other of others) other.toggleAttribute('disabled', false);
  };
}

function isText(control: Element): control is HTMLInputElement {
  return control instanceof HTMLInputElement && !['checkbox', 'radio'].includes(control.type);
}

function isOpenText(control: Element): control is HTMLInputElement {
  return isText(control) && !control.readOnly;
}
