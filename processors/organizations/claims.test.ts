import { describe, expect, it } from 'vitest';
import { type Actor, parseCommand } from '../../schemas/base/command.ts';
import { digestOf, keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { organizationsCommands } from '../../schemas/organizations/commands.ts';
import type { OrganizationDocument, Role } from '../../schemas/organizations/documents.ts';
import { handlerOf, scopeOf } from '../runtime/fold/fold.ts';
import { createOrganizationsFold } from './fold.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const bytes = keyedDigest('test', 'one');
const organizationId = idFrom('organization', bytes);
const installationId = idFrom('installation', bytes);
const userId = idFrom('user', bytes);
const evidence = { kind: 'import', id: 'one', at: NOW };
const USER: Actor = { kind: 'user', id: userId };
const fold = createOrganizationsFold(DEFAULT_LIMITS);

const organization: OrganizationDocument = {
  name: 'Example',
  state: 'active',
  operator: false,
  createdAt: NOW,
  members: 1,
  owners: 1,
  openInvitations: [],
};

function outcomeOf(type: string, input: JsonObject, role: Role | null, actor = USER, root = organization) {
  const envelope = {
    ...{ envelope: 1, type, operation: type, key: 'key', keyFrom: 'request', inputDigest: digestOf(input) },
    ...{ requestId: `req_${'0'.repeat(24)}`, replyTo: null, notAfter: null, issuedAt: NOW, actor, input },
  };
  const member = role === null ? null : { personKey: sha256Hex('person'), role, joinedAt: NOW };
  const row = (kind: string, id: string) => (kind === 'member' && id === userId ? member : null) as never;
  const command = parseCommand(organizationsCommands, JSON.stringify(envelope));
  const context = { aggregate: organizationId, now: NOW, sequence: 1 };
  const result = handlerOf(fold, command).fold(scopeOf(fold, { root, row }, command, context));
  return {
    kind: result.outcome.kind,
    changes: (result.put ?? []).length,
    effects: (result.effects ?? []).length,
  };
}

const REFUSED = { kind: 'refused', changes: 0, effects: 0 };

describe('who may do it, at the moment of the change', () => {
  it.each([
    ['owner', 'deferred', 'deferred'],
    ['admin', 'deferred', 'refused'],
    ['member', 'refused', 'refused'],
    [null, 'refused', 'refused'],
  ] as const)('%s', (role, claim, erase) => {
    expect(outcomeOf('claim', { installationId, evidence }, role).kind).toBe(claim);
    expect(outcomeOf('erase-workspace', { installationId }, role).kind).toBe(erase);
  });

  it('no agent, and no person of a released organization', () => {
    const agent: Actor = { kind: 'agent', id: userId };
    const released = { ...organization, state: 'released' } as const;
    for (const [type, input] of [
      ['claim', { installationId, evidence }],
      ['erase-workspace', { installationId }],
    ] as const) {
      expect(outcomeOf(type, input, 'owner', agent)).toEqual(REFUSED);
      expect(outcomeOf(type, input, 'owner', USER, released)).toEqual(REFUSED);
    }
  });
});

describe('a claim', () => {
  it('takes a place before the workspace is asked', () => {
    expect(outcomeOf('claim', { installationId, evidence }, 'admin')).toEqual({
      kind: 'deferred',
      changes: 1,
      effects: 1,
    });
  });
});
