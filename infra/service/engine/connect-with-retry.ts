import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { runtimeLogger } from '../logging/runtime-logger.ts';

/** The longest wait of a start for servers that do not answer. */
const RETRY_FOR_MS = MINUTE_MS;

/** Between two attempts to open an engine that does not answer yet, unless told otherwise. */
const PAUSE_MS = 1_000;

export interface RetryOptions {
  /** The time in which attempts are repeated, in milliseconds. */
  readonly retryForMs: number;
  readonly pauseMs?: number;
  /** Told of every attempt that failed and is followed by another one. */
  readonly onFailure: (error: EngineUnavailableError) => void;
}

/**
 * Opens something again and again while its engine does not answer, so that a process may start before its servers.
 *
 * @throws {EngineUnavailableError} once `retryForMs` have passed; whatever else `open` throws, at once.
 */
export async function connectWithRetry<Part>(
  open: () => Promise<Part>,
  { retryForMs, pauseMs = PAUSE_MS, onFailure }: RetryOptions,
): Promise<Part> {
  for (const deadline = performance.now() + retryForMs; ; await sleep(pauseMs)) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof EngineUnavailableError) || performance.now() > deadline) throw error;
      onFailure(error);
    }
  }
}

/** Retries of a start that waits for a server of a cluster: for a minute, with a warning for each attempt that failed. */
export function startRetries(logger: Logger): RetryOptions {
  return {
    retryForMs: RETRY_FOR_MS,
    onFailure: (error) => runtimeLogger(logger).warn({ err: error }, 'EngineAwaited'),
  };
}
