import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { MINUTE_MS } from '../../schemas/base/time.ts';
import { validationDigest } from '../../schemas/imports/identity.ts';
import { mergeLimits } from '../../schemas/limits.ts';
import {
  AGENT,
  configuration,
  ImportsWorld,
  installationId,
  outcomeOf,
  ROWS,
  schemaId,
} from './imports-world.fixture.ts';
import { importId, NAME, STATUSES } from './statuses.fixture.ts';

describe('mapping', () => {
  it('answers the same revision with the same content, refuses other content and gaps', () => {
    const world = new ImportsWorld();
    STATUSES.uploaded(world);
    const before = world.documents();
    expect(world.map(NAME, 1)).toBe('done');
    expect(world.map(NAME, 1, 'other columns')).toBe('revision_conflict');
    expect(world.map(NAME, 3)).toBe('revision_conflict');
    expect(world.documents()).toBe(before);
    expect(world.folds.removedBlobs.map(({ name }) => name)).toEqual(['mapping/2', 'mapping/3', 'mapping/4']);
  });

  it('takes validation, approval and their bytes away', () => {
    const world = new ImportsWorld();
    STATUSES.approved(world);
    const { deliveryId } = world.document(NAME).approvals[0]!;
    expect(world.row('delivery', deliveryId)).toEqual({ importId });
    world.map(NAME, 2);
    expect(world.document(NAME)).toMatchObject({ status: 'uploaded', validation: null, mappingRevision: 2 });
    expect(world.row('delivery', deliveryId)).toBeNull();
    expect(world.row('mapping', `${importId}/1`)).toBeNull();
    expect(world.folds.removedGroups).toEqual([{ owner: installationId, group: `${importId}/1` }]);
    expect(world.acknowledge(NAME, 0)).toBe('done');
    expect(world.document(NAME).status).toBe('uploaded');
  });
});

describe('validating', () => {
  it('sends one file to the splitter and each partition to a validator', () => {
    const world = new ImportsWorld();
    world.startValidation(NAME, 3);
    expect(world.folds.elsewhere.map(({ topic, key }) => [topic, key])).toEqual([
      ['import-preview-splits', importId],
      ['import-preview-partitions', `${importId}/1/0`],
      ['import-preview-partitions', `${importId}/1/1`],
      ['import-preview-partitions', `${importId}/1/2`],
    ]);
  });

  it.each([
    ['preview', 'import-preview-splits'],
    ['free', 'import-splits'],
  ] as const)('of a workspace with the plan %s has its items in %s', (plan, topic) => {
    const world = new ImportsWorld();
    world.lifecycle({ plan, state: 'active', expiresAt: null });
    world.startValidation(NAME, 1);
    const topics = world.folds.elsewhere.map((sent) => sent.topic);
    expect(topics).toEqual([topic, topic.replace('splits', 'partitions')]);
  });

  it('runs once in an installation, and says when to try again', () => {
    const world = new ImportsWorld();
    world.startValidation('first');
    STATUSES.uploaded(world);
    expect(world.outcome('validate-import', { importId })).toMatchObject({
      refusal: { code: 'limit_reached', retryAfterSeconds: 2 },
    });
    world.partition('first', 1, 0);
    world.partition('first', 1, 1);
    expect(world.validate(NAME)).toBe('done');
  });

  it('gives a slot away whose lease has ended, which ends the attempt that held it', () => {
    const world = new ImportsWorld();
    world.startValidation('first');
    STATUSES.uploaded(world);
    world.now += 9 * MINUTE_MS;
    world.partition('first', 1, 0);
    world.now += 9 * MINUTE_MS;
    expect(world.validate(NAME)).toBe('limit_reached');
    world.now += MINUTE_MS;
    expect(world.validate(NAME)).toBe('done');
    expect(world.document('first')).toMatchObject({ status: 'uploaded', failure: { code: 'internal' } });
    const before = world.documents();
    world.partition('first', 1, 1);
    expect(world.documents()).toBe(before);
  });

  it('starts again itself once its own lease has ended', () => {
    const world = new ImportsWorld();
    world.startValidation(NAME);
    world.now += 10 * MINUTE_MS;
    expect(world.validate(NAME)).toBe('done');
    expect(world.document(NAME)).toMatchObject({
      status: 'validating',
      validation: { attempt: 2, split: null },
    });
  });

  it('can be asked for five times; a repeat with the same key is not another one', () => {
    const world = new ImportsWorld();
    STATUSES.uploaded(world);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(world.send('validate-import', { importId }, AGENT, `try ${attempt}`)).toBe('done');
      expect(world.send('validate-import', { importId }, AGENT, `try ${attempt}`)).toBe('done');
      world.send('work-failed', { importId, attempt });
    }
    expect(world.document(NAME)).toMatchObject({ status: 'uploaded', failure: { code: 'internal' } });
    expect(world.outcome('validate-import', { importId })).toMatchObject({
      refusal: { code: 'limit_reached' },
    });
    expect(world.outcome('validate-import', { importId })).not.toHaveProperty('refusal.retryAfterSeconds');
  });

  it('reserves artifact bytes over all validations, and is refused when the next split would pass the limit', () => {
    const world = new ImportsWorld(mergeLimits({ imports: { artifactBytes: 2_500 } }));
    world.ready(NAME);
    world.validate(NAME);
    world.split(NAME, 2, 2);
    for (const index of [0, 1]) world.partition(NAME, 2, index);
    const before = world.documents();
    const refused = world.outcome('validate-import', { importId });
    expect(refused).toMatchObject({ refusal: { code: 'limit_reached' } });
    expect(refused).not.toHaveProperty('refusal.retryAfterSeconds');
    expect(world.documents()).toBe(before);
    expect(world.document(NAME)).toMatchObject({ status: 'ready', artifactBytes: 2_000, validations: 2 });
    expect(world.approve(NAME)).toBe('done');
  });

  it('knows the charge after an attempt that ended before its split', () => {
    const world = new ImportsWorld(mergeLimits({ imports: { artifactBytes: 1_500 } }));
    STATUSES.uploaded(world);
    world.validate(NAME);
    world.send('work-failed', { importId, attempt: 1 });
    world.validate(NAME);
    world.split(NAME, 2, 2);
    for (const index of [0, 1]) world.partition(NAME, 2, index);
    expect(world.validate(NAME)).toBe('limit_reached');
    expect(world.document(NAME)).toMatchObject({ status: 'ready', artifactBytes: 1_000 });
  });

  it('takes the mean of the splits for the charge of an import that a former version has split', () => {
    const world = new ImportsWorld(mergeLimits({ imports: { artifactBytes: 1_500 } }));
    world.ready(NAME);
    world.forget('import', importId, 'artifactCharge');
    expect(world.document(NAME)).toMatchObject({ status: 'ready', artifactBytes: 1_000, validations: 1 });
    expect(world.validate(NAME)).toBe('limit_reached');
    expect(world.document(NAME)).toMatchObject({ status: 'ready', artifactBytes: 1_000 });
  });

  it('fails the import when its first split passes the limit of artifact bytes', () => {
    const world = new ImportsWorld(mergeLimits({ imports: { artifactBytes: 999 } }));
    world.startValidation(NAME);
    expect(world.document(NAME)).toMatchObject({
      status: 'failed',
      artifactBytes: 0,
      failure: { code: 'artifact_limit', line: null, byteOffset: null },
    });
    expect(world.root()).toMatchObject({ validationSlot: null });
  });

  it('drops the reports of an earlier attempt', () => {
    const world = new ImportsWorld();
    world.startValidation(NAME);
    world.now += 10 * MINUTE_MS;
    world.validate(NAME);
    const before = world.documents();
    world.split(NAME, 1, 3);
    world.partition(NAME, 1, 0);
    world.send('work-failed', { importId, attempt: 1 });
    const fault = { code: 'nul_byte', line: 1, byteOffset: 0 };
    world.send('split-failed', { importId, attempt: 1, fault });
    expect(world.documents()).toBe(before);
  });

  it('frees the slot when a new schema revision voids it', () => {
    const world = new ImportsWorld();
    world.startValidation(NAME);
    world.send('revise-schema', { schemaId, configuration: configuration(2) });
    expect(world.document(NAME)).toMatchObject({ status: 'uploaded', validation: null });
    expect(world.root()).toMatchObject({ validationSlot: null });
  });

  it('throws rather than count rows that do not add up', () => {
    const world = new ImportsWorld();
    world.startValidation(NAME);
    expect(() => world.partition(NAME, 1, 0, outcomeOf(0, ROWS + 1))).toThrow('do not add up');
  });
});

describe('results of partitions', () => {
  const PARTITIONS = 5;

  it('give the same documents in any order, doubled, and mixed with results of other attempts', () => {
    const reference = finished(Array.from({ length: PARTITIONS }, (_, index) => ({ attempt: 2, index })));
    const result = fc.record({ attempt: fc.constantFrom(1, 2, 3), index: fc.nat(PARTITIONS) });
    fc.assert(
      fc.property(fc.array(result, { maxLength: 20 }), fc.infiniteStream(fc.nat()), (noise, order) => {
        const all = Array.from({ length: PARTITIONS }, (_, index) => ({ attempt: 2, index }));
        const mixed = [...noise, ...all].map((sent) => ({ sent, at: order.next().value as number }));
        mixed.sort((left, right) => left.at - right.at);
        expect(finished(mixed.map(({ sent }) => sent))).toBe(reference);
      }),
      { numRuns: 50 },
    );
  });

  /** The documents after these results of a second validation. */
  function finished(results: readonly { attempt: number; index: number }[]): string {
    const world = new ImportsWorld();
    STATUSES.uploaded(world);
    world.validate(NAME);
    world.split(NAME, 1, PARTITIONS);
    world.send('work-failed', { importId, attempt: 1 });
    world.validate(NAME);
    world.split(NAME, 2, PARTITIONS);
    world.split(NAME, 2, PARTITIONS);
    for (const { attempt, index } of results) world.partition(NAME, attempt, index);
    expect(world.document(NAME).status).toBe('ready');
    return world.documents();
  }

  it('add up to the counts of the import', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(ROWS), { minLength: 1, maxLength: 8 }), (invalid) => {
        const world = new ImportsWorld();
        world.startValidation(NAME, invalid.length);
        for (const [index, count] of invalid.entries()) {
          world.partition(NAME, 1, index, outcomeOf(index, ROWS - count, count));
        }
        const total = invalid.reduce((sum, count) => sum + count, 0);
        const { status, validation } = world.document(NAME);
        expect(status).toBe(total === 0 ? 'ready' : 'needs_correction');
        expect(validation).toMatchObject({ invalid: total, valid: invalid.length * ROWS - total });
        expect(validation?.errorCounts.reduce((sum, { count }) => sum + count, 0)).toBe(total);
      }),
      { numRuns: 50 },
    );
  });

  it('end with the digest over everything that was validated', () => {
    const world = new ImportsWorld();
    world.ready(NAME);
    expect(world.document(NAME).validation?.digest).toBe(
      validationDigest({
        importId,
        sourceSha256: sha256Hex(NAME),
        schemaId,
        schemaRevision: 1,
        mappingRevision: 1,
        batchIds: [sha256Hex('batch 0'), sha256Hex('batch 1')],
      }),
    );
  });
});
