import type { ComponentChildren } from 'preact';
import { ProblemPanel } from '../loading/problem-panel.tsx';
import { ActionButton } from './action-button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly hint?: string;
  /** The button that does it: "Revoke credential". */
  readonly verb: string;
  /** The button that closes the dialog. */
  readonly keep?: string;
  readonly isPending: boolean;
  readonly error?: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** The effects, where they need more than the hint. */
  readonly children?: ComponentChildren;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, hint, verb, keep = 'Keep it', isPending, error = null, onConfirm, onClose } = props;
  return (
    <Dialog title={title} hint={hint} onClose={onClose} isPending={isPending}>
      <div class="form">
        {error !== null && <ProblemPanel error={error} onRetry={onConfirm} />}
        {props.children}
        <div class="dialog-foot">
          <button
            type="button"
            class="btn quiet"
            aria-disabled={isPending}
            onClick={() => {
              if (!isPending) onClose();
            }}
          >
            {keep}
          </button>
          <ActionButton class="danger-primary" reason={null} isPending={isPending} onAct={onConfirm}>
            {verb}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}
