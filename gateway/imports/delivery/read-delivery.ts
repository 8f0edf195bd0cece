import { deliveryImportParamsSchema, deliveryImportSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { deliveryAnswer, loadDelivery } from './delivery-answer.ts';

/** GET `{ingest}/v1/import/delivery/{workspaceId}/{schemaId}/imports/{importId}`: in any status. */
export const readDeliveryRoute = defineRoute({
  name: 'readDelivery',
  summary: 'Read one import of the schema',
  method: 'GET',
  path: '/v1/import/delivery/:workspaceId/:schemaId/imports/:importId',
  host: 'ingest',
  principal: 'capability',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'delivery',
  params: deliveryImportParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: deliveryImportSchema, description: 'The import' },
  errors: ['erased'],
  noStore: true,
  async handle({ principal, params, services }) {
    return { body: deliveryAnswer(services, await loadDelivery(services, principal, params.importId)) };
  },
});
