import {
  importStatusSchema,
  uploadParamsSchema,
  validateRequestSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { validateImport } from '../actions.ts';
import { loadOwnImport, sessionKey } from './own-import.ts';

/** POST `…/browser/imports/{importId}/validate`. Being accepted is not being done. */
export const validateSessionImportRoute = defineRoute({
  name: 'validateSessionImport',
  summary: 'Queue a validation of the import, as a browser',
  method: 'POST',
  path: '/v1/import/browser/imports/:importId/validate',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: uploadParamsSchema,
  body: { kind: 'json', schema: validateRequestSchema, limit: 'jsonBytes' },
  success: { status: 202, schema: importStatusSchema, description: 'The import, being validated' },
  errors: [
    'idempotency_conflict',
    'revision_conflict',
    'state_conflict',
    'cancelled',
    'erased',
    'limit_reached',
  ],
  noStore: true,
  async handle({ principal, params, body, services, submit }) {
    await loadOwnImport(services, principal, params.importId);
    const idempotencyKey = sessionKey(principal, body.idempotencyKey);
    const { installationId } = principal.workspace;
    return await validateImport({ submit }, installationId, params.importId, { idempotencyKey });
  },
});
