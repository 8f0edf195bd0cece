import { serviceError } from '../../../schemas/base/errors.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { artifactBlob } from '../../../schemas/imports/blobs.ts';
import type { ImportConfiguration } from '../../../schemas/imports/configuration.ts';
import {
  acknowledgedSchema,
  acknowledgeRequestSchema,
  batchAnswerSchema,
  batchQuerySchema,
} from '../../../schemas/imports/delivery-http.ts';
import { ackDigest, batchId, type CanonicalValue, rowId } from '../../../schemas/imports/identity.ts';
import { partitionRowId } from '../../../schemas/imports/row-ids.ts';
import { batchCount, statusRefusal, workRefusal } from '../../../schemas/imports/status.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { json } from '../../http/routing/audience.ts';
import type { PrincipalOf } from '../../principals.ts';
import type { GatewayServices } from '../../services.ts';
import { namedValues, readArtifact } from '../artifacts.ts';
import { importBackend } from '../audiences.ts';
import { importsReader, type LoadedImport, loadConfiguration, refuse } from '../load-import.ts';
import { retryAfterReload } from '../reload-import.ts';
import { loadDelivery } from './deliveries.ts';

/**
 * Builds a batch from its stored values. Its ids are computed again and compared with the validated ones: other
 * bytes never leave the service.
 *
 * @throws {Error} when they differ, or when the batch is not there.
 */
async function loadBatch(
  services: GatewayServices,
  workspace: WorkspaceView,
  { importId, document, effective }: LoadedImport,
  index: number,
) {
  const attempt = effective.validation?.attempt;
  if (attempt === undefined) throw new Error('reading a batch of an import that is not validated');
  const { installationId } = workspace;
  const [partition, configuration, entries] = await Promise.all([
    importsReader.row(services.store, installationId, 'partition', partitionRowId(importId, attempt, index)),
    loadConfiguration(services, workspace, document),
    readArtifact(services.blobs, artifactBlob(installationId, importId, attempt, index)),
  ]);
  if (partition === null) throw new Error('reading a partition that is not there');
  const { schemaId, schemaRevision } = document;
  const { firstRow } = partition.range;
  const rows = entries.map((values, position) => {
    if (values === null) throw new Error('reading a batch with an invalid row');
    return rowOf(configuration, { schemaId, schemaRevision, row: firstRow + position, values });
  });
  const rowIds = rows.map((row) => row.rowId);
  const id = batchId(schemaId, schemaRevision, index, firstRow, rowIds);
  if (id !== partition.outcome?.batchId) throw new Error('reading a batch whose identity is another one');
  const manifest = { schemaId, schemaRevision, index, firstRow, rowCount: rows.length, rowIds };
  return { batchId: id, manifest, rows };
}

interface BatchRow {
  readonly schemaId: string;
  readonly schemaRevision: number;
  readonly row: number;
  readonly values: readonly CanonicalValue[];
}

function rowOf(configuration: ImportConfiguration, { schemaId, schemaRevision, row, values }: BatchRow) {
  const { fields } = configuration.schema;
  return { rowId: rowId(schemaId, schemaRevision, row, values), row, values: namedValues(fields, values) };
}

export const readBatchRoute = importBackend.get(
  '/delivery/:workspaceId/:schemaId/imports/:importId/batches',
  {
    name: 'readBatch',
    summary: 'Pull one batch of an approved import',
    description:
      'Returns one batch of an approved import. Start with `index=0` and follow `nextIndex` until it is null.',
    whenPaused: 'refused',
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

export const acknowledgeBatchRoute = importBackend.post(
  '/delivery/:workspaceId/:schemaId/imports/:importId/ack',
  {
    name: 'acknowledgeBatch',
    summary: 'Acknowledge a whole batch',
    description:
      'Tells the service that a whole batch was applied. A repeat gets the same answer. Acknowledge with every row id of the batch.',
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
