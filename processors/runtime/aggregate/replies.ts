import type { Command } from '../../../schemas/base/command.ts';
import type { ProcessorDependencies } from '../dependencies.ts';
import { CLOCK_TOLERANCE_MS } from '../fold/fold-step.ts';
import { inSpans } from '../record-spans.ts';
import type { Decided } from './units.ts';

/**
 * Replies are hints: waiters that miss one read the outcome from the store
 * (infra/docs/decisions/0026-replies-are-hints.md).
 */
export async function publishOutcomes(
  { clock, logClock = clock, replies, logger }: ProcessorDependencies,
  decided: readonly Decided[],
): Promise<void> {
  const now = logClock.now();
  const awaited = decided.filter(({ command }) => command.replyTo !== null && isAwaited(command, now));
  const sent = await inSpans(awaited, 'reply', () =>
    Promise.allSettled(
      awaited.map(({ command: { replyTo, requestId }, outcome }) =>
        replies.publish(replyTo as string, { requestId, outcome }),
      ),
    ),
  );
  const lost = sent.filter((one) => one.status === 'rejected');
  if (lost.length > 0) logger.warn({ err: lost[0]?.reason, replies: lost.length }, 'RepliesLost');
}

/** True if a gateway may still wait: it gives up at a command's `notAfter`, by the log's time. */
export function isAwaited({ notAfter }: Command, now: number): boolean {
  return notAfter === null || now <= notAfter + CLOCK_TOLERANCE_MS;
}
