import { mappingSchema } from '../../../schemas/imports/configuration.ts';
import { importStatusSchema, uploadParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { mapImport } from '../map-import.ts';
import { loadOwnImport } from './own-import.ts';

/** POST `…/browser/imports/{importId}/mapping`: the next mapping revision. */
export const mapSessionImportRoute = defineRoute({
  name: 'mapSessionImport',
  summary: 'Map columns of the file to fields of the schema, as a browser',
  method: 'POST',
  path: '/v1/import/browser/imports/:importId/mapping',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: uploadParamsSchema,
  body: { kind: 'json', schema: mappingSchema, limit: 'configurationBytes' },
  success: { status: 200, schema: importStatusSchema, description: 'The import' },
  errors: ['revision_conflict', 'state_conflict', 'cancelled', 'erased'],
  noStore: true,
  async handle({ principal, params, body, services, submit }) {
    await loadOwnImport(services, principal, params.importId);
    return await mapImport({ submit }, services, principal.workspace, params.importId, body);
  },
});
