import type { z } from 'zod';
import { isoTimeOrNull, utcMonth } from '../../schemas/base/time.ts';
import type { subscriptionSchema } from '../../schemas/billing/http.ts';
import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import { SUBSCRIPTION_ROW, subscriptionDocumentSchema } from '../../schemas/organizations/subscription.ts';
import { meteredDocumentSchema, usageRootSchema } from '../../schemas/usage/documents.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';
import { usageAggregate } from '../keys/key-usage.ts';

/** The organization's subscription as it is now, with the use of this month as far as it has been published. */
export async function subscriptionAnswer(
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
