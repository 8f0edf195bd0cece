import { mappingSchema } from '../../../schemas/imports/configuration.ts';
import { importStatusSchema, workspaceImportParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { pathWorkspace } from '../console-workspace.ts';
import { mapImport } from '../map-import.ts';

/** POST `/v1/console/workspaces/{workspaceId}/imports/{importId}/mapping`. */
export const mapWorkspaceImportRoute = defineRoute({
  name: 'mapWorkspaceImport',
  summary: 'Map columns of the file to fields of the schema, as the owner',
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/imports/:importId/mapping',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  body: { kind: 'json', schema: mappingSchema, limit: 'configurationBytes' },
  success: { status: 200, schema: importStatusSchema, description: 'The import' },
  errors: ['forbidden', 'revision_conflict', 'state_conflict', 'cancelled', 'erased'],
  async handle({ workspace, params, body, services, submit }) {
    return await mapImport({ submit }, services, pathWorkspace({ workspace }), params.importId, body);
  },
});
