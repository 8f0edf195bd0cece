import type { z } from 'zod';
import { checklistExportSchema, summaryQuerySchema, summarySchema } from '../../../schemas/activate/http.ts';
import { namedUnreadable } from '../../http/records/readings.ts';
import type { InWorkspace } from '../../http/routing/audience.ts';
import { checklistAgent, checklistMember } from '../audiences.ts';
import { exportChecklist, readSummary } from '../summary.ts';

interface SummaryRequest extends InWorkspace {
  readonly params: { readonly checklistId: string };
  readonly query: z.infer<typeof summaryQuerySchema>;
}

const SUMMARY = {
  query: summaryQuerySchema,
  success: { status: 200, schema: summarySchema, description: 'The counts' },
  async handle({ workspace, params: { checklistId }, query, services }: SummaryRequest) {
    return { body: await readSummary(services, workspace.installationId, { checklistId, ...query }) };
  },
} as const;

export const readSummaryRoute = checklistAgent.get('/checklists/:checklistId/summary', {
  ...SUMMARY,
  name: 'readChecklistSummary',
  summary: 'Read the counts of one revision and cohort',
  description: 'Returns the counts of one revision and cohort.',
});

export const readWorkspaceSummaryRoute = checklistMember.get('/checklists/:checklistId/summary', {
  ...SUMMARY,
  name: 'readWorkspaceChecklistSummary',
  summary: 'Read the counts of one revision and cohort of a checklist',
  description: 'Returns the counts of one revision and cohort.',
});

export const exportChecklistRoute = checklistMember.get('/checklists/:checklistId/export', {
  name: 'exportChecklist',
  summary: "Download a checklist's configuration and counts",
  description: 'Returns the configuration and all counts of a checklist. It has no data of subjects.',
  success: {
    status: 200,
    attachment: 'application/json',
    file: checklistExportSchema,
    description: 'Every revision as `configuration`, and the counts of each by cohort as `aggregates`',
  },
  recordsRead: { action: 'activate.export-checklist' },
  async handle({ workspace, params, services }) {
    const { checklistId } = params;
    const { installationId } = workspace;
    const { unreadable, ...parts } = await exportChecklist(services, installationId, checklistId);
    const exported: z.infer<typeof checklistExportSchema> = { ...parts, ...namedUnreadable(unreadable) };
    return {
      unreadable,
      attachment: {
        contentType: 'application/json',
        fileName: `checklist-${checklistId}.json`,
        text: `${JSON.stringify(exported, null, 2)}\n`,
      },
    };
  },
});
