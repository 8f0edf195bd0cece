import { checkAnswerSchema, checkRequestSchema, limiterHealthSchema } from '../../schemas/limiter/http.ts';
import { nameSchema, type ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';

const ASKED = { namespace: 'api', identifier: 'user_42', limit: 100, window: 60_000, cost: 1 };
const DECISION = {
  allowed: true,
  remaining: 99,
  limit: 100,
  reset_at: 1_788_775_260_000,
  namespace: 'api',
  identifier: 'user_42',
};
const HEALTH = {
  status: 'healthy' as const,
  product: 'limiter' as const,
  version: 'v1' as const,
  timestamp: EXAMPLES.at,
};

/** The texts about rate-limit checks in the OpenAPI document. */
export const limiterDocumentation: ProductDocumentation = {
  tag: {
    name: 'Rate limits',
    description: 'Each call counts one request of one of your users and returns whether to allow it.',
  },
  parameters: {},
  schemas: [
    nameSchema(
      'CheckRequest',
      checkRequestSchema,
      'A request to count. Unknown members are ignored.',
      ASKED,
      {
        namespace: 'Separates counters of the same identifier, such as one for each of your endpoints.',
        identifier: 'The caller to count, such as a user id or an address.',
        limit: 'Units allowed in a window.',
        window: 'The length of a window in milliseconds.',
        cost: 'Units to consume; 0 peeks without consuming.',
      },
    ),
    nameSchema('CheckAnswer', checkAnswerSchema, 'The decision about one request.', { data: DECISION }),
    nameSchema(
      'CheckDecision',
      checkAnswerSchema.shape.data,
      'A denied request is an answer and no error.',
      DECISION,
      {
        allowed: 'True if the request is within the limit.',
        remaining: 'Units left in the window.',
        limit: 'Units allowed in the window.',
        reset_at: 'The end of the window in Unix milliseconds.',
        namespace: 'The namespace of the request.',
        identifier: 'The identifier of the request.',
        retry_after_ms:
          'Milliseconds until the window ends. Present if the request is denied and waiting helps.',
      },
    ),
    nameSchema('LimiterHealth', limiterHealthSchema, 'The limiter answers.', { data: HEALTH }),
    nameSchema('LimiterHealthData', limiterHealthSchema.shape.data, 'The state of the limiter.', HEALTH, {
      status: 'The state.',
      product: 'The product.',
      version: 'The version of its interface.',
      timestamp: 'The current time, in UTC.',
    }),
  ],
  operations: {
    check: {
      description:
        'Counts one request against the limit that the body names, and returns whether to allow it. A window begins with the first request that it allows. The headers `RateLimit-Policy` and `RateLimit` are about the quota of the key itself.',
    },
    readLimiterHealth: { description: 'Returns 200 if the limiter answers. It needs no key.' },
  },
};
