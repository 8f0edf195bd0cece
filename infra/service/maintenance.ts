import type { RuntimeLogger } from '../../processors/runtime/dependencies.ts';
import { MINUTE_MS } from '../../schemas/base/time.ts';

/** The interval at which expired private bytes are deleted and old records pruned. Expired bytes are unreadable before that. */
const INTERVAL_MS = MINUTE_MS;

/** Steps of one round: each is bounded itself, and what is left waits for the next round. */
const STEPS_MAX = 100;

/**
 * Tidies up an engine from time to time, beginning now. A round that fails is logged and tried again with the next one.
 *
 * @returns a function that ends it and resolves once no step is running.
 */
export function startMaintenance(
  engine: { tidy(now: number): Promise<boolean> },
  now: () => number,
  logger: RuntimeLogger,
): () => Promise<void> {
  let stopped = false;
  let running = Promise.resolve();
  const round = async (): Promise<void> => {
    try {
      for (let step = 0; step < STEPS_MAX && !stopped; step += 1) {
        if (!(await engine.tidy(now()))) return;
      }
    } catch (error) {
      logger.warn({ err: error }, 'MaintenanceFailed');
    }
  };
  const begin = (): void => {
    running = running.then(round);
  };
  const timer = setInterval(begin, INTERVAL_MS);
  timer.unref();
  begin();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
