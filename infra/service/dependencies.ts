import type { Logger } from 'pino';
import type { SecretKeys } from '../../gateway/http/services.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { Clock, Entropy } from '../../topics/ports/clock.ts';
import type { Tracer } from '../../topics/ports/tracer.ts';
import type { Engine } from './ports.ts';
import type { Settings } from './settings.ts';

/** The dependencies that the parts of a process share. */
export interface Dependencies {
  readonly engine: Engine;
  readonly settings: Settings;
  readonly limits: Limits;
  readonly secrets: SecretKeys;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly logger: Logger;
  /** Absent: no traces. */
  readonly tracer?: Tracer | undefined;
}
