import { z } from 'zod';
import { epochMsSchema } from '../base/time.ts';

export const planSchema = z.enum(['preview', 'free']);
export type Plan = z.infer<typeof planSchema>;

/** Products that a workspace opts into when it is created. */
export const productSchema = z.enum(['svcactivate', 'svcimport']);
export type Product = z.infer<typeof productSchema>;

/** The states of a workspace that exists; `expired` is computed from `expiresAt` and the time. */
export const livingStateSchema = z.enum(['preview', 'active', 'paused', 'disconnected']);

/** The state as callers see it: also `expired`. */
export const workspaceStateSchema = z.enum([...livingStateSchema.options, 'expired']);

/** The stored states. Of an erased workspace nothing but this mark is left. */
export const storedWorkspaceStateSchema = z.enum([...livingStateSchema.options, 'erased']);

/**
 * What a product must know of its workspace (ARCHITECTURE.md, rule 7): a copy that arrives as the command `lifecycle`, with the
 * version of the workspace's aggregate. A receiver ignores one that is not newer than what it has.
 */
export const lifecycleSchema = z.strictObject({
  version: z.int().positive(),
  state: storedWorkspaceStateSchema,
  plan: planSchema,
  /** The end of the preview, or null once claimed. */
  expiresAt: epochMsSchema.nullable(),
  products: z.array(productSchema),
});

export type Lifecycle = z.infer<typeof lifecycleSchema>;
