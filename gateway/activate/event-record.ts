import type { z } from 'zod';
import type { activateCommands } from '../../schemas/activate/commands.ts';
import type { EventInBatch, eventAnswerSchema } from '../../schemas/activate/http.ts';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { isoTime } from '../../schemas/base/time.ts';
import type { GatewayServices } from '../services.ts';
import { enrollmentOf, type Subject } from './subject.ts';

type RecordEvent = (typeof activateCommands)['record-event'];

/** The input of the command for an event that a backend reports. */
export function eventInput(
  { secrets, entropy }: Pick<GatewayServices, 'secrets' | 'entropy'>,
  { installationId, checklistId }: Pick<Subject, 'installationId' | 'checklistId'>,
  { subjectDigest, cohort, eventKey }: Omit<EventInBatch, 'idempotencyKey'>,
): z.infer<RecordEvent['input']> {
  return {
    checklistId,
    cohort,
    enrollment: enrollmentOf(secrets, { installationId, checklistId, cohort, subjectDigest }),
    eventKey,
    eventId: idFrom('event', entropy.bytes(ID_BYTES)),
  };
}

/** The answer to an event that was accepted. */
export function eventAnswer({
  receivedAt,
  ...event
}: z.infer<RecordEvent['result']>): z.infer<typeof eventAnswerSchema> {
  const complete = event.completedSteps === event.totalSteps;
  return { ...event, complete, receivedAt: isoTime(receivedAt) };
}
