import { checksAnswerSchema, checksRequestSchema } from '../../schemas/limiter/http.ts';
import type { ApiKeyTarget } from '../../schemas/limiter/keys.ts';
import type { EntryAnswer } from '../../topics/ports/limiter.ts';
import { defineRoute } from '../http/routing/route.ts';
import { answerDirectly } from './answer-directly.ts';
import { CHECK_ERRORS, entryAnswer } from './check.ts';
import type { AskedChecks, Checker } from './checker.ts';
import { readChecks } from './read-check.ts';

export const checksRoute = defineRoute({
  name: 'checkSeveral',
  summary: 'Check and count one request against several limits',
  description:
    'Counts one request against up to ten limits at once, and returns whether to allow it. If one limit denies it, no window changes. It counts as many calls of the key as there are limits: the quotas of the key have room for all of them or refuse the request.',
  method: 'POST',
  path: '/v1/checks',
  host: 'limiter',
  principal: 'limiter',
  rate: 'none',
  body: { kind: 'json', schema: checksRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  quotaHeaders: true,
  success: {
    status: 200,
    schema: checksAnswerSchema,
    description: 'Whether it is allowed, and what is left',
  },
  errors: CHECK_ERRORS,
  direct: answerDirectly({
    read: readChecks,
    decide: (checker: Checker, key: ApiKeyTarget, asked: AskedChecks) => checker.checkAll(key, asked),
    tell: ({ entries: asked }, { allowed, entries: told }) => ({
      allowed,
      checks: asked.map((entry, index) => entryAnswer(entry, told[index] as EntryAnswer)),
    }),
  }),
});
