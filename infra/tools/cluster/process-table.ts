import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The command line of a running process, or null when there is no such process or it has ended. */
export function commandOf(pid: number): string | null {
  try {
    // A process that has ended and was not waited for has an empty command line.
    const command = existsSync('/proc/self/cmdline') ? commandInLinux(pid) : commandInSystem(pid);
    return command === '' ? null : command;
  } catch {
    return null;
  }
}

function commandInLinux(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
}

function commandInSystem(pid: number): string {
  return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}
