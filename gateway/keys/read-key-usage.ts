import { serviceError } from '../../schemas/base/errors.ts';
import { DAY_MS, HOUR_MS, isoTime, utcMonth } from '../../schemas/base/time.ts';
import {
  type KeyUsageQuery,
  keyParamsSchema,
  keyUsageQuerySchema,
  keyUsageSchema,
} from '../../schemas/keys/http.ts';
import { apiKeyDocumentSchema } from '../../schemas/organizations/api-keys.ts';
import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import { isMonthSettled } from '../../schemas/usage/documents.ts';
import { dashboardMember } from '../audiences.ts';
import { notFound } from '../http/checks.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';
import { readMonthUse } from './key-usage.ts';
import { type Span, usagePoints } from './usage-points.ts';

/** GET `/v1/keys/{keyId}/usage`: calls over time, as far as they have been published. */
export const readKeyUsageRoute = dashboardMember.get('/keys/:keyId/usage', {
  name: 'readKeyUsage',
  summary: 'Read how often an API key was used',
  params: keyParamsSchema,
  query: keyUsageQuerySchema,
  success: { status: 200, schema: keyUsageSchema, description: 'Calls by hour or day, in UTC' },
  errors: ['not_found'],
  async handle({ principal, params: { keyId }, query, services }) {
    if (!(await isOwn(services, principal.organizationId, keyId))) throw notFound();
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

async function isOwn({ store }: GatewayServices, organizationId: string, keyId: string): Promise<boolean> {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const rows = [{ kind: 'api-key', id: keyId }];
  const { row } = await readAggregate(store, aggregate, organizationDocumentSchema, rows);
  return row('api-key', keyId, apiKeyDocumentSchema) !== null;
}

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
