import { z } from 'zod';
import { pageLimitSchema } from '../base/paging.ts';
import { isoTimeSchema } from '../base/time.ts';
import { deadLetterIdSchema, letterDocumentSchema } from './dead-letters.ts';

const { topic, generation, partition, offset, reason, type, requestId, state, key, value } =
  letterDocumentSchema.shape;

/** A dead letter as lists show it. */
export const deadLetterSummarySchema = z.strictObject({
  deadLetterId: deadLetterIdSchema,
  topic,
  generation,
  partition,
  offset,
  type,
  reason,
  requestId,
  state,
  appendedAt: isoTimeSchema,
  at: isoTimeSchema,
  closedAt: isoTimeSchema.nullable(),
});

/** A dead letter with its record. */
export const deadLetterDetailSchema = deadLetterSummarySchema.extend({ key, value });

/** Query of GET `/v1/ops/dead-letters`. */
export const deadLetterListQuerySchema = z.strictObject({
  state: z.enum(['open', 'closed']).default('open'),
  cursor: deadLetterIdSchema.optional(),
  limit: pageLimitSchema,
});

export const deadLetterListSchema = z.strictObject({
  deadLetters: z.array(deadLetterSummarySchema),
  /** Open ones, of all pages. */
  open: z.int().nonnegative(),
  nextCursor: deadLetterIdSchema.nullable(),
});

export const deadLetterParamsSchema = z.strictObject({ deadLetterId: deadLetterIdSchema });
