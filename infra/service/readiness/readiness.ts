import type { Health } from '../../../gateway/http/system-routes.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import type { Consumer, PartitionStatus } from '../../../topics/ports/log.ts';
import { ENGINE_ANSWER_MS_MAX, type EnginePart, type LogTime } from '../engine/ports.ts';
import { CLOCK_APART_MS_MAX, isApart } from './clock-watch.ts';

const SILENT = 'An engine does not answer.';

/** The part of an engine that readiness needs. */
interface AskedEngine {
  readonly parts: readonly Pick<EnginePart, 'answers'>[];
  readonly logClock: Pick<LogTime, 'aheadMs'>;
}

/** The part of a runner that readiness needs. */
export interface WarmRunner {
  /** The reason for which it has no browser; null if it has one. */
  unready(): string | null;
}

/**
 * A process is ready while its engine answers, its clock agrees with the log's and none of its consumers stands still. A
 * runner beside no gateway is not ready without a browser. Questions are shared by all who ask while they are open, so probes cannot pile up.
 */
export function readinessOf(
  engine: AskedEngine,
  consumers: readonly Consumer[],
  runner: WarmRunner | null = null,
): Health {
  let asking: Promise<string | null> | null = null;
  return {
    unready: () => {
      asking ??= withTimeout(
        ENGINE_ANSWER_MS_MAX,
        whyUnready(engine, consumers, runner),
        () => new Error(SILENT),
      )
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
  runner: WarmRunner | null,
): Promise<string | null> {
  const apart = clockReason(engine.logClock);
  if (apart !== null) return apart;
  const [statuses] = await Promise.all([
    Promise.all(consumers.map((consumer) => consumer.status())),
    ...engine.parts.map((part) => part.answers()),
  ]);
  return haltReason(statuses.flat()) ?? runner?.unready() ?? null;
}

/** Returns the reason for which a process is not ready whose clock is apart from the log's, else null. */
export function clockReason(logClock: Pick<LogTime, 'aheadMs'>): string | null {
  const aheadMs = logClock.aheadMs();
  if (!isApart(aheadMs)) return null;
  const seconds = Math.round(Math.abs(aheadMs) / SECOND_MS);
  const most = CLOCK_APART_MS_MAX / SECOND_MS;
  return `The clock of this process is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the log's; at most ${most} s are allowed.`;
}

function haltReason(partitions: readonly PartitionStatus[]): string | null {
  const halted = partitions.find((partition) => partition.halted !== null);
  return halted === undefined ? null : `Partition ${halted.partition} of ${halted.topic} has halted.`;
}
