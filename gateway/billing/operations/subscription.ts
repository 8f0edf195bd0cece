import type { z } from 'zod';
import { EXAMPLES } from '../../../schemas/base/examples.ts';
import { isoTimeOrNull, utcMonth } from '../../../schemas/base/time.ts';
import { subscribeRequestSchema, subscriptionSchema } from '../../../schemas/billing/http.ts';
import { organizationDocumentSchema } from '../../../schemas/organizations/documents.ts';
import { SUBSCRIPTION_ROW, subscriptionDocumentSchema } from '../../../schemas/organizations/subscription.ts';
import { meteredDocumentSchema, usageRootSchema } from '../../../schemas/usage/documents.ts';
import { dashboardMember, dashboardOwner } from '../../audiences.ts';
import { readAggregate } from '../../http/records/read-aggregate.ts';
import { json } from '../../http/routing/audience.ts';
import { usageAggregate } from '../../keys/key-usage.ts';
import { OWNER_ONLY } from '../../roles.ts';
import type { GatewayServices } from '../../services.ts';

export const readSubscriptionRoute = dashboardMember.get('/subscription', {
  name: 'readSubscription',
  summary: "Read the organization's subscription and its use this month",
  description: 'Returns the subscription and the use of this month, as far as it has been published.',
  success: { status: 200, schema: subscriptionSchema, description: 'The subscription as it is now' },
  async handle({ principal, services }) {
    return { body: await subscriptionAnswer(services, principal.organizationId) };
  },
});

export const subscribeRoute = dashboardOwner.post('/subscription', {
  name: 'subscribe',
  summary: 'Subscribe the organization to a plan',
  description: 'Subscribes the organization. Live keys work as soon as it is answered.',
  body: json(subscribeRequestSchema),
  success: { status: 200, schema: subscriptionSchema, description: 'The subscription, active' },
  async handle({ principal, body, services, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'subscribe', input: body });
    return { body: await subscriptionAnswer(services, organizationId) };
  },
});

export const cancelSubscriptionRoute = dashboardOwner.delete('/subscription', {
  name: 'cancelSubscription',
  summary: "Cancel the organization's subscription",
  description:
    'Cancels the subscription. Calls with live keys get 402 `payment_required` as soon as it is answered.',
  roles: OWNER_ONLY,
  success: {
    status: 200,
    schema: subscriptionSchema,
    example: { status: 'canceled', since: EXAMPLES.later },
    description: 'The subscription, canceled',
  },
  errors: ['state_conflict'],
  async handle({ principal, services, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'cancel-subscription', input: {} });
    return { body: await subscriptionAnswer(services, organizationId) };
  },
});

/** The organization's subscription as it is now, with the use of this month as far as it has been published. */
async function subscriptionAnswer(
  services: Pick<GatewayServices, 'store' | 'clock' | 'limits'>,
  organizationId: string,
): Promise<z.infer<typeof subscriptionSchema>> {
  const { kind, id } = SUBSCRIPTION_ROW;
  const [organization, used] = await Promise.all([
    readAggregate(
      services.store,
      { table: 'organizations', id: organizationId },
      organizationDocumentSchema,
      [SUBSCRIPTION_ROW],
    ),
    readMeteredUse(services, organizationId),
  ]);
  const subscription = organization.row(kind, id, subscriptionDocumentSchema);
  const included = services.limits.limiter.liveFreePerMonth;
  return {
    status: subscription?.status ?? 'none',
    plan: subscription?.plan ?? null,
    since: isoTimeOrNull(subscription?.since ?? null),
    month: { used, included, metered: Math.max(0, used - included) },
  };
}

async function readMeteredUse(
  { store, clock }: Pick<GatewayServices, 'store' | 'clock'>,
  organizationId: string,
): Promise<number> {
  const month = utcMonth(clock.now());
  const rows = [{ kind: 'metered', id: month }];
  const { row } = await readAggregate(store, usageAggregate(organizationId), usageRootSchema, rows);
  return row('metered', month, meteredDocumentSchema)?.used ?? 0;
}
