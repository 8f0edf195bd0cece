import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useId, useRef, useState } from 'preact/hooks';
import { hasStatus } from '../../api/client.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { membersQuery } from '../../api/members.ts';
import { personName } from '../../api/person-name.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { workingWords } from '../../parts/form/working.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { useShortcuts } from '../../parts/frame/shortcuts.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { CopyButton } from '../../parts/table/identifier.tsx';
import { count, counted } from '../../parts/table/numbers.ts';
import { Shape } from '../../parts/table/state.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { capabilityPath } from '../workspaces/next-action.ts';
import { changesBetween, readAgain, useApprove } from './import-changes.ts';
import type { ImportDetail, Place } from './queries.ts';

interface ApprovalProps {
  readonly place: Place;
  readonly detail: ImportDetail;
  /** True if the schema has a newer revision: then the import can only be read. */
  readonly isSuperseded: boolean;
}

/** Approves exactly the digest that is shown here, or says why it cannot be approved. */
export function Approval({ place, detail, isSuperseded }: ApprovalProps) {
  const { validations, validationDigest } = detail;
  return (
    <section class="panel approve" aria-labelledby="approve">
      <div class="panel-head">
        <h2 id="approve" tabIndex={-1}>
          Approval
        </h2>
      </div>
      <div class="panel-body">
        {detail.approvedAt === null ? (
          <ApproveForm place={place} detail={detail} isSuperseded={isSuperseded} />
        ) : (
          <Approved place={place} detail={detail} />
        )}
      </div>
      <div class="foot-facts">
        <Facts inset>
          {validationDigest === null && (
            <Fact name="Digest">
              <span class="muted">none yet</span>
            </Fact>
          )}
          <Fact name="Validations">{`${validations.used} of ${validations.limit} used`}</Fact>
        </Facts>
      </div>
    </section>
  );
}

function ApproveForm({ place, detail, isSuperseded }: ApprovalProps) {
  const { role } = useMembership();
  const queries = useQueryClient();
  const approve = useApprove(place);
  const [changes, setChanges] = useState<readonly string[] | null>(null);
  const reasonId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const reason = mayDecide(role)
    ? reasonAgainst(detail, isSuperseded)
    : 'Owners and admins approve. You are a member.';
  const { validationDigest, rows } = detail;
  const label = approveLabel(rows.valid + rows.invalid);
  // An approval cannot be taken back, so that one key alone does not give it: Enter follows.
  useShortcuts([{ keys: 'a', about: `Go to “${label}”`, run: () => button.current?.focus() }]);
  const act = async () => {
    if (reason !== null || validationDigest === null || approve.isPending) return;
    try {
      await approve.mutateAsync(validationDigest);
      // The button has gone with what it did.
      document.getElementById('approve')?.focus({ preventScroll: true });
      toast(`${counted(rows.valid, 'row')} approved`);
    } catch (error) {
      if (!hasStatus(error, 409)) return;
      setChanges(changesBetween(detail, await readAgain(queries, place)));
    }
  };
  return (
    <>
      {validationDigest === null ? (
        <p class="hint">An import can be approved once every row is valid. It is approved as a whole.</p>
      ) : (
        <Digest value={validationDigest} />
      )}
      {approve.error !== null && (
        <ApproveProblem error={approve.error} changes={changes} onRetry={approve.repeat} />
      )}
      <button
        ref={button}
        type="button"
        class="btn primary large wide"
        aria-disabled={reason !== null || approve.isPending}
        aria-describedby={reasonId}
        onClick={() => void act()}
      >
        {approve.isPending ? workingWords(label) : label}
      </button>
      {reason === null ? (
        <p class="hint" id={reasonId}>
          Your backend can pull the batches at once. What it has accepted cannot be taken back.
        </p>
      ) : (
        <p class="hint reason" id={reasonId}>
          <Shape tone="warn" />
          <span>{reason}</span>
        </p>
      )}
    </>
  );
}

function approveLabel(rows: number): string {
  return rows === 0 ? 'Approve rows' : `Approve ${counted(rows, 'row')}`;
}

interface ApproveProblemProps {
  readonly error: Error;
  readonly changes: readonly string[] | null;
  readonly onRetry: () => void;
}

/** A 409 says what has changed. The button below is about the import as it is now. */
function ApproveProblem({ error, changes, onRetry }: ApproveProblemProps) {
  if (changes === null || isInDoubt(error)) return <ProblemPanel error={error} onRetry={onRetry} />;
  return (
    <ProblemPanel error={error} title="Nothing was approved: the import has changed">
      <ul class="change-list">
        {(changes.length === 0 ? [error.message] : changes).map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      This page shows it as it is now.
    </ProblemPanel>
  );
}

function Digest({ value }: { readonly value: string }) {
  return (
    <div class="field">
      <span class="label">Validation digest</span>
      <div class="digest">
        <code>{value}</code>
        <CopyButton value={value} label="Copy validation digest" />
      </div>
    </div>
  );
}

function Approved({ place, detail }: Omit<ApprovalProps, 'isSuperseded'>) {
  const { approvedAt, approvedBy, validationDigest, rows, acknowledgedBatches, batchCount } = detail;
  const isUnreachable = detail.status === 'approved' && detail.capabilities === 0;
  return (
    <>
      <p>
        <b>{counted(rows.valid, 'row')} approved</b>{' '}
        {approvedAt !== null && approvedBy !== null && (
          <span class="muted">
            <AbsoluteTime at={approvedAt} /> by <Approver by={approvedBy} />
          </span>
        )}
      </p>
      {validationDigest !== null && <Digest value={validationDigest} />}
      {isUnreachable ? (
        <MissingCapability place={place} schemaId={detail.schemaId} />
      ) : (
        <p class="hint">{`${count(acknowledgedBatches)} of ${counted(batchCount, 'batch', 'batches')} acknowledged.`}</p>
      )}
    </>
  );
}

/** The approver: a person by name, as long as it is a member. */
function Approver({ by }: { readonly by: NonNullable<ImportDetail['approvedBy']> }) {
  const { data } = useQuery({ ...membersQuery, enabled: by.kind === 'user' });
  if (by.kind !== 'user') return <>{by.kind === 'agent' ? 'an agent' : 'a browser session'}</>;
  const member = data?.members.find(({ userId }) => userId === by.id);
  return <>{member === undefined ? 'a person' : personName(member)}</>;
}

interface MissingCapabilityProps {
  readonly place: Place;
  readonly schemaId: string;
}

/** The next step of an approved import that no backend can pull. */
function MissingCapability({ place: { workspaceId, importId }, schemaId }: MissingCapabilityProps) {
  const { role } = useMembership();
  return (
    <>
      <p class="hint reason">
        <Shape tone="warn" />
        <span>No backend can pull these rows yet: their schema has no capability.</span>
      </p>
      {mayDecide(role) ? (
        <>
          <PageLink
            class="btn primary large wide"
            to={`/agent-workspaces/${workspaceId}${capabilityPath(schemaId, importId)}`}
          >
            Create capability
          </PageLink>
          <p class="hint">Your backend pulls the batches with it. Its secret is shown once.</p>
        </>
      ) : (
        <p class="hint">An owner or admin creates one. Ask one of them.</p>
      )}
    </>
  );
}

/** Why an import cannot be approved now, and what makes it possible; null if it can. */
export function reasonAgainst(detail: ImportDetail, isSuperseded: boolean): string | null {
  if (isSuperseded) {
    return 'The schema has a newer revision. Upload the file again.';
  }
  const { rows, mappingRevision } = detail;
  switch (detail.status) {
    case 'ready':
      return null;
    case 'needs_correction':
      return `${counted(rows.invalid, 'row')} ${rows.invalid === 1 ? 'has' : 'have'} errors. Correct them first.`;
    case 'reserved':
      return 'The file is not uploaded yet.';
    case 'uploaded':
      return mappingRevision === null
        ? 'The columns are not mapped yet. Map them below, then validate.'
        : 'The file is not validated yet.';
    case 'validating':
      return 'The file is being validated.';
    case 'failed':
      return 'The file cannot be imported. Upload another one.';
    default:
      return 'The import has ended. Upload the file again.';
  }
}
