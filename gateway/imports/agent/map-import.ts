import { mappingSchema } from '../../../schemas/imports/configuration.ts';
import { importStatusSchema, installationImportParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { mapImport } from '../map-import.ts';

/** POST `…/svcimport/imports/{importId}/mapping`: the next mapping revision. */
export const mapImportRoute = defineRoute({
  name: 'mapImport',
  summary: 'Map columns of the file to fields of the schema',
  method: 'POST',
  path: '/v1/installations/:installationId/svcimport/imports/:importId/mapping',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationImportParamsSchema,
  body: { kind: 'json', schema: mappingSchema, limit: 'configurationBytes' },
  success: { status: 200, schema: importStatusSchema, description: 'The import' },
  errors: ['revision_conflict', 'state_conflict', 'cancelled', 'erased'],
  async handle({ principal, params, body, services, submit }) {
    return await mapImport({ submit }, services, principal.workspace, params.importId, body);
  },
});
