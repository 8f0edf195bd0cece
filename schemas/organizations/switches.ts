import { z } from 'zod';

/** The new things that the operator of the service can stop: true while they are let in. */
export const switchesSchema = z.strictObject({
  /** Workspaces. */
  creation: z.boolean(),
  /** Submissions of feedback widgets. */
  feedback: z.boolean(),
  /** Runs of browser checks. */
  runs: z.boolean(),
});

export type Switches = z.infer<typeof switchesSchema>;

/** Row kind `switches`, of the organization that operates the service; without it everything is on. */
export const SWITCHES_ROW = { kind: 'switches', id: 'current' } as const;

export const SWITCHES_ON: Switches = { creation: true, feedback: true, runs: true };
