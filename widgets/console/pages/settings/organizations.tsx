import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api, hasStatus } from '../../api/client.ts';
import { ROLES } from '../../api/members.ts';
import { type Session, sessionQuery, useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EffectList } from '../../parts/danger.tsx';
import { leaveSession } from '../../parts/leave-session.ts';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { visibleText } from '../../parts/visible-text.ts';

type Membership = Session['organizations'][number];

/** The organizations of the person. Each can be left, except by its last owner. */
export function Organizations() {
  const { organizations, organizationId: current } = useSession();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Membership | null>(null);
  const leave = useChange({
    send: ({ organizationId }: Membership) =>
      answer(
        api.DELETE('/v1/console/memberships/{organizationId}', { params: { path: { organizationId } } }),
      ),
    onSuccess: (_nothing, { organizationId, name }) => {
      toast(`You left ${name}`);
      // The session for the organization that was left has ended.
      if (organizationId === current) leaveSession();
      else void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <section aria-labelledby="organizations">
      <div class="section-head">
        <h2 id="organizations">Organizations</h2>
      </div>
      {leave.error !== null && (
        <ProblemPanel error={leave.error} title={`You are still in ${leave.variables?.name ?? 'it'}`}>
          {hasStatus(leave.error, 409)
            ? 'You are the last owner. Make another member an owner first, under Members.'
            : undefined}
        </ProblemPanel>
      )}
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
                  onClick={() => setLeaving(membership)}
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
          onClose={() => setLeaving(null)}
          onLeave={() => {
            setLeaving(null);
            leave.mutate(leaving);
          }}
        />
      )}
    </section>
  );
}

interface LeaveDialogProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onLeave: () => void;
}

function LeaveDialog({ name, onClose, onLeave }: LeaveDialogProps) {
  return (
    <ConfirmDialog title={`Leave ${name}`} verb="Leave" keep="Stay" onConfirm={onLeave} onClose={onClose}>
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
