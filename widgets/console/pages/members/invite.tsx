import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useId, useState } from 'preact/hooks';
import { answer, api, newIdempotencyKey } from '../../api/client.ts';
import { mayManage, membersQuery, ROLES } from '../../api/members.ts';
import { type Role, useMembership } from '../../api/session.ts';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { SelectField } from '../../parts/select.tsx';
import type { OneTimeLink } from './member-changes.ts';

const GIVEN: readonly Role[] = ['member', 'admin', 'owner'];

interface InviteFormProps {
  readonly onMade: (link: OneTimeLink) => void;
  readonly onClose: () => void;
}

interface Asked {
  readonly given: Role;
  readonly key: string;
}

/** Makes an invitation: a role, then a link that is shown once. */
export function InviteForm({ onMade, onClose }: InviteFormProps) {
  const id = useId();
  const own = useMembership().role;
  const queries = useQueryClient();
  const [role, setRole] = useState<Role>('member');
  const [key, setKey] = useState(newIdempotencyKey);
  const invite = useMutation({
    mutationFn: ({ given, key }: Asked) => {
      const params = { header: { 'Idempotency-Key': key } };
      return answer(api.POST('/v1/console/invitations', { params, body: { role: given } }));
    },
    onSuccess: ({ url, expiresAt }, { given }) => {
      void queries.invalidateQueries({ queryKey: membersQuery.queryKey });
      // A repeat has no link: another invitation has one.
      if (url === null) setKey(newIdempotencyKey());
      else onMade({ title: `Invitation for ${ROLES[given].word.toLowerCase()} created`, url, expiresAt });
    },
  });
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>Invite a person</h2>
        <span>The link works for one person, whatever the address.</span>
      </div>
      <form
        class="panel-body form"
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
        <div class="row">
          <button type="submit" class="btn primary" aria-disabled={invite.isPending}>
            Create invitation
          </button>
          <button type="button" class="btn quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </section>
  );
}
