import { DAY_MS, HOUR_MS, isoTime, utcMonth } from '../../../schemas/base/time.ts';
import { keyOverviewListSchema, OVERVIEW_HOURS } from '../../../schemas/keys/overview.ts';
import {
  ACTIVE_KEYS_ROW,
  activeKeysDocumentSchema,
  apiKeyDocumentSchema,
  hasKeyEnded,
} from '../../../schemas/organizations/api-keys.ts';
import { organizationDocumentSchema } from '../../../schemas/organizations/documents.ts';
import { addCalls, type CallCounts, meteredCalls, NO_CALLS } from '../../../schemas/usage/counts.ts';
import { meteredKeyId, usageRootSchema } from '../../../schemas/usage/documents.ts';
import { startOfMonth } from '../../../schemas/usage/periods.ts';
import { dashboardMember } from '../../audiences.ts';
import { readAggregate } from '../../http/records/read-aggregate.ts';
import { joined, keepFound, readEach } from '../../http/records/readings.ts';
import type { GatewayServices } from '../../services.ts';
import { keyAnswer } from '../key-answers.ts';
import { usageAggregate } from '../key-usage.ts';
import { pointsOf, rowsOf, type Span, type UsagePoint } from '../usage-points.ts';

/** The number of live keys whose days one answer adds up. */
const METERED_KEYS_SUMMED_MAX = 100;

/**
 * The number of reads does not grow with the calls: one for each active key, and one for each live key with calls this month,
 * up to a maximum.
 */
export const listKeyOverviewsRoute = dashboardMember.get('/key-overviews', {
  name: 'listKeyOverviews',
  summary: "List the organization's active API keys with their use",
  description:
    'Returns all active keys with their calls in each of the last 36 hours, and the days of this month for the live keys. One request answers for the whole list.',
  success: { status: 200, schema: keyOverviewListSchema, description: 'All active keys, newest first' },
  async handle({ principal: { organizationId }, services }) {
    const now = services.clock.now();
    const spans = { hours: lastHours(now), days: daysOfMonth(now) };
    const [active, metered] = await Promise.all([
      readActiveKeys(services, organizationId, now),
      listMeteredKeys(services, organizationId, utcMonth(now)),
    ]);
    const summed = metered.slice(0, METERED_KEYS_SUMMED_MAX);
    const ids = [...new Set([...active.found.map(({ id }) => id), ...summed])];
    const read = await readEach(
      ids,
      String,
      async (keyId) => [keyId, await readUse(services, keyId, spans)] as const,
    );
    const uses = new Map(read.found);
    const { keysPerMode, testPerMinute, testPerMonth, livePerMinute } = services.limits.limiter;
    return {
      unreadable: joined([
        { ...active, found: [] },
        { ...read, found: [] },
      ]).unreadable,
      body: {
        from: isoTime(spans.hours.start),
        keys: active.found.flatMap(({ id: keyId, document: key }) => {
          const use = uses.get(keyId);
          if (use === undefined) return [];
          const used = use.days.reduce((sum, day) => sum + meteredCalls(day), 0);
          return [
            { ...keyAnswer(keyId, key, use.lastUsedAt), hours: use.hours.map(callsOf), month: { used } },
          ];
        }),
        days: daysOf(
          summed.flatMap((keyId) => uses.get(keyId)?.days ?? []),
          spans.days,
        ),
        daysComplete: summed.length === metered.length && read.unreadable.length === 0,
        limits: { keysPerMode, testPerMinute, testPerMonth, livePerMinute },
      },
    };
  },
});

/** The keys that have not ended, newest first. */
async function readActiveKeys(
  { store }: Pick<GatewayServices, 'store'>,
  organizationId: string,
  now: number,
) {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const { kind, id } = ACTIVE_KEYS_ROW;
  const { row: named } = await readAggregate(store, aggregate, organizationDocumentSchema, [ACTIVE_KEYS_ROW]);
  const ids = (named(kind, id, activeKeysDocumentSchema)?.keys ?? []).map(({ keyId }) => keyId);
  const rows = ids.map((keyId) => ({ kind: 'api-key', id: keyId }));
  const reading = await readAggregate(store, aggregate, organizationDocumentSchema, rows);
  // One that was revoked between the two reads is not active, nor is an expired one.
  const { found, unreadable } = keepFound(
    reading.rows('api-key', ids, apiKeyDocumentSchema),
    ({ document }) => !hasKeyEnded(document, now),
  );
  return {
    found: found.toSorted((left, right) => right.document.createdAt - left.document.createdAt),
    unreadable,
  };
}

/** Live keys with calls in a month, revoked ones too, in the order of their ids: those that are summed up, and the next one. */
async function listMeteredKeys(
  { store }: Pick<GatewayServices, 'store'>,
  organizationId: string,
  month: string,
): Promise<string[]> {
  const prefix = meteredKeyId(month, '');
  const options = { prefix, limit: METERED_KEYS_SUMMED_MAX + 1 };
  const entries = await store.list(usageAggregate(organizationId), 'metered-key', options);
  return entries.map(({ id }) => id.slice(prefix.length));
}

interface Spans {
  readonly hours: Span;
  readonly days: Span;
}

async function readUse({ store }: Pick<GatewayServices, 'store'>, keyId: string, { hours, days }: Spans) {
  const rows = [...rowsOf(hours), ...rowsOf(days)];
  const reading = await readAggregate(store, usageAggregate(keyId), usageRootSchema, rows);
  return {
    lastUsedAt: reading.root?.kind === 'key' ? reading.root.lastUsedAt : null,
    hours: pointsOf(reading, hours),
    days: pointsOf(reading, days),
  };
}

/** The hours up to the current one. */
function lastHours(now: number): Span {
  const current = Math.floor(now / HOUR_MS) * HOUR_MS;
  return { unit: 'hour', start: current - (OVERVIEW_HOURS - 1) * HOUR_MS, count: OVERVIEW_HOURS };
}

/** The days of the current month up to today. */
function daysOfMonth(now: number): Span {
  const start = startOfMonth(utcMonth(now));
  return { unit: 'day', start, count: Math.floor((now - start) / DAY_MS) + 1 };
}

/** The sums of each day of a span. */
function daysOf(points: readonly UsagePoint[], { start, count }: Span) {
  const byDay = Map.groupBy(points, ({ at }) => at);
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * DAY_MS;
    return { at: isoTime(at), ...(byDay.get(at) ?? []).map(callsOf).reduce(addCalls, NO_CALLS) };
  });
}

function callsOf({ allowed, denied, refused }: UsagePoint): CallCounts {
  return { allowed, denied, refused };
}
