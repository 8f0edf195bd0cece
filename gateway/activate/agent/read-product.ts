import { activateProductSchema } from '../../../schemas/activate/http.ts';
import { effectiveState } from '../../../schemas/workspaces/state.ts';
import { defineRoute } from '../../http/route.ts';
import { checklistLimits } from '../checklist-limits.ts';

/** GET `/v1/agent/svcactivate`: the installation and what is used of its limits. */
export const readProductRoute = defineRoute({
  name: 'readActivateProduct',
  summary: "Read the checklist product's state and limits",
  method: 'GET',
  path: '/v1/agent/svcactivate',
  host: 'base',
  principal: 'project',
  product: 'svcactivate',
  whenPaused: 'allowed',
  rate: 'management',
  body: { kind: 'none' },
  success: { status: 200, schema: activateProductSchema, description: 'State and limits' },
  errors: [],
  async handle({ principal, services }) {
    const { workspace } = principal;
    const { installationId, plan } = workspace;
    return {
      body: {
        installationId,
        product: 'svcactivate',
        state: effectiveState(workspace, services.clock.now()),
        plan,
        limits: await checklistLimits(services, installationId, workspace),
      },
    };
  },
});
