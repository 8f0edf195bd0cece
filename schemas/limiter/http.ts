import { z } from 'zod';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';

/** Bounds of a check. */
export const CHECK_BOUNDS = {
  namespaceCharacters: 128,
  identifierCharacters: 256,
  limit: 1_000_000_000,
  /** 31 days. */
  windowMs: 2_678_400_000,
  /** Checks in one request. */
  entries: 10,
} as const;

const namespace = { description: 'The namespace of the request.', example: 'api' };
const identifier = { description: 'The identifier of the request.', example: 'user_42' };
const limit = z
  .int()
  .min(1)
  .max(CHECK_BOUNDS.limit)
  .meta({ description: 'Units allowed in a window.', example: 100 });

/** The members that name a window. */
const named = {
  namespace: textSchema({ min: 1, max: CHECK_BOUNDS.namespaceCharacters }).meta({
    ...namespace,
    description: 'Separates counters of the same identifier, such as one for each of your endpoints.',
  }),
  identifier: textSchema({ min: 1, max: CHECK_BOUNDS.identifierCharacters }).meta({
    ...identifier,
    description: 'The caller to count, such as a user id or an address.',
  }),
  window: z
    .int()
    .min(1)
    .max(CHECK_BOUNDS.windowMs)
    .meta({ description: 'The length of a window in milliseconds.', example: 60_000 }),
};

const asked = {
  ...named,
  limit,
  cost: z
    .int()
    .min(0)
    .max(CHECK_BOUNDS.limit)
    .default(1)
    .meta({ description: 'Units to consume, 1 by default; 0 peeks without consuming.', example: 1 }),
};

/** POST `/v1/check` (infra/docs/reference/rate-limits.md#request). Unknown members are passed over here, and only here. */
export const checkRequestSchema = z
  .object(asked)
  .meta({ id: 'CheckRequest', description: 'A request to count. Unknown members are ignored.' });

export type CheckRequest = z.infer<typeof checkRequestSchema>;

/** POST `/v1/checks` (infra/docs/reference/rate-limits.md#several-limits-at-once). */
export const checksRequestSchema = z
  .strictObject({
    checks: z
      .array(z.strictObject(asked).meta({ id: 'CheckEntry', description: 'One of the limits.' }))
      .min(1)
      .max(CHECK_BOUNDS.entries)
      .check(({ value, issues }) => {
        issues.push(...repeatedWindows(value));
      })
      .describe('The limits that the request has to keep, 1 to 10. None may name the window of another one.'),
  })
  .meta({ id: 'ChecksRequest', description: 'A request to count against several limits, or against none.' });

/** A fault for each entry that names the window of an earlier one. */
function repeatedWindows(entries: readonly Pick<CheckRequest, 'namespace' | 'identifier' | 'window'>[]) {
  const names = entries.map(({ namespace, identifier, window }) =>
    JSON.stringify([namespace, identifier, window]),
  );
  return names.flatMap((name, index) => {
    const earlier = names.indexOf(name);
    const message = `expected another namespace, identifier or window than in checks[${earlier}]`;
    return earlier === index
      ? []
      : [{ code: 'custom' as const, path: [index], input: entries[index], message }];
  });
}

/** The name of a window: in POST `/v1/checks/reset`, and where a person looks at a window. */
export const windowNameSchema = z
  .strictObject(named)
  .meta({ id: 'WindowName', description: 'The members of a check that name its window.' });

const decisionSchema = z
  .strictObject({
    allowed: z.boolean().meta({ description: 'True if the request is within the limit.', example: true }),
    remaining: z
      .int()
      .min(0)
      .max(CHECK_BOUNDS.limit)
      .meta({ description: 'Units left in the window.', example: 99 }),
    limit,
    reset_at: z.int().nonnegative().meta({
      description: 'The end of the window in Unix milliseconds.',
      example: 1_788_775_260_000,
    }),
    namespace: z.string().min(1).meta(namespace),
    identifier: z.string().min(1).meta(identifier),
    retry_after_ms: z
      .int()
      .min(0)
      .max(CHECK_BOUNDS.windowMs)
      .optional()
      .describe('Milliseconds until the window ends. Present if the request is denied and waiting helps.'),
  })
  .meta({ id: 'CheckDecision', description: 'A denied request is an answer and no error.' });

/** The answer (infra/docs/reference/rate-limits.md#answer). */
export const checkAnswerSchema = z
  .strictObject({ data: decisionSchema })
  .meta({ id: 'CheckAnswer', description: 'The decision about one request.' });

/** The answer to several (infra/docs/reference/rate-limits.md#several-limits-at-once). */
export const checksAnswerSchema = z
  .strictObject({
    data: z
      .strictObject({
        allowed: z.boolean().meta({
          description: 'True if the request is within all limits. If it is false, no window has changed.',
          example: true,
        }),
        checks: z
          .array(decisionSchema)
          .min(1)
          .max(CHECK_BOUNDS.entries)
          .describe(
            'The decision about each limit, in the order of the request. In a denied request, `allowed` says whether this limit alone would have allowed it, and `remaining` is what stands.',
          ),
      })
      .meta({ id: 'ChecksDecision', description: 'A denied request is an answer and no error.' }),
  })
  .meta({ id: 'ChecksAnswer', description: 'The decision about one request with several limits.' });

const ended = z.boolean().meta({
  description: 'True if the window was running. The next request starts a new one.',
  example: true,
});

/** The answer to POST `/v1/checks/reset`. */
export const resetAnswerSchema = z
  .strictObject({
    data: z
      .strictObject({ ended })
      .meta({ id: 'WindowReset', description: 'Whether there was a window to end.' }),
  })
  .meta({ id: 'ResetAnswer', description: 'The window has ended.' });

/** The answer to a person who ends a window. */
export const endedWindowSchema = z
  .strictObject({ ended })
  .meta({ id: 'EndedWindow', description: 'The window has ended.' });

export const limiterHealthSchema = z
  .strictObject({
    data: z
      .strictObject({
        status: z.literal('healthy'),
        product: z.literal('limiter'),
        version: z.literal('v1').describe('The version of its interface.'),
        timestamp: isoTimeSchema.describe('The current time.'),
      })
      .meta({ id: 'LimiterHealthData', description: 'The state of the limiter.' }),
  })
  .meta({ id: 'LimiterHealth', description: 'The limiter answers.' });
