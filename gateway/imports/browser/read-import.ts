import { sessionImportSchema, uploadParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { statusAnswer } from '../status-answer.ts';
import { loadOwnImport } from './own-import.ts';

/** GET `…/browser/imports/{importId}`: of the session itself only, like everything here. */
export const readSessionImportRoute = defineRoute({
  name: 'readSessionImport',
  summary: 'Read the status and counts of an import, as a browser',
  method: 'GET',
  path: '/v1/import/browser/imports/:importId',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: uploadParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: sessionImportSchema, description: 'The import' },
  errors: ['erased'],
  noStore: true,
  async handle({ principal, params, services }) {
    const loaded = await loadOwnImport(services, principal, params.importId);
    const validationDigest = loaded.effective.validation?.digest ?? null;
    return { body: { ...statusAnswer(services, loaded), validationDigest } };
  },
});
