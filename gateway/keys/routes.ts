import { tagged } from '../http/routing/route.ts';
import { readDeniedWindowsRoute, readKeyUsageRoute } from './operations/key-usage.ts';
import { readKeyWindowRoute, resetKeyWindowRoute } from './operations/key-windows.ts';
import {
  changeKeyRoute,
  createKeyRoute,
  listKeysRoute,
  revokeKeyRoute,
  rotateKeyRoute,
} from './operations/keys.ts';
import { listKeyOverviewsRoute } from './operations/list-key-overviews.ts';

/** API keys and how often they were used. */
export const keyRoutes = tagged(
  {
    name: 'API keys',
    description:
      'Keys with which the backends of an organization call the rate-limit checks, and the use of these keys.',
  },
  [
    createKeyRoute,
    listKeysRoute,
    listKeyOverviewsRoute,
    changeKeyRoute,
    rotateKeyRoute,
    revokeKeyRoute,
    readKeyUsageRoute,
    readDeniedWindowsRoute,
    readKeyWindowRoute,
    resetKeyWindowRoute,
  ],
);
