import { rowListSchema, rowsQuerySchema, uploadParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { previewRows } from '../preview-rows.ts';
import { loadOwnImport } from './own-import.ts';

/** GET `…/browser/imports/{importId}/rows?filter&field&code`: what the owner sees in the console. */
export const readSessionRowsRoute = defineRoute({
  name: 'readSessionRows',
  summary: 'Look at the rows of an import, as a browser',
  method: 'GET',
  path: '/v1/import/browser/imports/:importId/rows',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: uploadParamsSchema,
  query: rowsQuerySchema,
  body: { kind: 'none' },
  success: { status: 200, schema: rowListSchema, description: 'One page of rows' },
  errors: ['state_conflict', 'cancelled', 'erased'],
  noStore: true,
  async handle({ principal, params, query, services }) {
    await loadOwnImport(services, principal, params.importId);
    return { body: await previewRows(services, principal.workspace, params.importId, query) };
  },
});
