import { useQuery } from '@tanstack/preact-query';
import type { PendingClaim } from '../../api/claim-code.ts';
import { hasStatus } from '../../api/client.ts';
import { mayDecide, type Session } from '../../api/session.ts';
import { CLAIM_COMMAND } from '../../parts/commands.ts';
import { Command } from '../../parts/empty.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { PageSkeleton } from '../../parts/skeleton.tsx';
import { Badge } from '../../parts/state.tsx';
import { AbsoluteTime, Countdown } from '../../parts/time.tsx';
import { VerifiedResults } from '../../parts/verified-results.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { AttachPanel } from './attach-panel.tsx';
import { Changes } from './changes.tsx';
import { ClaimPanel } from './claim-panel.tsx';
import { Holders } from './credentials.tsx';
import { Inside } from './inventory.tsx';
import { claimQuery } from './queries.ts';
import { Steps } from './steps.tsx';

export interface FlowProps {
  readonly claim: PendingClaim;
  readonly session: Session;
  /** Keeps the claim as it is now; null forgets it. */
  readonly onChange: (claim: PendingClaim | null) => void;
}

/** The four steps for a person who has signed in. */
export function ClaimFlow({ claim, session, onChange }: FlowProps) {
  const membership = session.organizations.find(
    ({ organizationId }) => organizationId === session.organizationId,
  );
  const mayLook = membership !== undefined && mayDecide(membership.role);
  const found = useQuery({ ...claimQuery(claim.code, session.organizationId), enabled: mayLook });
  if (!mayLook) return <NotAllowed />;
  if (found.error !== null && (found.data === undefined || isOver(found.error))) {
    return (
      <NotFound error={found.error} onRetry={() => void found.refetch()} onForget={() => onChange(null)} />
    );
  }
  if (found.data === undefined) return <PageSkeleton />;
  const { name, createdAt, expiresAt, attached, results } = found.data;
  return (
    <>
      <header class="head">
        <div class="head-row">
          <h1>
            {attached ? 'Claim' : 'Attach'} {visibleText(name)}
          </h1>
          {expiresAt === null ? (
            <Badge tone="ok">Claimed</Badge>
          ) : (
            <>
              <Badge tone="info" title="Made by an agent without an account. It ends unless it is claimed.">
                Preview
              </Badge>
              <span class="hint num">
                <Countdown until={expiresAt} />
              </span>
            </>
          )}
        </div>
        <p class="lede">
          An agent made this workspace on <AbsoluteTime at={createdAt} />.{' '}
          {attached
            ? 'The workspace is in your console now. Claiming removes the end date.'
            : 'Look at what is inside and who holds a credential, then confirm that the workspace is yours.'}
        </p>
      </header>
      <Steps now={attached ? 'claim' : 'confirm'} look={`Signed in as ${membership.role}`} />
      <div class="split">
        <div class="stack">
          <Inside claim={found.data} readAt={found.dataUpdatedAt} />
          <VerifiedResults results={results} hint="Claiming needs at least one" />
          <Holders credentials={found.data.credentials} isClaimed={expiresAt === null} />
          <Changes expiresAt={expiresAt} />
        </div>
        <aside class="aside" aria-label={attached ? 'Claim' : 'Attach'}>
          {attached ? (
            <ClaimPanel found={found.data} organization={membership.name} onDone={() => onChange(null)} />
          ) : (
            <AttachPanel found={found.data} claim={claim} session={session} onChange={onChange} />
          )}
        </aside>
      </div>
    </>
  );
}

/** True if the link leads nowhere any more: nothing of what it showed before stays on the page. */
function isOver(error: Error): boolean {
  return [404, 409, 410].some((status) => hasStatus(error, status));
}

function NotAllowed() {
  return (
    <>
      <header class="head">
        <h1>Claim a workspace</h1>
      </header>
      <Steps now="look" look="Signed in as member" />
      <p class="lede">
        An owner or admin attaches workspaces to an organization. Ask one of them to open the link, or switch
        to an organization of yours in the console.
      </p>
      <div class="row">
        <PageLink class="btn" to="/agent-workspaces" isCurrent={false}>
          Open the console
        </PageLink>
      </div>
    </>
  );
}

interface NotFoundProps {
  readonly error: Error;
  readonly onRetry: () => void;
  readonly onForget: () => void;
}

/** The reason why a link leads nowhere, and the command that makes the next one. */
function NotFound({ error, onRetry, onForget }: NotFoundProps) {
  const [title, text] = hasStatus(error, 404)
    ? [
        'This link has ended',
        'A newer link replaced this one, an hour has passed, or too many wrong codes were entered.',
      ]
    : hasStatus(error, 409)
      ? [
          'This workspace belongs to another organization',
          'The first organization to attach a workspace keeps it. If that organization is one of yours, switch to it in the console.',
        ]
      : hasStatus(error, 410)
        ? [
            'This preview has ended',
            'The workspace was not claimed within 72 hours. Ask your agent for another one.',
          ]
        : hasStatus(error, 400)
          ? [
              'This is not a claim link',
              'A character is missing or was changed. Copy the whole link from the terminal.',
            ]
          : ['The link could not be read', null];
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {text !== null && <p class="lede">{text}</p>}
      </header>
      <ProblemPanel error={error} title="The service refused the link" onRetry={onRetry}>
        {text === null ? undefined : 'Nothing was changed.'}
      </ProblemPanel>
      {hasStatus(error, 404) && (
        <div class="field">
          <span class="label">This command makes a new link</span>
          <Command command={CLAIM_COMMAND} />
        </div>
      )}
      <div class="row">
        <button type="button" class="btn" onClick={onForget}>
          Use another link
        </button>
      </div>
    </>
  );
}
