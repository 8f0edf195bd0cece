import { describe, expect, it } from 'vitest';
import { type Actor, parseCommand } from '../../schemas/base/command.ts';
import { digestOf, keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom, workspaceOf } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { organizationsCommands } from '../../schemas/organizations/commands.ts';
import {
  type AttachedWorkspaceDocument,
  type OrganizationDocument,
  type Role,
  timelineId,
} from '../../schemas/organizations/documents.ts';
import type { Switches } from '../../schemas/organizations/switches.ts';
import { handlerOf, scopeOf } from '../runtime/fold/fold.ts';
import { createOrganizationsFold } from './fold.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const BEFORE = NOW - 60_000;
const bytes = (text: string) => keyedDigest('test', text);
const organizationId = idFrom('organization', bytes('one'));
const installationId = idFrom('installation', bytes('one'));
const workspaceId = workspaceOf(installationId);
const userId = idFrom('user', bytes('one'));
const user: Actor = { kind: 'user', id: userId };
const fold = createOrganizationsFold(DEFAULT_LIMITS);

interface Situation {
  readonly state?: OrganizationDocument['state'];
  readonly role?: Role;
  readonly operator?: boolean;
  readonly workspace?: AttachedWorkspaceDocument;
  readonly switches?: Switches;
}

function run(
  situation: Situation,
  type: keyof typeof organizationsCommands,
  input: JsonObject,
  actor = user,
) {
  const root: OrganizationDocument = {
    name: 'Example',
    state: situation.state ?? 'active',
    operator: situation.operator ?? true,
    members: 1,
    owners: 1,
    openInvitations: [],
    createdAt: BEFORE,
  };
  const rows = new Map<string, unknown>();
  const { role, workspace } = situation;
  if (role !== undefined) {
    rows.set(`member/${userId}`, { personKey: sha256Hex('person'), role, joinedAt: BEFORE });
  }
  if (situation.switches !== undefined) rows.set('switches/current', situation.switches);
  if (workspace !== undefined) rows.set(`workspace/${workspaceId}`, workspace);
  const envelope = {
    envelope: 1,
    type,
    operation: type,
    key: 'key',
    keyFrom: 'request',
    inputDigest: digestOf(input),
    requestId: `req_${'0'.repeat(24)}`,
    replyTo: null,
    notAfter: null,
    issuedAt: NOW,
    actor,
    input,
  };
  const command = parseCommand(organizationsCommands, JSON.stringify(envelope));
  const handler = handlerOf(fold, command);
  const named = handler.reads?.(command, { root, peek: () => undefined }) ?? [];
  const asked = named.map(({ kind, id }) => `${kind}/${id}`);
  const row = (kind: string, id: string) => {
    if (!asked.includes(`${kind}/${id}`)) throw new Error(`reading ${kind} unasked`);
    return (rows.get(`${kind}/${id}`) ?? null) as never;
  };
  const context = { aggregate: organizationId, now: NOW, sequence: 2 };
  return handler.fold(scopeOf(fold, { root, row }, command, context));
}

const attachment = { installationId, claimDigest: sha256Hex('code'), confirmed: true };
const agent: Actor = { kind: 'agent', id: userId };

describe('set-switches', () => {
  const off = { creation: true, feedback: true, runs: false };

  it.each([
    ['an owner of the operators', { role: 'owner' }, user, 'done'],
    ['an admin of the operators', { role: 'admin' }, user, 'refused'],
    ['an owner of another organization', { role: 'owner', operator: false }, user, 'refused'],
    ['an agent with the id of an owner', { role: 'owner' }, agent, 'refused'],
  ] as const)('by %s', (_who, situation, actor, kind) => {
    const result = run(situation, 'set-switches', off, actor);
    expect(result.outcome.kind).toBe(kind);
    const stored = [{ kind: 'switches', id: 'current', document: off }];
    expect(result.put ?? []).toEqual(kind === 'done' ? stored : []);
  });

  it('keeps what another operator has set, where it names the switches to set', () => {
    const situation = { role: 'owner', switches: { creation: false, feedback: true, runs: true } } as const;
    const result = run(situation, 'set-switches', { ...off, only: ['runs'] });
    expect(result.put).toEqual([
      { kind: 'switches', id: 'current', document: { creation: false, feedback: true, runs: false } },
    ]);
  });
});

describe('attach', () => {
  it.each([
    ['an owner', { role: 'owner' }, user, 'deferred'],
    ['an admin', { role: 'admin' }, user, 'deferred'],
    ['a member', { role: 'member' }, user, 'refused'],
    ['somebody else', {}, user, 'refused'],
    ['an agent with the id of an owner', { role: 'owner' }, agent, 'refused'],
    ['an owner of what was released', { role: 'owner', state: 'released' }, user, 'refused'],
  ] as const)('by %s', (_who, situation, actor, kind) => {
    const result = run(situation, 'attach', attachment, actor);
    expect(result.outcome.kind).toBe(kind);
    expect((result.put ?? []).length > 0).toBe(kind === 'deferred');
    expect((result.effects ?? []).length).toBe(kind === 'deferred' ? 1 : 0);
  });

  it('reserves a place in the timeline and asks the workspace, which answers', () => {
    const result = run({ role: 'owner' }, 'attach', attachment);
    expect(result.put).toEqual([
      { kind: 'workspace', id: workspaceId, document: { state: 'reserved', at: NOW } },
      { kind: 'timeline', id: timelineId(NOW, workspaceId), document: { workspaceId } },
    ]);
    expect(result.effects).toEqual([
      {
        kind: 'command',
        topic: 'workspaces',
        key: installationId,
        type: 'attach',
        input: { organizationId, userId, claimDigest: attachment.claimDigest, confirmed: true },
        answers: true,
      },
    ]);
  });

  it.each(['reserved', 'attached'] as const)('keeps the place of a workspace that is %s', (state) => {
    const result = run({ role: 'owner', workspace: { state, at: BEFORE } }, 'attach', attachment);
    expect(result.outcome.kind).toBe('deferred');
    expect(result.put).toEqual([]);
  });
});

describe('attachment-confirmed', () => {
  it.each([
    ['nothing', undefined, NOW],
    ['a reservation', { state: 'reserved', at: BEFORE }, BEFORE],
    ['an attachment', { state: 'attached', at: BEFORE }, BEFORE],
  ] as const)('after %s', (_what, workspace, at) => {
    const result = run(workspace === undefined ? {} : { workspace }, 'attachment-confirmed', { workspaceId });
    expect(result.put).toEqual([
      { kind: 'workspace', id: workspaceId, document: { state: 'attached', at } },
      { kind: 'timeline', id: timelineId(at, workspaceId), document: { workspaceId } },
    ]);
  });
});

describe('attachment-released', () => {
  it('gives a reservation back', () => {
    const workspace = { state: 'reserved', at: BEFORE } as const;
    expect(run({ workspace }, 'attachment-released', { workspaceId }).remove).toEqual([
      { kind: 'workspace', id: workspaceId },
      { kind: 'timeline', id: timelineId(BEFORE, workspaceId) },
    ]);
  });

  it.each([undefined, { state: 'attached', at: BEFORE }] as const)('leaves %j alone', (workspace) => {
    const result = run(workspace === undefined ? {} : { workspace }, 'attachment-released', { workspaceId });
    expect([result.put, result.remove, result.root]).toEqual([undefined, undefined, undefined]);
  });
});
