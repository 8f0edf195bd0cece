// Writes the dead-letters topic, and the reply to the waiter of a record.
import { z } from 'zod';
import { readEnvelope } from '../../schemas/base/command.ts';
import { requestIdFrom } from '../../schemas/base/ids.ts';
import type { Outcome } from '../../schemas/base/outcome.ts';
import type { LogRecord } from '../../topics/ports/log.ts';
import type { ProcessorDependencies } from './dependencies.ts';
import { type DeadLetterReason, deadLetterRecord } from './effects/follow-up.ts';

/**
 * The reply to the waiter of a record that cannot be handled: a 500 that is not remembered (ARCHITECTURE.md, rule
 * 13).
 */
export const POISONED: Outcome = {
  kind: 'refused',
  refusal: { code: 'internal_error', message: 'The service failed on this request; nothing was changed.' },
};

const REQUEST_ID_BYTES = 18;

/**
 * Appends a record with its reason to the dead-letter queue, so that its partition can continue. Answers its waiter
 * if the envelope is readable. Rejects with `EngineUnavailableError` while the log is down; the record is then
 * delivered again.
 */
export async function sendDeadLetter(
  engines: Pick<ProcessorDependencies, 'log' | 'clock' | 'entropy' | 'replies' | 'logger' | 'meter'>,
  record: LogRecord,
  failure: DeadLetterReason,
): Promise<void> {
  const envelope = readEnvelope(record.value);
  const requestId = envelope?.requestId ?? requestIdFrom(engines.entropy.bytes(REQUEST_ID_BYTES));
  // One about a dead letter would cause the next one.
  if (record.topic !== 'dead-letters')
    await engines.log.append([deadLetterRecord(record, failure, requestId, engines.clock.now())]);
  engines.meter?.deadLettered(record.topic);
  engines.logger.error(
    { topic: record.topic, partition: record.partition, offset: record.offset, requestId, ...failure },
    'RecordDeadLettered',
  );
  if (envelope?.replyTo == null) return;
  try {
    await engines.replies.publish(envelope.replyTo, { requestId, outcome: POISONED });
  } catch (error) {
    engines.logger.warn({ err: error, requestId }, 'ReplyLost');
  }
}

/**
 * Returns the reason why a record cannot be handled, without any value of it: zod's paths and codes, or an error's
 * message.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ');
  }
  if (error instanceof SyntaxError) return 'reading JSON';
  return error instanceof Error ? error.message : typeof error;
}
