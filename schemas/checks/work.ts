import { z } from 'zod';
import type { InputTable } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';

/** A run to drive. The runner reads the suite, the profile and the origin from the aggregate. */
export const runItemSchema = z.strictObject({
  installationId: idSchema('installation'),
  runId: idSchema('run'),
});

export type RunItem = z.infer<typeof runItemSchema>;

export const checkRunItems = { 'drive-run': { input: runItemSchema } } as const satisfies InputTable;
