import { ServiceError } from '../../schemas/base/errors.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { LoadedImport } from './load-import.ts';

/** Reads an import and refuses one that does not allow what is asked. */
type Load = () => Promise<LoadedImport>;

/**
 * Works with an import's private bytes. They go at once when the import ends or its validation is void, which can be in
 * the middle of this; then the import as it is now decides: it refuses, or it is worked with once more.
 *
 * @throws {ServiceError} with the refusal.
 */
export async function lookAgain<Result>(
  load: Load,
  work: (loaded: LoadedImport) => Promise<Result>,
): Promise<Result> {
  return await attempt(load, work, work);
}

/** The same for work that cannot be repeated: an import that allows it still leaves the error as it is. */
export async function refuseAgain<Result>(
  load: Load,
  work: (loaded: LoadedImport) => Promise<Result>,
): Promise<Result> {
  return await attempt(load, work, (_loaded, error) => Promise.reject(error));
}

async function attempt<Result>(
  load: Load,
  work: (loaded: LoadedImport) => Promise<Result>,
  afterwards: (loaded: LoadedImport, error: unknown) => Promise<Result>,
): Promise<Result> {
  const loaded = await load();
  try {
    return await work(loaded);
  } catch (error) {
    if (error instanceof ServiceError || error instanceof EngineUnavailableError) throw error;
    return await afterwards(await load(), error);
  }
}
