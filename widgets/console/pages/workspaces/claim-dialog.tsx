import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { codeInLink } from '../../api/claim-code.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';

/** Asks for the claim link that an agent printed, and opens it. */
export function ClaimDialog({ onClose }: { readonly onClose: () => void }) {
  const [link, setLink] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [, go] = useLocation();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const code = codeInLink(link);
    if (code === null) {
      setError('This is no claim link. It ends in #svc_claim_ and 40 letters and digits.');
      return;
    }
    onClose();
    go(`/claim#${code}`);
  };
  return (
    <Dialog
      title="Claim a workspace"
      hint="Your agent prints the link together with a code of four characters."
      onClose={onClose}
      keepsOpen={link !== ''}
    >
      <form class="form" onSubmit={submit}>
        <Field
          label="Claim link"
          value={link}
          onInput={(value) => {
            setLink(value);
            setError(null);
          }}
          error={error}
          class="mono"
          autocomplete="off"
          spellcheck={false}
          required
        />
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
