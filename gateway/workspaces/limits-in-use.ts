import type { z } from 'zod';
import type { JsonObject } from '../../schemas/base/json.ts';
import { type AnyProduct, hasProduct, PRODUCTS } from '../../schemas/products.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { agentWorkspaceSchema } from '../../schemas/workspaces/http.ts';
import type { ProductRoot } from '../../schemas/workspaces/product.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import { readEach, type Unreadable } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';

type Services = Pick<GatewayServices, 'store' | 'limits' | 'clock'>;

/** The used and the allowed amounts of an installation's plan, of one product. */
export async function usedLimits(
  { store, limits, clock }: Services,
  { topic, root: { schema, empty }, shownQuotas }: AnyProduct,
  installationId: string,
  { plan }: Pick<WorkspaceDocument, 'plan'>,
): Promise<JsonObject> {
  const { root } = await readAggregate<ProductRoot>(store, { table: topic, id: installationId }, schema);
  return shownQuotas({ root: root ?? empty, limits, context: { now: clock.now() } }, plan);
}

/** The limits of a workspace's products, with the used part of each limit. */
export async function limitsInUse(
  services: Services,
  installationId: string,
  workspace: Pick<WorkspaceDocument, 'products' | 'plan'>,
): Promise<{
  readonly limits: z.infer<typeof agentWorkspaceSchema>['limits'];
  readonly unreadable: readonly Unreadable[];
}> {
  const enabled = PRODUCTS.filter(({ name }) => hasProduct(workspace.products, name));
  const used = await readEach(
    enabled,
    ({ name }) => name,
    async (product) =>
      [product.name, await usedLimits(services, product, installationId, workspace)] as const,
  );
  const limits = agentWorkspaceSchema.shape.limits.parse(Object.fromEntries(used.found));
  return { limits, unreadable: used.unreadable };
}
