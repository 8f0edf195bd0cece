import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import type { MemberDocument, OrganizationDocument, Role } from '../../schemas/organizations/documents.ts';
import type { PersonDocument } from '../../schemas/people/documents.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createPeopleFold } from '../people/fold.ts';
import { createOrganizationsFold } from './fold.ts';

const START = Date.UTC(2026, 10, 21, 12);
const organizationId = idFrom('organization', keyedDigest('test', 'organization'));
const PEOPLE = [0, 1, 2, 3];
const userOf = (person: number) => idFrom('user', keyedDigest('test', 'user', person));
const keyOf = (person: number) => sha256Hex(`person ${person}`);
const invitationOf = (number: number) => idFrom('invitation', keyedDigest('test', 'invitation', number));

type Move =
  | { readonly kind: 'invite'; readonly by: number; readonly role: Role; readonly number: number }
  | { readonly kind: 'accept'; readonly person: number; readonly number: number }
  | { readonly kind: 'set-role'; readonly by: number; readonly of: number; readonly role: Role }
  | { readonly kind: 'remove'; readonly by: number; readonly of: number }
  | { readonly kind: 'revoke'; readonly by: number; readonly number: number }
  | { readonly kind: 'wait'; readonly ms: number };

const someone = fc.constantFrom(...PEOPLE);
const role = fc.constantFrom<Role>('owner', 'admin', 'member');
const number = fc.nat({ max: 5 });
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('invite' as const), by: someone, role, number }),
    fc.record({ kind: fc.constant('accept' as const), person: someone, number }),
    fc.record({ kind: fc.constant('set-role' as const), by: someone, of: someone, role }),
    fc.record({ kind: fc.constant('remove' as const), by: someone, of: someone }),
    fc.record({ kind: fc.constant('revoke' as const), by: someone, number }),
    fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, DEFAULT_LIMITS.console.invitationMs),
    }),
  ),
  { maxLength: 40 },
);

function begin(deliveries: number): FoldWorld {
  const folds = [createPeopleFold(DEFAULT_LIMITS), createOrganizationsFold(DEFAULT_LIMITS)];
  const world = new FoldWorld(folds, START, deliveries);
  world.send({
    topic: 'organizations',
    aggregate: organizationId,
    type: 'set-up',
    input: {
      name: 'Example',
      operator: false,
      personKey: keyOf(0),
      userId: userOf(0),
      identityBlob: 'blob 0',
      sessionDigest: sha256Hex('session'),
    },
  });
  return world;
}

function play(world: FoldWorld, move: Move): void {
  const send = (type: string, input: object, by: number) =>
    world.send({
      topic: 'organizations',
      aggregate: organizationId,
      type,
      input: { ...input },
      actor: { kind: 'user', id: userOf(by) },
    });
  switch (move.kind) {
    case 'wait':
      world.now += move.ms;
      return;
    case 'invite':
      send(
        'invite',
        { invitationId: invitationOf(move.number), role: move.role, codeDigest: sha256Hex(`${move.number}`) },
        move.by,
      );
      return;
    case 'revoke':
      send('revoke-invitation', { invitationId: invitationOf(move.number) }, move.by);
      return;
    case 'set-role':
      send('set-role', { userId: userOf(move.of), role: move.role }, move.by);
      return;
    case 'remove':
      send('remove-member', { userId: userOf(move.of) }, move.by);
      return;
    case 'accept': {
      const known = world.root('people', keyOf(move.person)) as PersonDocument | null;
      const input = {
        invitationId: invitationOf(move.number),
        codeDigest: sha256Hex(`${move.number}`),
        personKey: keyOf(move.person),
        userId: userOf(move.person),
        identityBlob: known?.identityBlob ?? `blob ${move.person}`,
        isNew: known === null,
        sessionDigest: sha256Hex(`session ${move.person}`),
      };
      send('accept-invitation', input, move.person);
    }
  }
}

function members(world: FoldWorld): (MemberDocument & { person: number })[] {
  return PEOPLE.flatMap((person) => {
    const member = world.row(
      'organizations',
      organizationId,
      'member',
      userOf(person),
    ) as MemberDocument | null;
    return member === null ? [] : [{ ...member, person }];
  });
}

describe('membership, after any sequence of moves', () => {
  it('has an owner, counts that are true, and people who agree with it', () => {
    fc.assert(
      fc.property(moves, fc.constantFrom(1, 2), (played, deliveries) => {
        const world = begin(deliveries);
        for (const move of played) play(world, move);
        const root = world.root('organizations', organizationId) as OrganizationDocument;
        const now = members(world);
        expect(root.members).toBe(now.length);
        expect(root.owners).toBe(now.filter((member) => member.role === 'owner').length);
        expect(root.owners).toBeGreaterThan(0);
        for (const person of PEOPLE) {
          const document = world.root('people', keyOf(person)) as PersonDocument | null;
          const listed = document?.organizationIds.includes(organizationId) ?? false;
          expect(listed).toBe(now.some((member) => member.person === person));
          expect(
            document?.sessions.some((session) => session.organizationId === organizationId) ?? false,
          ).toBe(listed);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is the same again when everything is folded again', () => {
    fc.assert(
      fc.property(moves, (played) => {
        const [one, two] = [begin(1), begin(1)];
        for (const move of played) {
          play(one, move);
          play(two, move);
        }
        expect(one.documents()).toBe(two.documents());
      }),
      { numRuns: 50 },
    );
  });
});
