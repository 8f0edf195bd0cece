import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../schemas/base/time.ts';
import {
  AGENT,
  capabilityNamed,
  ImportsWorld,
  importIdOf,
  OWNER,
  outcomeOf,
  START,
  schemaId,
} from './imports-world.fixture.ts';
import { importId, NAME, STATUSES, type Status } from './statuses.fixture.ts';

/** A claimed workspace, where nothing ends before its seven days. */
function claimedWorld(): ImportsWorld {
  const world = new ImportsWorld();
  world.lifecycle({ plan: 'free', state: 'active', expiresAt: null });
  return world;
}

/** Two validations: the first one approved, the second one not. */
function validatedTwice(world: ImportsWorld): void {
  STATUSES.approved(world);
  world.map(NAME, 2, 'other columns');
  world.validate(NAME);
  world.split(NAME, 2, 2);
  world.partition(NAME, 2, 0);
  world.partition(NAME, 2, 1, outcomeOf(5, 10));
}

describe('erasing', () => {
  it.each(Object.keys(STATUSES).filter((status) => status !== 'erased') as Status[])(
    'leaves nothing of an import but the word that it was there: %s',
    (status) => {
      const world = new ImportsWorld();
      STATUSES[status](world);
      const used = world.root();
      expect(world.erase(NAME)).toBe('done');
      expect(world.documents()).not.toContain(sha256Hex(NAME));
      const own = ['import', 'mapping', 'partition', 'batch', 'timeline', 'delivery', 'outcome'];
      for (const kind of own) expect(world.kinds()).not.toContain(kind);
      expect(world.row('erased-import', importId)).toEqual({ schemaId, session: null, erasedAt: world.now });
      expect(world.root()).toEqual({ ...used, validationSlot: null });
      const groups = world.folds.removedGroups.map(({ group }) => group);
      expect(groups).toContain(importId);
    },
  );

  it('takes along every validation, its bytes, and the outcomes of requests about it', () => {
    const world = claimedWorld();
    validatedTwice(world);
    world.send('cancel-import', { importId }, OWNER, 'a key');
    expect(world.kinds()).toContain('outcome');
    const result = world.result('erase-import', { importId }, OWNER);
    expect(result).toMatchObject({ importId, status: 'erased' });
    expect(world.kinds().sort()).toEqual(['erased-import', 'schema', 'schema-revision']);
    const groups = world.folds.removedGroups.map(({ group }) => group);
    expect(groups).toEqual(expect.arrayContaining([importId, `${importId}/1`, `${importId}/2`]));
    expect(
      world.folds.digestIndex.get(`upload-token:${sha256Hex(`${importId} token 1`)}`)?.target,
    ).toBeNull();
  });

  it('frees its idempotency key and refunds nothing', () => {
    const world = new ImportsWorld();
    world.reserve(NAME);
    world.erase(NAME);
    const again = { ...world.reservation(NAME), importId: importIdOf('another') };
    expect(world.send('reserve-import', again, AGENT, `reserve ${NAME}`)).toBe('done');
    expect(world.root()).toMatchObject({ importsMade: 2 });
  });

  it('is for good: a repeat of the reservation that was on its way brings nothing of it back', () => {
    const world = new ImportsWorld();
    world.reserve(NAME);
    world.erase(NAME);
    const before = world.root();
    expect(world.reserve(NAME)).toBe('erased');
    expect(world.kinds()).not.toContain('import');
    expect(world.root()).toEqual(before);
  });

  it('ends a running validation, whose results are dropped', () => {
    const world = claimedWorld();
    world.startValidation(NAME);
    world.erase(NAME);
    expect(world.root()).toMatchObject({ validationSlot: null });
    const before = world.documents();
    world.partition(NAME, 1, 0);
    world.split(NAME, 1, 2);
    expect(world.documents()).toBe(before);
  });
});

describe('tidying', () => {
  it('leaves an import alone that has not ended', () => {
    for (const status of ['reserved', 'validating', 'ready', 'approved', 'failed', 'superseded'] as const) {
      const world = claimedWorld();
      STATUSES[status](world);
      const before = world.documents();
      world.tidy(NAME);
      expect(world.documents()).toBe(before);
    }
  });

  it.each(Object.keys(STATUSES).filter((status) => status !== 'erased') as Status[])(
    'removes the private bytes of an import once its seven days are over: %s',
    (status) => {
      const world = claimedWorld();
      STATUSES[status](world);
      world.now = START + 15 * DAY_MS;
      world.tidy(NAME);
      expect(world.document(NAME).tidiedAt).not.toBeNull();
      expect(world.folds.removedGroups.map(({ group }) => group)).toContain(importId);
      expect(world.root()).toMatchObject({ validationSlot: null });
      const before = world.documents();
      world.tidy(NAME);
      expect(world.documents()).toBe(before);
    },
  );

  it('keeps what was approved, so that it can be acknowledged, and nothing else', () => {
    const world = claimedWorld();
    validatedTwice(world);
    world.now = START + 15 * DAY_MS;
    world.tidy(NAME);
    const left = world.kinds().filter((kind) => ['mapping', 'partition', 'batch'].includes(kind));
    expect(left.sort()).toEqual(['batch', 'batch', 'partition', 'partition']);
    expect(world.acknowledge(NAME, 0)).toBe('done');
    expect(world.acknowledge(NAME, 5)).toBe('acknowledgment_conflict');
    expect(world.document(NAME).approvals).toMatchObject([{ attempt: 1, acknowledged: 1 }]);
  });

  it("waits for the preview's end, which a claim lifts", () => {
    const world = new ImportsWorld();
    world.ready(NAME);
    world.now = START + 72 * HOUR_MS - 1;
    world.tidy(NAME);
    expect(world.document(NAME).tidiedAt).toBeNull();
    world.lifecycle({ plan: 'free', state: 'active', expiresAt: null });
    world.now = START + 72 * HOUR_MS;
    world.tidy(NAME);
    expect(world.document(NAME).tidiedAt).toBeNull();
    expect(world.approve(NAME)).toBe('done');
  });

  it('strikes ended capabilities and sessions off the lists of their schema', () => {
    const world = claimedWorld();
    world.createCapability('short', { expiresInDays: 1 });
    world.createCapability('backend');
    world.mint('first');
    world.now += 20 * MINUTE_MS;
    world.mint('second');
    world.now += 10 * MINUTE_MS;
    world.send('tidy-schema', { schemaId });
    expect(world.row('schema-sessions', schemaId)).toMatchObject({
      sessions: [{ digest: sha256Hex('second') }],
    });
    world.now += DAY_MS;
    world.send('tidy-schema', { schemaId });
    expect(world.row('schema-sessions', schemaId)).toEqual({ sessions: [] });
    expect(world.row('schema', schemaId)).toMatchObject({ capabilities: [{}] });
  });

  it('has nothing to remember for a time only: every outcome belongs to something', () => {
    const world = claimedWorld();
    world.send('create-capability', capabilityNamed('backend'), OWNER, 'capability');
    world.reserve(NAME);
    world.upload(NAME);
    world.map(NAME);
    world.send('validate-import', { importId }, AGENT, 'validate');
    world.send('cancel-import', { importId }, AGENT, 'cancel');
    for (const outcome of world.outcomes()) expect(outcome['entity']).not.toBeNull();
    expect(world.outcomes()).toHaveLength(4);
  });
});
