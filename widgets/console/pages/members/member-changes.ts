import { useQueryClient } from '@tanstack/preact-query';
import { answer, api, hasStatus } from '../../api/client.ts';
import { failedTitle, isInDoubt } from '../../api/lost-answer.ts';
import { type Member, membersQuery, ROLES } from '../../api/members.ts';
import { personName } from '../../api/person-name.ts';
import { type Role, sessionQuery, useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { showOnce } from '../../parts/form/shown-once.tsx';
import { toast, toastUndoable, type UndoableAct } from '../../parts/frame/toast.tsx';
import { absoluteTime } from '../../parts/table/time.tsx';

/** A link for a person, with what it is for. */
interface OneTimeLink {
  /** The id of the invitation, or of the person. */
  readonly id: string;
  readonly title: string;
  /** Null: it was in an answer that did not arrive. */
  readonly url: string | null;
  readonly expiresAt: string;
  /** The address at which it is revoked. */
  readonly revokeAt?: string;
}

/** Shows a link that works once. */
export function showLink({ id, title, url, expiresAt, revokeAt }: OneTimeLink): void {
  showOnce({
    id,
    title,
    hint:
      url === null
        ? 'Revoke it, and create another.'
        : `Shown once. It works once, until ${absoluteTime(expiresAt)}.`,
    value: url,
    name: 'link',
    stored: 'I have sent it to the person',
    ...(revokeAt !== undefined && { revokeAt }),
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
  | { readonly act: 'set role'; readonly role: Role; readonly isUndo?: true }
  | { readonly act: 'remove' }
);

/** A reset link for a member. */
interface Offered {
  readonly member: Named;
  readonly act: 'offer reset';
}

/** The changes of the members. Each reads the list again, also after a refusal: it may be because another person was faster. */
export function useMemberChanges(): MemberChanges {
  const queries = useQueryClient();
  const own = useSession().user.userId;
  const change = useChange({
    send: async (wanted: Wanted) => {
      const { userId, name, role: before } = wanted.member;
      const params = { path: { userId } };
      switch (wanted.act) {
        case 'set role': {
          const { role } = wanted;
          await answer(api.PATCH('/v1/console/members/{userId}', { params, body: { role } }));
          if (userId === own) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
          const text = `${name} is ${ROLES[role].word.toLowerCase()} now`;
          const undo = () =>
            change.mutateAsync({ ...wanted, member: { ...wanted.member, role }, role: before, isUndo: true });
          if (userId === own || wanted.isUndo) toast(text);
          else toastUndoable({ kind: 'role', what: text, undo }, textOfRoles);
          return;
        }
        case 'remove':
          await answer(api.DELETE('/v1/console/members/{userId}', { params }));
          toast(`${name} removed`);
          return;
      }
    },
    afterLoss: async (wanted) => {
      const { userId, name } = wanted.member;
      const { members } = await queries.fetchQuery({ ...membersQuery, staleTime: 0 });
      const role = members.find((each) => each.userId === userId)?.role;
      if (wanted.act === 'remove' ? role !== undefined : role !== wanted.role) return null;
      toast(role === undefined ? `${name} removed` : `${name} is ${ROLES[role].word.toLowerCase()} now`);
      return { answer: undefined };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: membersQuery.queryKey }),
  });
  const offer = useResetLink();
  const attempt = (wanted: Wanted, onSettled?: () => void) => {
    if (!change.isPending) change.mutate(wanted, { ...(onSettled && { onSettled }) });
  };
  const named = (member: Member): Named => ({
    userId: member.userId,
    role: member.role,
    name: personName(member),
  });
  const [failed] = [change, offer].filter(({ error }) => error !== null);
  return {
    isPending: change.isPending || offer.isPending,
    error:
      failed?.error && failed.variables
        ? refusedChange(titleOf(failed.variables, failed.error), failed.error)
        : null,
    setRole: (member, role) => attempt({ act: 'set role', member: named(member), role }),
    remove: (member, onSettled) => attempt({ act: 'remove', member: named(member) }, onSettled),
    offerReset: (member) => {
      if (!offer.isPending) offer.mutate({ act: 'offer reset', member: named(member) });
    },
  };
}

/** The text of roles that were changed one after the other. */
function textOfRoles(run: readonly UndoableAct[]): string {
  return run.length === 1 ? (run[0]?.what ?? '') : `${run.length} roles changed`;
}

/** Makes a link with which a member sets a new password. */
function useResetLink() {
  return useChange({
    send: ({ member: { userId } }: Offered, key) => {
      const params = { path: { userId }, header: { 'Idempotency-Key': key } };
      return answer(api.POST('/v1/console/members/{userId}/reset-link', { params, body: {} }));
    },
    keyed: 'reset-link',
    brings: ({ member: { name } }) => `Reset link for ${name}, which is being made`,
    onSuccess: (link, { member: { userId, name } }) =>
      showLink({ id: userId, title: `Reset link for ${name}`, ...link }),
  });
}

function titleOf(wanted: Wanted | Offered, error: Error): string {
  const { name, role } = wanted.member;
  if (wanted.act === 'offer reset')
    return failedTitle({ thing: `a reset link for ${name}`, done: 'made' }, error);
  if (wanted.act === 'remove') return failedTitle({ thing: name, done: 'removed' }, error);
  return isInDoubt(error)
    ? `It is not known whether ${name} is ${ROLES[wanted.role].word.toLowerCase()} now`
    : `${name} stays ${ROLES[role].word.toLowerCase()}`;
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
