import { useQueryClient } from '@tanstack/preact-query';
import { answer, api, hasStatus } from '../../api/client.ts';
import { type Member, membersQuery, ROLES } from '../../api/members.ts';
import { personName } from '../../api/person-name.ts';
import { type Role, sessionQuery, useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { showOnce } from '../../parts/form/shown-once.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { absoluteTime } from '../../parts/table/time.tsx';

/** A link for a person, with what it is for. */
interface OneTimeLink {
  /** The id of the invitation, or of the person. */
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly expiresAt: string;
}

/** Shows a link that works once. */
export function showLink({ id, title, url, expiresAt }: OneTimeLink): void {
  showOnce({
    id,
    title,
    hint: `Shown once. It works once, until ${absoluteTime(expiresAt)}.`,
    value: url,
    name: 'link',
    stored: 'I have sent it to the person',
  });
}

/** A change that was refused, in words. */
export interface RefusedChange {
  readonly cause: Error;
  readonly title: string;
  readonly cure?: string;
}

export interface MemberChanges {
  readonly isPending: boolean;
  readonly error: RefusedChange | null;
  readonly setRole: (member: Member, role: Role) => void;
  /** Calls back when it is answered. */
  readonly remove: (member: Member, onSettled: () => void) => void;
  readonly offerReset: (member: Member) => void;
}

interface Named extends Pick<Member, 'userId' | 'role'> {
  readonly name: string;
}

/** One change of one member. */
type Wanted = { readonly member: Named } & (
  | { readonly act: 'set role'; readonly role: Role }
  | { readonly act: 'remove' | 'offer reset' }
);

/** The changes of the members. Each reads the list again, also after a refusal: it may be because another person was faster. */
export function useMemberChanges(): MemberChanges {
  const queries = useQueryClient();
  const own = useSession().user.userId;
  const change = useChange({
    send: async (wanted: Wanted, key) => {
      const { userId, name, role: before } = wanted.member;
      const params = { path: { userId } };
      switch (wanted.act) {
        case 'set role': {
          const { role } = wanted;
          await answer(api.PATCH('/v1/console/members/{userId}', { params, body: { role } }));
          if (userId === own) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
          const undo = () => attempt({ act: 'set role', member: { ...wanted.member, role }, role: before });
          toast(`${name} is ${ROLES[role].word.toLowerCase()} now`, userId === own ? null : undo);
          return;
        }
        case 'remove':
          await answer(api.DELETE('/v1/console/members/{userId}', { params }));
          toast(`${name} removed`);
          return;
        case 'offer reset': {
          const keyed = { ...params, header: { 'Idempotency-Key': key } };
          const request = api.POST('/v1/console/members/{userId}/reset-link', { params: keyed, body: {} });
          showLink({ id: userId, title: `Reset link for ${name}`, ...(await answer(request)) });
          return;
        }
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: membersQuery.queryKey }),
  });
  const attempt = (wanted: Wanted, onSettled?: () => void) => {
    if (!change.isPending) change.mutate(wanted, { ...(onSettled && { onSettled }) });
  };
  const named = (member: Member): Named => ({
    userId: member.userId,
    role: member.role,
    name: personName(member),
  });
  const { error, variables } = change;
  return {
    isPending: change.isPending,
    error: error === null || variables === undefined ? null : refusedChange(titleOf(variables), error),
    setRole: (member, role) => attempt({ act: 'set role', member: named(member), role }),
    remove: (member, onSettled) => attempt({ act: 'remove', member: named(member) }, onSettled),
    offerReset: (member) => attempt({ act: 'offer reset', member: named(member) }),
  };
}

function titleOf({ act, member: { name, role } }: Wanted): string {
  if (act === 'offer reset') return 'No reset link was made';
  return act === 'remove' ? `${name} was not removed` : `${name} stays ${ROLES[role].word.toLowerCase()}`;
}

function refusedChange(title: string, cause: Error): RefusedChange {
  if (hasStatus(cause, 409)) {
    return {
      cause,
      title,
      cure: 'An organization keeps at least one owner. Make another member an owner first.',
    };
  }
  if (hasStatus(cause, 404)) {
    return { cause, title: 'This person has left already', cure: 'The list shows who belongs here now.' };
  }
  return { cause, title };
}
