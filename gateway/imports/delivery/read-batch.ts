import { serviceError } from '../../../schemas/base/errors.ts';
import {
  batchAnswerSchema,
  batchQuerySchema,
  deliveryImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { batchCount, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import { defineRoute } from '../../route.ts';
import { refuse } from '../load-import.ts';
import { loadBatch } from './batch.ts';
import { loadDelivery } from './delivery-answer.ts';

/** GET `…/imports/{importId}/batches?index=`: one approved batch with its rows. */
export const readBatchRoute = defineRoute({
  name: 'readBatch',
  summary: 'Pull one batch of an approved import',
  method: 'GET',
  path: '/v1/import/delivery/:workspaceId/:schemaId/imports/:importId/batches',
  host: 'ingest',
  principal: 'capability',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'delivery',
  params: deliveryImportParamsSchema,
  query: batchQuerySchema,
  body: { kind: 'none' },
  success: { status: 200, schema: batchAnswerSchema, description: 'The batch' },
  errors: ['state_conflict', 'revision_conflict', 'cancelled'],
  noStore: true,
  async handle({ principal, params, query, services }) {
    const { workspace } = principal;
    const loaded = await loadDelivery(services, principal, params.importId);
    const { effective, importId } = loaded;
    refuse(workRefusal(effective) ?? statusRefusal(effective, ['approved', 'delivered']));
    const count = batchCount(effective.validation);
    const { index } = query;
    if (index >= count) throw serviceError('not_found', `query.index: the import has ${count} batches.`);
    const batch = await loadBatch(services, workspace, loaded, index);
    const nextIndex = index + 1 < count ? index + 1 : null;
    return { body: { version: 'svcimport.batch.v1', importId, index, ...batch, nextIndex } };
  },
});
