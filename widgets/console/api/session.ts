import { queryOptions, useQuery } from '@tanstack/preact-query';
import { answer, api } from './client.ts';
import type { Schemas } from './interface.ts';
import { Problem } from './problem.ts';

export type Session = Schemas['Session'];
export type Role = Schemas['Membership']['role'];

/** The session of the person at this browser. 401: there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => {
    if (takeHint()) throw NO_SESSION;
    return answer(api.GET('/v1/console/session'));
  },
  staleTime: 60_000,
});

/** As the service refuses a request without a session. */
const NO_SESSION = new Problem({
  code: 'session_required',
  status: 401,
  message: 'header.Cookie: seen no session, expected a session; sign in.',
  requestId: null,
  retryAfterSeconds: null,
});

let isHintTaken = false;

/**
 * Returns true, once at most, if the service saw no session when this page was loaded: asking for it would only write a refusal
 * to the browser's console. A page that the browser took from its history may have been loaded before a sign-in.
 */
function takeHint(): boolean {
  if (isHintTaken) return false;
  isHintTaken = true;
  const [load] = performance.getEntriesByType('navigation');
  if (!(load instanceof PerformanceNavigationTiming) || load.type === 'back_forward') return false;
  // Absent where the page is not in a secure context.
  const hints: readonly PerformanceServerTiming[] | undefined = load.serverTiming;
  return hints?.some(({ name, description }) => name === 'session' && description === 'none') ?? false;
}

/** The session on a page that is only shown with one. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (data === undefined) throw new Error('using a session before it was read');
  return data;
}

/** The organization that the session acts for, with the role in it. */
export function useMembership(): Session['organizations'][number] {
  const { organizations, organizationId } = useSession();
  const membership = organizations.find((each) => each.organizationId === organizationId);
  if (membership === undefined) throw new Error('acting for an organization without being a member');
  return membership;
}

/** True if the person may decide: claim, approve, pause, erase. Members only look. */
export function mayDecide(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

/** True if the person may do what operators of the service do: an owner of the organization that operates it. */
export function mayOperate({ operator, organizations, organizationId }: Session): boolean {
  return operator && organizations.find((each) => each.organizationId === organizationId)?.role === 'owner';
}
