import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useRef, useState } from 'preact/hooks';
import { answer, api, hasStatus, newIdempotencyKey } from '../../api/client.ts';
import { type Member, membersQuery, ROLES } from '../../api/members.ts';
import { type Role, sessionQuery, useSession } from '../../api/session.ts';
import { showOnce } from '../../parts/shown-once.tsx';
import { absoluteTime } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.tsx';

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
  readonly remove: (member: Member) => void;
  readonly offerReset: (member: Member) => void;
}

/** The changes of one member. Each reads the list again, also after a refusal: it may be because another person was faster. */
export function useMemberChanges(): MemberChanges {
  const queries = useQueryClient();
  const own = useSession().user.userId;
  const [error, setError] = useState<RefusedChange | null>(null);
  const resetKeys = useRef(new Map<string, string>());
  const settled = async () => {
    await queries.invalidateQueries({ queryKey: membersQuery.queryKey });
  };
  const change = useMutation({
    mutationFn: (run: () => Promise<void>) => run(),
    onMutate: () => setError(null),
    onSettled: settled,
  });
  const attempt = (title: string, run: () => Promise<void>) => {
    if (change.isPending) return;
    change.mutate(run, { onError: (cause) => setError(refusedChange(title, cause)) });
  };
  const giveRole = async ({ userId }: Member, role: Role) => {
    const params = { path: { userId } };
    await answer(api.PATCH('/v1/console/members/{userId}', { params, body: { role } }));
    if (userId === own) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const setRole = (member: Member, role: Role) =>
    attempt(`${member.email} stays ${ROLES[member.role].word.toLowerCase()}`, async () => {
      await giveRole(member, role);
      const undo = member.userId === own ? null : () => setRole({ ...member, role }, member.role);
      toast(`${member.email} is ${ROLES[role].word.toLowerCase()} now`, undo);
    });
  return {
    isPending: change.isPending,
    error,
    setRole,
    remove: (member) =>
      attempt(`${member.email} was not removed`, async () => {
        const params = { path: { userId: member.userId } };
        await answer(api.DELETE('/v1/console/members/{userId}', { params }));
        toast(`${member.email} removed`);
      }),
    offerReset: ({ userId, email }) =>
      attempt('No reset link was made', async () => {
        const key = resetKeys.current.get(userId) ?? newIdempotencyKey();
        resetKeys.current.set(userId, key);
        const params = { path: { userId }, header: { 'Idempotency-Key': key } };
        const made = await answer(api.POST('/v1/console/members/{userId}/reset-link', { params, body: {} }));
        resetKeys.current.delete(userId);
        showLink({ id: userId, title: `Reset link for ${email}`, ...made });
      }),
  };
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
