import { importProductSchema } from '../../../schemas/imports/http.ts';
import { effectiveState } from '../../../schemas/workspaces/state.ts';
import { agent } from '../../audiences.ts';
import { importLimits } from '../import-limits.ts';

/** GET `/v1/agent/svcimport`: the installation and what is used of its limits. */
export const readProductRoute = agent.get('/svcimport', {
  name: 'readImportProduct',
  summary: "Read the import product's state and limits",
  product: 'svcimport',
  success: { status: 200, schema: importProductSchema, description: 'State and limits' },
  async handle({ principal, services }) {
    const { workspace } = principal;
    const { installationId, plan } = workspace;
    return {
      body: {
        installationId,
        product: 'svcimport',
        state: effectiveState(workspace, services.clock.now()),
        plan,
        limits: await importLimits(services, installationId, workspace),
      },
    };
  },
});
