import type { Logger } from 'pino';
import type { SecretKeys } from '../../gateway/services.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { Clock, Entropy } from '../../topics/ports/clock.ts';
import type { Tracer } from '../../topics/ports/tracer.ts';
import type { Engine } from './engine/ports.ts';
import type { Metering } from './metrics/metering.ts';
import type { Tally } from './reports/tally.ts';
import type { Settings } from './settings/settings.ts';

/** The dependencies that the parts of a process share. */
export interface Dependencies {
  readonly engine: Engine;
  readonly settings: Settings;
  readonly limits: Limits;
  readonly secrets: SecretKeys;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly logger: Logger;
  readonly tally: Tally;
  /** Absent: no traces. */
  readonly tracer?: Tracer | undefined;
  /** Absent: nothing is counted. */
  readonly metering?: Metering | undefined;
}
