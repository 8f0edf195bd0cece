import { useLocation } from 'wouter-preact';
import { useClaimWorkspace } from '../../api/claim-workspace.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { RESULT_COMMAND } from '../../parts/frame/commands.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { Command } from '../../parts/loading/empty.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { count } from '../../parts/table/numbers.ts';
import { visibleText } from '../../parts/table/visible-text.ts';
import type { FoundClaim } from './inventory.tsx';

interface ClaimPanelProps {
  readonly found: FoundClaim;
  /** The name of the organization that has the workspace. */
  readonly organization: string;
  readonly onDone: () => void;
}

/** The last step: the button, or why it cannot be pressed yet and the command that makes a result. */
export function ClaimPanel({ found, organization, onDone }: ClaimPanelProps) {
  const { workspaceId, name, claimable, reason, claimed, expiresAt } = found;
  const [, go] = useLocation();
  const address = `/agent-workspaces/${workspaceId}`;
  const claim = useClaimWorkspace(workspaceId, () => {
    onDone();
    toast(`${name} is claimed`);
    go(address);
  });
  const isClaimed = expiresAt === null;
  return (
    <section class="panel" aria-labelledby="claim-it">
      <div class="panel-head">
        <h2 id="claim-it">{isClaimed ? 'Claimed' : `Attached to ${visibleText(organization)}`}</h2>
      </div>
      <div class="panel-body form">
        <p class="hint">
          {isClaimed
            ? 'The workspace is claimed and has no end.'
            : `${count(claimed.used)} of ${count(claimed.limit)} claimed workspaces used.`}
        </p>
        {!isClaimed && (
          <ActionButton
            class="primary large wide"
            reason={claimable ? null : (reason ?? 'The workspace has no verified result yet.')}
            isPending={claim.isPending}
            onAct={() => claim.mutate()}
          >
            Claim workspace
          </ActionButton>
        )}
        <ProblemPanel
          error={claim.error}
          act={{ thing: 'the workspace', done: 'claimed' }}
          onRetry={() => claim.mutate()}
        />
        {!claimable && !isClaimed && (
          <div class="field">
            <span class="label">Run this to get a verified result</span>
            <Command command={RESULT_COMMAND} />
          </div>
        )}
        <PageLink class={`btn large wide ${isClaimed ? 'primary' : ''}`} to={address} isCurrent={false}>
          Open workspace
        </PageLink>
      </div>
    </section>
  );
}
