import { queryOptions } from '@tanstack/preact-query';
import { answer, api } from './client.ts';
import type { Schemas } from './interface.ts';
import type { Role } from './session.ts';

export type Member = Schemas['ListedMember'];

/** Members and open invitations of the organization. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => answer(api.GET('/v1/console/members')),
});

/** A role in words: what its person may do. */
export const ROLES: Readonly<Record<Role, { readonly word: string; readonly about: string }>> = {
  owner: { word: 'Owner', about: 'decides everything, manages owners, erases workspaces' },
  admin: { word: 'Admin', about: 'decides about workspaces, keys and members, not about owners' },
  member: { word: 'Member', about: 'sees states and counts; no private rows, no approvals' },
};

/** True if a person of one role may give, change or take away another role. */
export function mayManage(own: Role, role: Role): boolean {
  return own === 'owner' || (own === 'admin' && role !== 'owner');
}
