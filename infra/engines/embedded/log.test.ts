import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../schemas/base/time.ts';
import type { TopicName } from '../../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { unique, WAIT } from '../../testing/contracts/engine.fixture.ts';
import { doneWith, keysInPartitions, LogProbe } from '../../testing/contracts/log-probe.fixture.ts';
import type { ConsumedPartition, Halt } from '../shared/delivery.ts';
import { GUARANTEED_BYTES_A_PARTITION, RecordMemory } from '../shared/record-memory.ts';
import { DATABASE_FILE } from './database.ts';
import { EmbeddedEngineFixture } from './embedded-engine.fixture.ts';
import { PRUNED_A_CALL } from './log.ts';

const BEYOND_RETENTION_MS = 15 * DAY_MS;

describe('EmbeddedLog', () => {
  let engine: EmbeddedEngineFixture;
  let halts: Halt[];
  let resumed: ConsumedPartition[];
  const key = 'key';
  beforeEach(async () => {
    halts = [];
    resumed = [];
    engine = await EmbeddedEngineFixture.open({
      halts: { onHalt: (halt) => halts.push(halt), onResume: (partition) => resumed.push(partition) },
    });
  });
  afterEach(async () => {
    await engine.close();
  });

  const append = (...values: string[]) =>
    engine.log.append(values.map((value) => ({ topic: 'imports', key, value })));

  const start = (group: string, topic: TopicName = 'imports') =>
    LogProbe.start(engine.log, { group, topic, keys: [key] });

  /** Consumes `count` records with one group, and stops. */
  async function drain(group: string, count: number): Promise<LogProbe> {
    const probe = await start(group);
    await vi.waitFor(() => expect(probe.delivered).toHaveLength(count), WAIT);
    await probe.stop();
    return probe;
  }

  it('counts offsets from 0 without gaps', async () => {
    await append('1', '2');
    await append('3');
    const probe = await drain('group', 3);
    expect(probe.delivered.map(({ offset }) => offset)).toEqual([0, 1, 2]);
  });

  it('shares one memory among all partitions, with a reserved part for each', async () => {
    await engine.close();
    const memory = new RecordMemory(1);
    engine = await EmbeddedEngineFixture.open({ memory });
    const keys = keysInPartitions(unique('key'), 3);
    const values = Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(4_000, '-'));
    for (const each of keys) {
      await engine.log.append(values.map((value) => ({ topic: 'imports', key: each, value })));
    }
    let heldAtMost = 0;
    let deliveredAtMost = 0;
    let failures = 3;
    const probe = await LogProbe.start(engine.log, {
      group: 'group',
      keys,
      batchRecordsMax: 1_000,
      handle: async (records) => {
        heldAtMost = Math.max(heldAtMost, memory.held);
        const delivered = records.reduce((sum, { value }) => sum + 2 * value.length, 0);
        deliveredAtMost = Math.max(deliveredAtMost, delivered);
        failures -= 1;
        if (failures >= 0) throw new EngineUnavailableError('store');
        return doneWith(records);
      },
    });
    for (const each of keys) {
      await vi.waitFor(() => expect([...new Set(probe.values(each))]).toEqual(values), WAIT);
    }
    expect(deliveredAtMost).toBeLessThanOrEqual(GUARANTEED_BYTES_A_PARTITION);
    expect(heldAtMost).toBeGreaterThan(GUARANTEED_BYTES_A_PARTITION / 2);
    expect(heldAtMost).toBeLessThanOrEqual(keys.length * GUARANTEED_BYTES_A_PARTITION);
    await probe.stop();
    expect(memory.held).toBe(0);
  });

  it('leaves no gap after an append whose transaction failed', async () => {
    const probe = await start('group');
    await append('1');
    const broken = { topic: 'imports', key, value: undefined as unknown as string } as const;
    const failing = engine.log.append([{ topic: 'imports', key, value: 'undone' }, broken]);
    const results = await Promise.allSettled([append('2'), failing, append('3')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await vi.waitFor(() => expect(probe.values()).toEqual(['1', '2', '3']), WAIT);
    await expect(engine.log.append([{ ...broken, value: 'undone' }, broken])).rejects.toThrow();
    const late = await start('late group');
    await vi.waitFor(() => expect(late.values()).toEqual(['1', '2', '3']), WAIT);
    await append('4');
    for (const each of [probe, late])
      await vi.waitFor(() => expect(each.values()).toEqual(['1', '2', '3', '4']), WAIT);
    expect(probe.delivered.map(({ offset }) => offset)).toEqual([0, 1, 2, 3]);
    expect(halts).toEqual([]);
  });

  it('appends the records of one call together, also to several partitions', async () => {
    const keys = keysInPartitions(unique('key'), 3);
    const probe = await LogProbe.start(engine.log, { group: 'group', keys });
    await engine.log.append(keys.map((each) => ({ topic: 'imports', key: each, value: each })));
    await vi.waitFor(() => expect(probe.values().toSorted()).toEqual(keys.toSorted()), WAIT);
  });

  it('gives each record the time of its append, although the clock was set back, over a restart as well', async () => {
    await append('1');
    engine.clock.advance(-HOUR_MS);
    await append('2');
    await engine.reopen();
    await append('3');
    engine.clock.advance(HOUR_MS + 1_000);
    await append('4');
    const times = (await drain('group', 4)).delivered.map(({ appendedAt }) => appendedAt);
    const now = engine.clock.now();
    expect(times).toEqual([now - 1_000, now - 1_000 - HOUR_MS, now - 1_000 - HOUR_MS, now]);
  });

  it('prunes old committed records behind one with a later time of a clock that was ahead', async () => {
    engine.clock.advance(DAY_MS);
    await append('1');
    engine.clock.advance(-DAY_MS);
    await append('2');
    await drain('group', 2);
    engine.clock.advance(BEYOND_RETENTION_MS - DAY_MS / 2);
    await append('3');
    expect(await engine.log.prune(engine.clock.now())).toBe(2);
  });

  it('rejects a second consumer of a group and topic until the first has stopped', async () => {
    const first = await start('group');
    await expect(start('group')).rejects.toThrow('the group group already has a consumer in this process');
    const elsewhere = await start('group', 'people');
    await first.stop();
    const second = await start('group');
    await first.stop();
    await expect(start('group')).rejects.toThrow('already has a consumer');
    await append('1');
    await vi.waitFor(() => expect(second.values()).toEqual(['1']), WAIT);
    await elsewhere.stop();
  });

  it('continues the offsets after every record was pruned, over a restart as well', async () => {
    await append('1', '2', '3');
    await drain('group', 3);
    engine.clock.advance(BEYOND_RETENTION_MS);
    expect(await engine.log.prune(engine.clock.now())).toBe(3);
    await engine.reopen();
    await append('4');
    expect((await drain('group', 1)).delivered.map(({ offset }) => offset)).toEqual([3]);
    expect((await drain('new group', 1)).values()).toEqual(['4']);
  });

  it('keeps records that are young, that a group still needs, or that have no group yet', async () => {
    await append('1', '2', '3');
    engine.clock.advance(BEYOND_RETENTION_MS);
    await append('4');
    expect(await engine.log.prune(engine.clock.now())).toBe(0);
    await drain('fast', 4);
    const slow = await LogProbe.start(engine.log, {
      group: 'slow',
      keys: [key],
      batchRecordsMax: 2,
      handle: async (records) => ({ ...doneWith(records), pauseMs: 60_000 }),
    });
    await vi.waitFor(() => expect(slow.values()).toEqual(['1', '2']), WAIT);
    await slow.stop();
    expect(await engine.log.prune(engine.clock.now())).toBe(2);
    expect((await drain('slow', 2)).values()).toEqual(['3', '4']);
    expect(await engine.log.prune(engine.clock.now())).toBe(1);
  });

  it('prunes a bounded number of records a call', async () => {
    await append(...Array.from({ length: PRUNED_A_CALL + 5 }, (_, index) => String(index)));
    await drain('group', PRUNED_A_CALL + 5);
    engine.clock.advance(BEYOND_RETENTION_MS);
    expect(await engine.log.prune(engine.clock.now())).toBe(PRUNED_A_CALL);
    expect(await engine.log.prune(engine.clock.now())).toBe(5);
    expect(await engine.log.prune(engine.clock.now())).toBe(0);
  });

  it.each([
    [
      'beyond the end',
      'UPDATE log_group SET next_offset = 9',
      'reading offset 9 of a partition that ends at 3',
    ],
    [
      'below what is still stored',
      'UPDATE log_group SET next_offset = 0; DELETE FROM log_record WHERE offset < 2',
      'reading offset 0 of a partition that no longer has it',
    ],
    [
      'before an end whose records are gone',
      'UPDATE log_group SET next_offset = 2; DELETE FROM log_record',
      'reading offset 2 of a partition that no longer has it',
    ],
  ])('halts at a committed offset %s', async (_, change, reason) => {
    await append('1', '2', '3');
    const { delivered } = await drain('group', 3);
    const partition = delivered[0]!.partition;
    await engine.reopenAfter((database) => {
      const scoped = `(SELECT id FROM log_partition WHERE topic = 'imports' AND partition = ${partition})`;
      for (const sql of change.split('; ')) {
        database.exec(`${sql} ${sql.includes('WHERE') ? 'AND' : 'WHERE'} partition_id = ${scoped}`);
      }
    });
    const probe = await start('group');
    await vi.waitFor(() =>
      expect(halts).toMatchObject([{ group: 'group', topic: 'imports', partition, reason }]),
    );
    const halted = (await probe.consumer.status()).filter((status) => status.halted !== null);
    expect(halted).toMatchObject([{ topic: 'imports', partition, halted: reason }]);
    expect(probe.delivered).toEqual([]);
    await probe.stop();
    expect(probe.closes).toBe(probe.assignments.length);
  });

  it('keeps the offset of a partition while another program locks the file, and commits it afterwards', async () => {
    const other = new DatabaseSync(join(engine.folder, DATABASE_FILE));
    const probe = await LogProbe.start(engine.log, {
      group: 'group',
      keys: [key],
      handle: async (records) => {
        if (records[0]?.value === '1') other.exec('BEGIN IMMEDIATE');
        return doneWith(records);
      },
    });
    await append('1');
    await vi.waitFor(() => expect(probe.values()).toEqual(['1']), WAIT);
    // Rejected once the writer has waited for the lock, together with the offset of the first record.
    await expect(append('refused')).rejects.toThrow(EngineUnavailableError);
    other.exec('ROLLBACK');
    other.close();
    // The retry needs no further delivery.
    await vi.waitFor(async () => {
      expect((await probe.consumer.status()).filter(({ lag }) => lag !== 0)).toEqual([]);
    }, WAIT);
    await append('2');
    await vi.waitFor(() => expect(probe.values()).toEqual(['1', '2']), WAIT);
    expect(halts).toEqual([]);
  });

  it.each([-1, 2, 0.5, Number.NaN])('halts when a handler claims progress to %d of 1', async (nextOffset) => {
    await append('1');
    await LogProbe.start(engine.log, {
      group: 'group',
      keys: [key],
      handle: async () => ({ nextOffset, pauseMs: 0 }),
    });
    await vi.waitFor(() => expect(halts).toHaveLength(1), WAIT);
    expect(halts[0]?.reason).toBe(`committing offset ${nextOffset} after 1 records from 0 on`);
  });

  it('delivers every large record, in batches that fit into memory', async () => {
    const values = ['a', 'b', 'c'].map((letter) => letter.repeat(3_000_000));
    await append(...values);
    const probe = await drain('group', 3);
    expect(probe.values().map((value) => value[0])).toEqual(['a', 'b', 'c']);
    expect(probe.batchSizes).toEqual([1, 1, 1]);
  });

  it('rejects a topic whose number of partitions has changed', async () => {
    const damaged = engine.reopenAfter((database) => {
      database.exec("DELETE FROM log_partition WHERE topic = 'imports' AND partition = 7");
    });
    await expect(damaged).rejects.toThrow('it was made with 7 partitions, and the catalogue says 8');
  });

  it('stops its consumers when the engine closes', async () => {
    const probe = await start('group');
    await append('1');
    await vi.waitFor(() => expect(probe.values()).toEqual(['1']), WAIT);
    await engine.engine.close();
    expect(probe.closes).toBe(probe.assignments.length);
    await expect(append('2')).rejects.toThrow('reaching the database');
  });
});
