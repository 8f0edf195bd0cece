import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { checkAnswerSchema, checkRequestSchema } from '../../schemas/limiter/http.ts';
import type { ApiKeyTarget } from '../../schemas/limiter/keys.ts';
import type { AskedCheck, CheckEntry, EntryAnswer } from '../../topics/ports/limiter.ts';
import { defineRoute } from '../http/routing/route.ts';
import { answerDirectly } from './answer-directly.ts';
import type { Checker } from './checker.ts';
import { readCheck } from './read-check.ts';

export const CHECK_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'unauthorized',
  'payment_required',
  'idempotency_conflict',
  'rate_limited',
  'limit_reached',
  'internal_error',
  'unavailable',
];

/** An exhausted limit is an answer, not an error. */
export const checkRoute = defineRoute({
  name: 'check',
  summary: 'Check and count one request against a limit',
  description:
    'Counts one request against the limit that the body names, and returns whether to allow it. A window begins with the first request that it allows. The headers `RateLimit-Policy` and `RateLimit` are about the quota of the key itself.',
  method: 'POST',
  path: '/v1/check',
  host: 'limiter',
  principal: 'limiter',
  rate: 'none',
  body: { kind: 'json', schema: checkRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  quotaHeaders: true,
  success: { status: 200, schema: checkAnswerSchema, description: 'Whether it is allowed, and what is left' },
  errors: CHECK_ERRORS,
  direct: answerDirectly({
    read: readCheck,
    decide: (checker: Checker, key: ApiKeyTarget, asked: AskedCheck) => checker.check(key, asked),
    tell: entryAnswer,
  }),
});

/** The answer about one limit. */
export function entryAnswer(
  { namespace, identifier, limit, cost }: CheckEntry,
  { allowed, remaining, resetAt, retryAfterMs }: EntryAnswer,
): JsonObject {
  const data = { allowed, remaining, limit, reset_at: resetAt, namespace, identifier };
  // A cost beyond the limit fits into no window, however long the caller waits.
  return !allowed && cost <= limit ? { ...data, retry_after_ms: retryAfterMs } : data;
}
