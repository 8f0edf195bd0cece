// Reads: /proc. Linux only; elsewhere the deployment bounds the memory.
import { readFileSync } from 'node:fs';

const SAMPLE_MS = 250;
/** Private memory of all processes of one browser. */
const BROWSER_MEMORY_MAX_MB = 1_024;
const PAGE_BYTES = 4_096;
const MIB = 1_024 * 1_024;

interface Watched {
  processIds(): Promise<readonly number[]>;
}

export interface MemoryWatchOptions {
  readonly memoryMaxMb?: number;
  /** Called once, when the processes have more. */
  readonly onExceeded: () => void;
}

/** Watches the memory of a browser until it is stopped. Returns the function that stops it. */
export function watchMemory(
  browser: Watched,
  { memoryMaxMb = BROWSER_MEMORY_MAX_MB, onExceeded }: MemoryWatchOptions,
): () => void {
  let known: readonly number[] = [];
  let isAsking = false;
  const timer = setInterval(() => {
    if (privateBytes(known) > memoryMaxMb * MIB) {
      clearInterval(timer);
      onExceeded();
      return;
    }
    if (isAsking) return;
    isAsking = true;
    // A browser that is too busy to answer keeps the processes that it had.
    browser.processIds().then(
      (ids) => {
        if (ids.length > 0) known = ids;
        isAsking = false;
      },
      () => {
        isAsking = false;
      },
    );
  }, SAMPLE_MS);
  return () => clearInterval(timer);
}

/** The resident memory of processes that they share with no other, in bytes. */
export function privateBytes(pids: readonly number[]): number {
  let pages = 0;
  for (const pid of pids) {
    try {
      const [, resident = '0', shared = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
      pages += Number(resident) - Number(shared);
    } catch {
      // It has ended, or this system has no such file.
    }
  }
  return pages * PAGE_BYTES;
}
