import type { z } from 'zod';
import {
  type checklistExportSchema,
  workspaceChecklistParamsSchema,
} from '../../../schemas/activate/http.ts';
import { defineRoute } from '../../http/route.ts';
import { pathWorkspace } from '../../imports/console-workspace.ts';
import { EVERY_MEMBER } from '../../people/roles.ts';
import { exportChecklist } from '../summary.ts';

/** GET `…/checklists/{checklistId}/export`: configuration and counts as a file; nothing of any subject. */
export const exportChecklistRoute = defineRoute({
  name: 'exportChecklist',
  summary: "Download a checklist's configuration and counts",
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/checklists/:checklistId/export',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  product: 'svcactivate',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceChecklistParamsSchema,
  body: { kind: 'none' },
  success: {
    status: 200,
    attachment: 'application/json',
    description: 'Every revision as `configuration`, and the counts of each by cohort as `aggregates`',
  },
  errors: [],
  recordsRead: { action: 'activate.export-checklist' },
  async handle({ workspace, params, services }) {
    const { checklistId } = params;
    const { installationId } = pathWorkspace({ workspace });
    const exported: z.infer<typeof checklistExportSchema> = await exportChecklist(
      services,
      installationId,
      checklistId,
    );
    return {
      attachment: {
        contentType: 'application/json',
        fileName: `checklist-${checklistId}.json`,
        text: `${JSON.stringify(exported, null, 2)}\n`,
      },
    };
  },
});
