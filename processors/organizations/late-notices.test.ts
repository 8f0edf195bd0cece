import { expect, it } from 'vitest';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createPeopleFold } from '../people/fold.ts';
import { createOrganizationsFold } from './fold.ts';

const bytes = keyedDigest('test', 'one');
const organizationId = idFrom('organization', bytes);
const userId = idFrom('user', bytes);
const workspaceId = idFrom('workspace', bytes);
const personKey = sha256Hex('person');

function worldWithOrganization(): FoldWorld {
  const folds = [createOrganizationsFold(DEFAULT_LIMITS), createPeopleFold(DEFAULT_LIMITS)];
  const world = new FoldWorld(folds, Date.UTC(2026, 10, 21, 12));
  const input = { name: 'Example', operator: false, personKey, userId, identityBlob: 'identity' };
  const sessionDigest = sha256Hex('session');
  world.send({
    topic: 'organizations',
    aggregate: organizationId,
    type: 'set-up',
    input: { ...input, sessionDigest },
  });
  return world;
}

it('an organization does not list an erased workspace again when an older notice comes once more', () => {
  const world = worldWithOrganization();
  const notice = (type: string, key: string) =>
    world.send({ topic: 'organizations', aggregate: organizationId, type, input: { workspaceId }, key });
  notice('attachment-confirmed', 'k1');
  notice('claim-confirmed', 'k2');
  notice('workspace-erased', 'k3');
  notice('attachment-confirmed', 'k1');
  notice('claim-confirmed', 'k2');
  expect(world.row('organizations', organizationId, 'workspace', workspaceId)).toBeNull();
  expect(world.row('organizations', organizationId, 'claims', 'all')).toBeNull();
});

it('a person who has joined again stays when an older removal comes once more', () => {
  const world = worldWithOrganization();
  const send = (type: string, key: string, input: JsonObject) =>
    world.send({ topic: 'people', aggregate: personKey, type, input, key });
  const sessionDigest = sha256Hex('second session');
  const joining = { organizationId, userId, identityBlob: 'identity', isNew: false, sessionDigest };
  send('leave', 'k1', { organizationId });
  send('join', 'k2', { ...joining, invitationId: idFrom('invitation', bytes) });
  send('leave', 'k1', { organizationId });
  expect(world.root('people', personKey)).toMatchObject({ organizationIds: [organizationId] });
});
