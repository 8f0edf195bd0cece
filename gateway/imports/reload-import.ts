import { ServiceError } from '../../schemas/base/errors.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { LoadedImport } from './load-import.ts';

/** Loads an import, or throws the refusal if its state does not allow the request. */
type Load = () => Promise<LoadedImport>;

/**
 * Loads an import and works with its private bytes. The service deletes them as soon as the import ends or its validation
 * becomes void, perhaps while `work` reads them. If `work` fails, the import is loaded again: it is refused by its new
 * state, or `work` runs once more.
 *
 * @throws {ServiceError} with the refusal
 */
export async function retryAfterReload<Result>(
  load: Load,
  work: (loaded: LoadedImport) => Promise<Result>,
): Promise<Result> {
  return await attempt(load, work, work);
}

/** Like {@link retryAfterReload}, for work that cannot be repeated: if the import still allows it, rethrows the error. */
export async function refuseAfterReload<Result>(
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
