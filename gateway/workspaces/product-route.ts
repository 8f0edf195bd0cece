import type { z } from 'zod';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { Product } from '../../schemas/products.ts';
import { effectiveState, type WorkspaceView } from '../../schemas/workspaces/state.ts';
import { agent } from '../audiences.ts';
import type { GatewayServices } from '../http/services.ts';

interface ProductReading {
  readonly name: string;
  readonly summary: string;
  readonly schema: z.ZodType;
  limits(services: GatewayServices, installationId: string, workspace: WorkspaceView): Promise<JsonObject>;
}

/** The route GET `/v1/agent/{product}`: the state of an installation, and what it has used of its limits. */
export function productRoute(product: Product, { name, summary, schema, limits }: ProductReading) {
  return agent.get(`/${product}`, {
    name,
    summary,
    product,
    success: { status: 200, schema, description: 'State and limits' },
    async handle({ workspace, services }) {
      const { installationId, plan } = workspace;
      const state = effectiveState(workspace, services.clock.now());
      const used = await limits(services, installationId, workspace);
      return { body: { installationId, product, state, plan, limits: used } };
    },
  });
}
