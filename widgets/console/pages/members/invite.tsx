import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api, newIdempotencyKey } from '../../api/client.ts';
import { mayManage, membersQuery, ROLES } from '../../api/members.ts';
import { type Role, useMembership } from '../../api/session.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SelectField } from '../../parts/select.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { showLink } from './member-changes.ts';

const GIVEN: readonly Role[] = ['member', 'admin', 'owner'];

interface Asked {
  readonly given: Role;
  /** For whom it is; empty: the person does not say it. */
  readonly forWhom: string;
  readonly key: string;
}

/** Makes an invitation: a role, then a link that is shown once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const own = useMembership().role;
  const queries = useQueryClient();
  const [role, setRole] = useState<Role>('member');
  const [words, setWords] = useState('');
  const [key, setKey] = useState(newIdempotencyKey);
  const invite = useMutation({
    mutationFn: ({ given, forWhom, key }: Asked) => {
      const params = { header: { 'Idempotency-Key': key } };
      const body = { role: given, ...(forWhom === '' ? {} : { forWhom }) };
      return answer(api.POST('/v1/console/invitations', { params, body }));
    },
    onSuccess: ({ invitationId: id, url, expiresAt }, { given, forWhom }) => {
      void queries.invalidateQueries({ queryKey: membersQuery.queryKey });
      if (url === null) {
        // A repeat has no link: another invitation has one.
        setKey(newIdempotencyKey());
        return;
      }
      onClose();
      const invited = forWhom === '' ? ROLES[given].word.toLowerCase() : visibleText(forWhom);
      showLink({ id, title: `Invitation for ${invited} created`, url, expiresAt });
    },
  });
  return (
    <FormDialog
      title="Invite a person"
      hint="Anyone with the link can join once. Send it only to the person you invite."
      onClose={onClose}
      change={invite}
      onSend={() => invite.mutate({ given: role, forWhom: words.trim(), key })}
      failed="The invitation was not created"
      verb="Create invitation"
    >
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
      <Field
        label="For whom (optional)"
        value={words}
        onInput={setWords}
        maxLength={80}
        autocomplete="off"
        hint="Shown in the list of open invitations, to owners and admins only. It goes with the invitation."
      />
    </FormDialog>
  );
}
