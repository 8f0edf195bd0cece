import { emptyRequestSchema, importStatusSchema, uploadParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { cancelImport } from '../actions.ts';
import { loadOwnImport } from './own-import.ts';

/** POST `…/browser/imports/{importId}/cancel`: before the approval. */
export const cancelSessionImportRoute = defineRoute({
  name: 'cancelSessionImport',
  summary: 'Cancel an import that is not approved, as a browser',
  method: 'POST',
  path: '/v1/import/browser/imports/:importId/cancel',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: uploadParamsSchema,
  body: { kind: 'json', schema: emptyRequestSchema, limit: 'jsonBytes' },
  success: { status: 200, schema: importStatusSchema, description: 'The import, cancelled' },
  errors: ['state_conflict', 'erased'],
  noStore: true,
  async handle({ principal, params, services, submit }) {
    await loadOwnImport(services, principal, params.importId);
    return await cancelImport({ submit }, principal.workspace.installationId, params.importId);
  },
});
