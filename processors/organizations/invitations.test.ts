import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../schemas/base/command.ts';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { organizationsCommands } from '../../schemas/organizations/commands.ts';
import type { OrganizationDocument } from '../../schemas/organizations/documents.ts';
import type { CommandTopicName } from '../../topics/catalogue.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createPeopleFold } from '../people/fold.ts';
import { createOrganizationsFold } from './fold.ts';
import { invitationSweep } from './invitation-sweep.ts';

const START = Date.UTC(2026, 10, 21, 12);
const { invitationMs } = DEFAULT_LIMITS.console;
const organizationId = idFrom('organization', keyedDigest('test', 'organization'));
const [ownerId, joinedId] = [0, 1].map((person) => idFrom('user', keyedDigest('test', 'user', person)));
const [accepted = '', open = ''] = [0, 1].map((number) =>
  idFrom('invitation', keyedDigest('test', 'invitation', number)),
);

function worldWithInvitations(): FoldWorld {
  const world = new FoldWorld(
    [createPeopleFold(DEFAULT_LIMITS), createOrganizationsFold(DEFAULT_LIMITS)],
    START,
  );
  const send = (type: string, input: JsonObject) =>
    world.send({
      topic: 'organizations' as CommandTopicName,
      aggregate: organizationId,
      type,
      input,
      actor: { kind: 'user', id: ownerId ?? '', organizationId },
    });
  const person = (number: number) => ({
    personKey: sha256Hex(`person ${number}`),
    identityBlob: `blob ${number}`,
    sessionDigest: sha256Hex(`session ${number}`),
  });
  send('set-up', { name: 'Example', operator: false, userId: ownerId ?? '', ...person(0) });
  for (const invitationId of [accepted, open]) {
    send('invite', { invitationId, role: 'member', codeDigest: sha256Hex(invitationId) });
  }
  const codeDigest = sha256Hex(accepted);
  send('accept-invitation', {
    invitationId: accepted,
    codeDigest,
    userId: joinedId ?? '',
    isNew: true,
    ...person(1),
  });
  return world;
}

const tidy = (world: FoldWorld, invitationId: string) =>
  world.send({
    topic: 'organizations',
    aggregate: organizationId,
    type: 'tidy-invitation',
    input: { invitationId },
  });
const invitations = (world: FoldWorld) =>
  world.rows('organizations', organizationId).flatMap(({ kind, id }) => (kind === 'invitation' ? [id] : []));
const root = (world: FoldWorld) => world.root('organizations', organizationId) as OrganizationDocument;

describe('tidy-invitation', () => {
  it('removes an invitation that has ended, also one that was accepted, and no member', () => {
    const world = worldWithInvitations();
    expect(root(world).members).toBe(2);
    world.now = START + invitationMs - 1;
    for (const invitationId of [accepted, open]) tidy(world, invitationId);
    expect(invitations(world).sort()).toEqual([accepted, open].sort());
    world.now = START + invitationMs;
    for (const invitationId of [accepted, open, open]) tidy(world, invitationId);
    expect(invitations(world)).toEqual([]);
    expect(root(world)).toMatchObject({ members: 2, openInvitations: [] });
  });
});

describe('invitationSweep', () => {
  it('sends the removal of each invitation, after the end of its code', async () => {
    const sweep = invitationSweep(DEFAULT_LIMITS);
    expect(sweep.delayMs).toBeGreaterThan(invitationMs);
    const input = { invitationId: accepted, role: 'member', codeDigest: sha256Hex(accepted) };
    const value = {
      ...{ envelope: 1, type: 'invite', operation: 'invite', key: 'k', keyFrom: 'request' },
      ...{
        inputDigest: sha256Hex('input'),
        requestId: `req_${'a'.repeat(24)}`,
        replyTo: null,
        notAfter: null,
      },
      ...{ issuedAt: START, actor: { kind: 'system', id: 'test' }, input },
    };
    const command = parseCommand(organizationsCommands, JSON.stringify(value));
    expect(await sweep.due(command, organizationId)).toMatchObject([
      {
        topic: 'organizations',
        key: organizationId,
        type: 'tidy-invitation',
        input: { invitationId: accepted },
      },
    ]);
  });
});
