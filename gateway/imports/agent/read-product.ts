import { isoTimeOrNull } from '../../../schemas/base/time.ts';
import { type Allowance, importAllowance, schemaAllowance } from '../../../schemas/imports/allowance.ts';
import { importProductSchema } from '../../../schemas/imports/http.ts';
import { effectiveState } from '../../../schemas/workspaces/state.ts';
import { defineRoute } from '../../route.ts';
import { readImportsRoot } from '../../workspaces/limits-in-use.ts';

/** GET `/v1/agent/svcimport`: the installation and what is used of its limits. */
export const readProductRoute = defineRoute({
  name: 'readImportProduct',
  summary: "Read the import product's state and limits",
  method: 'GET',
  path: '/v1/agent/svcimport',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  body: { kind: 'none' },
  success: { status: 200, schema: importProductSchema, description: 'State and limits' },
  errors: [],
  async handle({ principal, services }) {
    const { installationId, plan } = principal.workspace;
    const { store, clock, limits } = services;
    const root = await readImportsRoot(store, installationId);
    const now = clock.now();
    return {
      body: {
        installationId,
        product: 'svcimport',
        state: effectiveState(principal.workspace, now),
        plan,
        limits: {
          schemas: allowanceAnswer(schemaAllowance(root, plan, limits)),
          imports: allowanceAnswer(importAllowance(root, plan, limits, now)),
        },
      },
    };
  },
});

function allowanceAnswer(allowance: Allowance) {
  return { ...allowance, resetsAt: isoTimeOrNull(allowance.resetsAt) };
}
