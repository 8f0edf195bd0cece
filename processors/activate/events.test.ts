import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, mergeLimits } from '../../schemas/limits.ts';
import { ActivateWorld, checklistIdOf, KEYS, START } from './activate-world.fixture.ts';

const { alternateKeys } = DEFAULT_LIMITS.checklists;

/** Every order of the steps. */
function orders(keys: readonly string[]): string[][] {
  if (keys.length === 0) return [[]];
  return keys.flatMap((key) => orders(keys.filter((other) => other !== key)).map((rest) => [key, ...rest]));
}

describe('an event', () => {
  it('enrolls a new subject in the current revision, and says what it did', () => {
    const world = ActivateWorld.withChecklist();
    world.revise(1, ['pay', 'import']);
    expect(world.accepted('ada', 'import')).toMatchObject({
      outcome: 'completed',
      completedSteps: 1,
      totalSteps: 2,
      receivedAt: START,
    });
    expect(world.enrollment('ada')).toMatchObject({ revision: 2, cohort: 'test' });
    expect(world.root()).toMatchObject({
      enrollmentsMade: 1,
      eventsAccepted: 1,
      lastEvent: { checklistId: checklistIdOf('one'), at: START },
    });
  });

  it.each(orders(KEYS))('is accepted in the order %s, %s, %s', (...keys) => {
    const world = ActivateWorld.withChecklist();
    const answers = keys.map((key) => world.accepted('ada', key));
    expect(answers.map(({ outcome, completedSteps }) => [outcome, completedSteps])).toEqual([
      ['completed', 1],
      ['completed', 2],
      ['completed', 3],
    ]);
    expect(world.milestones('ada')).toEqual(keys);
    expect(world.summary()).toEqual({ enrollments: 1, complete: 1, acceptedEvents: 3, completed: [1, 1, 1] });
  });

  it('is refused for what is wrong with it before its key counts', () => {
    const world = ActivateWorld.withChecklist();
    world.event('ada', 'import', { key: 'known' });
    const again = (eventKey: string, more: Parameters<ActivateWorld['event']>[2] = {}) =>
      world.event('ada', eventKey, { ...more, key: 'known' });
    expect(again('import')).toBe('done');
    expect(again('import', { checklist: 'none' })).toBe('not_found');
    expect(again('import', { cohort: 'live' })).toBe('claim_required');
    expect(again('no_step')).toBe('bad_request');
    expect(again('connect')).toBe('idempotency_conflict');
    expect(world.milestones('ada')).toEqual(['import']);
  });

  it('is measured by the revision of the enrollment, whatever comes later', () => {
    const world = ActivateWorld.withChecklist();
    world.event('ada', 'import');
    world.revise(1, ['pay']);
    expect(world.event('ada', 'pay')).toBe('bad_request');
    expect(world.accepted('ada', 'invite')).toMatchObject({ completedSteps: 2, totalSteps: 3 });
    expect(world.event('grace', 'invite')).toBe('bad_request');
    expect(world.accepted('grace', 'pay')).toMatchObject({ completedSteps: 1, totalSteps: 1 });
    expect([world.summary(1)?.enrollments, world.summary(2)?.enrollments]).toEqual([1, 1]);
  });

  it('counts for its own checklist and cohort', () => {
    const world = ActivateWorld.withChecklist();
    world.create('two');
    world.claim();
    world.event('ada', 'import');
    world.event('ada', 'import', { checklist: 'two' });
    world.event('ada', 'connect', { cohort: 'live' });
    expect(world.summary()).toMatchObject({ enrollments: 1, completed: [0, 1, 0] });
    expect(world.summary(1, 'test', 'two')).toMatchObject({ enrollments: 1, completed: [0, 1, 0] });
    expect(world.summary(1, 'live')).toMatchObject({ enrollments: 1, completed: [1, 0, 0] });
    expect(world.root()).toMatchObject({ enrollmentsMade: 3, eventsAccepted: 3 });
  });

  it('that changes nothing else writes an enrollment, a summary and an outcome', () => {
    const world = ActivateWorld.withChecklist();
    const before = world.rows().map(({ kind, id }) => `${kind}/${id}`);
    world.event('ada', 'import', { key: 'key' });
    const added = world.rows().filter(({ kind, id }) => !before.includes(`${kind}/${id}`));
    expect(added.map(({ kind }) => kind).sort()).toEqual(['enrollment', 'outcome', 'summary']);
    // The rows that every event writes stay small.
    for (const { kind, document } of added) {
      if (kind !== 'summary') expect(JSON.stringify(document).length).toBeLessThan(400);
    }
  });
});

describe('a repeat', () => {
  it('with the same key is answered like the first, and charged once', () => {
    const world = ActivateWorld.withChecklist();
    const first = world.accepted('ada', 'import', { key: 'key' });
    world.accepted('ada', 'connect');
    world.now += 1_000;
    expect(world.accepted('ada', 'import', { key: 'key' })).toEqual(first);
    expect(world.root().eventsAccepted).toBe(2);
  });

  it('with the key of another event is a conflict, whatever differs', () => {
    const world = ActivateWorld.withChecklist();
    world.create('two');
    world.claim();
    world.event('ada', 'import', { key: 'key' });
    const changed = [
      world.event('ada', 'connect', { key: 'key' }),
      world.event('grace', 'import', { key: 'key' }),
      world.event('ada', 'import', { key: 'key', cohort: 'live' }),
      world.event('ada', 'import', { key: 'key', checklist: 'two' }),
    ];
    expect(changed).toEqual(changed.map(() => 'idempotency_conflict'));
    expect(world.root().eventsAccepted).toBe(1);
  });

  it('after a refusal is a new attempt, because refusals are not remembered', () => {
    const world = ActivateWorld.withChecklist();
    expect(world.event('ada', 'import', { key: 'key', cohort: 'live' })).toBe('claim_required');
    world.claim();
    expect(world.event('ada', 'import', { key: 'key', cohort: 'live' })).toBe('done');
  });

  it(`of a milestone is remembered with ${alternateKeys} alternate keys, and answered with every further one`, () => {
    const world = ActivateWorld.withChecklist();
    const first = world.accepted('ada', 'import', { key: 'completing' });
    const keys = Array.from({ length: alternateKeys }, (_, index) => `alternate ${index}`);
    const answers = keys.map((key) => world.accepted('ada', 'import', { key }));
    expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(alternateKeys);
    expect(answers.every(({ outcome }) => outcome === 'already_completed')).toBe(true);
    expect(world.root().eventsAccepted).toBe(1 + alternateKeys);

    const eleventh = [0, 1].map(() => world.accepted('ada', 'import', { key: 'eleventh' }));
    expect(eleventh[0]).toMatchObject({ outcome: 'already_completed', completedSteps: 1, totalSteps: 3 });
    expect(eleventh[1]!['eventId']).not.toBe(eleventh[0]!['eventId']);
    expect(world.root().eventsAccepted).toBe(1 + alternateKeys);
    expect(world.summary()).toMatchObject({ acceptedEvents: 1 + alternateKeys });

    world.now += 1_000;
    expect(world.accepted('ada', 'import', { key: 'completing' })).toEqual(first);
    expect(keys.map((key) => world.accepted('ada', 'import', { key }))).toEqual(answers);
    // Another milestone has separate alternate keys.
    expect(world.event('ada', 'connect', { key: 'eleventh' })).toBe('done');
  });
});

describe('the limits', () => {
  const small = (preview: object, free: object = {}) => mergeLimits({ plans: { preview, free } });

  it('of enrollments stop new subjects only, for good', () => {
    const world = ActivateWorld.withChecklist(small({ checklistEnrollments: 2 }));
    expect(['ada', 'grace', 'linus'].map((user) => world.event(user, 'import'))).toEqual([
      'done',
      'done',
      'limit_reached',
    ]);
    expect(world.event('ada', 'connect')).toBe('done');
    world.erase('ada');
    expect(world.event('linus', 'import')).toBe('limit_reached');
    expect(world.event('ada', 'import')).toBe('limit_reached');
  });

  it('of events stop everything that would be remembered, and no repeat', () => {
    const world = ActivateWorld.withChecklist(small({ checklistEvents: 2 }));
    world.event('ada', 'import', { key: 'one' });
    world.event('ada', 'import', { key: 'two' });
    expect(world.event('ada', 'connect')).toBe('limit_reached');
    expect(world.event('ada', 'import')).toBe('limit_reached');
    expect(['one', 'two'].map((key) => world.event('ada', 'import', { key }))).toEqual(['done', 'done']);
  });

  it('do not stop what is answered and not remembered', () => {
    const limits = mergeLimits({
      plans: { preview: { checklistEvents: 2 } },
      checklists: { alternateKeys: 1 },
    });
    const world = ActivateWorld.withChecklist(limits);
    world.event('ada', 'import');
    world.event('ada', 'import');
    expect(world.event('ada', 'import')).toBe('done');
    expect(world.event('ada', 'connect')).toBe('limit_reached');
  });

  it('change with the claim, and the counts continue', () => {
    const limits = small(
      { checklists: 1, checklistEnrollments: 1, checklistEvents: 2 },
      { checklists: 2, checklistEnrollments: 2, checklistEvents: 3 },
    );
    const world = ActivateWorld.withChecklist(limits);
    world.event('ada', 'import');
    world.event('ada', 'connect');
    expect([world.create('two'), world.event('grace', 'import')]).toEqual(['limit_reached', 'limit_reached']);
    world.claim();
    expect(world.root().eventsInMonth).toEqual({ month: '2026-11', made: 2 });
    expect([world.create('two'), world.event('grace', 'import')]).toEqual(['done', 'done']);
    expect([world.create('three'), world.event('linus', 'import')]).toEqual([
      'limit_reached',
      'limit_reached',
    ]);
    expect(world.event('ada', 'invite')).toBe('limit_reached');
  });

  it('of events start again with each UTC month after the claim, and say when', () => {
    const world = ActivateWorld.withChecklist(small({}, { checklistEvents: 1 }));
    world.claim();
    const turn = Date.UTC(2026, 11, 1);
    world.now = turn - 1;
    expect(world.event('ada', 'import')).toBe('done');
    expect(world.eventOutcome('ada', 'connect')).toMatchObject({
      refusal: { code: 'limit_reached', retryAfterSeconds: 1 },
    });
    world.now = turn;
    expect([world.event('ada', 'connect'), world.event('ada', 'invite')]).toEqual(['done', 'limit_reached']);
    // Time never goes back within an aggregate, and so no month comes twice.
    world.now = turn - 1;
    expect(world.event('ada', 'invite')).toBe('limit_reached');
    expect(world.root()).toMatchObject({
      eventsAccepted: 2,
      eventsInMonth: { month: '2026-12', made: 1 },
    });
  });
});
