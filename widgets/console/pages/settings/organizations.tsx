import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api, hasStatus } from '../../api/client.ts';
import { ROLES } from '../../api/members.ts';
import { type Session, sessionQuery, useSession } from '../../api/session.ts';
import { tellOtherTabs } from '../../api/session-tabs.ts';
import { EffectList } from '../../parts/danger.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { toast } from '../../parts/toast.tsx';
import { visibleText } from '../../parts/visible-text.ts';

type Membership = Session['organizations'][number];

/** The organizations of the person. Each can be left, except by its last owner. */
export function Organizations() {
  const { organizations, organizationId: current } = useSession();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Membership | null>(null);
  const leave = useMutation({
    mutationFn: ({ organizationId }: Membership) =>
      answer(
        api.DELETE('/v1/console/memberships/{organizationId}', { params: { path: { organizationId } } }),
      ),
    onSuccess: (_nothing, { organizationId, name }) => {
      toast(`You left ${name}`);
      // The session for the organization that was left has ended.
      if (organizationId === current) {
        tellOtherTabs('ended');
        location.assign('/sign-in');
      } else void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
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
            ? 'You are its last owner. Make another member an owner first, under Members.'
            : undefined}
        </ProblemPanel>
      )}
      <Scroller label="Organizations table">
        <table>
          <thead>
            <tr>
              <th scope="col">Organization</th>
              <th scope="col">Your role</th>
              <th scope="col" class="end">
                <span class="vh">Actions</span>
              </th>
            </tr>
          </thead>
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
        </table>
      </Scroller>
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
    <Dialog title={`Leave ${name}`} onClose={onClose}>
      <div class="form">
        <EffectList
          effects={{
            stops: 'Your sessions for this organization, in all browsers',
            stays: 'Workspaces, keys and credentials that you made, and the audit log',
            cannotBeUndone: 'To come back, you need another invitation',
          }}
        />
        <div class="dialog-foot">
          <button type="button" class="btn" onClick={onClose}>
            Stay
          </button>
          <button type="button" class="btn danger-primary" onClick={onLeave}>
            Leave
          </button>
        </div>
      </div>
    </Dialog>
  );
}
