import { describe, expect, it } from 'vitest';
import type { Actor } from '../../schemas/base/command.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../schemas/base/time.ts';
import { schemaSessionsDocumentSchema } from '../../schemas/imports/documents.ts';
import {
  capabilityIdOf,
  configuration,
  ImportsWorld,
  importIdOf,
  installationId,
  ORIGIN,
  OWNER,
  type ResultCode,
  START,
  schemaId,
} from './imports-world.fixture.ts';

const NAME = 'orders';
const importId = importIdOf(NAME);
const SESSION: Actor = { kind: 'session', id: capabilityIdOf('backend') };

/** A claimed workspace whose backend has a session called `browser`. */
function worldWithSession(capability: JsonObject = {}): ImportsWorld {
  const world = new ImportsWorld();
  world.lifecycle({ plan: 'free', state: 'active', expiresAt: null });
  world.createCapability('backend', capability);
  expect(world.mint('browser')).toBe('done');
  return world;
}

function reserve(world: ImportsWorld, session = 'browser'): ResultCode {
  return world.send('reserve-import', world.reservation(NAME, { session: sha256Hex(session) }), SESSION);
}

function sessions(world: ImportsWorld) {
  return schemaSessionsDocumentSchema.parse(world.row('schema-sessions', schemaId)).sessions;
}

/** Everything that a browser sends about its import, in an order in which all of it works. */
const BROWSER_COMMANDS: readonly (readonly [string, (world: ImportsWorld) => ResultCode])[] = [
  ['upload', (world) => world.upload(NAME)],
  ['map', (world) => world.send('map-import', mapping(1), SESSION)],
  ['validate', (world) => world.send('validate-import', { importId }, SESSION)],
  [
    'approve',
    (world) => {
      const validationDigest = world.validationDigest(NAME);
      return world.send('approve-import', { importId, validationDigest }, SESSION);
    },
  ],
];

const mapping = (revision: number) => ({
  importId,
  revision,
  columns: [{ target: 'code', index: 0 }],
  digest: sha256Hex('columns'),
});

function finishValidation(world: ImportsWorld): void {
  world.split(NAME, 1, 1);
  world.partition(NAME, 1, 0);
}

describe('minting', () => {
  it('binds a session to the capability, its origin and the current revision, for thirty minutes', () => {
    const world = worldWithSession({ delegateApproval: true });
    expect(sessions(world)).toEqual([
      {
        digest: sha256Hex('browser'),
        capabilityId: capabilityIdOf('backend'),
        schemaRevision: 1,
        origin: ORIGIN,
        delegateApproval: true,
        endsAt: START + 30 * MINUTE_MS,
        imports: [],
      },
    ]);
    const entry = world.folds.digestIndex.get(`import-session:${sha256Hex('browser')}`);
    expect(entry).toMatchObject({ target: { installationId, schemaId }, expiresAt: START + 30 * MINUTE_MS });
  });

  it('ends with the capability, or with the preview, if that is sooner', () => {
    const world = new ImportsWorld();
    world.createCapability('backend', { expiresInDays: 1 });
    const mint = (name: string) =>
      world.result(
        'mint-session',
        { schemaId, capabilityId: capabilityIdOf('backend'), digest: sha256Hex(name) },
        { kind: 'capability', id: capabilityIdOf('backend') },
      );
    world.now = START + DAY_MS - MINUTE_MS;
    expect(mint('late')).toMatchObject({ expiresAt: START + DAY_MS });
    world.createCapability('longer');
    world.now = START + 72 * HOUR_MS - MINUTE_MS;
    expect(world.mint('last', 'longer')).toBe('done');
    expect(sessions(world)[0]?.endsAt).toBe(world.now + 30 * MINUTE_MS);
    world.now = START + 72 * HOUR_MS;
    expect(world.mint('too late', 'longer')).toBe('expired');
  });

  it('takes a capability of this schema that holds, and an origin that is still allowed', () => {
    const world = worldWithSession();
    expect(world.mint('other', 'nobody')).toBe('unauthorized');
    const moved = { ...configuration(2), allowedOrigins: ['https://moved.example'] };
    world.send('revise-schema', { schemaId, configuration: moved });
    expect(world.mint('moved')).toBe('origin_not_allowed');
    world.now += 30 * DAY_MS;
    expect(world.mint('ended')).toBe('unauthorized');
  });

  it('allows twenty active sessions a schema, and says when the first one ends', () => {
    const world = worldWithSession();
    world.now += MINUTE_MS;
    for (let count = 2; count <= 20; count += 1) expect(world.mint(`browser ${count}`)).toBe('done');
    const input = { schemaId, capabilityId: capabilityIdOf('backend'), digest: sha256Hex('one more') };
    const outcome = world.outcome('mint-session', input);
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { code: 'limit_reached', retryAfterSeconds: 29 * 60 },
    });
    world.now = START + 30 * MINUTE_MS;
    expect(world.mint('one more')).toBe('done');
    expect(sessions(world)).toHaveLength(20);
  });

  it('stops while the workspace is paused', () => {
    const world = worldWithSession();
    world.lifecycle({ version: 3, plan: 'free', state: 'paused', expiresAt: null });
    expect(world.mint('paused')).toBe('workspace_paused');
  });
});

describe('a browser session', () => {
  it('takes its own import to the approval, which its capability delegates', () => {
    const world = worldWithSession({ delegateApproval: true });
    expect(reserve(world)).toBe('done');
    for (const [name, send] of BROWSER_COMMANDS) {
      if (name === 'approve') finishValidation(world);
      expect([name, send(world)]).toEqual([name, 'done']);
    }
    const by = { kind: 'session', id: capabilityIdOf('backend') };
    expect(world.document(NAME)).toMatchObject({
      status: 'approved',
      createdBy: by,
      session: { digest: sha256Hex('browser'), origin: ORIGIN },
      approvals: [{ approvedBy: by }],
    });
    expect(sessions(world)[0]?.imports).toEqual([importId]);
    expect(world.cancel(NAME, SESSION)).toBe('state_conflict');
  });

  it('cannot approve what was not delegated to it', () => {
    const world = worldWithSession();
    reserve(world);
    for (const [, send] of BROWSER_COMMANDS.slice(0, 3)) send(world);
    finishValidation(world);
    const before = world.documents();
    expect(BROWSER_COMMANDS[3]?.[1](world)).toBe('forbidden');
    expect(world.documents()).toBe(before);
    expect(world.approve(NAME)).toBe('done');
  });

  const ENDS: readonly (readonly [string, ResultCode, (world: ImportsWorld) => void])[] = [
    ['its time is over', 'unauthorized', (world) => (world.now += 30 * MINUTE_MS)],
    ['its capability is revoked', 'unauthorized', (world) => world.revokeCapability('backend')],
    [
      'its schema has a new revision',
      'unauthorized',
      (world) => world.send('revise-schema', { schemaId, configuration: configuration(2) }),
    ],
    [
      'the workspace is paused',
      'workspace_paused',
      (world) => world.lifecycle({ version: 3, plan: 'free', state: 'paused', expiresAt: null }),
    ],
    [
      'the workspace is disconnected',
      'workspace_disconnected',
      (world) => world.lifecycle({ version: 3, state: 'disconnected' }),
    ],
  ];

  it.each(ENDS)('can do nothing any more once %s', (_name, verdict, end) => {
    for (const [step, [, send]] of BROWSER_COMMANDS.entries()) {
      const world = worldWithSession({ delegateApproval: true });
      reserve(world);
      for (const [, before] of BROWSER_COMMANDS.slice(0, step)) before(world);
      if (step === 3) finishValidation(world);
      end(world);
      expect(send(world)).toBe(verdict);
      expect(world.cancel(NAME, SESSION)).toBe(verdict);
    }
    const world = worldWithSession();
    end(world);
    expect(reserve(world)).toBe(verdict);
    expect(world.row('import', importId)).toBeNull();
  });

  it('leaves what it made to the owner', () => {
    const world = worldWithSession();
    reserve(world);
    for (const [, send] of BROWSER_COMMANDS.slice(0, 3)) send(world);
    finishValidation(world);
    world.revokeCapability('backend');
    expect(world.approve(NAME)).toBe('done');
    expect(world.cancel(NAME, OWNER)).toBe('done');
  });

  it('ends with its own capability only', () => {
    const world = worldWithSession();
    world.createCapability('other');
    world.mint('elsewhere', 'other');
    world.revokeCapability('other');
    expect(sessions(world).map(({ digest }) => digest)).toEqual([sha256Hex('browser')]);
    expect(reserve(world)).toBe('done');
  });

  it('removes bytes that arrive after its end', () => {
    const world = worldWithSession();
    reserve(world);
    world.revokeCapability('backend');
    expect(world.upload(NAME, 'source/late')).toBe('unauthorized');
    expect(world.folds.removedBlobs).toMatchObject([{ name: 'source/late' }]);
  });
});
