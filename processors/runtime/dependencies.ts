import type { Blobs } from '../../topics/ports/blobs.ts';
import type { Clock, Entropy } from '../../topics/ports/clock.ts';
import type { DigestIndex } from '../../topics/ports/digest-index.ts';
import type { Limiter } from '../../topics/ports/limiter.ts';
import type { Log } from '../../topics/ports/log.ts';
import type { ProcessorMeter } from '../../topics/ports/meter.ts';
import type { Replies } from '../../topics/ports/replies.ts';
import type { Store } from '../../topics/ports/store.ts';
import type { ProcessorTally } from '../../topics/ports/tally.ts';
import type { Tracer } from '../../topics/ports/tracer.ts';

/** The runtime's log for operators: events with ids, codes and counts, never a value of a record. */
export interface RuntimeLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The engine ports of a processor. */
export interface ProcessorDependencies {
  readonly log: Log;
  readonly store: Store;
  readonly blobs: Blobs;
  readonly digestIndex: DigestIndex;
  readonly limiter: Pick<Limiter, 'putKeyStatus'>;
  readonly replies: Replies;
  readonly clock: Clock;
  /** The clock that stamps records, as well as it is known; the local clock by default. */
  readonly logClock?: Clock;
  readonly entropy: Entropy;
  readonly logger: RuntimeLogger;
  /** Absent: no traces. */
  readonly tracer?: Tracer | undefined;
  /** Absent: nothing is counted. */
  readonly meter?: ProcessorMeter | undefined;
  /** Absent: operators see no numbers of workspaces. */
  readonly tally?: ProcessorTally | undefined;
}
