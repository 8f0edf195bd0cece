import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A start that is refused ends well within this time. */
const END_MS_MAX = 90_000;

const MAIN = fileURLToPath(new URL('../../../main.ts', import.meta.url));

/** The end of a start. The code is null if the process did not end by itself. */
export interface EndedStart {
  readonly code: number | null;
  /** The lines that it wrote to standard error. */
  readonly lines: readonly string[];
}

/** Starts the service where it cannot run, with these variables alone, and waits for its end. */
export async function failingStart(
  environment: Readonly<Record<string, string>>,
  under: readonly string[] = [],
): Promise<EndedStart> {
  const [command = process.execPath, ...rest] = [...under, process.execPath, MAIN];
  const child = spawn(command, rest, {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: END_MS_MAX,
    killSignal: 'SIGKILL',
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code, lines: errors.trimEnd().split('\n') };
}
