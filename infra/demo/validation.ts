import { setTimeout as pause } from 'node:timers/promises';
import type { ImportStatus } from './agent.ts';

/** A full-size file takes seconds; what takes this long hangs. */
const VALIDATION_MS_MAX = 120_000;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1_000;
/** Growing pauses keep an agent far below the requests that it may send in a minute. */
const PAUSE_GROWTH = 1.2;

/** A caller who may read an import's status. */
export interface StatusReader {
  status(importId: string): Promise<ImportStatus>;
}

/**
 * Asks for an import's status until its validation is over.
 *
 * @param onProgress called with every status that differs in its progress from the one before
 */
export async function waitForValidation(
  reader: StatusReader,
  importId: string,
  onProgress: (status: ImportStatus) => void,
): Promise<ImportStatus> {
  const deadline = Date.now() + VALIDATION_MS_MAX;
  let shown = 0;
  for (let pauseMs = FIRST_PAUSE_MS; Date.now() < deadline; pauseMs *= PAUSE_GROWTH) {
    const status = await reader.status(importId);
    if (status.status !== 'validating') return status;
    if (status.progress.done > shown) onProgress(status);
    shown = status.progress.done;
    await pause(Math.min(pauseMs, LONGEST_PAUSE_MS));
  }
  throw new Error(`waiting ${VALIDATION_MS_MAX / 1_000} seconds for a validation`);
}
