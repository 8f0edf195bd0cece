import { deliveryImportParamsSchema, deliveryImportSchema } from '../../../schemas/imports/http.ts';
import { importBackend } from '../audiences.ts';
import { deliveryAnswer, loadDelivery } from './delivery-answer.ts';

/** GET `{ingest}/v1/import/delivery/{workspaceId}/{schemaId}/imports/{importId}`: in any status. */
export const readDeliveryRoute = importBackend.get('/delivery/:workspaceId/:schemaId/imports/:importId', {
  name: 'readDelivery',
  summary: 'Read one import of the schema',
  params: deliveryImportParamsSchema,
  success: { status: 200, schema: deliveryImportSchema, description: 'The import' },
  errors: ['erased'],
  async handle({ principal, params, services }) {
    return { body: deliveryAnswer(services, await loadDelivery(services, principal, params.importId)) };
  },
});
