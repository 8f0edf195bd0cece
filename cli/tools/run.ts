import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { CommandContext, Outcome } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { clientOf, openProject, type Project } from '../project.ts';
import { askStatus, ENDED, hasEnded } from '../workspace/status.ts';

/** Shells add this to the number of a signal. */
const SIGNAL_EXIT = 128;

/** The longest wait for the answer about the credential: a program can do without the service. */
const CHECK_MS = 3_000;
const DOCTOR = ['svc', 'doctor'] as const;
const REFUSED: readonly Exit[] = ['authentication', 'missing'];

/** Runs a program with the access to the workspace in its variables, and ends with its exit code. */
export async function runCommand(context: CommandContext, options: Options): Promise<Outcome> {
  const [program, ...words] = options.list('rest') ?? [];
  if (program === undefined) throw usageFailure('The command is missing. It follows two dashes.');
  const project = openProject(context, DOCTOR);
  await requireAccepted(context, project);
  const { baseUrl, installationId, credential } = project.access;
  const access = {
    SVC_BASE_URL: baseUrl,
    SVC_INSTALLATION_ID: installationId,
    SVC_CREDENTIAL: credential,
  };
  const child = spawn(program, words, { stdio: 'inherit', env: { ...context.inherited, ...access } });
  const isInTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      // A terminal sends its interrupt to the program as well.
      if (signal !== 'SIGINT' || !isInTerminal) child.kill(signal);
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

/**
 * Checks the credential, so that the program does not begin with one that was rotated. A service that does not answer in time
 * stops no program.
 *
 * @throws {CommandFailure} if the service does not accept it, or the workspace has ended
 */
async function requireAccepted(context: CommandContext, { access, folder }: Project): Promise<void> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(CHECK_MS)]);
  const client = clientOf({ ...context, signal }, { ...access, folder, next: DOCTOR });
  const status = await askStatus({ client }).catch((error: unknown) => {
    const isRefused = error instanceof CommandFailure && REFUSED.includes(error.exit);
    if (isRefused || context.signal.aborted) throw error;
    return null;
  });
  if (status === null || !hasEnded(status)) return;
  throw new CommandFailure(ENDED, { code: status.state, exit: 'missing', next: folder?.moveAway() });
}
