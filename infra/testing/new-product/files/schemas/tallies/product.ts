import { z } from 'zod';
import { allowanceSchema } from '../base/allowance.ts';
import { type CommandTable, noResult } from '../base/command.ts';
import { eraseRowsSchema } from '../base/erasure.ts';
import { epochMsSchema } from '../base/time.ts';
import { lifecycleSchema } from '../workspaces/lifecycle.ts';
import { defineProduct } from '../workspaces/product.ts';

const count = z.int().nonnegative();
export const tallyInputSchema = z.strictObject({ tally: z.string().regex(/^[a-z]{1,40}$/) });

export const tallyCommands = {
  lifecycle: { input: lifecycleSchema, result: noResult },
  'erase-rows': { input: eraseRowsSchema, result: noResult },
  'create-tally': { input: tallyInputSchema, result: noResult },
  'count-tally': { input: tallyInputSchema, result: z.strictObject({ counted: count }) },
  'erase-tally': { input: tallyInputSchema, result: noResult },
} as const satisfies CommandTable;

/** Row kind `tally`, id: its name. */
export const tallyRowSchemas = { tally: z.strictObject({ counted: count }) } as const;

const rootSchema = z.strictObject({
  lifecycle: lifecycleSchema.nullable(),
  talliesMade: count,
  lastCount: z.strictObject({ tally: z.string(), at: epochMsSchema }).nullable(),
});

export type TalliesRoot = z.infer<typeof rootSchema>;

/** Tallies: create one, count, erase it. */
export const tallyProduct = defineProduct({
  name: 'svctally',
  title: 'tallies',
  contractVersion: 'svctally.v1',
  topic: 'tallies',
  partitions: 2,
  carries: 'lifecycle, tally, count, erase',
  commands: tallyCommands,
  root: { schema: rootSchema, empty: { lifecycle: null, talliesMade: 0, lastCount: null } },
  limits: { group: 'tallies', schema: z.strictObject({ keptMs: count }), defaults: { keptMs: 60_000 } },
  planLimits: {
    schema: z.strictObject({ tallies: count }),
    defaults: { preview: { tallies: 1 }, free: { tallies: 3 } },
  },
  shownLimits: ({ keptMs }) => ({ keptMs }),
  usedLimits: z.strictObject({ tallies: allowanceSchema }),
  counters: { tallies: { member: 'talliesMade', description: 'Tallies.', example: 0 } },
  verifiedResult: 'tally',
  passing: { commands: [], lifeMs: ({ keptMs }) => keptMs },
});
