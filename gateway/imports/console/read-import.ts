import { isoTimeOrNull } from '../../../schemas/base/time.ts';
import type { PartitionDocument } from '../../../schemas/imports/documents.ts';
import { importDetailSchema, workspaceImportParamsSchema } from '../../../schemas/imports/http.ts';
import { endedRefusal } from '../../../schemas/imports/status.ts';
import { defineRoute } from '../../route.ts';
import { pathWorkspace } from '../console-workspace.ts';
import { loadImport, loadPartitions } from '../load-import.ts';
import { readMapping } from '../read-mapping.ts';
import { sourceHeader } from '../source-header.ts';
import { statusAnswer } from '../status-answer.ts';

/** GET `/v1/console/workspaces/{workspaceId}/imports/{importId}`. Header names are for owners and admins only. */
export const readWorkspaceImportRoute = defineRoute({
  name: 'readWorkspaceImport',
  summary: 'Read an import as its owner',
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/imports/:importId',
  host: 'console',
  principal: 'console',
  product: 'svcimport',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: importDetailSchema, description: 'The import' },
  errors: [],
  async handle({ principal, workspace, params, services }) {
    const view = pathWorkspace({ workspace });
    const { installationId } = view;
    const loaded = await loadImport(services, view, params.importId);
    const { document, effective } = loaded;
    const hidden =
      principal.role === 'member' || endedRefusal(effective) !== null || document.status === 'failed';
    const [partitions, headers, mapping] = await Promise.all([
      loadPartitions(services, view, loaded),
      hidden ? null : sourceHeader(services, installationId, loaded),
      hidden ? null : readMapping(services, installationId, loaded),
    ]);
    return {
      body: {
        ...statusAnswer(services, loaded),
        headers: headers === null ? null : [...headers],
        mapping,
        validationDigest: effective.validation?.digest ?? null,
        batches: partitions.flatMap(batchEntry),
      },
    };
  },
});

function batchEntry({ range, outcome, acknowledgedAt }: PartitionDocument) {
  if (outcome === null || outcome.batchId === null) return [];
  const { index, rows } = range;
  return [{ index, batchId: outcome.batchId, rowCount: rows, acknowledgedAt: isoTimeOrNull(acknowledgedAt) }];
}
