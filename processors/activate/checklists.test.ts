import { describe, expect, it } from 'vitest';
import { revisionRowId } from '../../schemas/activate/documents.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { ActivateWorld, checklistIdOf, ORIGIN, START } from './activate-world.fixture.ts';

const { revisions } = DEFAULT_LIMITS.checklists;

describe('a checklist', () => {
  it('is made once for a key', () => {
    const world = ActivateWorld.withChecklist();
    expect(world.create('one')).toBe('done');
    expect(world.root().checklistsMade).toBe(1);
    expect(world.create('one', ['pay'])).toBe('idempotency_conflict');
  });

  it('is one of as many as the plan allows ever', () => {
    const world = ActivateWorld.withChecklist();
    expect(['two', 'three'].map((name) => world.create(name))).toEqual(['done', 'limit_reached']);
    world.claim();
    const names = ['three', 'four', 'five', 'six'];
    expect(names.map((name) => world.create(name))).toEqual(['done', 'done', 'done', 'limit_reached']);
  });

  it('keeps every revision as it was, and says what is current', () => {
    const world = ActivateWorld.withChecklist();
    world.now += 1_000;
    expect(world.revise(1, ['pay'], [])).toMatchObject({
      kind: 'done',
      result: { revision: 2, createdAt: START + 1_000 },
    });
    expect(world.row('checklist', checklistIdOf('one'))).toEqual({
      name: 'Getting started',
      revision: 2,
      allowedOrigins: [],
      createdAt: START,
      updatedAt: START + 1_000,
    });
    const kept = [1, 2].map((number) => world.row('revision', revisionRowId(checklistIdOf('one'), number)));
    expect(kept).toMatchObject([
      { configuration: { allowedOrigins: [ORIGIN] }, createdAt: START },
      { configuration: { steps: [{ key: 'pay' }] } },
    ]);
  });

  it('takes its current configuration as a repeat, from whatever revision it is said to come', () => {
    const world = ActivateWorld.withChecklist();
    const first = world.revise(1, ['pay']);
    world.now += 1_000;
    for (const expected of [1, 2, 9]) expect(world.revise(expected, ['pay'])).toEqual(first);
    // An earlier configuration is a new revision: it says what is shown from now on.
    expect(world.revise(2, ['connect', 'import', 'invite'])).toMatchObject({ result: { revision: 3 } });
  });

  it(`has at most ${revisions} revisions, and takes the last one again`, () => {
    const world = ActivateWorld.withChecklist();
    for (let number = 1; number < revisions; number += 1) {
      expect(world.revise(number, [`step_${number}`])).toMatchObject({ result: { revision: number + 1 } });
    }
    const refused = world.revise(revisions, ['another']);
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'limit_reached' } });
    expect(world.revise(revisions, [`step_${revisions - 1}`])).toMatchObject({
      result: { revision: revisions },
    });
  });
});
