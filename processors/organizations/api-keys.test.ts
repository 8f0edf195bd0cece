import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import type { KeyMode } from '../../schemas/limiter/keys.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { KeysWorld, keyNumbered, START } from './keys-world.fixture.ts';

const FEW = { ...DEFAULT_LIMITS, limiter: { ...DEFAULT_LIMITS.limiter, keysPerMode: 2 } };

describe('creating a key', () => {
  it('leads from its digest to it, for good, and says nothing to the limiter', () => {
    const world = new KeysWorld();
    expect(world.createKey(1, 'live').kind).toBe('done');
    expect(world.digestIndex.get(`api-key:${sha256Hex('secret 1')}`)).toMatchObject({
      target: { organizationId: world.organizationId, keyId: keyNumbered(1), mode: 'live' },
      expiresAt: null,
    });
    expect(world.keyStatuses).toEqual([]);
  });

  it.each([
    ['owner', 'done'],
    ['admin', 'done'],
    ['member', 'refused'],
  ] as const)('by an %s is %s, and so is revoking it', (role, kind) => {
    const world = new KeysWorld();
    expect(world.createKey(1, 'test', role).kind).toBe(kind);
    world.createKey(2, 'test');
    expect(world.revokeKey(2, role).kind).toBe(kind);
  });

  it('is limited by mode, and revoking one frees its place', () => {
    const world = new KeysWorld({ limits: FEW });
    expect([1, 2, 3].map((number) => world.createKey(number, 'live').kind)).toEqual([
      'done',
      'done',
      'refused',
    ]);
    expect(world.createKey(4, 'test').kind).toBe('done');
    world.revokeKey(1);
    expect(world.createKey(5, 'live').kind).toBe('done');
  });

  it('again with the same key changes nothing, whatever the limit says by then', () => {
    const world = new KeysWorld({ limits: FEW });
    const made = world.createKey(1, 'live');
    world.createKey(2, 'live');
    expect(world.createKey(1, 'live')).toEqual(made);
    expect(world.activeKeys).toHaveLength(2);
  });
});

describe('revoking a key', () => {
  it('tells the limiter, once, and answers the same again', () => {
    const world = new KeysWorld();
    world.createKey(1, 'test');
    world.now += 1_000;
    const revoked = world.revokeKey(1);
    world.now += 1_000;
    expect(world.revokeKey(1)).toEqual(revoked);
    expect(world.key(1)?.revokedAt).toBe(START + 1_000);
    expect(world.keyStatuses).toEqual([
      {
        account: world.organizationId,
        keyId: keyNumbered(1),
        status: 'revoked',
        version: expect.any(Number),
      },
    ]);
  });

  it('refuses an unknown key', () => {
    expect(new KeysWorld().revokeKey(1)).toMatchObject({ refusal: { code: 'not_found' } });
  });
});

type Move =
  | { readonly move: 'create'; readonly number: number; readonly mode: KeyMode }
  | { readonly move: 'revoke'; readonly number: number }
  | { readonly move: 'subscribe' | 'cancel' }
  | { readonly move: 'event'; readonly id: string; readonly status: string; readonly at: number };

const number = fc.nat({ max: 5 });
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    fc.record({
      move: fc.constant('create' as const),
      number,
      mode: fc.constantFrom<KeyMode>('test', 'live'),
    }),
    fc.record({ move: fc.constant('revoke' as const), number }),
    fc.record({ move: fc.constant('subscribe' as const) }),
    fc.record({ move: fc.constant('cancel' as const) }),
    fc.record({
      move: fc.constant('event' as const),
      id: fc.nat({ max: 9 }).map(String),
      status: fc.constantFrom('active', 'canceled', 'expired', 'declined'),
      at: fc.integer({ min: START - 100, max: START + 5_000 }),
    }),
  ),
  { maxLength: 40 },
);

function play(world: KeysWorld, made: readonly Move[]): void {
  for (const move of made) {
    world.now += 100;
    switch (move.move) {
      case 'create':
        world.createKey(move.number, move.mode);
        break;
      case 'revoke':
        world.revokeKey(move.number);
        break;
      case 'subscribe':
        world.ask('subscribe', { plan: 'free' });
        break;
      case 'cancel':
        world.ask('cancel-subscription', {});
        break;
      case 'event':
        world.billingEvent(move.id, move.status, move.at);
        break;
    }
  }
}

describe('after any sequence of moves', () => {
  it('the limiter was told whatever is not what it was asked for before', () => {
    fc.assert(
      fc.property(moves, (played) => {
        const world = new KeysWorld({ limits: FEW });
        const believed = new Map<number, string | null>();
        for (const move of played) {
          play(world, [move]);
          for (const key of [0, 1, 2, 3, 4, 5]) {
            // A limiter that has read the status once is only told of changes.
            const told = world.told(key);
            const held = believed.get(key) ?? null;
            if (held !== null && held !== world.status(key)) expect(told).toBe(world.status(key));
            believed.set(key, world.status(key));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('the active keys are those that are not revoked, and never too many', () => {
    fc.assert(
      fc.property(moves, (played) => {
        const world = new KeysWorld({ limits: FEW });
        play(world, played);
        const expected = [0, 1, 2, 3, 4, 5].filter((key) => world.key(key)?.revokedAt === null);
        expect(world.activeKeys.map(({ keyId }) => keyId).sort()).toEqual(expected.map(keyNumbered).sort());
        for (const mode of ['test', 'live']) {
          expect(world.activeKeys.filter((key) => key.mode === mode).length).toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('everything is the same when it is folded again', () => {
    fc.assert(
      fc.property(moves, (played) => {
        const [one, two] = [new KeysWorld(), new KeysWorld()];
        play(one, played);
        play(two, played);
        expect(one.documents()).toBe(two.documents());
      }),
      { numRuns: 50 },
    );
  });
});
