import { useClaimLink } from '../../parts/form/use-claim-link.tsx';
import { CLAIM_COMMAND } from '../../parts/frame/commands.ts';
import { Command } from '../../parts/loading/empty.tsx';

/** The page without a link: where to get one, and a field to paste it. */
export function PasteLink({ onCode }: { readonly onCode: (code: string) => void }) {
  const { field, submit } = useClaimLink(onCode);
  return (
    <>
      <header class="head">
        <h1>Claim a workspace</h1>
        <p class="lede">
          Paste the link that your agent printed. A link works for an hour, for one organization.
        </p>
      </header>
      <form class="form" onSubmit={submit}>
        {field}
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
