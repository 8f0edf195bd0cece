import { isLimiterKey } from '../../schemas/limiter/keys.ts';
import type { Authenticator } from '../bearer.ts';
import { singleHeader } from '../headers.ts';

const BEARER = /^bearer +/i;

/** An API key of the limiter, as `Bearer` or bare (specification 5.1). Whether it is revoked is asked with the check. */
export const limiterPrincipal: Authenticator<'limiter'> = async (request, { checker }) => {
  const header = singleHeader(request, 'authorization');
  if (header === null) return null;
  const key = header.replace(BEARER, '');
  const target = isLimiterKey(key) ? await checker.find(key) : null;
  return target === null ? null : { kind: 'limiter', ...target };
};
