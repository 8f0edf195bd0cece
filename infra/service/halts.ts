import type { Logger } from 'pino';
import type { HaltListener } from '../engines/shared/delivery.ts';

/** Tells the log of the process which partitions stand still, and which go on again. */
export function loggedHalts(logger: Logger): HaltListener {
  return {
    onHalt: (halt) => logger.fatal(halt, 'PartitionHalted'),
    onResume: (partition) => logger.warn(partition, 'PartitionResumed'),
  };
}
