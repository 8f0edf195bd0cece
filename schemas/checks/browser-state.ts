import { z } from 'zod';

/**
 * The browsers of the service: `ready` if a runner has one, `missing` if none of them has, `unknown` while the engine that knows the
 * runners does not answer.
 */
export const browserStateSchema = z.enum(['ready', 'missing', 'unknown']).meta({
  description: '`ready`, `missing` if the service has no browser at the moment, or `unknown`.',
});

export type BrowserState = z.infer<typeof browserStateSchema>;
