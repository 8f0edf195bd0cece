import type { z } from 'zod';
import { isoTimeOrNull } from '../../schemas/base/time.ts';
import { type Allowance, importAllowance, schemaAllowance } from '../../schemas/imports/allowance.ts';
import { type ImportsRoot, importsRootSchema } from '../../schemas/imports/documents.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { agentWorkspaceSchema } from '../../schemas/workspaces/http.ts';
import { readAggregate } from '../read-aggregate.ts';
import type { GatewayServices } from '../services.ts';

/** What a workspace has used of the limits of the products that it opted into. */
export async function limitsInUse(
  { store, limits, clock }: Pick<GatewayServices, 'store' | 'limits' | 'clock'>,
  installationId: string,
  { products, plan }: Pick<WorkspaceDocument, 'products' | 'plan'>,
): Promise<z.infer<typeof agentWorkspaceSchema>['limits']> {
  if (!products.includes('svcimport')) return {};
  const root = await readImportsRoot(store, installationId);
  return {
    svcimport: {
      schemas: answer(schemaAllowance(root, plan, limits)),
      imports: answer(importAllowance(root, plan, limits, clock.now())),
    },
  };
}

/** The counts of a workspace's imports; zeros before there is anything to count. */
export async function readImportsRoot(
  store: GatewayServices['store'],
  installationId: string,
): Promise<ImportsRoot> {
  const { root } = await readAggregate(store, { table: 'imports', id: installationId }, importsRootSchema);
  return root ?? NOTHING_IMPORTED;
}

const NOTHING_IMPORTED: ImportsRoot = {
  lifecycle: null,
  schemasMade: 0,
  importsMade: 0,
  importsInMonth: null,
  validationSlot: null,
};

function answer(allowance: Allowance) {
  return { ...allowance, resetsAt: isoTimeOrNull(allowance.resetsAt) };
}
