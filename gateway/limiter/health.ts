import { isoTime } from '../../schemas/base/time.ts';
import { limiterHealthSchema } from '../../schemas/limiter/http.ts';
import { defineRoute } from '../http/route.ts';

/**
 * GET `/v1/health`: the process answers (infra/docs/reference/rate-limits.md). `/readyz` reports the state of its
 * engines.
 */
export const healthRoute = defineRoute({
  name: 'readLimiterHealth',
  summary: 'Whether the limiter is up',
  method: 'GET',
  path: '/v1/health',
  host: 'limiter',
  principal: 'none',
  rate: 'none',
  body: { kind: 'none' },
  success: { status: 200, schema: limiterHealthSchema, description: 'It is up' },
  errors: [],
  noStore: true,
  async handle({ services: { clock } }) {
    const timestamp = isoTime(clock.now());
    return { body: { data: { status: 'healthy', product: 'limiter', version: 'v1', timestamp } } };
  },
});
