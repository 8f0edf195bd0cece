import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeysWorld, START } from './keys-world.fixture.ts';

const status = fc.constantFrom('active', 'canceled', 'expired', 'declined');

describe('a subscription', () => {
  it('holds live keys up until there is one, and test keys never', () => {
    const world = new KeysWorld();
    world.createKey(1, 'live');
    world.createKey(2, 'test');
    expect([world.status(1), world.status(2)]).toEqual(['payment-required', 'active']);
    world.ask('subscribe', { plan: 'free' });
    expect([world.status(1), world.told(1)]).toEqual(['active', 'active']);
    world.ask('cancel-subscription', {});
    expect([world.status(1), world.told(1)]).toEqual(['payment-required', 'payment-required']);
    expect([world.status(2), world.told(2)]).toEqual(['active', null]);
  });

  it.each([
    ['owner', 'done', 'done'],
    ['admin', 'done', 'refused'],
    ['member', 'refused', 'refused'],
  ] as const)('%s: subscribing is %s, cancelling is %s', (role, subscribing, cancelling) => {
    const world = new KeysWorld();
    expect(world.ask('subscribe', { plan: 'free' }, role).kind).toBe(subscribing);
    world.ask('subscribe', { plan: 'free' });
    expect(world.ask('cancel-subscription', {}, role).kind).toBe(cancelling);
  });

  it('has nothing to cancel before it begins', () => {
    expect(new KeysWorld().ask('cancel-subscription', {})).toMatchObject({
      refusal: { code: 'state_conflict' },
    });
  });

  it('keeps its beginning when it is asked for again', () => {
    const world = new KeysWorld();
    world.ask('subscribe', { plan: 'free' });
    world.now += 1_000;
    world.ask('subscribe', { plan: 'free' });
    expect(world.subscription?.since).toBe(START);
    expect(world.keyStatuses).toEqual([]);
  });
});

describe('events of the billing provider', () => {
  it.each(['canceled', 'expired', 'declined'])('%s stops live keys until the next subscription', (ended) => {
    const world = new KeysWorld();
    world.createKey(1, 'live');
    world.ask('subscribe', { plan: 'free' });
    world.now += 1;
    world.billingEvent('one', ended, START + 1);
    expect([world.subscription?.status, world.told(1)]).toEqual([ended, 'payment-required']);
    world.now += 1_000;
    world.ask('subscribe', { plan: 'free' });
    expect(world.told(1)).toBe('active');
  });

  it('count in the order of their times, whatever the order of their deliveries', () => {
    const event = fc.record({ at: fc.integer({ min: START, max: START + 3 }), status });
    const shuffled = fc
      .array(event, { minLength: 1, maxLength: 8 })
      .map((events) => events.map((one, index) => ({ ...one, id: `event ${index}` })))
      .chain((events) =>
        fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
      );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const worlds = [one, other].map((events) => {
          const world = new KeysWorld();
          world.now = START + 3;
          for (const { id, status, at } of events) world.billingEvent(id, status, at);
          return world;
        });
        expect(worlds[0]?.subscription?.status).toBe(worlds[1]?.subscription?.status);
        expect(worlds[0]?.subscription?.decided).toEqual(worlds[1]?.subscription?.decided);
      }),
      { numRuns: 200 },
    );
  });

  it('that come late change nothing of what a person decided since', () => {
    const world = new KeysWorld();
    world.billingEvent('one', 'declined', START - 1_000);
    world.ask('subscribe', { plan: 'free' });
    world.billingEvent('late', 'expired', START - 1);
    world.billingEvent('one', 'declined', START - 1_000);
    expect(world.subscription?.status).toBe('active');
  });

  it('that are ahead of the clock do not outlast what a person decides next', () => {
    const world = new KeysWorld();
    world.billingEvent('ahead', 'declined', START + 60_000);
    world.ask('subscribe', { plan: 'free' });
    world.billingEvent('before', 'expired', START - 1);
    expect(world.subscription?.status).toBe('active');
    world.now += 1;
    world.billingEvent('after', 'canceled', START + 1);
    expect(world.subscription?.status).toBe('canceled');
  });

  it('that are ahead of the clock count as later than older ones, also once the clock has passed them', () => {
    const world = new KeysWorld();
    world.createKey(1, 'live');
    world.now += 1_000;
    world.billingEvent('second', 'declined', START + 200_000);
    const decided = { at: START + 1_000 };
    expect(world.subscription).toMatchObject({ status: 'declined', since: START + 1_000, decided });
    world.now += 149_000;
    world.billingEvent('first', 'active', START + 100_000);
    expect([world.subscription?.status, world.told(1)]).toEqual(['declined', 'payment-required']);
    world.billingEvent('third', 'active', START + 200_001);
    expect([world.subscription?.status, world.told(1)]).toEqual(['active', 'active']);
  });

  it.each([
    ['all', 200_000],
    ['some', 2],
  ])(
    'of which %s are ahead of the clock count in the order of their times, in any order of arrival',
    (_, aheadMs) => {
      const event = fc.record({ at: fc.integer({ min: START, max: START + 3 }), status });
      const events = fc.array(event, { minLength: 1, maxLength: 8 });
      const shuffled = events.chain((all) => {
        const named = all.map((one, index) => ({ ...one, id: `event ${index}`, at: one.at + aheadMs }));
        return fc.tuple(fc.constant(named), fc.shuffledSubarray(named, { minLength: named.length }));
      });
      fc.assert(
        fc.property(shuffled, (orders) => {
          const last = orders.map((arrived) => {
            const world = new KeysWorld();
            for (const { id, status, at } of arrived) {
              world.now += 1;
              world.billingEvent(id, status, at);
            }
            return [world.subscription?.status, world.subscription?.decided.eventId];
          });
          expect(last[0]).toEqual(last[1]);
        }),
        { numRuns: 200 },
      );
    },
  );

  it('are remembered by their ids: other content under the same id is refused', () => {
    const world = new KeysWorld();
    const taken = world.billingEvent('one', 'active', START);
    expect(world.billingEvent('one', 'active', START)).toEqual(taken);
    expect(world.billingEvent('one', 'canceled', START)).toMatchObject({
      refusal: { code: 'idempotency_conflict' },
    });
  });

  it('are refused from any other sender', () => {
    const world = new KeysWorld();
    const input = { eventId: 'one', status: 'active', at: START };
    expect(world.ask('billing-event', input, 'owner').kind).toBe('refused');
    expect(world.subscription).toBe(null);
  });
});
