import type { Limits } from '../../../schemas/limits.ts';
import type { Subscription } from '../../../topics/ports/log.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import { sweepSubscription } from '../../runtime/sweeper.ts';
import { previewSweep, retentionSweep } from './sweeps.ts';

/** Tidies up imports, capabilities and sessions that have ended (contract D "Retention"). */
export function sweepSubscriptions(
  engines: Pick<ProcessorDependencies, 'store' | 'log' | 'clock' | 'logger'>,
  limits: Limits,
): Subscription[] {
  return [previewSweep(engines, limits), retentionSweep(limits)].map((sweep) =>
    sweepSubscription(sweep, engines),
  );
}
