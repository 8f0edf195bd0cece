import {
  emptyRequestSchema,
  importStatusSchema,
  installationImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { cancelImport } from '../actions.ts';

/** POST `…/svcimport/imports/{importId}/cancel`: before the approval. */
export const cancelImportRoute = defineRoute({
  name: 'cancelImport',
  summary: 'Cancel an import that is not approved',
  method: 'POST',
  path: '/v1/installations/:installationId/svcimport/imports/:importId/cancel',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: installationImportParamsSchema,
  body: { kind: 'json', schema: emptyRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  success: { status: 200, schema: importStatusSchema, description: 'The import, cancelled' },
  errors: ['state_conflict', 'erased'],
  async handle({ params, submit }) {
    return await cancelImport({ submit }, params.installationId, params.importId);
  },
});
