import { setTimeout as sleep } from 'node:timers/promises';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';

/** Between two attempts to open an engine that does not answer yet, unless told otherwise. */
const PAUSE_MS = 1_000;

export interface Patience {
  /** How long attempts go on, in milliseconds. */
  readonly patienceMs: number;
  readonly pauseMs?: number;
  /** Told of every attempt that failed and is followed by another one. */
  readonly onFailure: (error: EngineUnavailableError) => void;
}

/**
 * Opens something again and again while its engine does not answer, so that a process may start before its servers.
 *
 * @throws {EngineUnavailableError} when patience is over; whatever else `open` throws, at once.
 */
export async function openPatiently<Part>(
  open: () => Promise<Part>,
  { patienceMs, pauseMs = PAUSE_MS, onFailure }: Patience,
): Promise<Part> {
  for (const deadline = performance.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof EngineUnavailableError) || performance.now() > deadline) throw error;
      onFailure(error);
    }
  }
}
