import { z } from 'zod';
import { epochMsSchema } from './time.ts';

/**
 * A record that could not be handled, kept whole so that an operator can send it again
 * (infra/docs/decisions/0007-halting-at-a-record-far-ahead.md).
 */
export const deadLetterSchema = z.strictObject({
  topic: z.string(),
  generation: z.int().positive(),
  partition: z.int().nonnegative(),
  offset: z.int().nonnegative(),
  /** When the record was appended, by the log's clock. Processors of earlier versions leave it out. */
  appendedAt: epochMsSchema.optional(),
  /** The group of consumers that could not handle it. Processors of earlier versions leave it out. */
  group: z.string().optional(),
  key: z.string(),
  value: z.string(),
  /** The cause of the failure, without any value of the record. */
  reason: z.string(),
  at: epochMsSchema,
});

export type DeadLetter = z.infer<typeof deadLetterSchema>;
