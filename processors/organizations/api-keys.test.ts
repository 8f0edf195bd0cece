import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import type { KeyMode } from '../../schemas/limiter/keys.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { hasKeyEnded, KEY_EXPIRY_LEAD_MS } from '../../schemas/organizations/api-keys.ts';
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

describe('changing a key', () => {
  it('renames it and sets its expiry, which the next change removes', () => {
    const world = new KeysWorld();
    world.createKey(1, 'live');
    const expiresAt = START + DAY_MS;
    expect(world.changeKey(1, { name: 'other', expiresAt })).toMatchObject({
      result: { name: 'other', expiresAt },
    });
    expect(world.changeKey(1, { expiresAt: null }).kind).toBe('done');
    expect(world.key(1)).toMatchObject({ name: 'other' });
    expect(world.key(1)).not.toHaveProperty('expiresAt');
  });

  it.each([
    ['by a member', {}, 'member', 'forbidden'],
    ['to end in less than two minutes', { expiresAt: START + 119_999 }, 'owner', 'bad_request'],
  ] as const)('is refused %s', (_how, changes, by, code) => {
    const world = new KeysWorld();
    world.createKey(1, 'live');
    expect(world.changeKey(1, { name: 'other', ...changes }, by)).toMatchObject({ refusal: { code } });
    expect(world.key(1)?.name).toBe('key 1');
  });

  it('is refused after its end, which freed its place', () => {
    const world = new KeysWorld({ limits: FEW });
    world.createKey(1, 'live');
    world.createKey(2, 'live');
    world.changeKey(1, { expiresAt: START + DAY_MS });
    expect(world.createKey(3, 'live').kind).toBe('refused');
    world.now += DAY_MS;
    expect(world.status(1)).toBe('revoked');
    expect(world.changeKey(1, { expiresAt: null })).toMatchObject({ refusal: { code: 'state_conflict' } });
    expect(world.createKey(3, 'live').kind).toBe('done');
    expect(world.activeKeys.map(({ keyId }) => keyId)).toEqual([keyNumbered(2), keyNumbered(3)]);
  });
});

describe('ending a window', () => {
  it('is counted for the key, by its backend and by an owner or admin', () => {
    const world = new KeysWorld();
    world.createKey(1, 'live');
    expect(world.endWindow(1, { kind: 'agent', id: keyNumbered(1) }).kind).toBe('done');
    expect(world.ask('end-window', { keyId: keyNumbered(1) }, 'admin').kind).toBe('done');
    expect(world.key(1)?.windowsEnded).toBe(2);
  });

  it('is refused to a member, to another key and of a key that has ended', () => {
    const world = new KeysWorld();
    world.createKey(1, 'live');
    world.createKey(2, 'live');
    expect(world.ask('end-window', { keyId: keyNumbered(1) }, 'member')).toMatchObject({
      refusal: { code: 'forbidden' },
    });
    expect(world.endWindow(1, { kind: 'agent', id: keyNumbered(2) }).kind).toBe('refused');
    world.revokeKey(2);
    expect(world.endWindow(2, { kind: 'agent', id: keyNumbered(2) })).toMatchObject({
      refusal: { code: 'state_conflict' },
    });
    expect(world.key(1)?.windowsEnded).toBeUndefined();
  });
});

describe('rotating a key', () => {
  it('makes one like it, beside the limit of keys, and ends the replaced one with the overlap', () => {
    const world = new KeysWorld({ limits: FEW });
    world.createKey(1, 'test');
    world.createKey(2, 'test');
    const rotated = world.rotateKey(1, 3, DAY_MS);
    expect(rotated).toMatchObject({ result: { keyId: keyNumbered(3), mode: 'test', name: 'key 1' } });
    expect(world.rotateKey(1, 3, DAY_MS)).toEqual(rotated);
    expect(world.key(1)).toMatchObject({ replacedBy: keyNumbered(3), expiresAt: START + DAY_MS });
    expect(world.createKey(4, 'test').kind).toBe('refused');
    expect([world.status(1), world.status(3)]).toEqual(['active', 'active']);
    world.now += DAY_MS;
    expect([world.status(1), world.status(3)]).toEqual(['revoked', 'active']);
  });

  it('without an overlap revokes the replaced one, and tells the limiter', () => {
    const world = new KeysWorld();
    world.createKey(1, 'test');
    world.rotateKey(1, 2, 0);
    expect(world.key(1)).toMatchObject({ revokedAt: START, replacedBy: keyNumbered(2) });
    expect(world.told(1)).toBe('revoked');
  });

  it('keeps an earlier end of the replaced one, which can only be moved closer', () => {
    const world = new KeysWorld();
    world.createKey(1, 'test');
    world.changeKey(1, { expiresAt: START + DAY_MS });
    world.rotateKey(1, 2, 2 * DAY_MS);
    expect(world.key(1)?.expiresAt).toBe(START + DAY_MS);
    for (const expiresAt of [null, START + DAY_MS + 1]) {
      expect(world.changeKey(1, { expiresAt })).toMatchObject({ refusal: { code: 'state_conflict' } });
    }
    expect(world.changeKey(1, { expiresAt: START + DAY_MS - 1 }).kind).toBe('done');
  });

  it.each([
    ['an unknown key', 9, 'owner', 'not_found'],
    ['a revoked key', 2, 'owner', 'state_conflict'],
    ['a replaced key', 3, 'owner', 'state_conflict'],
    ['more keys than the limit while their replaced ones are in use', 1, 'owner', 'limit_reached'],
    ['a key by a member', 1, 'member', 'forbidden'],
  ] as const)('is refused for %s', (_what, number, by, code) => {
    const world = new KeysWorld({ limits: { ...FEW, limiter: { ...FEW.limiter, keysPerMode: 1 } } });
    world.createKey(2, 'test');
    world.revokeKey(2);
    world.createKey(3, 'test');
    world.rotateKey(3, 1, DAY_MS);
    expect(world.rotateKey(number, 4, DAY_MS, by)).toMatchObject({ refusal: { code } });
  });
});

type Move =
  | { readonly move: 'create'; readonly number: number; readonly mode: KeyMode }
  | { readonly move: 'revoke' | 'end'; readonly number: number }
  | { readonly move: 'rotate'; readonly number: number; readonly next: number; readonly overlapMs: number }
  | { readonly move: 'wait' }
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
    fc.record({ move: fc.constantFrom('revoke', 'end'), number }),
    fc.record({
      move: fc.constant('rotate' as const),
      number,
      next: number,
      overlapMs: fc.constantFrom(0, KEY_EXPIRY_LEAD_MS),
    }),
    fc.record({ move: fc.constant('wait' as const) }),
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
        // A key has one creation.
        if (world.key(move.number) === null) world.createKey(move.number, move.mode);
        break;
      case 'revoke':
        world.revokeKey(move.number);
        break;
      case 'end':
        world.changeKey(move.number, { expiresAt: world.now + KEY_EXPIRY_LEAD_MS });
        break;
      case 'rotate':
        if (world.key(move.next) === null) world.rotateKey(move.number, move.next, move.overlapMs);
        break;
      case 'wait':
        world.now += KEY_EXPIRY_LEAD_MS;
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
            // No cached status outlives the key.
            const hasExpired = (world.key(key)?.expiresAt ?? Number.POSITIVE_INFINITY) <= world.now;
            if (held !== null && held !== world.status(key) && !hasExpired) {
              expect(told).toBe(world.status(key));
            }
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
        const expected = [0, 1, 2, 3, 4, 5].filter((key) => {
          const held = world.key(key);
          return held !== null && !hasKeyEnded(held, world.now);
        });
        const active = world.activeKeys.filter(({ expiresAt = Infinity }) => expiresAt > world.now);
        expect(active.map(({ keyId }) => keyId).sort()).toEqual(expected.map(keyNumbered).sort());
        for (const mode of ['test', 'live']) {
          const ofMode = active.filter((key) => key.mode === mode);
          const replaced = ofMode.filter(({ isReplaced }) => isReplaced).length;
          expect(replaced).toBeLessThanOrEqual(2);
          expect(ofMode.length - replaced).toBeLessThanOrEqual(2);
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
