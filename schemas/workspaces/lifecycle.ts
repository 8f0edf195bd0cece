import { z } from 'zod';
import { type CommandTable, noResult } from '../base/command.ts';
import { eraseRowsSchema } from '../base/erasure.ts';
import { epochMsSchema } from '../base/time.ts';

export const planSchema = z.enum(['preview', 'free']).meta({
  id: 'Plan',
  description: 'The plan that the limits come from: `preview` until a claim, then `free`.',
});
export type Plan = z.infer<typeof planSchema>;

/** The states of a workspace that exists. `expired` is computed from `expiresAt` and the time, and never stored. */
export const livingStateSchema = z.enum(['preview', 'active', 'paused', 'disconnected']);

/** The states that callers see. */
export const workspaceStateSchema = z.enum([...livingStateSchema.options, 'expired']).meta({
  id: 'WorkspaceState',
  description:
    '`preview` until a claim, then `active`. An owner can pause and resume it, and disconnect it for good. A preview that is not claimed in time has `expired`.',
});

/** The stored states. `erased` is the mark of an erased workspace. */
const storedWorkspaceStateSchema = z.enum([...livingStateSchema.options, 'erased']);

/**
 * A product's copy of its workspace's state. It arrives as the command `lifecycle`, with the version of the workspace's
 * aggregate. A receiver ignores a copy that is not newer than its own.
 */
export const lifecycleSchema = z.strictObject({
  version: z.int().positive(),
  state: storedWorkspaceStateSchema,
  plan: planSchema,
  /** The end of the preview, or null once claimed. */
  expiresAt: epochMsSchema.nullable(),
  /** The opt-ins by name, also of products that the receiver does not know. */
  products: z.array(z.string()),
});

export type Lifecycle = z.infer<typeof lifecycleSchema>;

/** The commands that a workspace and its erasure send to every product (ARCHITECTURE.md, rule 7). */
export const lifecycleCommands = {
  /** The workspace's current lifecycle. */
  lifecycle: { input: lifecycleSchema, result: noResult },
  /** Rows of an erased installation to remove. */
  'erase-rows': { input: eraseRowsSchema, result: noResult },
} as const satisfies CommandTable;
