import type { Health } from '../../../gateway/http/system-routes.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import type { Consumer, PartitionStatus } from '../../../topics/ports/log.ts';
import { ENGINE_ANSWER_MS_MAX, type EnginePart, type LogTime } from '../engine/ports.ts';
import { CLOCK_APART_MS_MAX, isApart } from './clock-watch.ts';

/** The reason where each engine answers, and a consumer that depends on one does not. */
const SILENT = 'An engine does not answer.';

/** The part of an engine that readiness needs. */
interface AskedEngine {
  readonly parts: readonly EnginePart[];
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
      asking ??= whyUnready(engine, consumers, runner).finally(() => {
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
  const [silent, statuses] = await Promise.all([
    silentParts(engine.parts),
    // While an engine is away, the reason is that engine.
    Promise.allSettled(consumers.map((consumer) => inTime(consumer.status()))),
  ]);
  if (silent.length > 0) return `An engine does not answer: ${silent.join(', ')}.`;
  const known = statuses.map((status) => (status.status === 'fulfilled' ? status.value : null));
  if (known.includes(null)) return SILENT;
  return haltReason(known.flatMap((status) => status ?? [])) ?? runner?.unready() ?? null;
}

/** Returns the names of the parts that do not answer in time. */
async function silentParts(parts: readonly EnginePart[]): Promise<string[]> {
  const asked = await Promise.allSettled(parts.map((part) => inTime(part.answers())));
  return parts.filter((_part, index) => asked[index]?.status === 'rejected').map(({ name }) => name);
}

function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return withTimeout(ENGINE_ANSWER_MS_MAX, asked, () => new Error(SILENT));
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
