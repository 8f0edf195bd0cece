import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api, newIdempotencyKey } from '../../api/client.ts';
import { mayManage, membersQuery, ROLES } from '../../api/members.ts';
import { type Role, useMembership } from '../../api/session.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { SelectField } from '../../parts/select.tsx';
import { showLink } from './member-changes.ts';

const GIVEN: readonly Role[] = ['member', 'admin', 'owner'];

interface Asked {
  readonly given: Role;
  readonly key: string;
}

/** Makes an invitation: a role, then a link that is shown once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const own = useMembership().role;
  const queries = useQueryClient();
  const [role, setRole] = useState<Role>('member');
  const [key, setKey] = useState(newIdempotencyKey);
  const invite = useMutation({
    mutationFn: ({ given, key }: Asked) => {
      const params = { header: { 'Idempotency-Key': key } };
      return answer(api.POST('/v1/console/invitations', { params, body: { role: given } }));
    },
    onSuccess: ({ invitationId: id, url, expiresAt }, { given }) => {
      void queries.invalidateQueries({ queryKey: membersQuery.queryKey });
      if (url === null) {
        // A repeat has no link: another invitation has one.
        setKey(newIdempotencyKey());
        return;
      }
      onClose();
      showLink({ id, title: `Invitation for ${ROLES[given].word.toLowerCase()} created`, url, expiresAt });
    },
  });
  return (
    <Dialog
      title="Invite a person"
      hint="Anyone with the link can join once. Send it only to the person you invite."
      onClose={onClose}
      keepsOpen={invite.isPending}
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!invite.isPending) invite.mutate({ given: role, key });
        }}
      >
        {invite.error !== null && (
          <ProblemPanel error={invite.error} onRetry={() => invite.mutate({ given: role, key })} />
        )}
        {invite.data?.url === null && (
          <p class="notice warn">
            The invitation was made, and its link was lost on the way. Revoke it below and create another.
          </p>
        )}
        <SelectField
          label="Role"
          value={role}
          options={GIVEN.filter((each) => mayManage(own, each)).map((value) => ({
            value,
            label: ROLES[value].word,
          }))}
          onChange={(chosen) => {
            setRole(chosen);
            setKey(newIdempotencyKey());
          }}
          hint={`${ROLES[role].word}: ${ROLES[role].about}.`}
        />
        <div class="dialog-foot">
          <button type="button" class="btn quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn primary" aria-disabled={invite.isPending}>
            Create invitation
          </button>
        </div>
      </form>
    </Dialog>
  );
}
