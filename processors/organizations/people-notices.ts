import type { FoldContext } from '../runtime/fold.ts';
import { LAST_OWNER } from './members.ts';
import type { OrganizationInput, OrganizationResult, OrganizationView } from './result.ts';

/** Notes the new address of a member's person, and passes the notice on; the last organization answers. */
export function moveMember(
  view: OrganizationView,
  { userId, personKey, next }: OrganizationInput<'move-member'>,
  { aggregate: organizationId }: FoldContext,
): OrganizationResult {
  const member = view.row('member', userId);
  const [following, ...others] = next;
  const noted: OrganizationResult =
    member === null
      ? {
          // The notice of the removal has gone to the former address.
          outcome: { kind: 'done', result: {} },
          effects: [
            { kind: 'command', topic: 'people', key: personKey, type: 'leave', input: { organizationId } },
          ],
        }
      : {
          outcome: { kind: 'done', result: {} },
          put: [{ kind: 'member', id: userId, document: { ...member, personKey } }],
        };
  if (following === undefined) return { ...noted, audit: false };
  return {
    ...noted,
    outcome: { kind: 'deferred' },
    effects: [
      ...(noted.effects ?? []),
      {
        kind: 'command',
        topic: 'organizations',
        key: following,
        type: 'move-member',
        input: { userId, personKey, next: others },
        answers: true,
      },
    ],
  };
}

/** Lets a member go whose person is being erased. The last owner stays, and so does the person. */
export function eraseMember(
  view: OrganizationView,
  { userId, personKey }: OrganizationInput<'erase-member'>,
  { aggregate: organizationId }: FoldContext,
): OrganizationResult {
  const { root } = view;
  const member = view.row('member', userId);
  const goOn: OrganizationResult = {
    outcome: { kind: 'deferred' },
    effects: [
      {
        kind: 'command',
        topic: 'people',
        key: personKey,
        type: 'member-erased',
        input: { organizationId },
        answers: true,
      },
    ],
  };
  if (root === null || member === null) return goOn;
  const owners = root.owners - Number(member.role === 'owner');
  if (owners === 0) return { outcome: { kind: 'refused', refusal: LAST_OWNER } };
  return {
    ...goOn,
    root: { ...root, owners, members: root.members - 1 },
    remove: [{ kind: 'member', id: userId }],
    recordedIn: [organizationId],
  };
}
