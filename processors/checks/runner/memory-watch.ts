// Reads: /proc, or that of another namespace. Linux only; elsewhere the deployment bounds the memory.
import { readFileSync } from 'node:fs';

const SAMPLE_MS = 250;
/** Private memory of all processes of one browser. */
const BROWSER_MEMORY_MAX_MB = 1_024;
/** Private memory of the process that drives it: its heap, and what it has received and not yet read. */
const DRIVER_MEMORY_MAX_MB = 512;
const PAGE_BYTES = 4_096;
const MIB = 1_024 * 1_024;

export interface MemoryWatchOptions {
  /** The folder that shows the processes by these ids: /proc, or that of another namespace. */
  readonly proc: string;
  /** The process that drives the browser. */
  readonly driver: number;
  /** The processes of the browser, as they are known just now. */
  readonly browser: () => readonly number[];
  readonly memoryMaxMb?: number;
  /** Called once, when the processes have more. */
  readonly onExceeded: () => void;
}

/** Watches the memory of a room until it is stopped. Returns the function that stops it. */
export function watchMemory({
  proc,
  driver,
  browser,
  memoryMaxMb = BROWSER_MEMORY_MAX_MB,
  onExceeded,
}: MemoryWatchOptions): () => void {
  const timer = setInterval(() => {
    const isWithin =
      privateBytes(proc, browser()) <= memoryMaxMb * MIB &&
      privateBytes(proc, [driver]) <= DRIVER_MEMORY_MAX_MB * MIB;
    if (isWithin) return;
    clearInterval(timer);
    onExceeded();
  }, SAMPLE_MS);
  return () => clearInterval(timer);
}

/** The resident memory of processes that they share with no other, in bytes. */
export function privateBytes(proc: string, pids: readonly number[]): number {
  let pages = 0;
  for (const pid of pids) {
    try {
      const [, resident = '0', shared = '0'] = readFileSync(`${proc}/${pid}/statm`, 'utf8').split(' ');
      pages += Number(resident) - Number(shared);
    } catch {
      // It has ended, or this system has no such file.
    }
  }
  return pages * PAGE_BYTES;
}
