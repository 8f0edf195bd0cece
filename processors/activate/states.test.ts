import { describe, expect, it } from 'vitest';
import type { SubjectCohort } from '../../schemas/activate/documents.ts';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import {
  ActivateWorld,
  AGENT,
  checklistIdOf,
  configuration,
  enrollmentOf,
  installationId,
  ORIGIN,
  OWNER,
  PREVIEW,
  type ResultCode,
  START,
} from './activate-world.fixture.ts';

/** Every state of a workspace that checklists know, each with an enrolled subject and an open session. */
const STATES: Readonly<Record<string, () => ActivateWorld>> = {
  unknown: () => new ActivateWorld(),
  preview: inUse,
  expired: () => {
    const world = inUse();
    world.now = START + 72 * HOUR_MS;
    return world;
  },
  active: () => after({}),
  paused: () => after({ state: 'paused' }),
  disconnected: () => after({ state: 'disconnected' }),
  erased: () => after({ state: 'erased' }),
};

function inUse(): ActivateWorld {
  const world = ActivateWorld.withChecklist();
  world.event('ada', 'import');
  world.session('ada', 'token');
  return world;
}

function after(changes: Parameters<ActivateWorld['lifecycle']>[0]): ActivateWorld {
  const world = inUse();
  world.claim();
  if (Object.keys(changes).length > 0) world.lifecycle(changes);
  return world;
}

const subject = (user: string, cohort: SubjectCohort, checklist = 'one') => ({
  checklistId: checklistIdOf(checklist),
  cohort,
  enrollment: enrollmentOf(user, cohort, checklist),
});
const event = (cohort: SubjectCohort, eventKey = 'connect', checklist = 'one') => ({
  ...subject('ada', cohort, checklist),
  eventKey,
  eventId: idFrom('event', keyedDigest('test', 'event')),
});
const session = (cohort: SubjectCohort, origin = ORIGIN, checklist = 'one') => ({
  ...subject('ada', cohort, checklist),
  origin,
  digest: sha256Hex('another token'),
});
const revision = (expectedRevision: number, keys: readonly string[], checklist = 'one') => ({
  checklistId: checklistIdOf(checklist),
  expectedRevision,
  configuration: configuration(keys),
});

interface Case {
  readonly type: string;
  readonly input: JsonObject;
  readonly actor?: typeof AGENT;
  /** By state, in the order of {@link STATES}. */
  readonly codes: readonly ResultCode[];
}

const U = 'unavailable';
const X = 'expired';
const P = 'workspace_paused';
const D = 'workspace_disconnected';
const E = 'erased';
const N = 'not_found';
const OK = 'done';

/** Every command in every state. */
const CASES: Readonly<Record<string, Case>> = {
  'create-checklist': {
    type: 'create-checklist',
    input: { checklistId: checklistIdOf('two'), configuration: configuration() },
    codes: [U, OK, X, OK, OK, D, E],
  },
  'revise-checklist to another configuration': {
    type: 'revise-checklist',
    input: revision(1, ['pay']),
    codes: [U, OK, X, OK, OK, D, E],
  },
  'revise-checklist to the current configuration': {
    type: 'revise-checklist',
    input: revision(7, ['connect', 'import', 'invite']),
    codes: [U, OK, X, OK, OK, D, E],
  },
  'revise-checklist from another revision': {
    type: 'revise-checklist',
    input: revision(2, ['pay']),
    codes: [U, 'revision_conflict', X, 'revision_conflict', 'revision_conflict', D, E],
  },
  'revise-checklist of nothing': {
    type: 'revise-checklist',
    input: revision(1, ['pay'], 'none'),
    codes: [U, N, X, N, N, D, E],
  },
  'record-event of a synthetic subject': {
    type: 'record-event',
    input: event('test'),
    codes: [U, OK, X, OK, P, D, E],
  },
  'record-event of a real subject': {
    type: 'record-event',
    input: event('live'),
    codes: [U, 'claim_required', X, OK, P, D, E],
  },
  'record-event of an unknown step': {
    type: 'record-event',
    input: event('test', 'pay'),
    codes: [U, 'bad_request', X, 'bad_request', P, D, E],
  },
  'record-event of nothing': {
    type: 'record-event',
    input: event('test', 'import', 'none'),
    codes: [U, N, X, N, P, D, E],
  },
  'issue-session for a synthetic subject': {
    type: 'issue-session',
    input: session('test'),
    codes: [U, OK, X, OK, P, D, E],
  },
  'issue-session for a real subject': {
    type: 'issue-session',
    input: session('live'),
    codes: [U, 'claim_required', X, OK, P, D, E],
  },
  'issue-session for another origin': {
    type: 'issue-session',
    input: session('test', 'https://elsewhere.example'),
    codes: [U, 'origin_not_allowed', X, 'origin_not_allowed', P, D, E],
  },
  'issue-session of nothing': {
    type: 'issue-session',
    input: session('test', ORIGIN, 'none'),
    codes: [U, N, X, N, P, D, E],
  },
  'erase-subject by the owner': {
    type: 'erase-subject',
    input: subject('ada', 'test'),
    actor: OWNER,
    codes: [U, OK, OK, OK, OK, OK, E],
  },
  'erase-subject of an unknown subject': {
    type: 'erase-subject',
    input: subject('nobody', 'live'),
    actor: OWNER,
    codes: [U, OK, OK, OK, OK, OK, E],
  },
  'erase-subject of nothing': {
    type: 'erase-subject',
    input: subject('ada', 'test', 'none'),
    actor: OWNER,
    codes: [U, N, N, N, N, N, E],
  },
  'erase-subject by the agent': {
    type: 'erase-subject',
    input: subject('ada', 'test'),
    codes: Array.from({ length: 7 }, () => 'forbidden' as const),
  },
  'tidy-sessions': {
    type: 'tidy-sessions',
    input: { enrollment: enrollmentOf('ada') },
    codes: Array.from({ length: 7 }, () => OK),
  },
  'lifecycle that is known': {
    type: 'lifecycle',
    input: PREVIEW,
    codes: Array.from({ length: 7 }, () => OK),
  },
};

const table = Object.entries(CASES).flatMap(([name, { codes, ...sent }]) =>
  Object.keys(STATES).map((state, index) => [name, state, codes[index], sent] as const),
);

describe('a command', () => {
  it.each(table)('%s in the state %s is %s', (_name, state, code, { type, input, actor = AGENT }) => {
    const world = STATES[state]!();
    const before = world.rows();
    const root = rootOf(world);
    expect(world.send(type, input, actor, 'a key')).toBe(code);
    if (code === 'done') return;
    // What is refused changes nothing and is remembered nowhere.
    expect(world.rows()).toEqual(before);
    expect(rootOf(world)).toEqual(root);
  });

  it.each(table)('%s in the state %s leaves the same twice', (_name, state, _verdict, sent) => {
    const documents = [0, 1].map(() => {
      const world = STATES[state]!();
      world.send(sent.type, sent.input, sent.actor ?? AGENT, 'a key');
      return world.folds.documents();
    });
    expect(documents[0]).toBe(documents[1]);
  });
});

function rootOf(world: ActivateWorld): JsonObject | null {
  return world.folds.root('activate', installationId);
}

describe('lifecycle', () => {
  it('is ignored unless it is newer', () => {
    const world = ActivateWorld.withChecklist();
    world.claim();
    world.send('lifecycle', { ...PREVIEW, version: 2, state: 'disconnected' });
    expect(world.root().lifecycle).toMatchObject({ version: 2, state: 'active', plan: 'free' });
  });

  it('of an erased workspace leaves only its mark, and has the rows looked for', () => {
    const world = inUse();
    world.lifecycle({ state: 'erased', products: [] });
    expect(world.root()).toMatchObject({
      lifecycle: { state: 'erased' },
      checklistsMade: 0,
      enrollmentsMade: 0,
      lastEvent: null,
    });
    expect(world.folds.elsewhere).toMatchObject([
      { topic: 'erasures', envelope: { input: { topic: 'activate', aggregate: installationId } } },
    ]);
    const rows = world.rows().map(({ kind, id }) => ({ kind, id }));
    world.send('erase-rows', { rows }, { kind: 'system', id: 'eraser' });
    expect(world.rows()).toEqual([]);
    expect(world.pointer('token')).toBeNull();
    expect(world.folds.elsewhere).toHaveLength(2);
  });

  it('removes no rows of a workspace that is there', () => {
    const world = inUse();
    const rows = [{ kind: 'checklist', id: checklistIdOf('one') }];
    expect(() => world.send('erase-rows', { rows })).toThrow('that were not erased');
  });
});
