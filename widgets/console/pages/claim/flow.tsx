import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { forgetClaim, type PendingClaim } from '../../api/claim-code.ts';
import { mayDecide, type Session } from '../../api/session.ts';
import { PageSkeleton } from '../../parts/loading/skeleton.tsx';
import { Badge } from '../../parts/table/state.tsx';
import { AbsoluteTime, Countdown } from '../../parts/table/time.tsx';
import { UnreadableEntries } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { VerifiedResults } from '../../parts/workspace/verified-results.tsx';
import { AttachPanel } from './attach-panel.tsx';
import { Changes } from './changes.tsx';
import { ClaimPanel } from './claim-panel.tsx';
import { Holders } from './credentials.tsx';
import { type FoundClaim, Inside } from './inventory.tsx';
import { claimQuery } from './queries.ts';
import { isOver, NotAllowed, NotFound } from './refused.tsx';
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
  const isAttached = found.data?.attached === true;
  // Once it is attached, the console has the workspace, and no other page needs the link.
  useEffect(
    () => () => {
      if (isAttached) forgetClaim(claim.code);
    },
    [isAttached, claim.code],
  );
  if (!mayLook) return <NotAllowed session={session} />;
  if (found.error !== null && (found.data === undefined || isOver(found.error))) {
    return (
      <NotFound
        session={session}
        error={found.error}
        onRetry={() => void found.refetch()}
        onForget={() => onChange(null)}
      />
    );
  }
  if (found.data === undefined) return <PageSkeleton />;
  const { expiresAt, attached, results } = found.data;
  const isClaimed = expiresAt === null;
  return (
    <>
      <Head found={found.data} organization={membership.name} />
      <Steps
        now={isClaimed ? 'done' : attached ? 'claim' : 'confirm'}
        look={`Signed in as ${membership.role}`}
      />
      <div class="split">
        <div class="stack">
          <Inside claim={found.data} readAt={found.dataUpdatedAt} />
          <UnreadableEntries entries={found.data.unreadable} />
          <VerifiedResults
            results={results}
            hint={isClaimed ? 'The claim rested on one of them' : 'Claiming needs at least one'}
          />
          <Holders credentials={found.data.credentials} isClaimed={isClaimed} />
          {!isClaimed && <Changes expiresAt={expiresAt} />}
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

interface HeadProps {
  readonly found: FoundClaim;
  /** The name of the organization that the session acts for. */
  readonly organization: string;
}

function Head({ found: { name, createdAt, expiresAt, attached }, organization }: HeadProps) {
  const [verb, next] =
    expiresAt === null
      ? ['', `It belongs to ${visibleText(organization)} for good. Nothing is left to do here.`]
      : attached
        ? ['Claim ', 'The workspace is in your console now. Claiming removes the end date.']
        : [
            'Attach ',
            'Look at what is inside and who holds a credential, then confirm that the workspace is yours.',
          ];
  return (
    <header class="head">
      <div class="head-row">
        <h1>
          {verb}
          {visibleText(name)}
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
        An agent made this workspace on <AbsoluteTime at={createdAt} />. {next}
      </p>
    </header>
  );
}
