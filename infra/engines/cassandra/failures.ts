import { errors, types } from 'cassandra-driver';
import { CommitUnknownError, EngineUnavailableError } from '../../../topics/ports/failures.ts';

/**
 * The state of a request after an error of the driver.
 * - `refused`: the request is invalid; it was not executed, and a repetition fails again.
 * - `not-sent`: no host received the request.
 * - `unknown`: every other error: timeouts, lost connections, overload, `Unavailable` (it may come from the last
 *   phase of a conditional write, after the decision) and the answers of later servers.
 */
type RequestState = 'refused' | 'not-sent' | 'unknown';

/** Answers by which a server rejects a request before it executes anything (native protocol v4, section 9). */
const REFUSALS: ReadonlySet<number> = new Set([
  types.responseErrorCodes.protocolError,
  types.responseErrorCodes.badCredentials,
  types.responseErrorCodes.syntaxError,
  types.responseErrorCodes.unauthorized,
  types.responseErrorCodes.invalid,
  types.responseErrorCodes.configError,
  types.responseErrorCodes.alreadyExists,
]);

function stateAfter(error: unknown): RequestState {
  // Without retries, the driver runs out of hosts only before it has written the request to one.
  if (error instanceof errors.NoHostAvailableError) return 'not-sent';
  if (error instanceof errors.ResponseError) return REFUSALS.has(error.code) ? 'refused' : 'unknown';
  if (error instanceof errors.ArgumentError || error instanceof TypeError || error instanceof RangeError) {
    return 'refused';
  }
  return 'unknown';
}

/** Returns the error of a part of the engine, with the server that it is on. */
export function unavailable(engine: string, options?: ErrorOptions): EngineUnavailableError {
  return new EngineUnavailableError(`${engine} (Cassandra)`, options);
}

/** Returns the port's error for a driver error at a read, or at a write that can be repeated. */
export function repeatableFailure(engine: string, error: unknown): unknown {
  return stateAfter(error) === 'refused' ? error : unavailable(engine, { cause: error });
}

/** Returns the port's error for a driver error at a conditional write, which the driver must not have retried. */
export function conditionalFailure(engine: string, error: unknown): unknown {
  const state = stateAfter(error);
  switch (state) {
    case 'refused':
      return error;
    case 'not-sent':
      return unavailable(engine, { cause: error });
    case 'unknown':
      return new CommitUnknownError({ cause: error });
  }
}
