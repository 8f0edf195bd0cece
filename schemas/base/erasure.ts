import { z } from 'zod';
import type { InputTable } from './command.ts';
import { epochMsSchema } from './time.ts';

/** Rows that one command removes of an erased aggregate: enough to be quick, few enough for one commit. */
export const ERASED_ROWS_MAX = 200;

/**
 * Input of the command `erase-rows`: rows of an aggregate that was erased. Only the root stays of such an aggregate, with a
 * mark that it was erased (infra/docs/decisions/0017-erasure.md).
 */
export const eraseRowsSchema = z.strictObject({
  rows: z
    .array(z.strictObject({ kind: z.string().min(1), id: z.string().min(1) }))
    .min(1)
    .max(ERASED_ROWS_MAX),
});

/** An erased aggregate whose next rows are to be found. A fold cannot list, so this is work. */
const eraseItemSchema = z.strictObject({
  /** The command topic of the aggregate's product. */
  topic: z.string().min(1),
  aggregate: z.string().min(1),
  /** The last row that was removed: the next ones are behind it. Absent: from the first row on. */
  after: z.strictObject({ kind: z.string().min(1), id: z.string() }).optional(),
});

export type EraseItem = z.infer<typeof eraseItemSchema>;

export const erasureItems = {
  erase: { input: eraseItemSchema },
  /** Something was erased: the dead letters about it are to be found. */
  'erase-letters': {
    input: z.strictObject({
      /** The id or HMAC that its records name. */
      about: z.string().min(1),
      /** When it was erased. Letters of later records may be about the erasure itself. */
      before: epochMsSchema,
      /** Present in the second search, for letters that arrived after the first one. */
      again: z.literal(true).optional(),
    }),
  },
} as const satisfies InputTable;
