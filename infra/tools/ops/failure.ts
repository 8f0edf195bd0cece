import { ServiceError } from '../../../schemas/base/errors.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { StartError } from '../../service/settings/start-error.ts';
import { UsageError } from './verb.ts';

/** The failure of a verb, with members as those of the command-line tool have (infra/docs/reference/cli.md#output). */
interface Failure {
  /** A code of the service (infra/docs/errors.md), or `usage`, `settings`, `failed`. */
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds: number | null;
  readonly exitCode: number;
}

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/**
 * Prints what kept a verb from its work, to standard error: for people its message, for programs one line of JSON.
 *
 * @returns the exit code
 */
export function printFailure(error: unknown, isJson: boolean): number {
  const failure = failureOf(error);
  process.stderr.write(`${isJson ? JSON.stringify({ error: failure }) : failure.message}\n`);
  return failure.exitCode;
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const refusal = error instanceof ServiceError ? error.refusal : null;
  const isUsage = error instanceof UsageError || error instanceof StartError;
  return {
    code: refusal?.code ?? codeOf(error),
    message,
    retryAfterSeconds: refusal?.retryAfterSeconds ?? null,
    exitCode: isUsage ? EXIT_USAGE : EXIT_FAILED,
  };
}

function codeOf(error: unknown): string {
  if (error instanceof UsageError) return 'usage';
  if (error instanceof StartError) return 'settings';
  return error instanceof EngineUnavailableError ? 'unavailable' : 'failed';
}
