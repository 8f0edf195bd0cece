import type { Route } from '../http/route.ts';
import { checkRoute } from './check.ts';
import { healthRoute } from './health.ts';

/** The rate-limit API (specification 4.1). */
export const limiterRoutes: readonly Route[] = [checkRoute, healthRoute];
