import { StoredInFile } from './stored-in-file.fixture.ts';
import { openStoredOnCluster } from './stored-on-cluster.fixture.ts';
import type { StoredState } from './stored-state.fixture.ts';

/** The part of a service that is needed to read its stored state. */
export interface StoringService {
  /** The variables that it was started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called when it is disposed of. */
  onDispose(close: () => Promise<void>): void;
}

const looks = new WeakMap<StoringService, Promise<StoredState>>();

/** The look at a service's engine, whichever that is; it ends with the service. */
export function storedStateOf(service: StoringService): Promise<StoredState> {
  const known = looks.get(service);
  if (known !== undefined) return known;
  const opening = openStoredState(service.environment);
  looks.set(service, opening);
  service.onDispose(async () => (await opening).close());
  return opening;
}

async function openStoredState(environment: Readonly<Record<string, string>>): Promise<StoredState> {
  return environment['SVC_ENGINE'] === 'cluster'
    ? await openStoredOnCluster(environment)
    : new StoredInFile(environment['SVC_DATA_FOLDER'] ?? '');
}
