import { z } from 'zod';
import { type CommandTable, type InputTable, noResult } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { limit } from '../base/limit.ts';
import { quotaSchema } from '../base/quota.ts';
import { epochMsSchema } from '../base/time.ts';
import { credential } from '../workspaces/credential.ts';
import { lifecycleCommands, lifecycleSchema } from '../workspaces/lifecycle.ts';
import { defineProduct } from '../workspaces/product.ts';
import { planQuota } from '../workspaces/product-quotas.ts';

const count = z.int().nonnegative();
export const tallyInputSchema = z
  .strictObject({
    tally: z
      .string()
      .regex(/^[a-z]{1,40}$/, 'expected 1 to 40 letters')
      .meta({ description: 'The name of the tally.', example: 'marker' }),
  })
  .meta({ id: 'TallyRequest', description: 'A tally.' });

export const tallyCommands = {
  ...lifecycleCommands,
  'create-tally': { input: tallyInputSchema.extend({ digest: sha256Schema }), result: noResult },
  'count-tally': { input: tallyInputSchema, result: z.strictObject({ counted: count }) },
  'erase-tally': { input: tallyInputSchema, result: noResult },
  /** From the worker. */
  'remove-tally': { input: tallyInputSchema, result: noResult },
} as const satisfies CommandTable;

/** Row kind `tally`, id: its name. */
export const tallyRowSchemas = {
  tally: z.strictObject({ counted: count, digest: sha256Schema }),
} as const;

export type TallyRow = z.infer<typeof tallyRowSchemas.tally>;

const targetSchema = z.strictObject({ installationId: idSchema('installation'), tally: z.string() });

const rootSchema = z.strictObject({
  lifecycle: lifecycleSchema.nullable(),
  talliesMade: count,
  lastCount: z.strictObject({ tally: z.string(), at: epochMsSchema }).nullable(),
});

export type TalliesRoot = z.infer<typeof rootSchema>;

export const tallyRemovals = { remove: { input: targetSchema } } as const satisfies InputTable;

/** Tallies: create one, count, erase it. */
export const tallyProduct = defineProduct({
  name: 'svctally',
  optIn: true,
  title: 'tallies',
  contractVersion: 'svctally.v1',
  topic: 'tallies',
  partitions: 2,
  carries: 'lifecycle, tally, count, erase',
  commands: tallyCommands,
  root: { schema: rootSchema, empty: { lifecycle: null, talliesMade: 0, lastCount: null } },
  rows: tallyRowSchemas,
  works: {
    'tally-removals': {
      key: 'tally',
      partitions: 2,
      items: tallyRemovals,
      carries: 'a tally to remove',
      reader: 'remover',
    },
  },
  credentials: {
    tally: credential<{ readonly owned: { readonly tally: string } }>()({
      secret: 'tally',
      indexKind: 'tally-key',
      target: targetSchema,
      label: 'tally key',
      description: 'Counts one tally.',
      actor: 'agent',
      pages: 'never',
    }),
  },
  limits: { group: 'tallies', schema: z.strictObject({ keptMs: limit('lifetime of a tally', 60_000) }) },
  planLimits: {
    tallies: planQuota(
      'tallies ever',
      { preview: 2, free: 3 },
      { at: 'plan.tallies', ever: 'talliesMade', shownAs: 'tallies' },
    ),
  },
  shownLimits: ({ keptMs }) => ({ keptMs }),
  usedLimits: z.strictObject({ tallies: quotaSchema }),
  counters: { tallies: { member: 'talliesMade', example: 0 } },
  verifiedResult: { kind: 'tally', text: 'a tally that has counted' },
  transient: { commands: [], lifeMs: ({ keptMs }) => keptMs },
});
