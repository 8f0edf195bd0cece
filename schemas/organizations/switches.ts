import { z } from 'zod';

/** The new things that the operator of the service can stop: true while they are let in. */
export const switchesSchema = z
  .strictObject({
    creation: z.boolean().meta({ description: 'True if workspaces can be created.', example: true }),
    feedback: z.boolean().meta({ description: 'True if feedback widgets can submit.', example: true }),
    runs: z
      .boolean()
      .meta({ description: 'True if runs of browser checks can be requested.', example: true }),
  })
  .meta({
    id: 'Switches',
    description:
      'The new things that the service accepts. Requests for what is off get 503 `unavailable`; what has started continues.',
  });

export type Switches = z.infer<typeof switchesSchema>;

/** Some of the switches: those that a request sets. The others stay as they are. */
export const changedSwitchesSchema = switchesSchema.partial().meta({
  id: 'ChangedSwitches',
  description: 'The switches to set. Those that are omitted stay as they are.',
});

export const switchNameSchema = z.enum(['creation', 'feedback', 'runs']);

/** Row kind `switches`, of the organization that operates the service; without it everything is on. */
export const SWITCHES_ROW = { kind: 'switches', id: 'current' } as const;

export const SWITCHES_ON: Switches = { creation: true, feedback: true, runs: true };
