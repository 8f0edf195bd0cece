import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';

interface EraseDialogProps {
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onErase: () => void;
  readonly onClose: () => void;
}

/** Asks before a submission is erased. */
export function EraseDialog({ onErase, ...asked }: EraseDialogProps) {
  return (
    <ConfirmDialog
      title="Erase this submission"
      hint="Its message, rating and page are deleted immediately. This cannot be undone, and it still counts toward the limit of submissions."
      verb="Erase submission"
      onConfirm={onErase}
      {...asked}
    />
  );
}
