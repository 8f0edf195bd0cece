import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import { mayManage, membersQuery, ROLES } from '../../api/members.ts';
import { type Role, useMembership } from '../../api/session.ts';
import { signInOptionsQuery } from '../../api/sign-in-options.ts';
import { useChange } from '../../api/use-change.ts';
import { useDraft } from '../../parts/form/draft.ts';
import { Field } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { showLink } from './member-changes.ts';

const GIVEN: readonly Role[] = ['member', 'admin', 'owner'];

interface Asked {
  readonly given: Role;
  /** For whom it is; empty: the person does not say it. */
  readonly forWhom: string;
  /** The address that the link is mailed to; empty: the person passes it on. */
  readonly email: string;
}

interface Typed {
  readonly role: Role;
  readonly words: string;
  readonly email: string;
}

const NOTHING: Typed = { role: 'member', words: '', email: '' };

/** Makes an invitation: a role, then a link that is shown once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const own = useMembership().role;
  const queries = useQueryClient();
  const draft = useDraft('invite', NOTHING);
  const { role, words, email } = draft.values;
  const sendsMail = useQuery(signInOptionsQuery).data?.mail === true;
  const invite = useChange({
    send: ({ given, forWhom, email: to }: Asked, key) => {
      const params = { header: { 'Idempotency-Key': key } };
      const body = { role: given, ...(forWhom !== '' && { forWhom }), ...(to !== '' && { email: to }) };
      return answer(api.POST('/v1/console/invitations', { params, body }));
    },
    keyed: 'invite',
    brings: ({ forWhom }) => `Invitation${forWhom === '' ? '' : ` for ${forWhom}`}, which is being created`,
    onSuccess: ({ invitationId: id, url, expiresAt }, { given, forWhom, email: to }) => {
      void queries.invalidateQueries({ queryKey: membersQuery.queryKey });
      draft.discard();
      onClose();
      const invited = forWhom === '' ? ROLES[given].word.toLowerCase() : visibleText(forWhom);
      const revokeAt = `/members?revoke=${id}`;
      const made = to === '' ? 'created' : `on its way to ${visibleText(to)}`;
      showLink({ id, title: `Invitation for ${invited} ${made}`, url, expiresAt, revokeAt });
    },
  });
  return (
    <FormDialog
      title="Invite a person"
      hint="Anyone with the link can join once. Send it only to the person you invite."
      onClose={onClose}
      draft={draft}
      change={invite}
      onSend={() =>
        invite.mutate({ given: role, forWhom: words.trim(), email: sendsMail ? email.trim() : '' })
      }
      act={{ thing: 'the invitation', done: 'created' }}
      verb="Create invitation"
    >
      <SelectField
        label="Role"
        value={role}
        options={GIVEN.filter((each) => mayManage(own, each)).map((value) => ({
          value,
          label: ROLES[value].word,
        }))}
        onChange={(next) => draft.set({ role: next })}
        hint={`${ROLES[role].word}: ${ROLES[role].about}.`}
      />
      <Field
        label="For whom (optional)"
        value={words}
        onInput={(next) => draft.set({ words: next })}
        maxLength={80}
        autocomplete="off"
        hint="Shown in the list of open invitations, to owners and admins only. It goes with the invitation."
      />
      {sendsMail && (
        <Field
          label="E-mail (optional)"
          type="email"
          value={email}
          onInput={(next) => draft.set({ email: next })}
          maxLength={254}
          autocomplete="off"
          hint="The link is mailed there, with your address as the person who invites. Left empty, you pass the link on."
        />
      )}
    </FormDialog>
  );
}
