import { useQueryClient } from '@tanstack/preact-query';
import { answer, api, hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayManage, membersQuery, ROLES } from '../../api/members.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { forgetShown } from '../../parts/form/shown-once.tsx';
import { useAsked } from '../../parts/form/use-asked.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { Rows } from '../../parts/table/rows.tsx';
import { Scroller } from '../../parts/table/scroller.tsx';
import { Countdown } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';

type Invitation = Schemas['OpenInvitation'];

/** The unused invitations. An empty list says what fills it. */
export function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const queries = useQueryClient();
  const own = useMembership().role;
  const [revokingId, askRevoke] = useAsked('revoke');
  const revoking = invitations.find(({ invitationId }) => invitationId === revokingId);
  const revoke = useChange({
    send: (invitationId: string) =>
      answer(api.DELETE('/v1/console/invitations/{invitationId}', { params: { path: { invitationId } } })),
    afterLoss: 'gone',
    onSuccess: (_nothing, invitationId) => {
      askRevoke(null);
      forgetShown(invitationId);
      toast('Invitation revoked');
    },
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
      {invitations.length > 0 && (
        <Scroller label="Invitations table">
          <table class="invitations-list">
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
              {invitations.map((invitation) => (
                <tr key={invitation.invitationId} id={invitation.invitationId}>
                  <th scope="row">{personOf(invitation)}</th>
                  <td>{ROLES[invitation.role].word}</td>
                  <td>
                    <Identifier value={invitation.invitationId} name="invitation id" />
                  </td>
                  <td>
                    <Countdown until={invitation.expiresAt} isUnderEnds />
                  </td>
                  <td class="end">
                    {mayManage(own, invitation.role) ? (
                      <button
                        type="button"
                        class="btn quiet small"
                        onClick={() => {
                          revoke.reset();
                          askRevoke(invitation.invitationId);
                        }}
                      >
                        Revoke<span class="vh"> the invitation of {personOf(invitation)}</span>
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
      {revoking !== undefined && mayManage(own, revoking.role) && (
        <RevokeDialog
          invitation={revoking}
          change={revoke}
          onRevoke={() => revoke.mutate(revoking.invitationId)}
          onClose={() => askRevoke(null)}
        />
      )}
    </section>
  );
}

function personOf({ forWhom }: Invitation): string {
  return forWhom === null ? 'One person' : visibleText(forWhom);
}

interface RevokeDialogProps {
  readonly invitation: Invitation;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onRevoke: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ invitation, change: { isPending, error }, onRevoke, onClose }: RevokeDialogProps) {
  const { forWhom, role } = invitation;
  return (
    <ConfirmDialog
      title={forWhom === null ? 'Revoke the invitation' : `Revoke the invitation of ${forWhom}`}
      hint={`Its link, which makes one person ${ROLES[role].word.toLowerCase()}, is no longer valid. This cannot be undone.`}
      verb="Revoke invitation"
      isPending={isPending}
      onConfirm={onRevoke}
      onClose={onClose}
    >
      <ProblemPanel error={error} act={{ thing: 'the invitation', done: 'revoked' }} onRetry={onRevoke}>
        {hasStatus(error, 404)
          ? 'It was used, revoked or has expired in the meantime. The list shows what is open now.'
          : undefined}
      </ProblemPanel>
    </ConfirmDialog>
  );
}
