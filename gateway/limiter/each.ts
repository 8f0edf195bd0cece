import { type Refusal, ServiceError, usedKey } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { eachAnswerSchema, eachRequestSchema } from '../../schemas/limiter/http.ts';
import type { ApiKeyTarget } from '../../schemas/limiter/keys.ts';
import type { AskedCheck } from '../../topics/ports/limiter.ts';
import { defineRoute } from '../http/routing/route.ts';
import { answerDirectly, failureOf, noRoom, refusalOf } from './answer-directly.ts';
import { entryAnswer } from './check.ts';
import type { Checker, EachDecision } from './checker.ts';
import { type ReadEntry, readEach } from './read-check.ts';

export const eachRoute = defineRoute({
  name: 'checkEach',
  summary: 'Check and count many requests, each alone',
  description:
    'Counts up to 250 requests, and decides each as `POST /v1/check` would, in this order. A request that is wrong, or that a quota of the key has no room for, has an error in its place, and the others are decided. A key that is rejected (401) or not paid for (402) refuses the whole.',
  method: 'POST',
  path: '/v1/checks/each',
  host: 'limiter',
  principal: 'limiter',
  rate: 'none',
  body: { kind: 'json', schema: eachRequestSchema, limit: 'configurationBytes' },
  quotaHeaders: true,
  success: {
    status: 200,
    schema: eachAnswerSchema,
    description: 'The decision about each request, or why there is none',
  },
  errors: [
    'bad_request',
    'unauthorized',
    'payment_required',
    'rate_limited',
    'internal_error',
    'unavailable',
  ],
  direct: answerDirectly({
    limit: 'configurationBytes',
    read: readEach,
    decide: (checker: Checker, key: ApiKeyTarget, asked: readonly ReadEntry[]) =>
      checker.checkEach(
        key,
        asked.filter((entry): entry is AskedCheck => !isRefusal(entry)),
      ),
    tell: (asked, { results }, { checker }) => {
      let next = 0;
      const checks = asked.map((entry) => {
        if (isRefusal(entry)) return refused(entry);
        const result = results[next] as EachDecision['results'][number];
        next += 1;
        return answerOf(entry, result, checker.windowsMax);
      });
      return { checks };
    },
  }),
});

function isRefusal(entry: ReadEntry): entry is Refusal {
  return 'code' in entry;
}

/** The answer about one check. */
function answerOf(
  entry: AskedCheck,
  result: EachDecision['results'][number],
  windowsMax: number,
): JsonObject {
  switch (result.kind) {
    case 'answered':
      return entryAnswer(entry, result);
    case 'quota-exceeded':
    case 'windows-exhausted':
      return refused(refusalOf(result, windowsMax), result.retryAfterMs);
    case 'idempotency-conflict':
      return refused(usedKey('body.idempotencyKey'));
    case 'no-room':
      return refused(noRoom());
    case 'failed':
      return refused(refusalOfFailure(result.error));
  }
}

/** @throws what is no refusal, such as a fault of the program */
function refusalOfFailure(error: unknown): Refusal {
  const failure = failureOf(error);
  if (failure instanceof ServiceError) return failure.refusal;
  throw failure;
}

function refused({ code, message, retryAfterSeconds }: Refusal, retryAfterMs?: number): JsonObject {
  const ms = retryAfterMs ?? (retryAfterSeconds === undefined ? undefined : retryAfterSeconds * SECOND_MS);
  return ms === undefined ? { error: { code, message } } : { error: { code, message }, retry_after_ms: ms };
}
