import { describe, expect, it } from 'vitest';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import type { OrganizationDocument } from '../../schemas/organizations/documents.ts';
import { PERSON_BLOB_GROUP, type PersonRoot } from '../../schemas/people/documents.ts';
import { identityBlobName } from '../../schemas/people/identity-blob.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createOrganizationsFold } from '../organizations/fold.ts';
import { createPeopleFold } from './fold.ts';

const START = Date.UTC(2026, 10, 21, 12);
const userOf = (name: string) => idFrom('user', keyedDigest('test', name));
const organizationOf = (name: string) => idFrom('organization', keyedDigest('test', name));
const [ada, grace] = [userOf('ada'), userOf('grace')];
const [first, second] = [organizationOf('first'), organizationOf('second')];
const keyOf = (name: string) => sha256Hex(name);
const blobOf = (name: string) => identityBlobName(START, Buffer.from(name));

/** The blobs of identities that were removed. */
const removedIdentities = ({ removedBlobs }: FoldWorld) =>
  new Set(removedBlobs.filter(({ group }) => group === PERSON_BLOB_GROUP).map(({ name }) => name));

/**
 * Ada owns the first organization and belongs to the second one, which Grace owns. Each follow-up arrives
 * `deliveries` times.
 */
function begin(deliveries: number): FoldWorld {
  const folds = [createPeopleFold(DEFAULT_LIMITS), createOrganizationsFold(DEFAULT_LIMITS)];
  const world = new FoldWorld(folds, START, deliveries);
  for (const [organization, userId, name] of [
    [first, ada, 'ada'],
    [second, grace, 'grace'],
  ] as const) {
    world.send({
      topic: 'organizations',
      aggregate: organization,
      type: 'set-up',
      input: {
        name: 'Example',
        operator: false,
        personKey: keyOf(name),
        userId,
        identityBlob: blobOf(name),
        sessionDigest: sha256Hex(`session of ${name}`),
      },
    });
  }
  const invitationId = idFrom('invitation', keyedDigest('test', 'invitation'));
  const actor = { kind: 'user', id: grace } as const;
  world.send({
    topic: 'organizations',
    aggregate: second,
    type: 'invite',
    input: { invitationId, role: 'member', codeDigest: sha256Hex('code') },
    actor,
  });
  world.send({
    topic: 'organizations',
    aggregate: second,
    type: 'accept-invitation',
    input: {
      invitationId,
      codeDigest: sha256Hex('code'),
      personKey: keyOf('ada'),
      userId: ada,
      identityBlob: blobOf('ada'),
      isNew: false,
      sessionDigest: sha256Hex('second session of ada'),
    },
  });
  return world;
}

function move(world: FoldWorld, to: string, over: JsonObject = {}) {
  return world.send({
    topic: 'people',
    aggregate: keyOf(to),
    type: 'reserve-address',
    input: {
      personKey: keyOf('ada'),
      userId: ada,
      from: blobOf('ada'),
      to: blobOf(`${to}, new`),
      sessionDigest: sha256Hex('session of ada'),
      nextSessionDigest: sha256Hex('next session of ada'),
      ...over,
    },
  });
}

const person = (world: FoldWorld, name: string) => world.root('people', keyOf(name)) as PersonRoot | null;
const memberKey = (world: FoldWorld, organization: string) =>
  world.row('organizations', organization, 'member', ada)?.['personKey'];
const DONE = { kind: 'done' };

describe.each([1, 3])(
  'a person who moves to another address, with %i deliveries of each follow-up',
  (deliveries) => {
    it('is the same person there, in every organization, with one new session', () => {
      const world = begin(deliveries);
      expect(move(world, 'lovelace')).toMatchObject(DONE);
      expect(person(world, 'ada')).toEqual({ state: 'vacant' });
      expect(person(world, 'lovelace')).toMatchObject({
        userId: ada,
        createdAt: START,
        identityBlob: blobOf('lovelace, new'),
        organizationIds: [first, second],
        sessions: [{ digest: sha256Hex('next session of ada'), organizationId: first }],
      });
      for (const organization of [first, second])
        expect(memberKey(world, organization)).toBe(keyOf('lovelace'));
      for (const session of ['session of ada', 'second session of ada']) {
        expect(world.digestIndex.get(`console-session:${sha256Hex(session)}`)?.target).toBeNull();
      }
      expect(removedIdentities(world)).toEqual(new Set([blobOf('ada')]));
    });

    it('stays if the password or the session is another one by now, and the address is free again', () => {
      const world = begin(deliveries);
      const refused = { kind: 'refused', refusal: { code: 'unauthorized' } };
      expect(move(world, 'lovelace', { from: blobOf('older') })).toMatchObject(refused);
      expect(move(world, 'lovelace', { sessionDigest: sha256Hex('ended') })).toMatchObject(refused);
      expect(person(world, 'lovelace')).toEqual({ state: 'vacant' });
      expect(person(world, 'ada')).toMatchObject({ userId: ada, identityBlob: blobOf('ada') });
      expect(move(world, 'lovelace')).toMatchObject(DONE);
    });

    it('stays if another person has the address', () => {
      const world = begin(deliveries);
      const refused = { kind: 'refused', refusal: { code: 'state_conflict' } };
      expect(move(world, 'grace')).toMatchObject(refused);
      expect(person(world, 'grace')).toMatchObject({ userId: grace });
      expect(person(world, 'ada')).toMatchObject({ userId: ada });
    });
  },
);

describe.each([1, 3])('a person who is erased, with %i deliveries of each follow-up', (deliveries) => {
  const erase = (world: FoldWorld, name: string) =>
    world.send({
      topic: 'people',
      aggregate: keyOf(name),
      type: 'erase-person',
      input: { from: blobOf(name) },
    });

  it('stays while an organization has no other owner', () => {
    const world = begin(deliveries);
    expect(erase(world, 'ada')).toMatchObject({ kind: 'refused', refusal: { code: 'state_conflict' } });
    expect(person(world, 'ada')).toMatchObject({ userId: ada });
  });

  it('counts down where others stay, and keeps nothing', () => {
    const world = begin(deliveries);
    const invitationId = idFrom('invitation', keyedDigest('test', 'successor'));
    const codeDigest = sha256Hex('successor');
    const actor = { kind: 'user', id: ada } as const;
    const invited = { invitationId, role: 'owner', codeDigest };
    world.send({ topic: 'organizations', aggregate: first, type: 'invite', input: invited, actor });
    world.send({
      topic: 'organizations',
      aggregate: first,
      type: 'accept-invitation',
      input: {
        invitationId,
        codeDigest,
        personKey: keyOf('grace'),
        userId: grace,
        identityBlob: blobOf('grace'),
        isNew: false,
        sessionDigest: sha256Hex('another session of grace'),
      },
    });
    expect(erase(world, 'ada')).toMatchObject(DONE);
    expect(person(world, 'ada')).toEqual({ state: 'vacant' });
    for (const organization of [first, second]) {
      const root = world.root('organizations', organization) as OrganizationDocument;
      expect([root.members, root.owners]).toEqual([1, 1]);
      expect(world.row('organizations', organization, 'member', ada)).toBeNull();
    }
    expect(removedIdentities(world)).toEqual(new Set([blobOf('ada')]));
  });
});
