import { errorListSchema, listQuerySchema, uploadParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { previewErrors } from '../preview-errors.ts';
import { loadOwnImport } from './own-import.ts';

/** GET `…/browser/imports/{importId}/errors`: with the cells they are about. */
export const readSessionErrorsRoute = defineRoute({
  name: 'readSessionErrors',
  summary: 'Look at the row errors of an import, as a browser',
  method: 'GET',
  path: '/v1/import/browser/imports/:importId/errors',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: uploadParamsSchema,
  query: listQuerySchema,
  body: { kind: 'none' },
  success: { status: 200, schema: errorListSchema, description: 'One page of row errors' },
  errors: ['state_conflict', 'cancelled', 'erased'],
  noStore: true,
  async handle({ principal, params, query, services }) {
    await loadOwnImport(services, principal, params.importId);
    return { body: await previewErrors(services, principal.workspace, params.importId, query) };
  },
});
