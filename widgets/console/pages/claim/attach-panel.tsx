import { useQueryClient } from '@tanstack/preact-query';
import type { PendingClaim } from '../../api/claim-code.ts';
import { answer, api, hasStatus } from '../../api/client.ts';
import { mayDecide, type Session } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { EXACT_TEXT, Field, useFirstField } from '../../parts/form/field.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { count, counted } from '../../parts/table/numbers.ts';
import { RelativeTime } from '../../parts/table/time.tsx';
import type { FoundClaim } from './inventory.tsx';
import { useActFor } from './use-act-for.ts';

const CODE_CHARACTERS = 4;

interface AttachPanelProps {
  readonly found: FoundClaim;
  readonly claim: PendingClaim;
  readonly session: Session;
  readonly onChange: (claim: PendingClaim | null) => void;
}

/** Asks for the organization and for the code that only the person at the agent's terminal sees. */
export function AttachPanel({ found, claim, session, onChange }: AttachPanelProps) {
  const queries = useQueryClient();
  const { code, confirm } = claim;
  const attach = useChange({
    send: (body: PendingClaim) => answer(api.POST('/v1/console/claims/attach', { body })),
    afterLoss: 'repeat',
    onSettled: async () => {
      // Right or wrong, the link has changed: it was used, or takes one code less.
      await queries.invalidateQueries({ queryKey: ['claim'] });
      await queries.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  const isWhole = confirm.length === CODE_CHARACTERS;
  const isWrong = hasStatus(attach.error, 403);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isWhole && !attach.isPending) attach.mutate({ code, confirm });
  };
  return (
    <form class="panel" ref={useFirstField()} onSubmit={submit}>
      <div class="panel-head">
        <h2>Confirm that the workspace is yours</h2>
      </div>
      <div class="panel-body form">
        <OrganizationField session={session} claimed={found.claimed} />
        <Field
          class="code"
          label="Confirm code"
          value={confirm}
          onInput={(value) => onChange({ code, confirm: value.toUpperCase().slice(0, CODE_CHARACTERS) })}
          maxLength={CODE_CHARACTERS}
          {...EXACT_TEXT}
          autocomplete="one-time-code"
          autocapitalize="characters"
          error={isWrong ? `That code doesn’t match. ${attemptsText(found.attemptsLeft)}` : null}
          hint={`Four characters, printed in the terminal beside the link. ${attemptsText(found.attemptsLeft)}`}
        />
        {attach.error !== null && !isWrong && (
          <ProblemPanel
            error={attach.error}
            act={{ thing: 'the workspace', done: 'attached' }}
            onRetry={() => attach.mutate({ code, confirm })}
          />
        )}
        <button
          type="submit"
          class="btn primary large wide"
          disabled={!isWhole}
          aria-disabled={attach.isPending}
        >
          {attach.isPending ? 'Attaching workspace' : 'Attach workspace'}
        </button>
        {found.linkExpiresAt !== null && (
          <p class="hint">
            The link works once and ends <RelativeTime at={found.linkExpiresAt} />.
          </p>
        )}
      </div>
      <div class="panel-foot">
        <strong>No terminal of yours shows a code?</strong> Then someone sent you a workspace that they can
        read. Close this page; nothing was changed.
      </div>
    </form>
  );
}

function attemptsText(left: number | null): string {
  return left === null ? '' : `${counted(left, 'attempt')} left.`;
}

interface OrganizationFieldProps {
  readonly session: Session;
  readonly claimed: FoundClaim['claimed'];
}

/** The organization that the workspace is attached to. Another choice makes the session act for it. */
function OrganizationField({ session, claimed }: OrganizationFieldProps) {
  const actFor = useActFor();
  const choices = session.organizations.filter(({ role }) => mayDecide(role));
  return (
    <>
      <SelectField
        label="Organization"
        value={session.organizationId}
        options={choices.map(({ organizationId, name, role }) => ({
          value: organizationId,
          label: `${name}, ${role}`,
        }))}
        onChange={actFor.mutate}
        hint={`${count(claimed.used)} of ${count(claimed.limit)} claimed workspaces used`}
      />
      <ProblemPanel error={actFor.error} act={{ thing: 'the organization', done: 'changed' }} />
    </>
  );
}
