import { createLogger } from '../../../../gateway/http/server/logging.ts';
import type { NewRecord } from '../../../../topics/ports/log.ts';
import { openEngine } from '../../../service/engine/engine.ts';
import { PooledEntropy } from '../../../service/entropy.ts';
import { readSettings } from '../../../service/settings/settings.ts';
import type { ServiceInProcess } from '../service-in-process.fixture.ts';

/**
 * Appends records to the log of a service, as another version of it may have done, and starts it again.
 *
 * @param aheadMs how far the clock of the embedded log is ahead meanwhile
 */
export async function restartWith(
  service: ServiceInProcess,
  records: readonly NewRecord[],
  aheadMs = 0,
): Promise<void> {
  await service.stop();
  const { engine } = await openEngine(
    {
      settings: readSettings(service.environment),
      clock: { now: () => Date.now() + aheadMs },
      logger: createLogger({ level: 'silent' }),
      onFatal: () => undefined,
    },
    new PooledEntropy(),
  );
  await engine.log.append(records);
  await engine.close();
  await service.restart();
}
