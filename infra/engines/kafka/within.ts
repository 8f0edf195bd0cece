import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { ENGINE } from './options.ts';

/**
 * Waits for `promise`, and no longer than `timeoutMs`. What is awaited goes on by itself; how it ends is then of no
 * interest any more.
 *
 * @throws {EngineUnavailableError} when the time is over.
 */
export async function within<Result>(timeoutMs: number, promise: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new EngineUnavailableError(ENGINE)), timeoutMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until `promise` has settled either way, and no longer than `timeoutMs`. Says whether it has. */
export async function settledWithin(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), timeoutMs);
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
