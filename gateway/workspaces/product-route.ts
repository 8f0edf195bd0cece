import type { z } from 'zod';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { AnyProduct } from '../../schemas/products.ts';
import { effectiveState } from '../../schemas/workspaces/state.ts';
import { agent } from '../audiences.ts';
import type { GatewayServices } from '../services.ts';
import { usedLimits } from './limits-in-use.ts';

interface ProductReading {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: z.ZodType;
  /** Reads what the answer has beside what all products have. */
  readonly more?: (services: GatewayServices) => Promise<JsonObject>;
}

/** The route GET `/v1/agent/{product}`: the state of an installation, and what it has used of its limits. */
export function productRoute(declared: AnyProduct, { schema, more, ...texts }: ProductReading) {
  const product = declared.name;
  return agent.get(`/${product}`, {
    ...texts,
    product,
    success: { status: 200, schema, description: 'State and limits' },
    async handle({ workspace, services }) {
      const { installationId, plan } = workspace;
      const state = effectiveState(workspace, services.clock.now());
      const limits = await usedLimits(services, declared, installationId, workspace);
      return { body: { installationId, product, state, plan, limits, ...(await more?.(services)) } };
    },
  });
}
