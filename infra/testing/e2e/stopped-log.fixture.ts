import { join } from 'node:path';
import type { NewRecord } from '../../../topics/ports/log.ts';
import { openEmbeddedEngine } from '../../engines/embedded/engine.ts';
import type { ServiceInProcess } from './service-in-process.fixture.ts';

/** Appends records to the log of a service on the embedded engine, as another version of it may have done, and starts it again. */
export async function restartWith(service: ServiceInProcess, records: readonly NewRecord[]): Promise<void> {
  await service.stop();
  const engine = openEmbeddedEngine({
    folder: join(service.folder, 'data'),
    clock: { now: () => Date.now() },
    onFatal: () => undefined,
  });
  await engine.log.append(records);
  await engine.close();
  await service.restart();
}
