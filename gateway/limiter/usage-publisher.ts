// Reads: counts of the limiter that have not been published. Writes: the topic `usage`.
import type { Logger } from 'pino';
import type { Envelope } from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { REQUEST_ID_BYTES, requestIdFrom } from '../../schemas/base/ids.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { USAGE_COUNTS_MAX } from '../../schemas/usage/commands.ts';
import type { Clock, Entropy } from '../../topics/ports/clock.ts';
import { type Limiter, USAGE_INTERVAL_MS, type UsageCount } from '../../topics/ports/limiter.ts';
import type { Log, NewRecord } from '../../topics/ports/log.ts';
import type { LimiterMeter } from '../../topics/ports/meter.ts';
import { describeError } from '../http/server/logging.ts';

/** Keys whose counts are published in one append, and appends of one round: what is left waits for the next one. */
const KEYS_AT_ONCE = 200;
const APPENDS_MAX = 50;

/** Time between two rounds. With that of the offers, a round just before the end of a claim would double the time of a count. */
const ROUND_MS = SECOND_MS;

export interface UsagePublisherOptions {
  readonly limiter: Pick<Limiter, 'pendingUsage' | 'usagePublished'>;
  readonly log: Pick<Log, 'append'>;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly logger: Logger;
  readonly intervalMs?: number;
  /** Absent: nothing is counted. */
  readonly meter?: Pick<LimiterMeter, 'usageFound'> | undefined;
}

/**
 * Publishes the limiter's counts as they are offered, every {@link USAGE_INTERVAL_MS}, and once more at the end. The
 * counts are absolute and stay pending until the log has stored them. So any number of gateways may publish at the same
 * time, and the next one publishes the counts of a killed one. A round that fails, or that takes longer than counts may
 * wait, is logged, and the next round makes up for it.
 *
 * @returns a function that publishes the pending counts and ends the publisher.
 */
export function startUsagePublisher(options: UsagePublisherOptions): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | null = null;
  const round = async (): Promise<void> => {
    const begun = performance.now();
    try {
      await publishPending(options);
      const took = performance.now() - begun;
      if (took > USAGE_INTERVAL_MS) options.logger.warn({ ms: Math.round(took) }, 'UsagePublishedLate');
    } catch (error) {
      options.logger.warn({ error: describeError(error) }, 'UsageNotPublished');
    }
  };
  const timer = setInterval(() => {
    // A round that takes longer than the interval is followed by the next one after that.
    running ??= round().finally(() => {
      running = null;
    });
  }, options.intervalMs ?? ROUND_MS);
  timer.unref();
  return async () => {
    if (stopped) return;
    stopped = true;
    clearInterval(timer);
    await running;
    await round();
  };
}

/** Publishes what is pending now. Rejects with `EngineUnavailableError` when limiter or log are down. */
export async function publishPending(options: UsagePublisherOptions): Promise<void> {
  const { limiter, log, meter } = options;
  let found = 0;
  for (let appends = 0; appends < APPENDS_MAX; appends += 1) {
    const counts = await limiter.pendingUsage(KEYS_AT_ONCE);
    found += counts.length;
    meter?.usageFound(found);
    if (counts.length === 0) return;
    await log.append(recordsOf(counts, options));
    await limiter.usagePublished(counts);
  }
}

function recordsOf(counts: readonly UsageCount[], options: UsagePublisherOptions): NewRecord[] {
  const byKey = Map.groupBy(counts, ({ keyId }) => keyId);
  return [...byKey].flatMap(([keyId, ofKey]) =>
    chunks(ofKey).map((chunk) => ({
      topic: 'usage' as const,
      key: keyId,
      value: JSON.stringify(publication(chunk, options)),
    })),
  );
}

/** The command that publishes counts of one key. */
function publication(
  counts: readonly [UsageCount, ...UsageCount[]],
  { clock, entropy }: UsagePublisherOptions,
): Envelope {
  const [{ account, mode }] = counts;
  const input = {
    organizationId: account,
    mode,
    counts: counts.map(({ minute, incarnation, allowed, denied, refused }) => ({
      minute,
      incarnation,
      allowed,
      denied,
      refused,
    })),
  };
  return {
    envelope: 1,
    type: 'publish',
    operation: 'publish',
    key: digestOf(input),
    keyFrom: 'command',
    inputDigest: digestOf(input),
    requestId: requestIdFrom(entropy.bytes(REQUEST_ID_BYTES)),
    replyTo: null,
    notAfter: null,
    issuedAt: clock.now(),
    actor: { kind: 'system', id: 'gateway' },
    input,
  };
}

function chunks(counts: readonly UsageCount[]): [UsageCount, ...UsageCount[]][] {
  const [first, ...rest] = counts.slice(0, USAGE_COUNTS_MAX);
  return first === undefined ? [] : [[first, ...rest], ...chunks(counts.slice(USAGE_COUNTS_MAX))];
}
