import type { Logger } from 'pino';
import type { HaltListener } from '../../engines/shared/delivery.ts';

/** Logs which partitions halt, and which resume. */
export function loggedHalts(logger: Logger): HaltListener {
  return {
    onHalt: (halt) => logger.fatal(halt, 'PartitionHalted'),
    onResume: (partition) => logger.warn(partition, 'PartitionResumed'),
  };
}
