import type { Route } from '../http/route.ts';
import { checkRoute } from './check.ts';
import { healthRoute } from './health.ts';

/** The rate-limit API (infra/docs/reference/rate-limits.md). */
export const limiterRoutes: readonly Route[] = [checkRoute, healthRoute];
