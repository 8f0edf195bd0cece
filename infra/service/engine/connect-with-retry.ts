import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { runtimeLogger } from '../logging/runtime-logger.ts';

/** The time in which a start repeats attempts, for all servers together. */
const RETRY_FOR_MS = MINUTE_MS;

/** The time that the attempts which are under way then may still take. */
const LAST_ATTEMPT_MS = 15 * SECOND_MS;

/** The longest wait of a start for servers. The startup probes wait longer: a start that fails says what is missing. */
export const START_WAIT_MS_MAX = RETRY_FOR_MS + LAST_ATTEMPT_MS;

/** The time that an attempt has in any case: a server that is there answers sooner. */
const ATTEMPT_MS_LEAST = 2 * SECOND_MS;

/** Between two attempts to open an engine that does not answer yet, unless told otherwise. */
const PAUSE_MS = 1_000;

export interface RetryOptions {
  /** The end of repeated attempts by `performance.now()`: one for all openings of a start. */
  readonly deadline: number;
  readonly pauseMs?: number;
  /** Told of every attempt that failed and is followed by another one. */
  readonly onFailure: (error: EngineUnavailableError) => void;
}

/**
 * Opens something again and again while its engine does not answer, so that a process may start before its servers.
 *
 * @throws {EngineUnavailableError} once the deadline has passed; whatever else `open` throws, at once.
 */
export async function connectWithRetry<Part>(
  open: () => Promise<Part>,
  { deadline, pauseMs = PAUSE_MS, onFailure }: RetryOptions,
): Promise<Part> {
  for (; ; await sleep(pauseMs)) {
    try {
      const left = Math.max(ATTEMPT_MS_LEAST, deadline + LAST_ATTEMPT_MS - performance.now());
      return await withTimeout(left, open(), () => new EngineUnavailableError('an attempt to connect'));
    } catch (error) {
      if (!(error instanceof EngineUnavailableError) || performance.now() > deadline) throw error;
      onFailure(error);
    }
  }
}

/** Retries of a start that waits for the servers of a cluster: for a minute, with a warning for each attempt that failed. */
export function startRetries(logger: Logger): RetryOptions {
  return {
    deadline: performance.now() + RETRY_FOR_MS,
    onFailure: (error) => runtimeLogger(logger).warn({ err: error }, 'EngineAwaited'),
  };
}
