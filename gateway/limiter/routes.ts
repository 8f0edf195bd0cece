import { tagged } from '../http/routing/route.ts';
import { checkRoute } from './check.ts';
import { checksRoute } from './checks.ts';
import { eachRoute } from './each.ts';
import { healthRoute } from './health.ts';
import { resetRoute } from './reset.ts';

/** The rate-limit API (infra/docs/reference/rate-limits.md). */
export const limiterRoutes = tagged(
  {
    name: 'Rate limits',
    description: 'Each call counts one request of one of your users and returns whether to allow it.',
  },
  [checkRoute, checksRoute, eachRoute, resetRoute, healthRoute],
);
