import { serviceError } from '../../../schemas/base/errors.ts';
import {
  batchAnswerSchema,
  batchQuerySchema,
  deliveryImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { batchCount, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import type { GatewayServices } from '../../http/services.ts';
import type { PrincipalOf } from '../../principals.ts';
import { importBackend } from '../audiences.ts';
import { type LoadedImport, refuse } from '../load-import.ts';
import { retryAfterReload } from '../reload-import.ts';
import { loadBatch } from './batch.ts';
import { loadDelivery } from './delivery-answer.ts';

/** GET `…/imports/{importId}/batches?index=`: one approved batch with its rows. */
export const readBatchRoute = importBackend.get(
  '/delivery/:workspaceId/:schemaId/imports/:importId/batches',
  {
    name: 'readBatch',
    summary: 'Pull one batch of an approved import',
    whenPaused: 'refused',
    params: deliveryImportParamsSchema,
    query: batchQuerySchema,
    success: { status: 200, schema: batchAnswerSchema, description: 'The batch' },
    errors: ['state_conflict', 'revision_conflict', 'cancelled', 'erased'],
    async handle({ principal, params, query, services }) {
      const { importId } = params;
      const { index } = query;
      return await retryAfterReload(
        () => loadPullable(services, principal, importId),
        async (loaded) => {
          const count = batchCount(loaded.effective.validation);
          if (index >= count)
            throw serviceError('not_found', {
              at: 'query.index',
              seen: 'a number behind the last batch',
              expected: `less than ${count}, how many batches the import has`,
            });
          const batch = await loadBatch(services, principal.workspace, loaded, index);
          const nextIndex = index + 1 < count ? index + 1 : null;
          return { body: { version: 'svcimport.batch.v1', importId, index, ...batch, nextIndex } };
        },
      );
    },
  },
);

async function loadPullable(
  services: GatewayServices,
  principal: PrincipalOf<'capability'>,
  importId: string,
): Promise<LoadedImport> {
  const loaded = await loadDelivery(services, principal, importId);
  const { effective } = loaded;
  refuse(workRefusal(effective) ?? statusRefusal(effective, ['approved', 'delivered']));
  return loaded;
}
