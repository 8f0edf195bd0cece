import { hasPassword } from '../../api/has-password.ts';
import { type Member, mayManage, ROLES } from '../../api/members.ts';
import { personName } from '../../api/person-name.ts';
import { type Role, useMembership, useSession } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { EffectList } from '../../parts/form/danger.tsx';
import { useArrival, useAsked } from '../../parts/form/use-asked.ts';
import { Icon } from '../../parts/frame/icon.tsx';
import { Menu, type MenuItem } from '../../parts/frame/menu.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import type { MemberChanges } from './member-changes.ts';

const ROLE_NAMES: readonly Role[] = ['owner', 'admin', 'member'];

interface MemberRowProps {
  readonly member: Member;
  readonly about: (typeof ROLES)[Role];
  readonly changes: MemberChanges;
}

/** One member: Enter opens what may be done about it. */
export function MemberRow({ member, about, changes }: MemberRowProps) {
  const { user } = useSession();
  const [removing, setRemoving] = useAsked('remove');
  const isSelf = member.userId === user.userId;
  const name = personName(member);
  return (
    <tr ref={useArrival('person', member.userId)} id={member.userId}>
      <th scope="row" class="clip" title={name}>
        {name.split('@')[0]}
        {/* A narrow page breaks the address here. */}
        <wbr />
        {name.includes('@') && name.slice(name.indexOf('@'))}
        {isSelf && <span class="tag">you</span>}
      </th>
      <td>{about.word}</td>
      <td class="muted">{about.about}</td>
      <td>
        {member.lastSeenAt === null ? (
          <span class="muted">never</span>
        ) : (
          <RelativeTime at={member.lastSeenAt} />
        )}
      </td>
      <td class="end">
        <Actions member={member} name={name} changes={changes} onRemove={() => setRemoving(member.userId)} />
        {removing === member.userId && (
          <RemoveDialog
            name={name}
            isPending={changes.isPending}
            onClose={() => setRemoving(null)}
            onRemove={() => changes.remove(member, () => setRemoving(null))}
          />
        )}
      </td>
    </tr>
  );
}

interface ActionsProps {
  readonly member: Member;
  readonly name: string;
  readonly changes: MemberChanges;
  readonly onRemove: () => void;
}

function Actions({ member, name, changes, onRemove }: ActionsProps) {
  const { role: own } = useMembership();
  const { user } = useSession();
  const roles = ROLE_NAMES.map((role): MenuItem => {
    const isOff = !mayManage(own, role) || !mayManage(own, member.role);
    return {
      id: role,
      label: role === member.role ? ROLES[role].word : `Make ${ROLES[role].word.toLowerCase()}`,
      hint: isOff ? `Only ${own === 'admin' ? 'owners' : 'owners and admins'} may` : ROLES[role].about,
      isChosen: role === member.role,
      isOff: isOff || role === member.role,
      onChoose: () => changes.setRole(member, role),
    };
  });
  const isSelf = member.userId === user.userId;
  const items: readonly MenuItem[] = [
    ...roles,
    {
      id: 'reset',
      label: 'Make a reset link',
      hint: resetHint(own, member),
      isOff: own !== 'owner' || !hasPassword(member),
      onChoose: () => changes.offerReset(member),
    },
    {
      id: 'remove',
      label: isSelf ? 'Leave' : 'Remove',
      ...(isSelf || mayManage(own, member.role) ? {} : { hint: 'Your role does not allow this' }),
      isDanger: true,
      isOff: !isSelf && !mayManage(own, member.role),
      onChoose: onRemove,
    },
  ];
  return (
    <Menu label={`Actions for ${name}`} class="btn quiet small square" items={items} isOpener>
      <Icon name="dots" />
    </Menu>
  );
}

function resetHint(own: Role, member: Member): string {
  if (own !== 'owner') return 'Only owners may';
  return hasPassword(member)
    ? 'For a person who is in no other organization'
    : 'This person signs in by single sign-on';
}

interface RemoveDialogProps {
  readonly name: string;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onRemove: () => void;
}

function RemoveDialog({ name, isPending, onClose, onRemove }: RemoveDialogProps) {
  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      verb="Remove"
      keep="Keep"
      isPending={isPending}
      onConfirm={onRemove}
      onClose={onClose}
    >
      <EffectList
        effects={{
          stops: 'Every session for this organization, in all browsers',
          stays: 'Workspaces, keys and credentials that the person made, and the audit log',
          cannotBeUndone: 'To come back, the person needs another invitation',
        }}
      />
    </ConfirmDialog>
  );
}
