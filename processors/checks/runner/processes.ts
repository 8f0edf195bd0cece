// Looks at and ends: processes of this machine.
import { readdirSync, readFileSync } from 'node:fs';

/** The places of the process group, of the terminal and of the start in the status of a process, behind its name (proc(5)). */
const GROUP_FIELD = 2;
const TERMINAL_FIELD = 4;
const START_FIELD = 19;

const NO_TERMINAL = '0';

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
 * Kills the groups of the processes without a terminal whose command line names a text: a command that a person types may name
 * it, too. Linux only; elsewhere a browser ends with its runner.
 */
export function killGroupsNaming(text: string): void {
  const groups = new Set(processIds().flatMap((pid) => groupNaming(pid, text)));
  for (const group of groups) killGroup(group);
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

function groupNaming(pid: number, text: string): number[] {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)) return [];
    const status = statusOf(pid);
    const group = Number(status[GROUP_FIELD]);
    return group > 1 && status[TERMINAL_FIELD] === NO_TERMINAL ? [group] : [];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
