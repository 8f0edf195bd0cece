import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { answer, api, hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayManage, membersQuery, ROLES } from '../../api/members.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { Identifier } from '../../parts/identifier.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { Countdown } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.tsx';
import { visibleText } from '../../parts/visible-text.ts';

type Invitation = Schemas['OpenInvitation'];

/** The unused invitations. An empty list says what fills it. */
export function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const queries = useQueryClient();
  const own = useMembership().role;
  const revoke = useMutation({
    mutationFn: (invitationId: string) =>
      answer(api.DELETE('/v1/console/invitations/{invitationId}', { params: { path: { invitationId } } })),
    onSuccess: () => toast('Invitation revoked'),
    onSettled: () => queries.invalidateQueries({ queryKey: membersQuery.queryKey }),
  });
  return (
    <section aria-labelledby="invitations">
      <div class="section-head">
        <h2 id="invitations">Open invitations</h2>
        {invitations.length === 0 && (
          <p>None.{mayDecide(own) && ' “Invite a person” creates a link for one person.'}</p>
        )}
      </div>
      {revoke.error !== null && (
        <ProblemPanel error={revoke.error} title="The invitation was not revoked">
          {hasStatus(revoke.error, 404)
            ? 'It was used, revoked or has expired in the meantime. The list shows what is open now.'
            : undefined}
        </ProblemPanel>
      )}
      {invitations.length > 0 && (
        <Scroller label="Invitations table">
          <table>
            <thead>
              <tr>
                <th scope="col">For</th>
                <th scope="col">Role</th>
                <th scope="col">Invitation</th>
                <th scope="col">Ends</th>
                <th scope="col" class="end">
                  <span class="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <Rows>
              {invitations.map(({ invitationId, role, forWhom, expiresAt }) => (
                <tr key={invitationId}>
                  <th scope="row">{forWhom === null ? 'One person' : visibleText(forWhom)}</th>
                  <td>{ROLES[role].word}</td>
                  <td>
                    <Identifier value={invitationId} name="invitation id" />
                  </td>
                  <td>
                    <Countdown until={expiresAt} isUnderEnds />
                  </td>
                  <td class="end">
                    {mayManage(own, role) ? (
                      <button
                        type="button"
                        class="btn quiet small"
                        aria-disabled={revoke.isPending}
                        onClick={() => {
                          if (!revoke.isPending) revoke.mutate(invitationId);
                        }}
                      >
                        Revoke
                      </button>
                    ) : (
                      <span class="muted">{own === 'admin' ? 'owners revoke it' : 'admins revoke it'}</span>
                    )}
                  </td>
                </tr>
              ))}
            </Rows>
          </table>
        </Scroller>
      )}
    </section>
  );
}
