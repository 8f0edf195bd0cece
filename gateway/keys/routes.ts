import type { Route } from '../http/route.ts';
import { createKeyRoute } from './create-key.ts';
import { listKeyOverviewsRoute } from './list-key-overviews.ts';
import { listKeysRoute } from './list-keys.ts';
import { readKeyUsageRoute } from './read-key-usage.ts';
import { revokeKeyRoute } from './revoke-key.ts';

/** API keys and how often they were used. */
export const keyRoutes: readonly Route[] = [
  createKeyRoute,
  listKeysRoute,
  listKeyOverviewsRoute,
  revokeKeyRoute,
  readKeyUsageRoute,
];
