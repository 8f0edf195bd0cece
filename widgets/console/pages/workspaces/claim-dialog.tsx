import { useLocation } from 'wouter-preact';
import { Dialog } from '../../parts/form/dialog.tsx';
import { useClaimLink } from '../../parts/form/use-claim-link.tsx';

/** Asks for the claim link that an agent printed, and opens it. */
export function ClaimDialog({ onClose }: { readonly onClose: () => void }) {
  const [, go] = useLocation();
  const { field, submit, isEmpty } = useClaimLink((code) => {
    onClose();
    go(`/claim#${code}`);
  });
  return (
    <Dialog
      title="Claim a workspace"
      hint="Your agent prints the link together with a code of four characters."
      onClose={onClose}
      keepsOpen={!isEmpty}
    >
      <form class="form" onSubmit={submit}>
        {field}
        <div class="dialog-foot">
          <button type="button" class="btn quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn primary">
            Review workspace
          </button>
        </div>
      </form>
    </Dialog>
  );
}
