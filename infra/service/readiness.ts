import type { Health } from '../../gateway/system-routes.ts';
import type { Consumer } from '../../topics/ports/log.ts';

/** What does not answer within this time counts as not answering: whoever probes waits a second or two. */
const ANSWER_MS_MAX = 1_000;

/**
 * A process is ready while its engine answers and none of its consumers stands still. Questions are shared by all who ask
 * while they are open, so probes cannot pile up.
 */
export function readinessOf(engine: { answers(): Promise<void> }, consumers: readonly Consumer[]): Health {
  let asking: Promise<boolean> | null = null;
  return {
    ready: () => {
      asking ??= within(ANSWER_MS_MAX, isReady(engine, consumers)).finally(() => {
        asking = null;
      });
      return asking;
    },
  };
}

async function isReady(
  engine: { answers(): Promise<void> },
  consumers: readonly Consumer[],
): Promise<boolean> {
  const [statuses] = await Promise.all([
    Promise.all(consumers.map((consumer) => consumer.status())),
    engine.answers(),
  ]);
  return statuses.flat().every((status) => status.halted === null);
}

/** What an engine that is down has to say about it is that it is down. */
async function within(timeoutMs: number, ready: Promise<boolean>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), timeoutMs);
  try {
    return await Promise.race([ready, late.promise]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
