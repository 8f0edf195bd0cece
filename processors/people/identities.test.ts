import { beforeEach, describe, expect, it } from 'vitest';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { PERSON_BLOB_GROUP, type PersonDocument } from '../../schemas/people/documents.ts';
import {
  IDENTITY_TIDIED_AFTER_MS,
  IDENTITY_USABLE_MS,
  identityBlobName,
} from '../../schemas/people/identity-blob.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createOrganizationsFold } from '../organizations/fold.ts';
import { createPeopleFold } from './fold.ts';
import { identitySweep } from './identity-sweep.ts';

const START = Date.UTC(2026, 10, 21, 12);
const organizationId = idFrom('organization', keyedDigest('test', 'organization'));
const userId = idFrom('user', keyedDigest('test', 'user'));
const personKey = sha256Hex('ada@example.com');
const codeDigest = sha256Hex('code');
const sessionDigest = sha256Hex('session');

let world: FoldWorld;

beforeEach(() => {
  world = new FoldWorld([createPeopleFold(DEFAULT_LIMITS), createOrganizationsFold(DEFAULT_LIMITS)], START);
});

const named = (text: string) => identityBlobName(world.now, Buffer.from(text));
const send = (type: string, input: JsonObject) =>
  world.send({ topic: 'people', aggregate: personKey, type, input });
const setUp = (identityBlob: string) =>
  world.send({
    topic: 'organizations',
    aggregate: organizationId,
    type: 'set-up',
    input: { name: 'Example', operator: false, personKey, userId, identityBlob, sessionDigest },
  });
const person = () => world.root('people', personKey) as PersonDocument | null;
const removed = () => world.removedBlobs.map(({ name }) => name);
const TOO_LATE = { kind: 'refused', refusal: { code: 'unavailable' } };

describe('an announced identity blob', () => {
  it('is removed by the sweep if no person has it', () => {
    const name = named('lost');
    send('announce-identity', { identityBlob: name });
    world.now += IDENTITY_TIDIED_AFTER_MS;
    send('tidy-identity', { identityBlob: name });
    expect(world.removedBlobs).toEqual([{ owner: personKey, group: PERSON_BLOB_GROUP, name }]);
  });

  it('stays while a person has it, and while a command may still name it', () => {
    const [own, young] = [named('own'), named('young')];
    setUp(own);
    send('tidy-identity', { identityBlob: young });
    world.now += IDENTITY_TIDIED_AFTER_MS;
    send('tidy-identity', { identityBlob: own });
    expect(removed()).toEqual([]);
  });

  it('makes no person and no member once its use has ended', () => {
    const name = named('late');
    world.now += IDENTITY_USABLE_MS;
    expect(setUp(name)).toMatchObject(TOO_LATE);
    expect(person()).toBeNull();
    expect(world.root('organizations', organizationId)).toMatchObject({ state: 'released' });
    expect(send('enroll', { userId, identityBlob: name, sessionDigest })).toMatchObject(TOO_LATE);
    const invitationId = idFrom('invitation', keyedDigest('test', 'invitation'));
    const joining = { invitationId, organizationId, userId, identityBlob: name, isNew: true, sessionDigest };
    expect(send('join', joining)).toMatchObject(TOO_LATE);
    expect(person()).toBeNull();
    expect(removed()).toEqual([name, name, name]);
  });

  it('replaces no password once its use has ended', () => {
    const own = named('own');
    setUp(own);
    const to = named('late');
    send('offer-reset', { organizationId, operator: false, codeDigest });
    world.now += IDENTITY_USABLE_MS;
    expect(send('change-password', { from: own, to, sessionDigest })).toMatchObject(TOO_LATE);
    expect(send('reset-password', { codeDigest, to })).toMatchObject(TOO_LATE);
    expect(person()).toMatchObject({ identityBlob: own });
    expect(removed()).toEqual([to, to]);
  });

  it('of an earlier program, whose name has no end, is accepted', () => {
    const name = '0'.repeat(30);
    expect(setUp(name)).toMatchObject({ kind: 'done' });
  });
});

describe('the sweep of identities', () => {
  it('tidies an announced blob later than any command may name it', async () => {
    expect(identitySweep.delayMs).toBeGreaterThan(IDENTITY_USABLE_MS);
    const input = { identityBlob: named('any') };
    const due = (type: string) => identitySweep.due({ type, input } as never, personKey);
    expect(await due('announce-identity')).toEqual([
      { kind: 'command', topic: 'people', key: personKey, type: 'tidy-identity', input },
    ]);
    expect(await due('tidy-identity')).toEqual([]);
  });
});
