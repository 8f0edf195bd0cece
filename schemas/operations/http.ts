import { z } from 'zod';
import { keySourceSchema } from '../base/command.ts';
import { EXAMPLES } from '../base/examples.ts';
import { cursorSchema, pageLimitSchema } from '../base/paging.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { deadLetterIdSchema, letterDocumentSchema } from './dead-letters.ts';

const { topic, generation, partition, offset, reason, type, requestId, state, key, value } =
  letterDocumentSchema.shape;

/** A dead letter as lists show it. */
export const deadLetterSummarySchema = z
  .strictObject({
    deadLetterId: deadLetterIdSchema.describe('The time of the append and the place of the record.'),
    topic: topic.meta({ example: 'activate' }),
    generation: generation.meta({ description: 'The generation of the topic.', example: 1 }),
    partition: partition.meta({ example: 3 }),
    offset: offset.meta({ example: 42 }),
    type: type.meta({
      description: 'The type of the command; null if the record is not a command.',
      example: 'record-event',
    }),
    reason: reason.meta({
      description: 'Why the record could not be handled, without any value of it.',
      example: 'input.stepKey: invalid_type',
    }),
    requestId: requestId.meta({
      description: 'The request that the record came from; null if the record is not a command.',
      example: EXAMPLES.requestId,
    }),
    state: state.describe('`open` until an operator has sent it again or discarded it.'),
    appendedAt: isoTimeSchema.describe('The time at which the record was appended.'),
    at: isoTimeSchema.describe('The time at which it could not be handled.'),
    closedAt: isoTimeSchema.nullable().meta({
      description: 'The time at which an operator sent it again or discarded it; null while it is open.',
      example: null,
    }),
    notListed: z.int().nonnegative().meta({
      description:
        'Open dead letters about the same aggregate with the same reason that the list omits; the log has them. 0 once this one is closed.',
      example: 0,
    }),
  })
  .meta({
    id: 'DeadLetter',
    description: 'A record of a topic that could not be handled. Its partition continued without it.',
  });

export const deadLetterDetailSchema = deadLetterSummarySchema
  .extend({
    group: z.string().nullable().meta({
      description:
        'The group of consumers that could not handle the record; null for dead letters of earlier versions.',
      example: 'fold-activate',
    }),
    key: key.meta({ description: 'The key of the record.', example: EXAMPLES.installationId }),
    keyFrom: keySourceSchema.nullable().meta({
      description:
        "The source of the command's own key. `client`: a repeat of the client has the same one. `request`: each repeat has another one. `command`: derived by the service. Null if the record is not a command or not kept.",
      example: 'client',
    }),
    value: value.meta({
      description: 'The record as it was appended; null if it is too long to be kept.',
      example: '{}',
    }),
  })
  .meta({ id: 'DeadLetterDetail', description: 'A dead letter with its record.' });

export const deadLetterListQuerySchema = z.strictObject({
  state: z.enum(['open', 'closed']).default('open').describe('Lists open or closed dead letters.'),
  cursor: cursorSchema(deadLetterIdSchema),
  limit: pageLimitSchema,
});

export const deadLetterListSchema = z
  .strictObject({
    deadLetters: z.array(deadLetterSummarySchema).describe('The dead letters of this page.'),
    open: z.int().nonnegative().meta({ description: 'All open dead letters.', example: 1 }),
    nextCursor: deadLetterIdSchema.nullable().meta({
      description: 'The `cursor` of the next page; null on the last page.',
      example: null,
    }),
    ...unreadableMember,
  })
  .meta({ id: 'DeadLetterList', description: 'Dead letters, the newest first.' });
