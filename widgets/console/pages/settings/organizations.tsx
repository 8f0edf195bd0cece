import { useQueryClient } from '@tanstack/preact-query';
import { answer, api, hasStatus } from '../../api/client.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { ROLES } from '../../api/members.ts';
import { type Session, sessionQuery, useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { EffectList } from '../../parts/form/danger.tsx';
import { askBeforeLossInTabs } from '../../parts/form/shown-once.tsx';
import { useOpened } from '../../parts/form/use-asked.ts';
import { leaveSession } from '../../parts/frame/leave-session.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { Rows } from '../../parts/table/rows.tsx';
import { Table } from '../../parts/table/table.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';

type Membership = Session['organizations'][number];

/** The organizations of the person. Each can be left, except by its last owner. */
export function Organizations() {
  const { organizations, organizationId: current } = useSession();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useOpened<Membership>();
  const leave = useChange({
    send: ({ organizationId }: Membership) =>
      answer(
        api.DELETE('/v1/console/memberships/{organizationId}', { params: { path: { organizationId } } }),
      ),
    afterLoss: 'gone',
    onSuccess: (_nothing, { organizationId, name }) => {
      // The session for the organization that was left has ended.
      if (organizationId === current) return leaveSession();
      setLeaving(null);
      toast(`You left ${name}`);
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <section aria-labelledby="organizations">
      <div class="section-head">
        <h2 id="organizations">Organizations</h2>
      </div>
      <Table
        label="Organizations table"
        columns={['Organization', 'Your role', { hidden: 'Actions', class: 'end' }]}
      >
        <Rows>
          {organizations.map((membership) => (
            <tr key={membership.organizationId}>
              <th scope="row" class="clip" title={visibleText(membership.name)}>
                {visibleText(membership.name)}
                {membership.organizationId === current && <span class="tag">current</span>}
              </th>
              <td>{ROLES[membership.role].word}</td>
              <td class="end">
                <button
                  type="button"
                  class="btn quiet small"
                  data-open=""
                  onClick={() => {
                    leave.reset();
                    setLeaving(membership);
                  }}
                >
                  Leave…
                </button>
              </td>
            </tr>
          ))}
        </Rows>
      </Table>
      {leaving !== null && (
        <LeaveDialog
          name={leaving.name}
          change={leave}
          onClose={() => setLeaving(null)}
          onLeave={() => {
            const act = () => leave.mutate(leaving);
            if (leaving.organizationId !== current) act();
            else if (!leave.isPending) void askBeforeLossInTabs(act);
          }}
        />
      )}
    </section>
  );
}

interface LeaveDialogProps {
  readonly name: string;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onClose: () => void;
  readonly onLeave: () => void;
}

function LeaveDialog({ name, change: { isPending, error }, onClose, onLeave }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      title={`Leave ${name}`}
      verb="Leave"
      keep="Stay"
      isPending={isPending}
      onConfirm={onLeave}
      onClose={onClose}
    >
      <ProblemPanel
        error={error}
        title={isInDoubt(error) ? `It is not known whether you left ${name}` : `You are still in ${name}`}
        onRetry={onLeave}
      >
        {hasStatus(error, 409) && !isInDoubt(error)
          ? 'You are the last owner. Make another member an owner first, under Members.'
          : undefined}
      </ProblemPanel>
      <EffectList
        effects={{
          stops: 'Your sessions for this organization, in all browsers',
          stays: 'Workspaces, keys and credentials that you created, and the audit log',
          cannotBeUndone: 'To come back, you need another invitation',
        }}
      />
    </ConfirmDialog>
  );
}
