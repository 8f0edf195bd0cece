import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { DAY_MS, HOUR_MS } from '../../schemas/base/time.ts';
import { mergeLimits } from '../../schemas/limits.ts';
import {
  AGENT,
  capabilityIdOf,
  capabilityNamed,
  configuration,
  ImportsWorld,
  installationId,
  OWNER,
  outcomeOf,
  ROWS,
  START,
  schemaId,
} from './imports-world.fixture.ts';
import { importId, NAME, STATUSES } from './statuses.fixture.ts';

describe('approving and acknowledging', () => {
  it('delivers with the last acknowledgment, whatever is repeated', () => {
    const world = new ImportsWorld();
    STATUSES.approved(world);
    const ack = (index: number) => world.result('acknowledge-batch', acknowledgment(index));
    const first = ack(1);
    expect(first).toMatchObject({ acknowledgedAt: START, remainingBatches: 1 });
    world.now += HOUR_MS;
    expect(ack(1)).toEqual(first);
    expect(ack(0)).toMatchObject({ acknowledgedAt: START + HOUR_MS, remainingBatches: 0 });
    expect(world.document(NAME).status).toBe('delivered');
    expect(world.acknowledge(NAME, 0, 'fewer rows')).toBe('acknowledgment_conflict');
    expect(world.acknowledge(NAME, 2)).toBe('acknowledgment_conflict');
  });

  it.each(['cancelled', 'expired'] as const)('records what was accepted although the import is %s', (end) => {
    const world = new ImportsWorld();
    world.lifecycle({ plan: 'free', state: 'active', expiresAt: null });
    STATUSES.approved(world);
    if (end === 'cancelled') world.cancel(NAME, OWNER);
    else world.now += 8 * DAY_MS;
    expect(world.acknowledge(NAME, 0)).toBe('done');
    expect(world.document(NAME).approvals).toMatchObject([{ acknowledged: 1 }]);
  });

  it('begins an approval of the same batches with what was acknowledged before', () => {
    const world = new ImportsWorld();
    STATUSES.approved(world);
    const first = world.result('acknowledge-batch', acknowledgment(0));
    validateAgain(world);
    world.now += HOUR_MS;
    expect(world.document(NAME)).toMatchObject({ status: 'ready', acceptedBatches: 1 });
    world.approve(NAME);
    expect(world.document(NAME)).toMatchObject({
      status: 'approved',
      approvals: [{ acknowledged: 1 }, { attempt: 2, acknowledged: 1, batchCount: 2 }],
    });
    expect(world.result('acknowledge-batch', acknowledgment(0))).toEqual(first);
    expect(world.acknowledge(NAME, 0, 'fewer rows')).toBe('acknowledgment_conflict');
    expect(world.result('acknowledge-batch', acknowledgment(1))).toMatchObject({ remainingBatches: 0 });
    expect(world.document(NAME)).toMatchObject({ status: 'delivered', acceptedBatches: 2 });
  });

  it.each([
    ['before its partition is validated again', 0],
    ['after it', 2],
  ])('counts an acknowledgment between two approvals for both: %s', (_when, partitions) => {
    const world = new ImportsWorld();
    STATUSES.approved(world);
    world.acknowledge(NAME, 0);
    world.map(NAME, 2);
    world.validate(NAME);
    world.split(NAME, 2, 2);
    for (let index = 0; index < partitions; index += 1) world.partition(NAME, 2, index);
    const between = world.result('acknowledge-batch', acknowledgment(1));
    expect(between).toMatchObject({ remainingBatches: 0 });
    for (let index = partitions; index < 2; index += 1) world.partition(NAME, 2, index);
    expect(world.document(NAME)).toMatchObject({ status: 'ready', approvals: [{ acknowledged: 2 }] });
    world.approve(NAME);
    expect(world.document(NAME)).toMatchObject({
      status: 'delivered',
      approvals: [{ acknowledged: 2 }, { acknowledged: 2 }],
      acceptedBatches: 2,
    });
    expect(world.result('acknowledge-batch', acknowledgment(1))).toEqual(between);
  });

  it('does not count other batches for the new approval, and says how many were taken over', () => {
    const world = new ImportsWorld();
    STATUSES.approved(world);
    world.acknowledge(NAME, 0);
    world.map(NAME, 2);
    world.validate(NAME);
    world.split(NAME, 2, 2);
    world.partition(NAME, 2, 0, { ...outcomeOf(7, ROWS) });
    world.partition(NAME, 2, 1, { ...outcomeOf(8, ROWS) });
    world.approve(NAME);
    expect(world.document(NAME)).toMatchObject({
      status: 'approved',
      approvals: [{ acknowledged: 1 }, { acknowledged: 0 }],
      acceptedBatches: 1,
    });
    expect(world.acknowledge(NAME, 1)).toBe('done');
    expect(world.document(NAME)).toMatchObject({ approvals: [{ acknowledged: 2 }, { acknowledged: 0 }] });
  });

  it('answers a repeat with the stored count of remaining batches', () => {
    const world = new ImportsWorld();
    STATUSES.approved(world);
    const first = world.result('acknowledge-batch', acknowledgment(0));
    expect(first).toMatchObject({ remainingBatches: 1 });
    world.acknowledge(NAME, 1);
    expect(world.result('acknowledge-batch', acknowledgment(0))).toEqual(first);
  });
});

const acknowledgment = (index: number) => ({
  importId,
  batchId: sha256Hex(`batch ${index}`),
  ackDigest: sha256Hex(`rows ${index}`),
});

/** Another mapping that gives the same two batches, up to `ready`. */
function validateAgain(world: ImportsWorld): void {
  world.map(NAME, 2);
  world.validate(NAME);
  world.split(NAME, 2, 2);
  world.partition(NAME, 2, 0);
  world.partition(NAME, 2, 1);
}

describe('schemas and capabilities', () => {
  it("allow the plan's schemas, and revisions without a gap", () => {
    const world = new ImportsWorld();
    const other = (name: string) => ({ schemaId: `sch_${name.repeat(24)}`, configuration: configuration(1) });
    expect(world.send('create-schema', other('a'))).toBe('done');
    expect(world.send('create-schema', other('b'))).toBe('limit_reached');
    expect(world.send('revise-schema', { schemaId, configuration: configuration(3) })).toBe(
      'revision_conflict',
    );
    expect(world.send('revise-schema', { schemaId, configuration: configuration(1) })).toBe('done');
    expect(world.send('revise-schema', { schemaId, configuration: configuration(2) })).toBe('done');
    expect(world.send('revise-schema', { schemaId, configuration: configuration(1) })).toBe(
      'revision_conflict',
    );
    expect(world.row('schema', schemaId)).toMatchObject({ revision: 2 });
  });

  it('have a bounded number of revisions, of which no row grows with each', () => {
    const world = new ImportsWorld(mergeLimits({ imports: { schemaRevisions: 4 } }));
    const revise = (revision: number) =>
      world.send('revise-schema', { schemaId, configuration: configuration(revision) }, AGENT, `${revision}`);
    const longest = () => Math.max(...world.rowTexts().map((text) => text.length));
    expect(revise(2)).toBe('done');
    const before = longest();
    expect([revise(3), revise(4), revise(5)]).toEqual(['done', 'done', 'limit_reached']);
    expect(longest()).toBe(before);
    expect(revise(4)).toBe('done');
    expect(world.send('revise-schema', { schemaId, configuration: configuration(4) })).toBe('done');
  });

  it('allow five active capabilities; a revoked or ended one makes room', () => {
    const world = new ImportsWorld();
    world.lifecycle({ plan: 'free', state: 'active', expiresAt: null });
    for (const name of ['a', 'b', 'c', 'd']) expect(world.createCapability(name)).toBe('done');
    expect(world.createCapability('short', { expiresInDays: 1 })).toBe('done');
    expect(world.createCapability('sixth')).toBe('limit_reached');
    world.revokeCapability('a');
    expect(world.createCapability('sixth')).toBe('done');
    expect(world.createCapability('seventh')).toBe('limit_reached');
    world.now += DAY_MS;
    expect(world.createCapability('seventh')).toBe('done');
  });

  it('bind a capability to an origin of the schema, and end it with the preview', () => {
    const world = new ImportsWorld();
    expect(world.createCapability('a', { origin: 'https://other.example' })).toBe('bad_request');
    const result = world.result('create-capability', capabilityNamed('a'), OWNER);
    expect(result).toMatchObject({ expiresAt: START + 72 * HOUR_MS });
  });

  it('end the look-up of a revoked capability', () => {
    const world = new ImportsWorld();
    world.createCapability('a');
    const entry = () => world.folds.digestIndex.get(`capability:${sha256Hex('secret a')}`);
    expect(entry()?.target).toEqual({ installationId, capabilityId: capabilityIdOf('a') });
    expect(world.revokeCapability('a')).toBe('done');
    expect(world.revokeCapability('a')).toBe('done');
    expect(entry()?.target).toBeNull();
  });
});
