import { z } from 'zod';
import type { InputTable } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';

/** Longer than a digest and than an id. */
const CREATOR_CHARACTERS_MAX = 64;

/**
 * The party whose runs take turns with those of others: the creator of a preview, the organization of a claimed workspace. Null
 * where it is not known.
 */
export const creatorSchema = z.string().max(CREATOR_CHARACTERS_MAX).nullable().default(null);

/** A run to drive. The runner reads the suite, the profile and the origin from the aggregate. */
const runItemSchema = z.strictObject({
  installationId: idSchema('installation'),
  runId: idSchema('run'),
  /** True if the workspace was a preview when it requested the run. */
  isPreview: z.boolean().default(false),
  creator: creatorSchema,
});

export type RunItem = z.infer<typeof runItemSchema>;

export const checkRunItems = { 'drive-run': { input: runItemSchema } } as const satisfies InputTable;
