import { errors, types } from 'cassandra-driver';
import { CommitUnknownError, EngineUnavailableError } from '../../../topics/ports/failures.ts';

/**
 * What an error of the driver says about the request that it was thrown for.
 * - `refused`: the request itself is wrong; it was not carried out, and repeating it is of no use.
 * - `not-sent`: no host could be given the request.
 * - `unknown`: everything else. Timeouts, lost connections, overload, `Unavailable` (it can come from the last phase of a
 *   conditional write, after the decision) and whatever a later server may answer.
 */
type Verdict = 'refused' | 'not-sent' | 'unknown';

/** Answers by which a server rejects a request before it does anything (native protocol v4, section 9). */
const REFUSALS: ReadonlySet<number> = new Set([
  types.responseErrorCodes.protocolError,
  types.responseErrorCodes.badCredentials,
  types.responseErrorCodes.syntaxError,
  types.responseErrorCodes.unauthorized,
  types.responseErrorCodes.invalid,
  types.responseErrorCodes.configError,
  types.responseErrorCodes.alreadyExists,
]);

function verdictOn(error: unknown): Verdict {
  // Without retries, the driver runs out of hosts only before it has written the request to one.
  if (error instanceof errors.NoHostAvailableError) return 'not-sent';
  if (error instanceof errors.ResponseError) return REFUSALS.has(error.code) ? 'refused' : 'unknown';
  if (error instanceof errors.ArgumentError || error instanceof TypeError || error instanceof RangeError) {
    return 'refused';
  }
  return 'unknown';
}

/** The error of a port for what the driver threw at a read or at a write that can be repeated. */
export function repeatableFailure(engine: string, error: unknown): unknown {
  return verdictOn(error) === 'refused' ? error : new EngineUnavailableError(engine, { cause: error });
}

/** The error of a port for what the driver threw at a conditional write, which it must not have retried. */
export function conditionalFailure(engine: string, error: unknown): unknown {
  const verdict = verdictOn(error);
  switch (verdict) {
    case 'refused':
      return error;
    case 'not-sent':
      return new EngineUnavailableError(engine, { cause: error });
    case 'unknown':
      return new CommitUnknownError({ cause: error });
  }
}
