import type { z } from 'zod';
import { activateCommands } from '../../../schemas/activate/commands.ts';
import { RECORD_EVENT_OPERATION } from '../../../schemas/activate/documents.ts';
import {
  CHECKLIST_SCHEMA_VERSION,
  type EventInBatch,
  type eventAnswerSchema,
  eventInBatchSchema,
  type eventRefusalSchema,
  eventsAnswerSchema,
  eventsRequestSchema,
  WrongEvent,
} from '../../../schemas/activate/http.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { type Refusal, ServiceError } from '../../../schemas/base/errors.ts';
import type { Outcome } from '../../../schemas/base/outcome.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { parseInput } from '../../../schemas/base/validation.ts';
import { noteRefusal } from '../../http/failures.ts';
import { readCarriedOutcomes } from '../../http/records/carried-outcomes.ts';
import { outcomeUnknown } from '../../http/records/submit.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { checklistAgent } from '../audiences.ts';
import { eventAnswer, eventInput } from '../event-record.ts';
import { retryKeyOf, type Subject } from '../subject.ts';

type Result = z.infer<typeof eventAnswerSchema> | z.infer<typeof eventRefusalSchema>;

export const recordEventsRoute = checklistAgent.post('/checklists/:checklistId/events/batch', {
  name: 'recordEvents',
  summary: 'Report many milestones',
  description:
    'Reports up to 500 milestones of one checklist. Each is decided in its turn, as if it had been sent alone. One that is refused has its error in its place, and the others are recorded. A repeat of all or of some changes nothing.',
  whenPaused: 'refused',
  rate: 'delivery',
  grows: true,
  body: json(eventsRequestSchema, 'configurationBytes'),
  success: {
    status: 200,
    schema: eventsAnswerSchema,
    description: 'The outcome of each event; the same again for an event with the same key and body',
  },
  async handle({ params, body, services, submit }) {
    const { installationId, checklistId } = params;
    const events = body.events.filter((entry) => !(entry instanceof WrongEvent));
    const carried = events.map((event) => carriedEvent(services, params, event));
    const keys = carried.map(({ key, inputDigest }) => ({
      operation: RECORD_EVENT_OPERATION,
      key,
      inputDigest,
    }));
    const command = { topic: 'activate', key: installationId, type: 'record-events' } as const;
    const input = { checklistId, events: carried };
    const outcomes =
      carried.length === 0
        ? []
        : await readCarriedOutcomes(
            services.store,
            { table: 'activate', id: installationId },
            // The digest of each event is in the input, and nothing is stored under a key of the whole.
            await submit({ ...command, input, digestInput: null }),
            keys,
          );
    const inTurn = outcomes.values();
    const results = body.events.map((entry) =>
      entry instanceof WrongEvent ? refusedResult(faultOf(entry)) : resultOf(inTurn.next().value as Outcome),
    );
    return { body: { schemaVersion: CHECKLIST_SCHEMA_VERSION, results } };
  },
});

/** An event with the key and the digest that it has alone. */
function carriedEvent(
  services: Pick<GatewayServices, 'secrets' | 'entropy'>,
  path: Pick<Subject, 'installationId' | 'checklistId'>,
  event: EventInBatch,
) {
  const { checklistId: _shared, ...input } = eventInput(services, path, event);
  return {
    key: retryKeyOf(services.secrets, path.installationId, event.idempotencyKey),
    inputDigest: digestOf({ path, body: { schemaVersion: CHECKLIST_SCHEMA_VERSION, ...event } }),
    ...input,
  };
}

/** The refusal of an entry that is no event: that of a request which has it alone. */
function faultOf({ value }: WrongEvent): Refusal {
  try {
    parseInput(eventInBatchSchema, value, 'body');
  } catch (error) {
    if (error instanceof ServiceError) return error.refusal;
    throw error;
  }
  throw new Error('refusing an entry that is an event');
}

function resultOf(outcome: Outcome): Result {
  switch (outcome.kind) {
    case 'done':
      return eventAnswer(readStored(activateCommands['record-event'].result, outcome.result));
    case 'refused':
      return refusedResult(outcome.refusal);
    case 'deferred':
      throw outcomeUnknown();
  }
}

function refusedResult(refused: Refusal): Result {
  const { code, message, retryAfterSeconds } = refused;
  noteRefusal(refused);
  const error = { code, message };
  return retryAfterSeconds === undefined ? { error } : { error, retryAfterMs: retryAfterSeconds * SECOND_MS };
}
