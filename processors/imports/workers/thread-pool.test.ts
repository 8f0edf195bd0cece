import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { bytewise } from '../../../schemas/csv/testing/chunkings.ts';
import { fixture } from '../../../schemas/csv/testing/fixtures.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { type ImportWorkers, inlineImportWorkers } from './import-workers.ts';
import { judgeFile, textFields } from './testing/judge-file.ts';
import { startThreadPool, type ThreadPoolBounds } from './thread-pool.ts';

const started: ImportWorkers[] = [];

function start(bounds: ThreadPoolBounds): ImportWorkers {
  const workers = startThreadPool(bounds);
  started.push(workers);
  return workers;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((workers) => workers.close()));
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
    const inline = await judgeFile(inlineImportWorkers(), file);
    expect(inline).toMatchObject({ kind: 'split', rows: 1234 });
    expect(await judgeFile(start({ threads }), file)).toEqual(inline);
  });

  it('takes a file in any chunks', async () => {
    const bytes = fixture('quoted');
    const workers = start({ threads: 1 });
    const whole = await workers.split(splitInput(bytes));
    expect(await workers.split({ ...splitInput(bytes), chunks: bytewise(bytes) })).toEqual(whole);
    expect(whole).toEqual(await inlineImportWorkers().split(splitInput(bytes)));
  });

  it('rejects with what a task threw and goes on', async () => {
    const workers = start({ threads: 1 });
    const input = splitInput(Buffer.from('a\n1\n'));
    const message = 'not those that were announced';
    await expect(workers.split({ ...input, sha256: '0'.repeat(64) })).rejects.toThrow(message);
    await expect(workers.split({ ...input, byteLength: 5 })).rejects.toThrow(message);
    await expect(workers.split({ ...input, byteLength: 3 })).rejects.toThrow('longer than announced');
    expect(await workers.split(input)).toMatchObject({ kind: 'split', rows: 1 });
  });

  it('rejects the partition that cannot be read, and none that it shares a thread with', async () => {
    const workers = start({ threads: 1 });
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
      workers.validate({ ...plan, range: partition(rows).range }),
    );
    const settled = await Promise.allSettled(tasks);
    const [sound, , broken, ...others] = settled;
    expect(broken).toMatchObject({ reason: { message: 'reading a partition of 3 rows: seen 2' } });
    for (const result of others) expect(result).toEqual(sound);
    expect(sound).toMatchObject({ status: 'fulfilled', value: { valid: 2 } });
  });

  it('fails a job that exceeds its time limit, and continues with another thread', async () => {
    const long = splitInput(Buffer.concat([Buffer.from('a\n'), Buffer.alloc(64_000_000, '1\n')]));
    const workers = start({ threads: 1, taskTimeoutMs: 500 });
    await expect(workers.split({ ...long, rowsMax: 100_000_000 })).rejects.toThrow(
      'running a split task within 500 ms',
    );
    // On a busy machine a new thread may need more than the time that this test allows a task.
    const next = () => workers.split(splitInput(Buffer.from('a\n1\n')));
    await expect.poll(next, { timeout: 15_000 }).toMatchObject({ rows: 1 });
  });

  it('takes as many tasks as it has threads and places in the queue', async () => {
    const workers = start({ threads: 1, queue: 2 });
    const input = splitInput(manyRows);
    const settled = await Promise.allSettled(Array.from({ length: 5 }, () => workers.split(input)));
    expect(settled.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'fulfilled'],
      ...['rejected', 'rejected'],
    ]);
    for (const result of settled) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(EngineUnavailableError);
    }
    expect(await workers.split(input)).toMatchObject({ rows: 1234 });
  });

  it('leaves the event loop free', async () => {
    const workers = start({ threads: 1 });
    await workers.split(splitInput(Buffer.from('a\n1\n')));
    let turns = 0;
    let done = false;
    const splitting = workers
      .split({ ...splitInput(Buffer.from(`a\n${'1\n'.repeat(400_000)}`)) })
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
    const workers = startThreadPool({ threads: 1 });
    const tasks = Promise.allSettled([
      workers.split(splitInput(manyRows)),
      workers.split(splitInput(manyRows)),
    ]);
    await workers.close();
    const [running, waiting] = await tasks;
    expect(running).toMatchObject({ status: 'fulfilled', value: { rows: 1234 } });
    expect(waiting).toMatchObject({ status: 'rejected', reason: expect.any(EngineUnavailableError) });
    await expect(workers.split(splitInput(manyRows))).rejects.toBeInstanceOf(EngineUnavailableError);
  });
});
