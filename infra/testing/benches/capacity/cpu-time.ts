import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, in which Linux counts the CPU time that it tells of a process. The same everywhere. */
const TICKS_A_SECOND = 100;

/** Positions of user and system time in `/proc/<pid>/stat`, counted from the state behind the command's name. */
const USER = 11;
const SYSTEM = 12;

/**
 * The CPU time that a process and its threads have used so far, in microseconds.
 *
 * @throws {Error} where there is no such process, or no `/proc`.
 */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may hold spaces and brackets, so fields are counted from the last bracket on.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS_A_SECOND) * 1_000_000;
}

/**
 * The CPU time of all threads that a process has, in microseconds. Unlike {@link cpuMicroseconds} it is exact, and forgets threads
 * that have ended.
 *
 * @throws {Error} where there is no such process, or the kernel does not count (`CONFIG_SCHED_INFO`)
 */
export function threadMicroseconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000;
}
