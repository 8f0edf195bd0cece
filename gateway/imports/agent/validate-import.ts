import {
  importStatusSchema,
  installationImportParamsSchema,
  validateRequestSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { validateImport } from '../actions.ts';

/** POST `…/svcimport/imports/{importId}/validate`. Being accepted is not being done. */
export const validateImportRoute = defineRoute({
  name: 'validateImport',
  summary: 'Queue a validation of the import',
  method: 'POST',
  path: '/v1/installations/:installationId/svcimport/imports/:importId/validate',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'management',
  params: installationImportParamsSchema,
  body: { kind: 'json', schema: validateRequestSchema, limit: 'jsonBytes' },
  success: { status: 202, schema: importStatusSchema, description: 'The import, being validated' },
  errors: [
    'idempotency_conflict',
    'revision_conflict',
    'state_conflict',
    'cancelled',
    'limit_reached',
    'erased',
  ],
  async handle({ params, body, submit }) {
    return await validateImport({ submit }, params.installationId, params.importId, {
      idempotencyKey: body.idempotencyKey,
    });
  },
});
