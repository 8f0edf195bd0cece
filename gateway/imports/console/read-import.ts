import type { z } from 'zod';
import { isoTimeOrNull } from '../../../schemas/base/time.ts';
import type { PartitionDocument } from '../../../schemas/imports/documents.ts';
import { importDetailSchema, workspaceImportParamsSchema } from '../../../schemas/imports/http.ts';
import { endedRefusal } from '../../../schemas/imports/status.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { defineRoute } from '../../http/route.ts';
import type { GatewayServices } from '../../http/services.ts';
import { EVERY_MEMBER } from '../../people/roles.ts';
import { pathWorkspace } from '../console-workspace.ts';
import { type LoadedImport, loadImport, loadPartitions } from '../load-import.ts';
import { lookAgain } from '../look-again.ts';
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
  roles: EVERY_MEMBER,
  product: 'svcimport',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: importDetailSchema, description: 'The import' },
  errors: ['erased'],
  async handle({ principal, workspace, params, services }) {
    const view = pathWorkspace({ workspace });
    return await lookAgain(
      () => loadImport(services, view, params.importId),
      async (loaded) => ({ body: await detail(services, view, loaded, principal.role !== 'member') }),
    );
  },
});

async function detail(
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
  privileged: boolean,
): Promise<z.infer<typeof importDetailSchema>> {
  const { installationId } = workspace;
  const { document, effective } = loaded;
  const shown = privileged && endedRefusal(effective) === null && document.status !== 'failed';
  const [partitions, headers, mapping] = await Promise.all([
    loadPartitions(services, workspace, loaded),
    shown ? sourceHeader(services, installationId, loaded) : null,
    shown ? readMapping(services, installationId, loaded) : null,
  ]);
  return {
    ...statusAnswer(services, loaded),
    headers: headers === null ? null : [...headers],
    mapping,
    validationDigest: effective.validation?.digest ?? null,
    batches: partitions.flatMap(batchEntry),
  };
}

function batchEntry({ range, outcome, acknowledgedAt }: PartitionDocument) {
  if (outcome === null || outcome.batchId === null) return [];
  const { index, rows } = range;
  return [{ index, batchId: outcome.batchId, rowCount: rows, acknowledgedAt: isoTimeOrNull(acknowledgedAt) }];
}
