import type { Health } from '../../gateway/http/system-routes.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { withTimeout } from '../../schemas/base/timeout.ts';
import type { Consumer } from '../../topics/ports/log.ts';
import { CLOCK_APART_MS_MAX, isApart } from './clock-watch.ts';
import type { LogTime } from './ports.ts';

/** An engine that does not answer within this time counts as down: probes wait a second or two. */
const ANSWER_MS_MAX = 1_000;

const SILENT = 'An engine does not answer.';

/** The part of an engine that readiness needs. */
interface AskedEngine {
  answers(): Promise<void>;
  readonly logClock: Pick<LogTime, 'aheadMs'>;
}

/**
 * A process is ready while its engine answers, its clock agrees with the log's and none of its consumers stands still. A
 * runner beside no gateway is not ready without a browser. Questions are shared by all who ask while they are open, so probes cannot pile up.
 */
export function readinessOf(
  engine: AskedEngine,
  consumers: readonly Consumer[],
  runner: { unready(): string | null } | null = null,
): Health {
  let asking: Promise<string | null> | null = null;
  return {
    unready: () => {
      asking ??= withTimeout(ANSWER_MS_MAX, whyUnready(engine, consumers, runner), () => new Error(SILENT))
        // An engine that is down rejects.
        .catch(() => SILENT)
        .finally(() => {
          asking = null;
        });
      return asking;
    },
  };
}

async function whyUnready(
  engine: AskedEngine,
  consumers: readonly Consumer[],
  runner: { unready(): string | null } | null,
): Promise<string | null> {
  const aheadMs = engine.logClock.aheadMs();
  if (isApart(aheadMs)) {
    const seconds = Math.round(Math.abs(aheadMs) / SECOND_MS);
    const most = CLOCK_APART_MS_MAX / SECOND_MS;
    return `The clock of this process is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the log's; at most ${most} s are allowed.`;
  }
  const [statuses] = await Promise.all([
    Promise.all(consumers.map((consumer) => consumer.status())),
    engine.answers(),
  ]);
  const halted = statuses.flat().find((status) => status.halted !== null);
  return halted === undefined
    ? (runner?.unready() ?? null)
    : `Partition ${halted.partition} of ${halted.topic} has halted.`;
}
