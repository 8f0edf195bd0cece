import { serviceError } from '../../../schemas/base/errors.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import {
  acknowledgedSchema,
  acknowledgeRequestSchema,
  deliveryImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { ackDigest } from '../../../schemas/imports/identity.ts';
import { json } from '../../http/audience.ts';
import { importBackend } from '../audiences.ts';
import { loadDelivery } from './delivery-answer.ts';

/** POST `…/imports/{importId}/ack`: a whole batch is in the customer's database. */
export const acknowledgeBatchRoute = importBackend.post(
  '/delivery/:workspaceId/:schemaId/imports/:importId/ack',
  {
    name: 'acknowledgeBatch',
    summary: 'Acknowledge a whole batch',
    params: deliveryImportParamsSchema,
    body: json(acknowledgeRequestSchema),
    success: { status: 200, schema: acknowledgedSchema, description: 'The stored acceptance' },
    errors: ['acknowledgment_conflict', 'erased'],
    async handle({ principal, params, body, services, submit }) {
      const { importId } = params;
      if (body.importId !== importId) {
        throw serviceError('bad_request', {
          at: 'body.importId',
          seen: 'another id',
          expected: 'the id of the import in the path',
        });
      }
      await loadDelivery(services, principal, importId);
      const { batchId, acceptedRowIds } = body.ack;
      // Row ids with few possible values can be guessed, so the topic gets only a digest of all of them.
      const input = { importId, batchId, ackDigest: ackDigest(acceptedRowIds) };
      const { installationId } = principal.workspace;
      const { acknowledgedAt, remainingBatches } = await submit({
        topic: 'imports',
        key: installationId,
        type: 'acknowledge-batch',
        input,
      });
      return {
        body: {
          version: 'svcimport.acknowledged.v1',
          importId,
          batchId,
          status: 'accepted',
          acknowledgedAt: isoTime(acknowledgedAt),
          remainingBatches,
        },
      };
    },
  },
);
