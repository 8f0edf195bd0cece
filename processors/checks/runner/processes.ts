// Looks at and ends: processes of this machine.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';

/** The places of the process group and of the start in the status of a process, behind its name (proc(5)). */
const GROUP_FIELD = 2;
const START_FIELD = 19;

/** True if a process has this id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Kills every process of a group at once. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * Kills the groups of the processes that a room has started, by its folder and the home in it: they name the folder and run as the
 * user of the home. Processes of the user of this process also need the home in their environment, for a command of that user may
 * name the folder, too. Linux only; elsewhere a browser ends with its runner.
 */
export function killProcessesOf(folder: string, home: string): void {
  const user = lstatSync(home, { throwIfNoEntry: false })?.uid;
  const own = processIds().filter((pid) => isOfRoom(pid, folder, { home, user }));
  for (const group of new Set(own.map(groupOf))) if (group > 1) killGroup(group);
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The time at which a process started, in ticks since the start of the machine; null if it is not known. */
export function startOf(pid: number): string | null {
  try {
    return statusOf(pid)[START_FIELD] ?? null;
  } catch {
    return null;
  }
}

function statusOf(pid: number): readonly string[] {
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in parentheses, and may contain blanks and parentheses.
  return status.slice(status.lastIndexOf(')') + 2).split(' ');
}

function groupOf(pid: number): number {
  try {
    return Number(statusOf(pid)[GROUP_FIELD]);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

function isOfRoom(pid: number, folder: string, { home, user }: { home: string; user: number | undefined }) {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  try {
    if (!read('cmdline').includes(folder)) return false;
    if (Number(/^Uid:\s*(\d+)/m.exec(read('status'))?.[1]) !== user) return false;
    return user !== process.getuid?.() || read('environ').split('\0').includes(`HOME=${home}`);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
