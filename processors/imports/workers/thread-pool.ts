import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { SplitResult } from '../splitting/split.ts';
import type { PartitionInput, PartitionResult } from '../validation/validate-partition.ts';
import type { ImportWorkers, SplitInput } from './import-workers.ts';

/** Threads of one process at most; one core stays with the event loop where there is more than one. */
const THREADS_MAX = 8;
/** Tasks that wait for a thread. Their bytes are in memory, so the queue is short. */
const QUEUE_MAX = 64;
/** A thread that had nothing to do for so long ends. */
const IDLE_TIMEOUT_MS = 30_000;
/** From the call to the result, waiting included. A full file takes well under a second. */
const TASK_TIMEOUT_MS = 60_000;
/** How long `close` waits for running tasks. */
const CLOSE_TIMEOUT_MS = 70_000;
/** JavaScript heap of one thread; the bytes of a file are outside of it. */
const THREAD_HEAP_MAX_MB = 256;

/** Bounds that an operator or a test sets; each has a default. */
export interface ThreadPoolBounds {
  readonly threads?: number;
  readonly queue?: number;
  readonly taskTimeoutMs?: number;
}

/**
 * Workers in threads of this process, which leave the event loop free (design rule 15).
 *
 * A task rejects with {@link EngineUnavailableError} when the queue is full, so that the caller tries again later; with
 * an error that says so when it took longer than allowed, and its thread is ended; and with what the task threw. A
 * thread that dies takes its own task along and no other. Threads see no environment variable, so no secret.
 */
export function startThreadPool(bounds: ThreadPoolBounds = {}): ImportWorkers {
  const taskTimeoutMs = bounds.taskTimeoutMs ?? TASK_TIMEOUT_MS;
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./tasks.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: bounds.threads ?? Math.max(1, Math.min(availableParallelism() - 1, THREADS_MAX)),
    maxQueue: bounds.queue ?? QUEUE_MAX,
    idleTimeout: IDLE_TIMEOUT_MS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MAX_MB },
    env: {},
  });

  async function run(name: 'split' | 'validate', task: { readonly bytes: Uint8Array }): Promise<unknown> {
    const signal = AbortSignal.timeout(taskTimeoutMs);
    try {
      return await pool.run(task, { name, signal, transferList: [task.bytes.buffer as ArrayBuffer] });
    } catch (error) {
      if (signal.aborted)
        throw new Error(`running a ${name} task within ${taskTimeoutMs} ms`, { cause: error });
      if (error instanceof Error && QUEUE_FULL_MESSAGES.has(error.message)) {
        throw new EngineUnavailableError('import workers', { cause: error });
      }
      throw error;
    }
  }

  return {
    async split({ chunks, ...expectations }: SplitInput) {
      const bytes = await gather(chunks, expectations.byteLength);
      return (await run('split', { bytes, expectations } as { readonly bytes: Uint8Array })) as SplitResult;
    },
    async validate(input: PartitionInput) {
      return (await run('validate', { ...input, bytes: new Uint8Array(input.bytes) })) as PartitionResult;
    },
    close: () => pool.close(),
  };
}

/** The library's own errors carry no code. */
const QUEUE_FULL_MESSAGES = new Set([
  'Task queue is at limit',
  'No task queue available and all Workers are busy',
]);

/**
 * The file in memory that a thread can take over: at most the announced bytes, which the plan limits. A file of
 * another length is cut or short here, and the split refuses it by its digest.
 */
async function gather(chunks: SplitInput['chunks'], byteLength: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(byteLength);
  let length = 0;
  for await (const chunk of chunks) {
    if (length + chunk.length > byteLength) throw new Error('reading a source that is longer than announced');
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}
