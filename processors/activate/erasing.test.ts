import { describe, expect, it } from 'vitest';
import { ActivateWorld, checklistIdOf, enrollmentOf, OWNER } from './activate-world.fixture.ts';

/** A claimed workspace where one user did much, with many keys, and others did something, too. */
function busy(): ActivateWorld {
  const world = ActivateWorld.withChecklist();
  world.claim();
  for (const key of ['import', 'connect', 'import', 'import']) world.event('ada', key);
  world.event('ada', 'import', { cohort: 'live', key: 'live key' });
  world.event('grace', 'import');
  world.session('ada', 'one');
  world.session('grace', 'two');
  return world;
}

describe('erasing a subject', () => {
  it('leaves nothing of it: enrollment, events, keys, sessions, nor its part of the counts', () => {
    const world = busy();
    const without = ActivateWorld.withChecklist();
    without.claim();
    without.event('ada', 'import', { cohort: 'live', key: 'live key' });
    without.event('grace', 'import');
    expect(world.erase('ada')).toMatchObject({ result: { erased: true, erasedAt: world.now } });
    expect(world.enrollment('ada')).toBeNull();
    expect(world.pointer('one')).toBeNull();
    expect(JSON.stringify(world.rows())).not.toContain(enrollmentOf('ada'));
    for (const cohort of ['test', 'live'] as const) {
      expect(world.summary(1, cohort)).toEqual(without.summary(1, cohort));
    }
    const kinds = (kind: string) => [world.count(kind), without.count(kind)];
    expect([kinds('outcome'), kinds('enrollment')]).toEqual([
      [3, 3],
      [2, 2],
    ]);
  });

  it('gives back nothing that was charged', () => {
    const world = busy();
    const before = world.root();
    world.erase('ada');
    expect(world.root()).toEqual(before);
  });

  it('frees its keys, and a later event enrolls it again in the then current revision', () => {
    const world = ActivateWorld.withChecklist();
    world.event('ada', 'import', { key: 'key' });
    world.revise(1, ['import', 'pay']);
    world.erase('ada');
    expect(world.accepted('ada', 'import', { key: 'key' })).toMatchObject({
      outcome: 'completed',
      completedSteps: 1,
      totalSteps: 2,
    });
    expect(world.enrollment('ada')).toMatchObject({ revision: 2 });
    expect(world.root()).toMatchObject({ enrollmentsMade: 2, eventsAccepted: 2 });
  });

  it('leaves other cohorts, checklists and subjects alone', () => {
    const world = busy();
    world.erase('ada');
    expect(world.enrollment('ada', 'live')).not.toBeNull();
    expect(world.milestones('grace')).toEqual(['import']);
    expect(world.pointer('two')).not.toBeNull();
  });

  it('ends sessions of a subject that was never enrolled', () => {
    const world = ActivateWorld.withChecklist();
    world.session('ada', 'one');
    expect(world.erase('ada')).toMatchObject({ result: { erased: true } });
    expect([world.pointer('one'), world.count('sessions')]).toEqual([null, 0]);
  });

  it('a second time, or of an unknown subject, finds nothing and changes nothing', () => {
    const world = busy();
    world.erase('ada');
    const before = JSON.stringify(world.rows());
    for (const user of ['ada', 'nobody']) {
      expect(world.erase(user)).toMatchObject({ result: { erased: false, erasedAt: null } });
    }
    expect(JSON.stringify(world.rows())).toBe(before);
  });

  it('is told in the audit log once, without the subject', () => {
    const world = busy();
    world.erase('ada');
    world.erase('ada');
    const told = world.folds.elsewhere.filter(({ topic }) => topic === 'audit');
    expect(told.map(({ envelope }) => envelope.input)).toMatchObject([
      {
        action: 'activate.erase-subject',
        actor: { kind: 'user', id: OWNER.id },
        detail: { checklistId: checklistIdOf('one'), cohort: 'test' },
      },
    ]);
    expect(JSON.stringify(told)).not.toContain(enrollmentOf('ada'));
  });
});
