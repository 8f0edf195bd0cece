import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { bytewise } from '../../../schemas/csv/testing/chunkings.ts';
import { fixture } from '../../../schemas/csv/testing/fixtures.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { WAITING_MAX } from '../../runtime/work/turns.ts';
import type { ImportJobs } from './import-jobs.ts';
import { inlineJobs } from './inline-jobs.fixture.ts';
import { ANYBODY, textFields, validateFile } from './testing/validate-file.ts';
import { startThreadPool, type ThreadPoolBounds } from './thread-pool.ts';

const started: ImportJobs[] = [];

function start(bounds: ThreadPoolBounds): ImportJobs {
  const jobs = startThreadPool(bounds);
  started.push(jobs);
  return jobs;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.close()));
});

function splitInput(bytes: Uint8Array) {
  return {
    chunks: [Buffer.from(bytes)],
    byteLength: bytes.length,
    sha256: sha256Hex(bytes),
    rowsMax: 1_000_000,
    rowBound: 6,
  };
}

const manyRows = Buffer.from(
  `a,b\n${Array.from({ length: 1234 }, (_, row) => `${row},"ä ""${row}"""\n`).join('')}`,
);

describe('startThreadPool', () => {
  it.each([1, 2, 4])('gives the same results with %i threads as without any', async (threads) => {
    const file = {
      bytes: manyRows,
      ...textFields(2),
      order: (count: number) => [...Array(count).keys()].reverse(),
    };
    const inline = await validateFile(inlineJobs(), file);
    expect(inline).toMatchObject({ kind: 'split', rows: 1234 });
    expect(await validateFile(start({ threads }), file)).toEqual(inline);
  });

  it('takes a file in any chunks', async () => {
    const bytes = fixture('quoted');
    const jobs = start({ threads: 1 });
    const whole = await jobs.split(splitInput(bytes), ANYBODY);
    expect(await jobs.split({ ...splitInput(bytes), chunks: bytewise(bytes) }, ANYBODY)).toEqual(whole);
    expect(whole).toEqual(await inlineJobs().split(splitInput(bytes), ANYBODY));
  });

  it('rejects with what a task threw, and continues', async () => {
    const jobs = start({ threads: 1 });
    const input = splitInput(Buffer.from('a\n1\n'));
    const message = 'not those that were announced';
    await expect(jobs.split({ ...input, sha256: '0'.repeat(64) }, ANYBODY)).rejects.toThrow(message);
    await expect(jobs.split({ ...input, byteLength: 5 }, ANYBODY)).rejects.toThrow(message);
    await expect(jobs.split({ ...input, byteLength: 3 }, ANYBODY)).rejects.toThrow('longer than announced');
    expect(await jobs.split(input, ANYBODY)).toMatchObject({ kind: 'split', rows: 1 });
  });

  it('rejects the partition that cannot be read, and none that it shares a thread with', async () => {
    const jobs = start({ threads: 1 });
    const partition = (rows: number) => ({
      bytes: Buffer.from('1\n2\n'),
      range: { index: 0, start: 2, end: 6, firstLine: 2, firstRow: 1, rows, blank: 0 },
      headerColumns: 1,
      ...textFields(1),
      schemaId: 'sch_abcdefghijklmnopqrstuvwx',
      schemaRevision: 1,
    });
    const plan = partition(2);
    const tasks = [2, 2, 3, 2, 2, 2].map((rows) =>
      jobs.validate({ ...plan, range: partition(rows).range }, ANYBODY),
    );
    const settled = await Promise.allSettled(tasks);
    const [sound, , broken, ...others] = settled;
    expect(broken).toMatchObject({ reason: { message: 'reading a partition of 3 rows: seen 2' } });
    for (const result of others) expect(result).toEqual(sound);
    expect(sound).toMatchObject({ status: 'fulfilled', value: { valid: 2 } });
  });

  it('fails a job that exceeds its time limit, and continues with another thread', async () => {
    const long = splitInput(Buffer.concat([Buffer.from('a\n'), Buffer.alloc(64_000_000, '1\n')]));
    const jobs = start({ threads: 1, taskTimeoutMs: 500 });
    await expect(jobs.split({ ...long, rowsMax: 100_000_000 }, ANYBODY)).rejects.toThrow(
      'running a split task within 500 ms',
    );
    // On a busy machine a new thread may need more than the time that this test allows a task.
    const next = () => jobs.split(splitInput(Buffer.from('a\n1\n')), ANYBODY);
    await expect.poll(next).toMatchObject({ rows: 1 });
  });

  it('takes as many tasks as it has threads and places in the queue', async () => {
    const jobs = start({ threads: 1 });
    const input = splitInput(Buffer.from('a\n1\n'));
    const tasks = Array.from({ length: 1 + WAITING_MAX + 2 }, () => jobs.split(input, ANYBODY));
    const settled = await Promise.allSettled(tasks);
    const refused = settled.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(2);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(EngineUnavailableError);
    expect(await jobs.split(input, ANYBODY)).toMatchObject({ rows: 1 });
  });

  it('lets a task of a claimed workspace go before those of previews', async () => {
    const jobs = start({ threads: 1 });
    const ended: string[] = [];
    const split = async (workspace: string, isPreview: boolean) => {
      await jobs.split(splitInput(manyRows), { workspace, creator: null, isPreview });
      ended.push(workspace);
    };
    const previews = ['p1', 'p2', 'p3'].map((name) => split(name, true));
    await Promise.all([...previews, split('claimed', false)]);
    expect(ended).toEqual(['p1', 'claimed', 'p2', 'p3']);
  });

  it('leaves the event loop free', async () => {
    const jobs = start({ threads: 1 });
    await jobs.split(splitInput(Buffer.from('a\n1\n')), ANYBODY);
    let turns = 0;
    let done = false;
    const splitting = jobs
      .split(splitInput(Buffer.from(`a\n${'1\n'.repeat(400_000)}`)), ANYBODY)
      .finally(() => {
        done = true;
      });
    while (!done) {
      await turn();
      turns += 1;
    }
    expect(await splitting).toMatchObject({ rows: 400_000 });
    expect(turns).toBeGreaterThan(10);
  });

  it('finishes running tasks when it is closed, and refuses the others', async () => {
    const jobs = startThreadPool({ threads: 1 });
    const tasks = Promise.allSettled([
      jobs.split(splitInput(manyRows), ANYBODY),
      jobs.split(splitInput(manyRows), ANYBODY),
    ]);
    await turn();
    await jobs.close();
    const [running, waiting] = await tasks;
    expect(running).toMatchObject({ status: 'fulfilled', value: { rows: 1234 } });
    expect(waiting).toMatchObject({ status: 'rejected', reason: expect.any(EngineUnavailableError) });
    await expect(jobs.split(splitInput(manyRows), ANYBODY)).rejects.toBeInstanceOf(EngineUnavailableError);
  });
});
