import { Dialog } from '../../parts/dialog.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';

interface EraseDialogProps {
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onErase: () => void;
  readonly onClose: () => void;
}

/** Asks before a submission is erased. */
export function EraseDialog({ error, isPending, onErase, onClose }: EraseDialogProps) {
  return (
    <Dialog
      title="Erase this submission"
      hint="Its message, rating and page are deleted at once. This cannot be undone, and the limit of submissions does not get it back."
      onClose={onClose}
    >
      {error !== null && <ProblemPanel error={error} onRetry={onErase} />}
      <div class="dialog-foot">
        <button type="button" class="btn quiet" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          class="btn danger-primary"
          aria-disabled={isPending}
          onClick={() => {
            if (!isPending) onErase();
          }}
        >
          Erase submission
        </button>
      </div>
    </Dialog>
  );
}
