import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { CommandContext, Outcome } from '../command.ts';
import { usageFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { openProject } from '../project.ts';

/** Shells add this to the number of a signal. */
const SIGNAL_EXIT = 128;

/** Runs a program with the access to the workspace in its variables, and ends with its exit code. */
export async function runCommand(context: CommandContext, options: Options): Promise<Outcome> {
  const [program, ...words] = options.list('rest') ?? [];
  if (program === undefined) throw usageFailure('The command is missing. It follows two dashes.');
  const { baseUrl, installationId, credential } = openProject(context, ['svc', 'doctor']).access;
  const access = {
    SVC_BASE_URL: baseUrl,
    SVC_INSTALLATION_ID: installationId,
    SVC_CREDENTIAL: credential,
  };
  const child = spawn(program, words, { stdio: 'inherit', env: { ...context.inherited, ...access } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      // A terminal sends its interrupt to the program as well.
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal);
    });
  }
  const [code, signal] = (await once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${program} cannot be started: ${error.code ?? 'unknown reason'}.`);
  })) as [number | null, NodeJS.Signals | null];
  return {
    data: {},
    isPrinted: false,
    exitCode: code ?? SIGNAL_EXIT + (signal === null ? 0 : constants.signals[signal]),
  };
}
