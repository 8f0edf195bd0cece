import { describe, expect, it } from 'vitest';
import type { Actor } from '../../schemas/base/command.ts';
import { EXAMPLES } from '../../schemas/base/examples.ts';
import { AGENT, ImportsWorld, importIdOf, outcomeOf, ROWS } from './imports-world.fixture.ts';

const NAME = 'changed';
const PERSON: Actor = { kind: 'user', id: EXAMPLES.userId, organizationId: EXAMPLES.organizationId };
const CHANGES = [
  { kind: 'separator' },
  { kind: 'titles', lines: 2 },
  { kind: 'edited', column: 'code', cells: 3 },
  { kind: 'edited', cells: 1 },
];
const COUNTED = { senderChangedSeparator: true, senderChangedTitles: 2, senderChangedEdited: 4 };

/** An import whose rows are valid. */
function ready(): ImportsWorld {
  const world = new ImportsWorld();
  const input = world.reservation(NAME, { changes: CHANGES });
  expect(world.send('reserve-import', input, PERSON)).toBe('done');
  world.upload(NAME);
  world.map(NAME);
  world.validate(NAME);
  world.split(NAME, 1, 1);
  world.partition(NAME, 1, 0, outcomeOf(0, ROWS));
  return world;
}

describe('the changes of a reservation', () => {
  it('are in the status of the import, before and after its approval', () => {
    const world = ready();
    const digest = { validationDigest: world.validationDigest(NAME) };
    const approved = world.result('approve-import', { importId: importIdOf(NAME), ...digest }, PERSON);
    expect(approved).toMatchObject({ status: 'approved', changes: CHANGES });
    expect(world.document(NAME)).toMatchObject({ changes: CHANGES });
  });

  it('are counted in the audit log, by kind', () => {
    const world = ready();
    const digest = { validationDigest: world.validationDigest(NAME) };
    world.send('approve-import', { importId: importIdOf(NAME), ...digest }, PERSON);
    const entries = world.folds.elsewhere.filter(({ topic }) => topic === 'audit');
    expect(entries.map(({ envelope }) => envelope.input)).toMatchObject([
      { action: 'imports.reserve-import', detail: COUNTED },
      { action: 'imports.approve-import', detail: COUNTED },
    ]);
  });

  it('are absent if the sender names none', () => {
    const world = new ImportsWorld();
    world.reserve(NAME);
    expect(world.document(NAME)).not.toHaveProperty('changes');
    expect(world.result('cancel-import', { importId: importIdOf(NAME) }, AGENT)).not.toHaveProperty(
      'changes',
    );
  });

  it('cannot name a column that is no field', () => {
    const world = new ImportsWorld();
    const changes = [
      { kind: 'edited', column: 'code' },
      { kind: 'edited', column: 'Kontonummer' },
    ];
    expect(world.outcome('reserve-import', world.reservation(NAME, { changes }))).toMatchObject({
      kind: 'refused',
      refusal: { code: 'bad_request', message: expect.stringContaining('body.changes[1].column') },
    });
    expect(world.root()).toMatchObject({ importsMade: 0 });
  });
});
