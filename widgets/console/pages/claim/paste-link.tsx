import { useState } from 'preact/hooks';
import { codeInLink } from '../../api/claim-code.ts';
import { CLAIM_COMMAND } from '../../parts/commands.ts';
import { Command } from '../../parts/empty.tsx';
import { Field } from '../../parts/field.tsx';

/** The page without a link: where to get one, and a field to paste it. */
export function PasteLink({ onCode }: { readonly onCode: (code: string) => void }) {
  const [link, setLink] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const code = codeInLink(link);
    if (code === null) setError('This is no claim link. It ends in #svc_claim_ and 40 letters and digits.');
    else onCode(code);
  };
  return (
    <>
      <header class="head">
        <h1>Claim a workspace</h1>
        <p class="lede">
          Paste the link that your agent printed. A link works for an hour, for one organization.
        </p>
      </header>
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
        <div>
          <button type="submit" class="btn primary large">
            Review workspace
          </button>
        </div>
        <div class="field">
          <span class="label">This command makes a new link</span>
          <Command command={CLAIM_COMMAND} />
        </div>
      </form>
    </>
  );
}
