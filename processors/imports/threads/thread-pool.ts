import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { Turns } from '../../runtime/work/turns.ts';
import type { SplitResult } from '../splitting/split.ts';
import type { ImportJobs, SplitInput } from './import-jobs.ts';
import { type JobOutcome, PartitionGroups } from './partition-groups.ts';

/** Threads of one process at most; one core stays with the event loop where there is more than one. */
const THREADS_MAX = 8;
/** A thread that had nothing to do for so long ends. */
const IDLE_TIMEOUT_MS = 30_000;
/** From the start of a task to its result. A full file takes well under a second. */
const TASK_TIMEOUT_MS = 60_000;
/** JavaScript heap of one thread; the bytes of a file are outside of it. */
const THREAD_HEAP_MAX_MB = 256;
/** The young part of it. A larger one stays as large until the thread ends. */
const THREAD_YOUNG_MAX_MB = 8;

/** Bounds that an operator or a test sets; each has a default. */
export interface ThreadPoolBounds {
  readonly threads?: number;
  readonly taskTimeoutMs?: number;
}

/**
 * Runs jobs in threads of this process, so that the event loop stays free. A thread that dies takes only its own task
 * along, or its few partitions of one file. Threads see no environment variable but the compile cache, so no secret.
 *
 * Parties take turns. A task rejects with `EngineUnavailableError`, before it begins, if too many tasks wait and its party has most
 * of them, or if the pool is closed. It
 * rejects with an error that names the time limit if it exceeds it; its thread is then ended. Otherwise it rejects
 * with its own error.
 */
export function startThreadPool(bounds: ThreadPoolBounds = {}): ImportJobs {
  const {
    threads = Math.max(1, Math.min(availableParallelism() - 1, THREADS_MAX)),
    taskTimeoutMs = TASK_TIMEOUT_MS,
  } = bounds;
  // The library does not count tasks that can be aborted against its queue, and forgets those that wait when it closes.
  // So it only ever gets as many tasks as it has threads.
  const slots = new Turns({ name: 'import threads', slots: threads });
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./thread-entry.js', import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: {
      maxOldGenerationSizeMb: THREAD_HEAP_MAX_MB,
      maxYoungGenerationSizeMb: THREAD_YOUNG_MAX_MB,
    },
    env: threadEnvironment(),
  });

  async function run(
    name: 'split' | 'validate',
    task: object,
    transferList: readonly ArrayBuffer[],
  ): Promise<unknown> {
    const signal = AbortSignal.timeout(taskTimeoutMs);
    try {
      return await pool.run(task, { name, signal, transferList });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new Error(`running a ${name} task within ${taskTimeoutMs} ms`, { cause: error });
    }
  }

  const groups = new PartitionGroups(slots, async (plan, partitions) => {
    const memory = partitions.map(({ bytes }) => bytes.buffer);
    return (await run('validate', { plan, partitions }, memory)) as readonly JobOutcome[];
  });

  return {
    split: ({ chunks, ...expectations }, party) =>
      slots.run(party, null, async () => {
        const pieces = await gather(chunks, expectations.byteLength);
        const memory = pieces.map(({ buffer }) => buffer);
        return (await run('split', { pieces, expectations }, memory)) as SplitResult;
      }),
    validate: ({ bytes, range, ...plan }, party) =>
      groups.validate(JSON.stringify(plan), { bytes: whole(bytes), range }, party),
    async close() {
      await slots.close();
      await pool.destroy();
    },
  };
}

/** The variable that names the compile cache of the process, if it has one. */
function threadEnvironment(): Readonly<Record<string, string>> {
  const ofVersion = getCompileCacheDir();
  return ofVersion === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ofVersion) };
}

/** Bytes that have their memory for themselves, so that it can move to a thread; copied unless they are like that. */
function whole(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

/**
 * The file in memory that a thread can take over: at most the announced bytes, which the plan limits, and of at most as
 * many files as there are threads. A file that is too short is refused by the split.
 */
async function gather(chunks: SplitInput['chunks'], byteLength: number): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > byteLength) throw new Error('reading a source that is longer than announced');
    pieces.push(whole(chunk));
  }
  return pieces;
}
