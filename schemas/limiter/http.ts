import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { errorCodeSchema } from '../base/errors.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';

/** Bounds of a check. */
export const CHECK_BOUNDS = {
  namespaceCharacters: 128,
  identifierCharacters: 256,
  limit: 1_000_000_000,
  /** 31 days. */
  windowMs: 2_678_400_000,
  /** Limits of one request that are decided together. */
  entries: 10,
  /** Checks in one request that are decided one by one. */
  independent: 250,
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

/** One check of POST `/v1/checks/each`. Unknown members are ignored, as in POST `/v1/check`. */
export const independentCheckSchema = z
  .object({
    ...asked,
    idempotencyKey: idempotencyKeySchema.optional().meta({
      description:
        'The `Idempotency-Key` of this check: a repeat with it within a minute gets the first answer and counts once, here and in `POST /v1/check`.',
      example: 'request-1',
    }),
  })
  .meta({ id: 'IndependentCheck', description: 'A request to count. Unknown members are ignored.' });

/** The list of POST `/v1/checks/each` before its entries are read: a wrong one is refused in its place. */
export const eachListSchema = z.strictObject({
  checks: z.array(z.unknown()).min(1).max(CHECK_BOUNDS.independent),
});

/** POST `/v1/checks/each` (infra/docs/reference/rate-limits.md#many-checks-in-one-request). */
export const eachRequestSchema = z
  .strictObject({
    checks: z
      .array(independentCheckSchema)
      .min(1)
      .max(CHECK_BOUNDS.independent)
      .describe('The requests to count, 1 to 250, in order. Several may name one window.'),
  })
  .meta({ id: 'EachRequest', description: 'Requests that are counted and decided one by one.' });

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

const failedCheckSchema = z
  .strictObject({
    error: z
      .strictObject({
        code: errorCodeSchema.meta({
          description: 'The code that `POST /v1/check` would answer with.',
          example: 'rate_limited',
        }),
        message: z.string().meta({
          description: 'A sentence for people. It repeats no value, and may change.',
          example:
            'request.rate: seen more than 1000 checks of this key in a minute, expected at most 1000 checks.',
        }),
      })
      .meta({ id: 'UndecidedReason', description: 'A code with a sentence about it.' }),
    retry_after_ms: z
      .int()
      .min(0)
      .optional()
      .describe('Milliseconds after which the same check can succeed. Present if waiting helps.'),
  })
  .meta({ id: 'UndecidedCheck', description: 'A check that was not decided.' });

/** The answer to independent checks (infra/docs/reference/rate-limits.md#many-checks-in-one-request). */
export const eachAnswerSchema = z
  .strictObject({
    data: z
      .strictObject({
        checks: z
          .array(z.union([decisionSchema, failedCheckSchema]))
          .min(1)
          .max(CHECK_BOUNDS.independent)
          .describe('The decision about each request, or why there is none, in the order of the request.'),
      })
      .meta({
        id: 'EachDecision',
        description: 'The decisions about requests that were decided one by one.',
      }),
  })
  .meta({ id: 'EachAnswer', description: 'The decisions about several requests.' });

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
