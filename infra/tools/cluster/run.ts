import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the output of a program, or null if it is missing, ends with an error, or takes longer than `timeoutMs`. */
export async function outputOf(
  program: string,
  args: readonly string[],
  timeoutMs = 20_000,
): Promise<CommandOutput | null> {
  try {
    return await run(program, args, { timeout: timeoutMs });
  } catch {
    return null;
  }
}
