import { refusal } from '../../schemas/base/errors.ts';
import { PERSON_BLOB_GROUP } from '../../schemas/people/documents.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { NOTED, type OrganizationInput, type OrganizationResult, type OrganizationView } from './result.ts';

/**
 * Makes an organization and asks for its owner, whose fold answers. The owner is a member at once, so that the
 * session which that answer brings holds everywhere; nobody can act as a person who does not exist.
 */
export function setUp(
  view: OrganizationView,
  input: OrganizationInput<'set-up'>,
  context: FoldContext,
): OrganizationResult {
  const { name, operator, personKey, userId, identityBlob, sessionDigest } = input;
  if (view.root?.state === 'active') {
    return {
      outcome: {
        kind: 'refused',
        refusal: refusal('state_conflict', {
          at: 'service.setUp',
          seen: 'a service that has been set up',
          expected: 'one that has not; sign in instead',
        }),
      },
      effects: [
        {
          kind: 'remove-blob',
          address: { owner: personKey, group: PERSON_BLOB_GROUP, name: identityBlob },
        },
      ],
    };
  }
  return {
    outcome: { kind: 'deferred' },
    root: {
      name,
      state: 'active',
      operator,
      createdAt: context.now,
      members: 1,
      owners: 1,
      openInvitations: [],
    },
    put: [{ kind: 'member', id: userId, document: { personKey, role: 'owner', joinedAt: context.now } }],
    effects: [
      {
        kind: 'command',
        topic: 'people',
        key: personKey,
        type: 'create',
        input: { userId, organizationId: context.aggregate, identityBlob, sessionDigest },
        answers: true,
      },
    ],
  };
}

/** The owner could not be made: the set-up may be tried again. */
export function releaseSetUp(
  view: OrganizationView,
  { userId }: OrganizationInput<'set-up-released'>,
): OrganizationResult {
  if (view.root === null || view.row('member', userId) === null) return NOTED;
  return {
    ...NOTED,
    root: { ...view.root, state: 'released', members: 0, owners: 0 },
    remove: [{ kind: 'member', id: userId }],
  };
}
