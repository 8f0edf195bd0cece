import { serviceError } from '../../../schemas/base/errors.ts';
import { DAY_MS, HOUR_MS, isoTime, utcMonth } from '../../../schemas/base/time.ts';
import {
  deniedWindowsSchema,
  type KeyUsageQuery,
  keyUsageQuerySchema,
  keyUsageSchema,
} from '../../../schemas/keys/http.ts';
import { isMonthSettled } from '../../../schemas/usage/documents.ts';
import { dashboardMember, dashboardOwner } from '../../audiences.ts';
import { readMonthUse } from '../key-usage.ts';
import { readKey } from '../read-key.ts';
import { type Span, usagePoints } from '../usage-points.ts';

export const readKeyUsageRoute = dashboardMember.get('/keys/:keyId/usage', {
  name: 'readKeyUsage',
  summary: 'Read how often an API key was used',
  description: 'Returns the calls of a key by hour or day.',
  query: keyUsageQuerySchema,
  success: { status: 200, schema: keyUsageSchema, description: 'Calls by hour or day, in UTC' },
  errors: ['not_found'],
  async handle({ principal, params: { keyId }, query, services }) {
    await readKey(services, principal.organizationId, keyId);
    const now = services.clock.now();
    const [points, used] = await Promise.all([
      usagePoints(services.store, keyId, spanOf(query, now)),
      readMonthUse(services.store, keyId, utcMonth(now)),
    ]);
    return {
      body: {
        unit: query.unit,
        points: points.map(({ at, ...calls }) => ({ at: isoTime(at), ...calls })),
        month: { used },
      },
    };
  },
});

/** The days that a query spans by default. `SPAN_DAYS_MAX` holds the maxima. */
const SPAN_DAYS = { hour: 1, day: 30 } as const;
const SPAN_DAYS_MAX = { hour: 31, day: 366 } as const;

const UNIT_MS = { hour: HOUR_MS, day: DAY_MS } as const;

/** Whole hours or days. @throws {ServiceError} `bad_request` for more of them than one answer holds. */
function spanOf({ unit, ...asked }: KeyUsageQuery, now: number): Span {
  const to = asked.to ?? now + 1;
  const from = asked.from ?? to - SPAN_DAYS[unit] * DAY_MS;
  if (from >= to)
    throw serviceError('bad_request', {
      at: 'query.from',
      seen: 'a time that is not before to',
      expected: 'an earlier time than to',
    });
  if (to - from > SPAN_DAYS_MAX[unit] * DAY_MS) {
    throw serviceError('bad_request', {
      at: 'query.from',
      seen: `a time more than ${SPAN_DAYS_MAX[unit]} days before to`,
      expected: `at most ${SPAN_DAYS_MAX[unit]} days for points of one ${unit}`,
    });
  }
  if (unit === 'hour' && isMonthSettled(utcMonth(from), now)) {
    throw serviceError('bad_request', {
      at: 'query.unit',
      seen: 'hour for a time more than 13 months ago',
      expected: 'day',
    });
  }
  const unitMs = UNIT_MS[unit];
  const start = Math.max(0, Math.floor(from / unitMs)) * unitMs;
  return { unit, start, count: Math.ceil((to - start) / unitMs) };
}

/** Not for members: identifiers are those of the customer's own users, and members see counts only. */
export const readDeniedWindowsRoute = dashboardOwner.get('/keys/:keyId/denied', {
  name: 'readDeniedWindows',
  summary: 'Read which identifiers an API key denied',
  description:
    'Returns at most 50 windows that denied calls of the key, the most denied first. Calls are counted for one to two days. Beyond 50 windows a number may be too large, never too small.',
  success: { status: 200, schema: deniedWindowsSchema, description: 'The windows, the most denied first' },
  errors: ['not_found', 'unavailable'],
  async handle({ principal: { organizationId }, params: { keyId }, services }) {
    await readKey(services, organizationId, keyId);
    const { since, windows } = await services.checker.deniedWindows(organizationId, keyId);
    return {
      body: {
        since: isoTime(since),
        windows: windows.map(({ windowMs, ...window }) => ({ ...window, window: windowMs })),
      },
    };
  },
});
