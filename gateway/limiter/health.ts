import { isoTime } from '../../schemas/base/time.ts';
import { limiterHealthSchema } from '../../schemas/limiter/http.ts';
import { defineRoute } from '../http/routing/route.ts';

/** `/readyz` reports the state of the engines. */
export const healthRoute = defineRoute({
  name: 'readLimiterHealth',
  summary: 'Whether the limiter is up',
  description: 'Returns 200 if the limiter answers. It needs no key.',
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
